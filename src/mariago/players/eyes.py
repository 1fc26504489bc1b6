"""One-point eyes, as far as players need them to know when to pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mariago.board.points import BORDER, EMPTY, opponent

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["own_eyes", "solid_eyes"]


def _walled(stones: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    walled = np.full((stones.shape[0] + 2, stones.shape[1] + 2), BORDER, np.uint8)
    walled[1:-1, 1:-1] = stones
    return walled


def own_eyes(position: Position) -> npt.NDArray[np.bool_]:
    """Return (cells,) bool: empty points whose neighbours are all stones of the side to move."""
    board = _walled(position.stones)
    wall = (board == position.to_move) | (board == BORDER)
    eyes = wall[:-2, 1:-1] & wall[2:, 1:-1] & wall[1:-1, :-2] & wall[1:-1, 2:]
    return (eyes & (position.stones == EMPTY)).ravel()


def solid_eyes(position: Position) -> npt.NDArray[np.bool_]:
    """Return (cells,) bool: own eyes that are no false eyes by their corners.

    The usual rule of thumb: in the middle of the board the opponent may hold one of the four
    diagonal points, at the edge none.
    """
    board = _walled(position.stones)
    theirs = (board == opponent(position.to_move)).astype(np.int8)
    edge = (board == BORDER).astype(np.int8)

    def corners(of: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        return of[:-2, :-2] + of[:-2, 2:] + of[2:, :-2] + of[2:, 2:]

    spoiled = corners(theirs) + (corners(edge) > 0)
    return own_eyes(position) & (spoiled < 2).ravel()
