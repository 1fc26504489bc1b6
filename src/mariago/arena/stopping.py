"""When a match with a sequential test ends, and which of its games count.

Pairs are taken in the order of their numbers, whatever order they end in: so the decision is the
same with any number of workers and after an interruption. Games beyond the pair that decided, which
workers had in hand, are kept and not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mariago.arena.records import GameRecord
from mariago.arena.settings import MatchSettings
from mariago.arena.statistics.estimates import PENTANOMIAL
from mariago.arena.statistics.sprt import SprtState, log_likelihood_ratio, sprt_state

__all__ = ["Counted", "PairWatch", "complete_pairs", "counted_games"]


def complete_pairs(games: Sequence[GameRecord]) -> dict[int, tuple[GameRecord, GameRecord]]:
    """Return the pairs of which both games are there, in the order of their numbers."""
    by_number = {game.number: game for game in games}
    pairs = sorted({game.pair for game in games})
    return {
        pair: (by_number[2 * pair], by_number[2 * pair + 1])
        for pair in pairs
        if 2 * pair in by_number and 2 * pair + 1 in by_number
    }


@dataclass(frozen=True, slots=True)
class Counted:
    """The games of a match that its figures rest on."""

    games: tuple[GameRecord, ...]
    """In the order of their numbers."""
    beyond: tuple[GameRecord, ...]
    """Games kept beyond the pair that decided."""
    sprt: SprtState | None
    last: int
    """The number of the last game that was to be played: that of the plan or of the decision."""


def counted_games(settings: MatchSettings, games: Sequence[GameRecord]) -> Counted:
    """Return which games count: all, or with a sequential test those up to its decision."""
    ordered = sorted(games, key=lambda game: game.number)
    if settings.sprt is None:
        return Counted(tuple(ordered), (), None, settings.games - 1)
    pairs = complete_pairs(ordered)
    scores = [sum(game.points_of("a") for game in pair) / 2 for pair in pairs.values()]
    state = sprt_state(scores, settings.sprt)
    if state.decision is None:
        return Counted(tuple(ordered), (), state, settings.games - 1)
    last = 2 * list(pairs)[state.pairs - 1] + 1
    return Counted(
        tuple(game for game in ordered if game.number <= last),
        tuple(game for game in ordered if game.number > last),
        state,
        last,
    )


class PairWatch:
    """Follows a match game by game and says when its sequential test is decided."""

    def __init__(self, settings: MatchSettings) -> None:
        self._terms = settings.sprt
        self._found: dict[int, list[float | None]] = {}
        self._next = 0
        self._counts = np.zeros(len(PENTANOMIAL))
        self.decided = False

    def note(self, number: int, game: GameRecord | None) -> bool:
        """Take a game as it ends, ``None`` for one that was lost; return whether all is decided.

        A pair counts once every pair before it is complete or has lost a game.
        """
        if self._terms is None:
            return False
        points = None if game is None else game.points_of("a")
        self._found.setdefault(number // 2, []).append(points)
        while not self.decided and len(self._found.get(self._next, ())) == 2:
            pair = self._found.pop(self._next)
            self._next += 1
            told = [points for points in pair if points is not None]
            if len(told) == 2:
                self._counts[PENTANOMIAL.index(sum(told) / 2)] += 1
                lower, upper = self._terms.bounds
                ratio = float(log_likelihood_ratio(self._counts, self._terms))
                self.decided = not lower < ratio < upper
        return self.decided
