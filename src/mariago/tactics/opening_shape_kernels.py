# pyright: basic
"""Names of opening moves: points of empty corners, approaches, enclosures, the middle, the sides.

Only on boards of at least nine lines a side, approaches and enclosures of thirteen. A *corner* is
the square of six lines a side, or of half the shorter side where that is less; for an approach or
enclosure it reaches a line beyond the move. Nothing that stands among stones has such a name: the
points round the move are empty, and those beside it for a 3-3 invasion.
``docs/reference/move-facts.md`` gives the definitions.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    COLUMNS,
    EMPTY,
    HEADER,
    ROWS,
    STRIDE,
    TO_MOVE,
    neighbour,
    new_state,
)
from mariago.board.points import BLACK, WHITE

FOUR_FOUR, THREE_THREE, THREE_FOUR, THREE_FIVE, FOUR_FIVE = range(16, 21)
CENTER_POINT, SIDE_STAR, APPROACH, ENCLOSURE, THREE_THREE_INVASION = range(21, 26)

LEAST_SIDE = 9
LEAST_APPROACHED = 13
CORNER = 6
_NEAR = np.array(
    [[0, 2], [2, 0], [1, 2], [2, 1], [0, 3], [3, 0], [1, 3], [3, 1]], np.int64
)  # lines between an approach, or an enclosure, and the stone in the corner


@kernel
def _corner_point(a, b, reach):
    """Return the bit of the point on lines (a, b) of an empty corner, 0 for other points."""
    low, high = min(a, b), max(a, b)
    if high > reach:
        return np.int64(0)
    if low == 4 and high == 4:
        return np.int64(1 << FOUR_FOUR)
    if low == 3 and high == 3:
        return np.int64(1 << THREE_THREE)
    if low == 3 and high == 4:
        return np.int64(1 << THREE_FOUR)
    if low == 3 and high == 5:
        return np.int64(1 << THREE_FIVE)
    if low == 4 and high == 5:
        return np.int64(1 << FOUR_FIVE)
    return np.int64(0)


@kernel
def _beside_stone(a, b, x, y):
    """Say whether (a, b) approaches, or encloses with, the stone on lines (x, y) of a corner."""
    if min(x, y) < 3 or max(x, y) > 5:
        return False
    for i in range(_NEAR.shape[0]):
        if abs(a - x) != _NEAR[i, 0] or abs(b - y) != _NEAR[i, 1]:
            continue
        if (a > x and 3 <= b <= 4) or (b > y and 3 <= a <= 4):
            return True
    return False


@kernel
def _is_alone(s, p):
    """Say whether the eight points round ``p`` are empty."""
    stride = np.int64(s[STRIDE])
    for row in range(-1, 2):
        for column in range(-1, 2):
            if s[HEADER + p + row * stride + column] != EMPTY:
                return False
    return True


@kernel
def _is_free(s, p):
    """Say whether the four points beside ``p`` are empty or off the board."""
    stride = np.int64(s[STRIDE])
    for side in range(4):
        if s[HEADER + neighbour(p, side, stride)] in (BLACK, WHITE):
            return False
    return True


@kernel
def _corner_shapes(s, row, column, corner):
    """Return the bits of a move in or beside corner 0 to 3 (bit 0: bottom, bit 1: right)."""
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    stride = np.int64(s[STRIDE])
    own = np.int64(s[TO_MOVE])
    half = min(rows // 2, columns // 2)
    reach = min(CORNER, half)
    a = rows + 1 - row if corner & 1 else row
    b = columns + 1 - column if corner & 2 else column
    if max(a, b) > reach + 3:
        return np.int64(0)
    wide = min(max(reach, a + 1, b + 1), half)
    stones = own_stones = around = x = y = 0
    color = EMPTY
    fours = False
    for i in range(1, wide + 1):
        for j in range(1, wide + 1):
            r = rows + 1 - i if corner & 1 else i
            c = columns + 1 - j if corner & 2 else j
            held = s[HEADER + r * stride + c]
            if held == EMPTY:
                continue
            around += 1
            if max(i, j) > reach:
                continue
            stones += 1
            own_stones += held == own
            fours |= i == 4 and j == 4 and held != own
            color, x, y = held, i, j
    if stones == 0:
        return _corner_point(a, b, reach) if _is_alone(s, row * stride + column) else np.int64(0)
    bits = np.int64(0)
    large = min(rows, columns) >= LEAST_APPROACHED
    alone = around == 1 and _is_alone(s, row * stride + column)
    if large and stones == 1 and alone and _beside_stone(a, b, x, y):
        if color != own:
            bits |= 1 << APPROACH
        elif max(x, y) > 3:  # from the 3-3 point it is an extension
            bits |= 1 << ENCLOSURE
    if fours and own_stones == 0 and a == 3 and b == 3 and _is_free(s, row * stride + column):
        bits |= 1 << THREE_THREE_INVASION
    return bits


@kernel
def opening_shapes(s, p):
    """Return the opening names of a stone of the side to move at the empty ``p``, as bits."""
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    stride = np.int64(s[STRIDE])
    row, column = p // stride, p % stride
    bits = np.int64(0)
    if min(rows, columns) < LEAST_SIDE:
        return bits
    middle_row, middle_column = 2 * row == rows + 1, 2 * column == columns + 1
    if middle_row and middle_column:
        return np.int64(1 << CENTER_POINT)
    if min(rows, columns) >= 15:
        fourth_row = row == 4 or row == rows - 3
        fourth_column = column == 4 or column == columns - 3
        on_star = (middle_row and fourth_column) or (middle_column and fourth_row)
        if on_star and _is_alone(s, p):
            bits |= 1 << SIDE_STAR
    for corner in range(4):
        bits |= _corner_shapes(s, row, column, corner)
    return bits


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    opening_shapes(new_state(9, 9), 35)
