"""What a tuning changed, measured on games that it has not seen, with intervals.

The unit of evidence is the game: the moves of one game lean on each other. Intervals are those of a
bootstrap over games (percentiles, Efron and Tibshirani 1993), and of a change the two nets' figures
of a game stay together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap

__all__ = ["FEW_GAMES", "FIGURES", "compare", "spread_over_games", "verdict"]

FIGURES = ("top1", "policy_loss", "value_loss")
LEVEL = 0.95
RESAMPLES = 4000
FEW_GAMES = 20
"""Below, intervals of a bootstrap are too narrow to be leant on."""
LARGEST = 4_000_000  # numbers that one piece of the resampling holds

Column = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Sums:
    """One figure, summed per game: (G,) before, after, and how many samples know it."""

    before: Floats
    after: Floats
    count: Floats


def spread_over_games(games: Column, most: int, seed: int) -> npt.NDArray[np.int64]:
    """Return indices of at most ``most`` samples, sorted: equally many of every game, by chance.

    ``games`` (n,) numbers the game of each sample. Games tell more than moves of one game, so all
    of them stay as long as there are no more than ``most``.
    """
    _, inverse, counts = np.unique(games, return_inverse=True, return_counts=True)
    if len(games) <= most:
        return np.arange(len(games))
    rng = np.random.default_rng(seed)
    order = np.lexsort((rng.random(len(games)), inverse))
    rank = np.arange(len(games)) - np.repeat(np.cumsum(counts) - counts, counts)
    of_each = 1
    while np.minimum(counts, of_each + 1).sum() <= most:
        of_each += 1
    chosen = order[rank < of_each]
    return np.sort(rng.choice(chosen, most, replace=False) if len(chosen) > most else chosen)


def compare(
    before: dict[str, Column], after: dict[str, Column], games: Column, seed: int
) -> dict[str, Any]:
    """Return what two nets say of the same samples, and what changed.

    ``before`` and ``after`` are columns of :func:`mariago.nets.validation.judge`, ``games`` (n,)
    the game of each sample. Returns ``games``, ``samples`` and for each of :data:`FIGURES` the
    lists [value, low, high] ``before``, ``after`` and ``change``; low and high are ``None`` with
    fewer than two games, all three where no sample knows the figure.
    """
    numbers, inverse = np.unique(games, return_inverse=True)
    result: dict[str, Any] = {"games": len(numbers), "samples": len(games)}
    for name in FIGURES:
        sums = _summed(before[name], after[name], inverse, len(numbers))
        result[name] = {
            "before": _estimate(sums.before, sums.count, seed),
            "after": _estimate(sums.after, sums.count, seed),
            "change": _estimate(sums.after - sums.before, sums.count, seed),
        }
    return result


def verdict(found: dict[str, Any]) -> str:
    """Return in one line what the held-out games tell of a change, and what they cannot."""
    games = found["games"]
    if games == 0:
        return "no held-out games: whether it helps is not known"
    change, low, high = found["top1"]["change"]
    if games < FEW_GAMES:
        return f"{games} held-out games are too few to tell whether it helps"
    if change == low == high == 0:
        return f"over {games} held-out games not one answer changed"
    if low <= 0 <= high:
        told = f"over {games} held-out games the change of moves right cannot be told from none"
    else:
        word = "more" if change > 0 else "fewer"
        told = f"over {games} held-out games {word} moves are right than before"
    _, low, high = found["policy_loss"]["change"]
    if low <= 0 <= high:
        return told
    return f"{told}; the moves played are {'likelier' if high < 0 else 'less likely'} to the net"


def _summed(before: Column, after: Column, inverse: Column, games: int) -> _Sums:
    before, after = before.astype(np.float64), after.astype(np.float64)
    known = ~(np.isnan(before) | np.isnan(after))

    def per_game(column: Floats) -> Floats:
        return np.bincount(inverse[known], column[known], games).astype(np.float64)

    sums = _Sums(per_game(before), per_game(after), per_game(np.ones(len(before))))
    some = sums.count > 0
    return _Sums(sums.before[some], sums.after[some], sums.count[some])


def _estimate(sums: Floats, counts: Floats, seed: int) -> list[float | None]:
    """Return [mean of all samples, low, high], the games drawn again and again."""
    if not len(sums):
        return [None, None, None]
    mean = float(sums.sum() / counts.sum())
    if len(sums) < 2:
        return [mean, None, None]

    def ratio(x: Floats, n: Floats, axis: int) -> Floats:
        return x.sum(axis=axis) / n.sum(axis=axis)

    found = bootstrap(
        (sums, counts),
        ratio,
        paired=True,
        vectorized=True,
        method="percentile",
        confidence_level=LEVEL,
        n_resamples=RESAMPLES,
        batch=max(1, LARGEST // len(sums)),
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return [mean, float(found.low), float(found.high)]
