"""What answers say of a player, as pure functions on arrays.

The positions of one game lean on each other, games do not: intervals come from drawing whole games
with replacement (Efron and Tibshirani 1993, chapter 8), the same draws for every figure, so that
players are compared on the same games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from mariago.arena.statistics import LEVEL, Estimate, wilson_interval

__all__ = ["FEWEST_GAMES", "Columns", "Figures", "GameDraws", "figures_of"]

RESAMPLES = 2000
FEWEST_GAMES = 10
"""Fewer games do not tell how games differ: shares then get Wilson's interval, means none."""

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class GameDraws:
    """Games drawn with replacement, ``RESAMPLES`` times, and what that does to a figure."""

    def __init__(self, owners: Sequence[int]) -> None:
        _, self.owners = np.unique(np.asarray(owners, np.int64), return_inverse=True)
        self.games = int(self.owners.max()) + 1 if len(self.owners) else 0
        rng = np.random.default_rng(0)
        chances = np.full(self.games, 1 / max(1, self.games))
        self.times = rng.multinomial(self.games, chances, RESAMPLES).astype(np.float64)

    def share(self, hits: Floats) -> Estimate:
        """Return the mean of ``hits``, (n,) of 0 and 1 and NaN for what does not count.

        ``count`` is the number of games. Where every game says the same, or there are fewer than
        :data:`FEWEST_GAMES`, the interval is Wilson's with games, not positions, as trials.
        """
        estimate, spread = self._drawn(hits)
        if estimate.value is None or spread:
            return estimate
        return wilson_interval(estimate.value * estimate.count, estimate.count, LEVEL)

    def mean(self, values: Floats) -> Estimate:
        """Return the mean of ``values`` (n,), NaN left out; without an interval of few games."""
        return self._drawn(values)[0]

    def _drawn(self, values: Floats) -> tuple[Estimate, bool]:
        """Return the mean with its interval, and whether the games could give one."""
        known = ~np.isnan(values)
        owners = self.owners[known]
        counts = np.bincount(owners, minlength=self.games).astype(np.float64)
        sums = np.bincount(owners, values[known], self.games)
        games = int((counts > 0).sum())
        if not games:
            return Estimate(None, None, None, 0), False
        value = float(sums.sum() / counts.sum())
        means = sums[counts > 0] / counts[counts > 0]
        if games < FEWEST_GAMES or np.ptp(means) == 0:
            return Estimate(value, None, None, games), False
        drawn = self.times @ counts
        found = (self.times @ sums)[drawn > 0] / drawn[drawn > 0]
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(found, (tail, 1 - tail))
        return Estimate(value, min(value, float(low)), max(value, float(high)), games), True


@dataclass(frozen=True)
class Columns:
    """A player's answers as columns (n,); NaN where a figure does not apply to a position."""

    record: Floats
    """1: the move of the record."""
    teacher: Floats
    """1: the teacher's best move."""
    first_ten: Floats
    """1: among the teacher's first ten."""
    lead_loss: Floats
    """Points that the answer costs against the teacher's best move, by the teacher's judgement."""
    win_loss: Floats
    """Chance to win, as above, from 0 to 1."""
    illegal: Floats
    """1: an illegal answer."""
    fault: Floats
    resigned: Floats
    wall_s: Floats
    cpu_s: Floats


@dataclass(frozen=True, slots=True)
class Figures:
    """What a player shows in some positions."""

    positions: int
    games: int
    record: Estimate
    teacher: Estimate
    first_ten: Estimate
    lead_loss: Estimate
    win_loss: Estimate
    losses_of: int
    """Positions that the losses are the mean of."""
    illegal: Estimate
    illegal_count: int
    faults: int
    resigned: int
    wall_s: float | None
    """Median seconds of an answer."""
    cpu_s: float | None
    """As ``wall_s``, of the processor; None where the player thinks in another process."""

    def as_dict(self) -> dict[str, object]:
        """Return plain values; an estimate is value, low, high and the number of its games."""
        return asdict(self)


def figures_of(columns: Columns, draws: GameDraws, mask: Mask | None = None) -> Figures:
    """Return the figures of the positions in ``mask`` (n,), or of all."""
    kept = np.ones(len(columns.record), np.bool_) if mask is None else mask

    def of(values: Floats) -> Floats:
        return np.where(kept, values, np.nan)

    return Figures(
        positions=int(kept.sum()),
        games=len(np.unique(draws.owners[kept])),
        record=draws.share(of(columns.record)),
        teacher=draws.share(of(columns.teacher)),
        first_ten=draws.share(of(columns.first_ten)),
        lead_loss=draws.mean(of(columns.lead_loss)),
        win_loss=draws.mean(of(columns.win_loss)),
        losses_of=int((~np.isnan(of(columns.win_loss))).sum()),
        illegal=draws.share(of(columns.illegal)),
        illegal_count=int(np.nansum(of(columns.illegal))),
        faults=int(np.nansum(of(columns.fault))),
        resigned=int(np.nansum(of(columns.resigned))),
        wall_s=_median(of(columns.wall_s)),
        cpu_s=_median(of(columns.cpu_s)),
    )


def _median(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None
