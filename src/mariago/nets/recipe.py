"""Recipes: how a net is trained, as a TOML file or the name of a packaged one.

::

    [net]                       # the architecture, see NetConfig.of_size
    blocks = 6
    channels = 64

    [training]
    steps = 5000                # optimiser steps; with the same seed, the same net
    batch = 256

    [losses]
    value = 0.5

    [teacher]                   # learn from the labels of `mariago records label`
    name = "b6c96"

Every key has a default except ``net.blocks``, ``net.channels`` and ``training.steps``; an unknown
key is an error.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from mariago.board.files import parse_toml, read_toml
from mariago.board.points import Size, size_of
from mariago.errors import CoordinateError, NetError, first_fault
from mariago.nets.config import NetConfig

__all__ = [
    "LARGEST_SEED",
    "Losses",
    "NetSize",
    "Recipe",
    "Teacher",
    "Training",
    "packaged_recipes",
    "read_recipe",
    "recipe_of",
]


LARGEST_SEED = 2**63 - 1
"""The largest seed that every generator of random numbers here takes."""
MOST_STEPS = 10**9


class _Part(BaseModel):
    # Strict: a number written as text is more likely a slip than a wish.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class NetSize(_Part):
    """The architecture in a few numbers."""

    blocks: int = Field(ge=1, le=100)
    channels: int = Field(ge=4, le=1024)
    pool_every: int = Field(default=3, ge=1, le=100)
    first_kernel: Literal[3, 5] = 5

    def config(self) -> NetConfig:
        """Return the whole architecture that these numbers mean."""
        config = NetConfig.of_size(self.blocks, self.channels, pool_every=self.pool_every)
        return config.model_copy(update={"first_kernel": self.first_kernel})


class Training(_Part):
    """The course of the training."""

    steps: int = Field(ge=1, le=MOST_STEPS)
    batch: int = Field(default=128, ge=2, le=2**20)
    learning_rate: float = Field(default=4e-3, gt=0)
    """Peak: reached after ``warmup_steps``, then down a cosine to ``final_rate`` times itself."""
    warmup_steps: int = Field(default=100, ge=0, le=MOST_STEPS)
    final_rate: float = Field(default=0.01, ge=0, le=1)
    weight_decay: float = Field(default=0.02, ge=0, le=10)
    """Of convolutions and matrices; norms and biases have none (AdamW, Loshchilov and Hutter 2019,
    arXiv:1711.05101)."""
    clip_gradient: float = Field(default=1.0, gt=0, le=1e6)
    """Largest Euclidean norm of the whole gradient."""
    symmetries: bool = True
    """Turn and mirror every sample at random (one of eight ways) each time it is used."""
    sizes: tuple[str, ...] = ()
    """Board sizes to use (``"9x9"``); empty: all that the data set holds."""
    one_size_a_batch: bool = True
    """Fill a batch with boards of one size: no time is spent on padding. False mixes them."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """``auto`` is bfloat16 where the processor or GPU computes in it, otherwise float32."""
    seed: int = Field(default=1, ge=0, le=LARGEST_SEED)
    validate_every: int = Field(default=250, ge=1, le=MOST_STEPS)
    """Steps between two measurements on the validation split."""
    validation_samples: int = Field(default=2048, ge=1, le=10**9)
    checkpoint_every: int = Field(default=250, ge=1, le=MOST_STEPS)
    """Steps between two checkpoints: what a killed run may lose."""

    @field_validator("sizes", mode="before")
    @classmethod
    def _are_listed(cls, sizes: object) -> object:
        return tuple(cast("list[object]", sizes)) if isinstance(sizes, list) else sizes

    @field_validator("sizes")
    @classmethod
    def _are_sizes(cls, sizes: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return tuple(str(size_of(size)) for size in sizes)
        except CoordinateError as error:
            raise ValueError(str(error)) from error

    def wanted_sizes(self) -> set[Size]:
        """Return ``sizes`` as sizes; empty: all."""
        return {size_of(size) for size in self.sizes}


class Losses(_Part):
    """How much each part of the loss counts."""

    policy: float = Field(default=1.0, ge=0, le=1000)
    value: float = Field(default=0.5, ge=0, le=1000)
    score: float = Field(default=0.1, ge=0, le=1000)
    ownership: float = Field(default=0.1, ge=0, le=1000)
    """Only where the samples know the final owner of every point."""
    tactical: float = Field(default=1.0, ge=0.01, le=100)
    """Weight of samples that the records flag as tactical, against 1 for the others."""

    @model_validator(mode="after")
    def _teach_something(self) -> Self:
        if not self.policy + self.value + self.score > 0:
            raise ValueError("policy, value and score are all 0: there is nothing to learn")
        return self


class Teacher(_Part):
    """Whose labels are the right answers, and how far.

    Learning from a teacher's whole policy, not from one move, is Hinton, Vinyals and Dean 2015,
    "Distilling the knowledge in a neural network", arXiv:1503.02531.
    """

    name: str
    """As ``mariago records label`` named the labels. Samples without a label are left out."""
    policy: float = Field(default=1.0, ge=0, le=1)
    """The share of the teacher's policy; the rest is the move of the record."""
    value: float = Field(default=1.0, ge=0, le=1)
    """The share of the teacher's value; the rest is the game's result, where it has one."""

    @field_validator("name")
    @classmethod
    def _is_name(cls, name: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.]*", name):
            raise ValueError(f"{name!r:.40} is no name: a letter or digit, then these, _ and .")
        return name


