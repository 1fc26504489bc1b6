"""What a finished game is worth: exact, counted as the arena counts it."""

from __future__ import annotations

from typing import NamedTuple

from mariago.board.points import BLACK
from mariago.rules import Position
from mariago.scoring import score_area, score_territory

__all__ = ["Ending", "ending_of"]


class Ending(NamedTuple):
    """The result of a game for the side to move in its last position."""

    value: float
    """1 won, 0 drawn or no result, -1 lost."""
    score: float
    """Lead in points, komi included."""


def ending_of(position: Position, last_move_number: int | None = None) -> Ending | None:
    """Return the result of a game that is over, None where it goes on.

    Two passes end it, and ``last_move_number`` moves: the board is counted as it stands, by area or
    territory as the rules say, every stone alive. A whole board that comes back under simple ko is
    no result.
    """
    stopped = last_move_number is not None and position.move_number >= last_move_number
    if not (position.is_over or stopped):
        return None
    if position.repeated:
        return Ending(0.0, 0.0)
    count = score_area if position.rules.scoring == "area" else score_territory
    lead = count(position).margin
    lead = lead if position.to_move == BLACK else -lead
    return Ending(float((lead > 0) - (lead < 0)), float(lead))
