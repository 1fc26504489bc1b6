"""How long the players of a match took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from mariago.arena.records import GameRecord

__all__ = ["Pace", "pace_of"]


@dataclass(frozen=True, slots=True)
class Pace:
    """One player's seconds a move; a game gives one figure, its seconds through its moves."""

    games: int
    """Those in which the player was asked for a move."""
    mean_s: float | None
    """All seconds through all moves."""
    median_s: float | None
    """Half of the games were played at this or faster."""
    most_s: float | None
    """And 95% of them at this or faster."""

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return asdict(self)


def pace_of(games: Sequence[GameRecord], player: str) -> Pace:
    """Return the pace of ``"a"`` or ``"b"``."""
    asked = [game for game in games if game.turns.get(player, 0)]
    if not asked:
        return Pace(0, None, None, None)
    seconds = [game.seconds.get(player, 0.0) for game in asked]
    turns = [game.turns[player] for game in asked]
    paces = [s / n for s, n in zip(seconds, turns, strict=True)]
    median, most = np.percentile(paces, [50, 95])
    return Pace(len(asked), sum(seconds) / sum(turns), float(median), float(most))
