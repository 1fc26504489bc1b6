"""How far two scores lie apart.

Two cells of an experiment that played the same openings are compared opening by opening; two
matches that share nothing by their own intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mariago.arena.statistics.estimates import INDEPENDENT_PAIRS, LEVEL, Estimate
from mariago.arena.statistics.intervals import pair_score

__all__ = ["independent_difference", "paired_difference"]


def paired_difference(
    first: Sequence[float], second: Sequence[float], level: float = LEVEL
) -> Estimate:
    """Return the mean of ``first - second``, scores of pairs from the same openings, in order.

    A difference d from -1 to 1 is taken as the score (d + 1) / 2 of one pair, so that the interval
    is that of :func:`pair_score`, made-up pairs included.

    Raises:
        ValueError: not equally many.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} scores are no pairs of scores")
    score = pair_score([(a - b + 1) / 2 for a, b in zip(first, second, strict=True)], level)
    value, low, high = (None if x is None else 2 * x - 1 for x in score.as_list())
    return Estimate(value, low, high, score.count, INDEPENDENT_PAIRS)


def independent_difference(first: Estimate, second: Estimate) -> Estimate:
    """Return ``first - second`` of two shares that rest on different pairs.

    The distances of both to their own limits are added as squares (Newcombe, Statistics in Medicine
    17, 1998, method 10), so that an interval that lies skew stays so.
    """
    count = min(first.count, second.count)
    v1, l1, h1 = first.as_list()
    v2, l2, h2 = second.as_list()
    if v1 is None or v2 is None:
        return Estimate(None, None, None, count, first.assumes)
    if l1 is None or h1 is None or l2 is None or h2 is None:
        return Estimate(v1 - v2, None, None, count, first.assumes)
    return Estimate(
        v1 - v2,
        v1 - v2 - math.hypot(v1 - l1, h2 - v2),
        v1 - v2 + math.hypot(h1 - v1, v2 - l2),
        count,
        first.assumes,
    )