class Recipe(_Part):
    """How a net is trained: architecture, course, losses. Frozen; an unknown key is an error."""

    net: NetSize
    training: Training
    losses: Losses = Losses()
    teacher: Teacher | None = None

    @field_validator("teacher", mode="before")
    @classmethod
    def _is_a_part(cls, teacher: object) -> object:
        if isinstance(teacher, str):
            raise ValueError('is a part of its own: [teacher], and below it name = "..."')
        return teacher

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data, without the parts it does not have."""
        return self.model_dump(mode="json", exclude_none=True)

    def with_training(self, **changes: object) -> Recipe:
        """Return a recipe whose ``training`` part has ``changes``, checked again."""
        found = self.model_dump()
        found["training"].update(changes)
        return recipe_of(found)


def recipe_of(found: object, where: object = None) -> Recipe:
    """Return the recipe in a parsed TOML file.

    Raises:
        NetError: an unknown or missing key, or a value out of its range.
    """
    try:
        return Recipe.model_validate(found)
    except ValidationError as error:
        raise NetError(
            f"is no recipe: {first_fault(error)}",
            where=where or "recipe",
            hint="docs/guides/nets.md lists every key",
        ) from error


def packaged_recipes() -> list[str]:
    """Return the names of the recipes that come with the package."""
    folder = files("mariago.nets").joinpath("recipes")
    return sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith("toml"))


def read_recipe(name: str | Path) -> Recipe:
    """Read a recipe: a TOML file, or the name of a packaged one (``"demo"``).

    Raises:
        NetError: there is none, or it cannot be read.
    """
    path = Path(name)
    packaged = files("mariago.nets").joinpath("recipes", f"{name}.toml")
    if not path.is_file() and str(name) not in packaged_recipes():
        known = ", ".join(packaged_recipes())
        raise NetError("no such recipe", where=name, hint=f"a TOML file, or one of: {known}")
    try:
        found = read_toml(path) if path.is_file() else parse_toml(packaged.read_bytes())
    except OSError as error:
        raise NetError(f"cannot be read ({error.strerror})", where=name) from error
    except ValueError as error:  # also a number of thousands of digits
        raise NetError(
            f"is not TOML: {error}", where=name, hint="docs/guides/nets.md shows a recipe"
        ) from error
    return recipe_of(found, name)
