"""What a teacher is asked about, and the name that the labels get."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from mariago.errors import BadInputError, first_fault
from mariago.records.schema import SPLITS

__all__ = ["SYMMETRIES", "LabelSettings", "settings_of"]

SYMMETRIES = (1, 2, 8)


class LabelSettings(BaseModel):
    """How the rows of a data set are labelled. Frozen; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    teacher: str
    """The name of a player; see ``mariago.teaching.teachers`` for the kinds that teach."""
    name: str = ""
    """What the teacher is called in the names of files; empty: kind and hash of its net."""
    symmetries: int | None = None
    """Of a net: 1, 2 (as it lies, and upside down) or 8 (4 on a rectangle) boards whose mean is
    told; None: what the player's name says, else 1."""
    split: str = ""
    """One split alone."""
    every: int = Field(1, ge=1)
    """Every so many moves of a game; games begin at different moves, so that both sides come up."""
    most: int = Field(0, ge=0)
    """At most so many rows of a game in a shard, evenly spread; 0: all."""

    @field_validator("split")
    @classmethod
    def _known_split(cls, split: str) -> str:
        if split not in ("", *SPLITS):
            raise ValueError(f"there are {', '.join(SPLITS)}")
        return split

    @field_validator("symmetries")
    @classmethod
    def _known_symmetries(cls, symmetries: int | None) -> int | None:
        if symmetries not in (None, *SYMMETRIES):
            raise ValueError("1, 2 or 8 symmetries")
        return symmetries


def settings_of(**values: object) -> LabelSettings:
    """Return checked settings.

    Raises:
        BadInputError: a value out of range, or an unknown key.
    """
    try:
        return LabelSettings.model_validate(values)
    except ValidationError as error:
        raise BadInputError(
            first_fault(error), hint="mariago records label --help explains the options"
        ) from None
