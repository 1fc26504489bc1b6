"""Games as ratings see them, and the cross table of who met whom.

One rule for every figure of this room: a win is one point, a draw and no result are half a point
each, an illegal move or another fault loses the game for the side that made it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

__all__ = ["CrossTable", "Outcome", "cross_table"]

Counts = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game between two players, named as the caller likes."""

    first: str
    second: str
    points: float
    """Of ``first``: 1, 1/2 or 0."""
    pair: Hashable
    """Equal for games that lean on each other: the two games of a pair."""
    fault: bool = False
    """Whether a fault of the loser decided it."""


@dataclass(frozen=True)
class CrossTable:
    """How often each player beat and drew with each other one; P players, any order of games."""

    players: tuple[str, ...]
    wins: Counts
    """(P, P): games that the player of the row won against the player of the column."""
    draws: Counts
    """(P, P), symmetric: games without a winner."""
    faults: Counts
    """(P, P): games that the player of the row won by a fault of the player of the column."""

    @cached_property
    def points(self) -> Counts:
        """(P, P) points of the row against the column."""
        return self.wins + self.draws / 2

    @cached_property
    def games(self) -> Counts:
        """(P, P), symmetric: games between two players."""
        return self.wins + self.wins.T + self.draws


def cross_table(outcomes: Iterable[Outcome], players: Iterable[str] | None = None) -> CrossTable:
    """Return who beat whom; ``players`` gives their order, else that of their first games.

    Raises:
        ValueError: a player against itself, points that no game has, or a player not in
            ``players``.
    """
    games = list(outcomes)
    if players is None:
        players = dict.fromkeys(name for game in games for name in (game.first, game.second))
    names = tuple(players)
    index = {name: i for i, name in enumerate(names)}
    wins, draws, faults = (np.zeros((len(names), len(names))) for _ in range(3))
    for game in games:
        if game.first == game.second:
            raise ValueError(f"{game.first} against itself tells nothing")
        if game.points not in (0.0, 0.5, 1.0):
            raise ValueError(f"{game.points} are no points of a game")
        if not {game.first, game.second} <= index.keys():
            raise ValueError(f"{game.first} or {game.second} is none of the players")
        i, j = index[game.first], index[game.second]
        if game.points == 0.5:
            draws[i, j] += 1
            draws[j, i] += 1
            continue
        winner, loser = (i, j) if game.points == 1 else (j, i)
        wins[winner, loser] += 1
        faults[winner, loser] += game.fault
    return CrossTable(names, wins, draws, faults)
