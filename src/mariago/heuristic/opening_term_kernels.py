# pyright: basic
"""The terms of the opening."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    BLACK,
    COLUMNS,
    EMPTY,
    HEADER,
    ROWS,
    STRIDE,
    TO_MOVE,
    WHITE,
    new_state,
)
from mariago.heuristic import term_list as term


@kernel
def _nearest_stone(s, row, column, reach):
    """Return the distance (larger of rows and columns) to the nearest stone, up to ``reach``."""
    stride = np.int64(s[STRIDE])
    for distance in range(1, reach):
        for y in range(row - distance, row + distance + 1):
            if y < 1 or y > s[ROWS]:
                continue
            step = 1 if abs(y - row) == distance else 2 * distance
            for x in range(column - distance, column + distance + 1, step):
                if 1 <= x <= s[COLUMNS] and s[HEADER + y * stride + x] != EMPTY:
                    return distance
    return reach


@kernel
def _corner_stones(s, row, column, side):
    """Count the stones by colour in the square corner of ``side`` points that the point lies in."""
    stride = np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    top = 1 if 2 * row <= rows + 1 else rows - side + 1
    left = 1 if 2 * column <= columns + 1 else columns - side + 1
    black = white = 0
    for y in range(top, top + side):
        for x in range(left, left + side):
            color = s[HEADER + y * stride + x]
            black += color == BLACK
            white += color == WHITE
    return black, white


@kernel
def read_opening(s, row, column, fresh, x):
    """Write the opening's terms of a point, each times ``fresh`` (1 at the start, 0 when over).

    The low lines are the 1st and 2nd, on boards under 7 points the 1st. The good lines are the 3rd
    and 4th, under 11 points the 3rd and, between them, the middle of the board.
    """
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    line_y = min(row, rows + 1 - row)
    line_x = min(column, columns + 1 - column)
    line = min(line_y, line_x)
    shorter = min(rows, columns)
    if line == 1 or (line == 2 and shorter >= 7):
        x[term.LOW_LINE] = fresh if line == 1 else 0.625 * fresh
        return
    good = 3 <= line <= (4 if shorter >= 11 else 3)
    if shorter >= 7:
        if good:
            x[term.GOOD_LINE] = fresh
        elif shorter >= 11:
            x[term.FAR_CENTRE] = fresh
    x[term.ROOM] = fresh * (_nearest_stone(s, row, column, 6) - 1)
    if shorter < 11 and line_y == (rows + 1) // 2 and line_x == (columns + 1) // 2:
        x[term.MIDDLE] = fresh
    if 2 * row == rows + 1 or 2 * column == columns + 1:
        return  # on a middle line, in no corner
    side = max(min(5, shorter // 2), shorter // 3)
    if shorter >= 7 and 3 <= line_y <= 4 and 3 <= line_x <= 4:
        black, white = _corner_stones(s, row, column, side)
        if black + white == 0:
            x[term.CORNER] = fresh * (0.75 if line_y == line_x == 3 and shorter >= 11 else 1.0)
    elif shorter >= 11 and good:
        black, white = _corner_stones(s, row, column, side)
        theirs = white if s[TO_MOVE] == BLACK else black
        if theirs == 1 and black + white == 1:
            x[term.APPROACH] = fresh


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    x = np.zeros(term.COUNT, np.float32)
    read_opening(new_state(3, 3), np.int64(1), np.int64(2), 0.5, x)
