"""Clocks of a match: main time with increment or byo-yomi, measured by the referee."""

from __future__ import annotations

import math
import re

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mariago.errors import MatchError, first_fault
from mariago.players.clock import ClockLeft

__all__ = ["NOT_REPEATABLE", "Clock", "TimeTerms", "time_terms_of_text"]

NOT_REPEATABLE = (
    "Games under a time limit come out differently on every run: how much a player thinks hangs on "
    "the machine and on what else it does."
)
"""What every report of a match with a clock says."""
KEYS = ("main", "increment", "byoyomi", "seconds", "grace")
DAY_S = 86_400.0
HINT = "write main=300,increment=5 or main=60,byoyomi=5x10 or seconds=2"


class TimeTerms(BaseModel):
    """The time of each side in a game; seconds of the wall clock."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    main: float = Field(0.0, ge=0, le=DAY_S, allow_inf_nan=False)
    increment: float = Field(0.0, ge=0, le=DAY_S, allow_inf_nan=False)
    """Added after each of the side's moves (Fischer)."""
    periods: int = Field(0, ge=0, le=1000)
    """Japanese byo-yomi: a move that ends within a period leaves it whole, a longer one uses up
    one or more."""
    period: float = Field(0.0, ge=0, le=DAY_S, allow_inf_nan=False)
    grace: float = Field(5.0, ge=0, le=DAY_S, allow_inf_nan=False)
    """Seconds of a side's first move in a game that are not counted: a process starts, a net is
    loaded."""

    @model_validator(mode="after")
    def _one_kind(self) -> TimeTerms:
        if (self.periods > 0) != (self.period > 0):
            raise ValueError("byo-yomi has a number of periods and their seconds, as in 5x10")
        if self.periods and self.increment:
            raise ValueError("either increment or byoyomi")
        if not self.main and not self.periods:
            raise ValueError("no time to begin with: write main, byoyomi or seconds")
        return self

    @property
    def overtime(self) -> str:
        """Return what follows the main time, as SGF's OT names it; empty for nothing."""
        if self.increment:
            return f"{self.increment:g} fischer"
        return f"{self.periods}x{self.period:g} byo-yomi" if self.periods else ""

    def __str__(self) -> str:
        parts = [f"main={self.main:g}"]
        parts += [f"increment={self.increment:g}"] if self.increment else []
        parts += [f"byoyomi={self.periods}x{self.period:g}"] if self.periods else []
        return ",".join([*parts, f"grace={self.grace:g}"])


def time_terms_of_text(text: str) -> TimeTerms:
    """Return the terms that ``main=300,increment=5`` and the like mean.

    ``seconds=2`` is one byo-yomi period of two seconds without main time: at most two seconds for
    every move.

    Raises:
        MatchError: a key or a value that no clock has.
    """
    values: dict[str, object] = {}
    for part in text.split(","):
        key, mark, value = (word.strip() for word in part.partition("="))
        if not mark or key in values or key not in KEYS:
            raise MatchError(f"{part.strip()!r} is no part of a clock", where="--time", hint=HINT)
        values[key] = value
    byoyomi, seconds = values.pop("byoyomi", None), values.pop("seconds", None)
    if seconds is not None:
        if {"main", "increment"} & set(values) or byoyomi is not None:
            raise MatchError("seconds stands alone, or with grace", where="--time", hint=HINT)
        values |= {"periods": 1, "period": seconds}
    if byoyomi is not None:
        found = re.fullmatch(r"(\d{1,4})x([\d.]+)", str(byoyomi))
        if found is None:
            raise MatchError(f"byoyomi={byoyomi} is not like 5x10", where="--time", hint=HINT)
        values |= {"periods": found[1], "period": found[2]}
    try:
        return TimeTerms.model_validate(values)
    except ValidationError as error:
        said = first_fault(error).replace("Value error, ", "")
        raise MatchError(said, where="--time", hint=HINT) from None


class Clock:
    """One side's clock in one game."""

    def __init__(self, terms: TimeTerms) -> None:
        self.terms = terms
        self.main_s = terms.main
        self.periods = terms.periods
        self._grace_s = terms.grace

    def left(self) -> ClockLeft:
        """Return what the side has before its move."""
        terms = self.terms
        return ClockLeft(self.main_s, terms.increment, self.periods, terms.period)

    def spend(self, seconds: float) -> bool:
        """Take the time of a move off the clock; False where it has run out."""
        used_s = max(0.0, seconds - self._grace_s)
        self._grace_s = 0.0
        terms = self.terms
        over_s = used_s - self.main_s
        if over_s <= 0:
            self.main_s = self.main_s - used_s + terms.increment
            return True
        self.main_s = 0.0
        if not self.periods:
            return False
        self.periods -= max(0, math.ceil(over_s / terms.period) - 1)
        return self.periods > 0

    def shown(self) -> tuple[float, int]:
        """Return (seconds, periods) as a clock shows them after a move: main time has 0 periods."""
        if self.main_s > 0 or not self.terms.periods:
            return round(self.main_s, 3), 0
        return self.terms.period, self.periods
