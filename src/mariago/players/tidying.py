"""Taking dead stones off before a pass, where they would cost the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, EMPTY, opponent

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["tidying_moves"]


def tidying_moves(
    position: Position, guess: Callable[[Position], npt.NDArray[np.float64] | None]
) -> npt.NDArray[np.bool_] | None:
    """Return (cells,) bool: liberties of the opponent's dead stones; None where a pass is right.

    Two passes end a game that is counted as it stands, dead stones and all. A pass is wrong where
    the side to move has won with the dead stones off and not with them on. Under territory
    counting taking them off costs points, and a pass is always taken for right.

    Args:
        position: the position to move in.
        guess: the ownership of a position (rows, columns), 1 Black's and -1 White's; None where
            it knows none, and then a pass is taken for right.
    """
    if position.rules.scoring != "area":
        return None
    from mariago.scoring import dead_stones, score_area

    side = 1.0 if position.to_move == BLACK else -1.0
    if side * score_area(position).margin > 0:
        return None
    owned = guess(position)
    if owned is None:
        return None
    dead = dead_stones(position, lambda _: owned)
    if side * score_area(position, dead).margin <= 0:
        return None
    theirs = dead & (position.stones == opponent(position.to_move))
    walled = np.pad(theirs, 1)
    beside = walled[:-2, 1:-1] | walled[2:, 1:-1] | walled[1:-1, :-2] | walled[1:-1, 2:]
    return (beside & (position.stones == EMPTY)).ravel()
