"""Symmetries, star points and distances from the edge, all on move indices.

A symmetry is a number from 0 to 7. Bit 0 turns the board upside down, bit 1 mirrors it left to
right, bit 2 then exchanges rows and columns. So 0 leaves everything as it is, 3 is the half
turn, 5 and 6 are the quarter turns (5 clockwise) and undo each other; every other symmetry
undoes itself. On a board that is not square, those with bit 2 give a board with the sides
exchanged.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from mariago.board.points import Move, Size, move_at
from mariago.errors import BadInputError

UPSIDE_DOWN, MIRROR, TRANSPOSE = 1, 2, 4
SYMMETRIES = range(8)


def _checked(symmetry: int) -> int:
    if symmetry not in SYMMETRIES:
        raise BadInputError(f"{symmetry} is not a symmetry", hint="symmetries are 0 to 7")
    return symmetry


def inverse(symmetry: int) -> int:
    """Return the symmetry that undoes this one."""
    return {5: 6, 6: 5}.get(_checked(symmetry), symmetry)


def compose(first: int, second: int) -> int:
    """Return the one symmetry that does ``first``, then ``second``."""
    flips = _checked(second) & 3
    if _checked(first) & TRANSPOSE:  # flips after a transposition are the other flips before it
        flips = (flips >> 1) | (flips & 1) << 1
    return (first ^ flips) ^ (second & TRANSPOSE)


def symmetric_size(size: Size, symmetry: int) -> Size:
    """Return the size of the board after ``symmetry``."""
    return Size(size.columns, size.rows) if _checked(symmetry) & TRANSPOSE else size


def turned(board: "npt.NDArray[np.generic]", symmetry: int) -> "npt.NDArray[np.generic]":
    """Return ``board`` (..., rows, columns) after ``symmetry``, as a view."""
    if _checked(symmetry) & UPSIDE_DOWN:
        board = board[..., ::-1, :]
    if symmetry & MIRROR:
        board = board[..., ::-1]
    return board.swapaxes(-1, -2) if symmetry & TRANSPOSE else board


@cache
def move_table(size: Size, symmetry: int) -> "npt.NDArray[np.int16]":
    """Return where each move goes, (cells + 1) int16; pass stays pass.

    The array is shared and read-only. ``board_after.flat[table[move]] == board.flat[move]``.
    """
    at = np.asarray(turned(np.arange(size.cells).reshape(size), symmetry), np.intp).ravel()
    table = np.empty(size.cells + 1, np.int16)
    table[at] = np.arange(size.cells)
    table[size.cells] = size.cells
    table.flags.writeable = False
    return table


def _star_lines(side: int) -> tuple[int, ...]:
    """Return the 0-based lines of one side that carry star points."""
    if side < 7:
        return ()
    near = 3 if side >= 13 else 2
    lines = {near, side - 1 - near}
    if side % 2 == 1 and side >= 9:
        lines.add(side // 2)
    return tuple(sorted(lines))


def star_points(size: Size) -> tuple[Move, ...]:
    """Return the points drawn as dots (星), by move index; nine on 19x19, the middle one 天元.

    From 13 lines on they lie on the fourth line, below on the third; with one middle line alone
    (a board of 9 or 11 lines) only the corners and the middle carry one.
    """
    rows, columns = _star_lines(size.rows), _star_lines(size.columns)
    points = [
        move_at(row, column, size)
        for row in rows
        for column in columns
        if _is_star(row, column, size)
    ]
    return tuple(points)


def _is_star(row: int, column: int, size: Size) -> bool:
    on_middles = (2 * row == size.rows - 1) + (2 * column == size.columns - 1)
    return on_middles != 1 or min(size) >= 15


def center(size: Size) -> "Move | None":
    """Return the middle point (天元), or None where a side is even."""
    if size.rows % 2 == 0 or size.columns % 2 == 0:
        return None
    return move_at(size.rows // 2, size.columns // 2, size)


@cache
def edge_lines(size: Size) -> "npt.NDArray[np.int16]":
    """Return the line each point is on: (cells) int16, 1 at the edge, counted to the nearest side.

    The array is shared and read-only.
    """
    rows = np.minimum(np.arange(size.rows), np.arange(size.rows)[::-1])[:, None]
    columns = np.minimum(np.arange(size.columns), np.arange(size.columns)[::-1])[None, :]
    lines = (np.minimum(rows, columns) + 1).ravel().astype(np.int16)
    lines.flags.writeable = False
    return lines
