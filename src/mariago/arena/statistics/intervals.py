"""Intervals of a score and of a median lead.

Wilson's interval stands here because scipy.stats has it for whole numbers of wins only, and a
draw is half a win; a test holds both against each other. Resampling is scipy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap, norm

from mariago.arena.statistics.estimates import (
    INDEPENDENT_GAMES,
    INDEPENDENT_PAIRS,
    LEVEL,
    PENTANOMIAL,
    Estimate,
    z_of,
)

__all__ = [
    "bootstrap_score",
    "fewest_pairs_for_median",
    "median_lead",
    "pair_score",
    "pairs_to_tell",
    "pentanomial_counts",
    "wilson_interval",
]

RESAMPLES = 4000
AT_ONCE = 200  # resamples in memory together
TOLD_DIFFERENCE = 0.05  # a score of 55% against one of 50%, about 35 Elo
TOLD_POWER = 0.8


def pentanomial_counts(scores: Sequence[float]) -> list[int]:
    """Return how many pairs scored 0, 1/4, 1/2, 3/4 and 1 (0 to 2 points in steps of 1/2)."""
    counts = [0] * len(PENTANOMIAL)
    for score in scores:
        counts[PENTANOMIAL.index(score)] += 1
    return counts


def _with_made_up_pairs(scores: Sequence[float], added: float) -> tuple[float, float]:
    """Return mean and sum of squared deviations of pairs and ``added`` more, half of them won."""
    x = np.asarray(scores, dtype=np.float64)
    centre = (float(x.sum()) + added / 2) / (len(x) + added)
    spread = float(((x - centre) ** 2).sum()) + added / 2 * (centre**2 + (1 - centre) ** 2)
    return centre, spread


def pair_score(scores: Sequence[float], level: float = LEVEL) -> Estimate:
    """Return the mean of pair scores with an interval from the variance between pairs.

    The interval is Agresti and Coull's (The American Statistician 52, 1998: z*z made-up trials,
    half won and half lost) with the pairs as trials and the variance of their scores in place of
    that of a coin; for scores of 0 and 1 it is theirs exactly. The made-up pairs keep it honest
    where all pairs ended alike and the observed variance is nothing.
    """
    n = len(scores)
    if n == 0:
        return Estimate(None, None, None, 0, INDEPENDENT_PAIRS)
    z = z_of(level)
    centre, spread = _with_made_up_pairs(scores, z * z)
    half = z * math.sqrt(spread) / (n + z * z)
    value = math.fsum(scores) / n
    # At the ends the made-up trials can pull the whole interval past what was seen.
    low, high = min(value, centre - half), max(value, centre + half)
    return Estimate(value, max(0.0, low), min(1.0, high), n, INDEPENDENT_PAIRS)


def pairs_to_tell(scores: Sequence[float], level: float = LEVEL) -> int | None:
    """Return about how many pairs tell a score of 55% from 50%, with the spread seen so far.

    The usual size of a one-sample test, ``((z + z_power) * spread / difference) ** 2``, with four
    chances in five of telling (:data:`TOLD_POWER`); the spread has the made-up pairs of
    :func:`pair_score`. ``None`` without pairs.
    """
    n = len(scores)
    if n == 0:
        return None
    z = z_of(level)
    _, spread = _with_made_up_pairs(scores, z * z)
    variance = spread / (n + z * z)
    return math.ceil(variance * ((z + float(norm.ppf(TOLD_POWER))) / TOLD_DIFFERENCE) ** 2)


def wilson_interval(points: float, games: int, level: float = LEVEL) -> Estimate:
    """Return a share of games with Wilson's score interval (JASA 22, 1927).

    It takes games as independent, which the two games of a pair are not: shown for comparison.
    ``points`` counts draws as halves.
    """
    if games == 0:
        return Estimate(None, None, None, 0, INDEPENDENT_GAMES)
    z = z_of(level)
    share = points / games
    scale = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Estimate(share, low, high, games, INDEPENDENT_GAMES)


def bootstrap_score(
    scores: Sequence[float], level: float = LEVEL, resamples: int = RESAMPLES
) -> Estimate:
    """Return the mean of pair scores with a percentile bootstrap interval that draws whole pairs.

    Fewer than two pairs, and pairs that all ended alike, give no interval: every draw would be
    the same. Draws have a fixed seed.
    """
    n = len(scores)
    if n == 0:
        return Estimate(None, None, None, 0, INDEPENDENT_PAIRS)
    value = math.fsum(scores) / n
    if len(set(scores)) < 2:
        return Estimate(value, None, None, n, INDEPENDENT_PAIRS)
    x = np.asarray(scores, dtype=np.float64)
    low, high = _percentiles(n, lambda drawn: x[drawn].mean(axis=-1), level, resamples)
    return Estimate(value, low, high, n, INDEPENDENT_PAIRS)


def fewest_pairs_for_median(level: float = LEVEL) -> int:
    """Return the fewest pairs that can give an interval of a median.

    Among n independent values the median lies between the smallest and the largest with chance
    ``1 - 2 ** (1 - n)``; with fewer values no interval reaches the level.
    """
    return math.ceil(1 - math.log2(1 - level))


def median_lead(
    pairs: Sequence[Sequence[float]], level: float = LEVEL, resamples: int = RESAMPLES
) -> Estimate:
    """Return the median of all games' leads, in points, with a percentile bootstrap interval.

    Whole pairs are drawn with replacement (Efron and Tibshirani 1993, chapter 8), so that games
    of one pair stay together; the draws have a fixed seed. ``pairs`` holds the leads of each pair's
    counted games, one or two; a pair without any is left out. ``count`` is the number of pairs.
    """
    kept = [pair for pair in pairs if len(pair)]
    n = len(kept)
    if n == 0:
        return Estimate(None, None, None, 0, INDEPENDENT_PAIRS)
    value = float(np.median(np.concatenate([np.asarray(pair, np.float64) for pair in kept])))
    if n < fewest_pairs_for_median(level):
        return Estimate(value, None, None, n, INDEPENDENT_PAIRS)
    table = np.full((n, max(map(len, kept))), np.nan)
    for row, pair in enumerate(kept):
        table[row, : len(pair)] = pair
    low, high = _percentiles(
        n,
        lambda drawn: np.nanmedian(table[drawn].reshape(*drawn.shape[:-1], -1), axis=-1),
        level,
        resamples,
    )
    return Estimate(value, low, high, n, INDEPENDENT_PAIRS)


_Statistic = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]]


def _percentiles(
    n: int, statistic: _Statistic, level: float, resamples: int
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of ``statistic`` of the numbers of drawn pairs."""
    found = bootstrap(
        (np.arange(n),),
        lambda drawn, axis=-1: statistic(drawn),
        n_resamples=resamples,
        batch=AT_ONCE,
        vectorized=True,
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)
