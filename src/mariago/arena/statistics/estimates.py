"""A figure with its interval, and what the interval takes for granted."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import norm

__all__ = [
    "INDEPENDENT_GAMES",
    "INDEPENDENT_PAIRS",
    "LEVEL",
    "PENTANOMIAL",
    "Estimate",
    "z_of",
]

LEVEL = 0.95
PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of a pair, for 0, 1/2, 1, 3/2 and 2 points of its two games."""

INDEPENDENT_GAMES = "independent games"
INDEPENDENT_PAIRS = "independent pairs"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval; ``None`` where the games do not give one."""

    value: float | None
    low: float | None
    high: float | None
    count: int
    """How many units (pairs or games) it rests on."""
    assumes: str = ""
    """What the interval takes for granted: :data:`INDEPENDENT_PAIRS`, :data:`INDEPENDENT_GAMES`,
    or empty where its maker says it elsewhere."""

    def as_list(self) -> list[float | None]:
        """Return [value, low, high]."""
        return [self.value, self.low, self.high]


def z_of(level: float) -> float:
    """Return how many standard errors to each side hold a share ``level`` of a normal variable."""
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    return float(norm.ppf((1 + level) / 2))
