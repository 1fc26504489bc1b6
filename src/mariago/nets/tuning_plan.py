"""How a net is tuned: what of it learns, from whose moves, how long and how fast."""

from __future__ import annotations

from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from mariago.board.points import size_of
from mariago.errors import BadInputError, CoordinateError, first_fault
from mariago.nets.recipe import LARGEST_SEED, MOST_STEPS

__all__ = ["RATES", "TuningPlan", "plan_of"]

RATES = {"all": 1e-4, "head": 5e-4, "low-rank": 1e-3}
"""Peak learning rates that are taken where none is told."""


class TuningPlan(BaseModel):
    """The course of a tuning. Frozen; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    what: Literal["all", "head", "low-rank"] = "all"
    """All layers; the heads on a trunk that stays as it is; adapters beside all convolutions."""
    player: str = ""
    """Whose moves; empty: everybody's."""
    steps: int = Field(default=800, ge=0, le=MOST_STEPS)
    """At most; 0 leaves the net as it is."""
    rate: float | None = Field(default=None, gt=0, le=1)
    """Peak learning rate; ``None``: that of :data:`RATES`."""
    batch: int = Field(default=64, ge=2, le=2**20)
    rank: int = Field(default=8, ge=1, le=1024)
    """Of the adapters."""
    value: Literal["keep", "results"] = "keep"
    """Win, score and ownership: held to the base net's, or learnt from the games' results."""
    norms: Literal["frozen", "running"] = "frozen"
    """Whether the norms' running statistics stay, or go on as in a training."""
    sizes: tuple[str, ...] = ()
    """Board sizes, or a text like ``"9,13"``; empty: those the net was trained on, or all where it
    does not say."""
    seed: int = Field(default=1, ge=0, le=LARGEST_SEED)
    warmup_steps: int = Field(default=50, ge=0, le=MOST_STEPS)
    final_rate: float = Field(default=0.1, ge=0, le=1)
    """The rate goes down a cosine to this share of the peak."""
    validate_every: int = Field(default=100, ge=1, le=MOST_STEPS)
    validation_samples: int = Field(default=1024, ge=1, le=10**9)
    patience: int = Field(default=4, ge=1, le=10**6)
    """Measurements without a smaller loss after which it stops; the best net is kept."""
    checkpoint_every: int = Field(default=100, ge=1, le=MOST_STEPS)
    held_out_samples: int = Field(default=10_000, ge=1, le=10**9)
    """Of the test split, spread over its games, on which both nets are measured; as many again of
    the opponents' where a player is named."""

    @field_validator("sizes", mode="before")
    @classmethod
    def _are_sizes(cls, sizes: object) -> object:
        if isinstance(sizes, str):
            sizes = [text for text in sizes.split(",") if text.strip()]
        if not isinstance(sizes, list | tuple):
            return sizes
        try:
            return tuple(str(size_of(size)) for size in cast("list[Any]", sizes))
        except CoordinateError as error:
            raise ValueError(str(error)) from error

    @property
    def rate_used(self) -> float:
        """The peak learning rate."""
        return RATES[self.what] if self.rate is None else self.rate


def plan_of(**settings: object) -> TuningPlan:
    """Return the plan of these settings.

    Raises:
        BadInputError: an unknown one, or a value out of its range.
    """
    try:
        return TuningPlan.model_validate(settings)
    except ValidationError as error:
        raise BadInputError(
            f"is no way to tune: {first_fault(error)}",
            where="mariago net tune",
            hint="mariago net tune --help lists the options",
        ) from error
