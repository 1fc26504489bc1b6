"""What games say about two players, as pure functions on numbers.

The unit of evidence is the pair: two games from one opening with colours swapped. The games of a
pair lean on each other (an opening good for Black gives each player one easy game), pairs do not.
A score is a player's share of the points at stake: win 1, draw 1/2, loss 0; a pair's score is the
mean of its two games, one of 0, 1/4, 1/2, 3/4, 1 (hence "pentanomial").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

__all__ = [
    "LEVEL",
    "PENTANOMIAL",
    "Estimate",
    "elo_difference",
    "elo_estimate",
    "fewest_pairs_for_median",
    "median_lead",
    "pair_score",
    "pentanomial_counts",
    "wilson_interval",
]

LEVEL = 0.95
PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
RESAMPLES = 4000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval; ``None`` where the games do not give one."""

    value: float | None
    low: float | None
    high: float | None
    count: int
    """How many units (pairs or games) it rests on."""

    def as_list(self) -> list[float | None]:
        """Return [value, low, high]."""
        return [self.value, self.low, self.high]


def _z(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    return float(norm.ppf((1 + level) / 2))


def pentanomial_counts(scores: Sequence[float]) -> list[int]:
    """Return how many pairs scored 0, 1/4, 1/2, 3/4 and 1."""
    counts = [0] * len(PENTANOMIAL)
    for score in scores:
        counts[PENTANOMIAL.index(score)] += 1
    return counts


def pair_score(scores: Sequence[float], level: float = LEVEL) -> Estimate:
    """Return the mean of pair scores with an interval from the variance between pairs.

    The interval is Agresti and Coull's (The American Statistician 52, 1998: z*z made-up trials,
    half won and half lost) with the pairs as trials and the variance of their scores in place of
    that of a coin; for scores of 0 and 1 it is theirs exactly. The made-up pairs keep it honest
    where all pairs ended alike and the observed variance is nothing.
    """
    n = len(scores)
    if n == 0:
        return Estimate(None, None, None, 0)
    x = np.asarray(scores, dtype=np.float64)
    z = _z(level)
    added = z * z
    centre = (float(x.sum()) + added / 2) / (n + added)
    spread = float(((x - centre) ** 2).sum()) + added / 2 * (centre**2 + (1 - centre) ** 2)
    half = z * math.sqrt(spread) / (n + added)
    value = float(x.mean())
    # At the ends the made-up trials can pull the whole interval past what was seen.
    low, high = min(value, centre - half), max(value, centre + half)
    return Estimate(value, max(0.0, low), min(1.0, high), n)


def wilson_interval(points: float, games: int, level: float = LEVEL) -> Estimate:
    """Return a share of games with Wilson's score interval (JASA 22, 1927).

    It takes games as independent, which the two games of a pair are not: shown for comparison.
    ``points`` counts draws as halves.
    """
    if games == 0:
        return Estimate(None, None, None, 0)
    z = _z(level)
    share = points / games
    scale = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half), games)


def elo_difference(score: float) -> float | None:
    """Return the Elo difference that a score stands for; ``None`` at 0 and 1, where it has no end.

    Elo's logistic form: ``score = 1 / (1 + 10 ** (-difference / 400))``.
    """
    if not 0 < score < 1:
        return None
    return 400 * math.log10(score / (1 - score))


def elo_estimate(score: Estimate) -> Estimate:
    """Return a score's estimate on the Elo scale; a ``None`` bound is open."""
    value, low, high = (
        None if bound is None else elo_difference(bound) for bound in score.as_list()
    )
    return Estimate(value, low, high, score.count)


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
        return Estimate(None, None, None, 0)
    value = float(np.median(np.concatenate([np.asarray(pair, np.float64) for pair in kept])))
    if n < fewest_pairs_for_median(level):
        return Estimate(value, None, None, n)
    width = max(map(len, kept))
    table = np.full((n, width), np.nan)
    for row, pair in enumerate(kept):
        table[row, : len(pair)] = pair
    medians = _resampled_medians(table, resamples)
    tail = (1 - level) / 2
    low, high = np.quantile(medians, (tail, 1 - tail))
    return Estimate(value, float(low), float(high), n)


def _resampled_medians(table: npt.NDArray[np.float64], resamples: int) -> npt.NDArray[np.float64]:
    rng = np.random.default_rng(0)
    medians = np.empty(resamples)
    for i in range(resamples):
        drawn = table[rng.integers(len(table), size=len(table))]
        medians[i] = np.nanmedian(drawn)
    return medians
