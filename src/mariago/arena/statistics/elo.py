"""Elo's scale: ``score = 1 / (1 + 10 ** (-difference / 400))``."""

from __future__ import annotations

import math

from mariago.arena.statistics.estimates import Estimate

__all__ = ["ELO_OF_A_LOGIT", "elo_difference", "elo_estimate", "expected_score"]

ELO_OF_A_LOGIT = 400 / math.log(10)
"""Elo points in a difference of 1 on the scale of natural logarithms of odds."""


def expected_score(difference: float) -> float:
    """Return the score that an Elo difference stands for."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo_difference(score: float) -> float | None:
    """Return the Elo difference that a score stands for; ``None`` at 0 and 1, where it has no end.

    A score of 3/4 is 191, one of 10/11 is 400.
    """
    if not 0 < score < 1:
        return None
    return 400 * math.log10(score / (1 - score))


def elo_estimate(score: Estimate) -> Estimate:
    """Return a score's estimate on the Elo scale; a ``None`` bound is open."""
    value, low, high = (
        None if bound is None else elo_difference(bound) for bound in score.as_list()
    )
    return Estimate(value, low, high, score.count, score.assumes)
