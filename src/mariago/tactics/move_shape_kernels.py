# pyright: basic
"""The names of a move's shape, read off the board before the move is played.

``docs/reference/move-facts.md`` gives each definition in words. In them *own* is the side to move,
*near* the eight points round the stone, *up* the way from an edge into the board, *along* the way
beside it. Nothing is read: a shape is what stands on the board.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    COLUMNS,
    EMPTY,
    HEAD,
    HEADER,
    ROWS,
    STRIDE,
    TO_MOVE,
    neighbour,
    new_state,
)
from mariago.tactics.opening_shape_kernels import (
    APPROACH,
    CENTER_POINT,
    ENCLOSURE,
    FOUR_FIVE,
    FOUR_FOUR,
    SIDE_STAR,
    THREE_FIVE,
    THREE_FOUR,
    THREE_THREE,
    THREE_THREE_INVASION,
    opening_shapes,
)

# Bits of the answer of ``move_shapes``; those of ``opening_shapes`` lie above them.
STRETCH, DESCENT, CRAWL, BLOCK, PUSH, HANE, JUMP, TWO_POINT_JUMP = range(8)
SMALL_KNIGHT, LARGE_KNIGHT, DIAGONAL, EXTENSION, CLAMP, BRIDGE_UNDER = range(8, 14)
EMPTY_TRIANGLE, ATTACHMENT = 14, 15

# The names in the order in which they are told where several hold: what a move is for goes before
# how it stands, and what leans on stones beside it before what leans on stones far off.
PRECEDENCE = np.array(
    [
        *(THREE_THREE_INVASION, ENCLOSURE, APPROACH, FOUR_FOUR, THREE_THREE, THREE_FOUR),
        *(THREE_FIVE, FOUR_FIVE, CENTER_POINT, SIDE_STAR, BRIDGE_UNDER, CLAMP, BLOCK, PUSH, CRAWL),
        *(HANE, EMPTY_TRIANGLE, DESCENT, STRETCH, ATTACHMENT, DIAGONAL, EXTENSION, JUMP),
        *(SMALL_KNIGHT, TWO_POINT_JUMP, LARGE_KNIGHT),
    ],
    np.int64,
)


@inlined
def _at(s, row, column):
    """Return the colour at a row and column from 1, BORDER off the board."""
    if row < 1 or column < 1 or row > s[ROWS] or column > s[COLUMNS]:
        return np.int64(BORDER)
    return np.int64(s[HEADER + row * s[STRIDE] + column])


@inlined
def _way(side):
    """Return the step (rows, columns) of side 0 to 3: above, left, right, below."""
    if side == 0:
        return -1, 0
    if side == 1:
        return 0, -1
    if side == 2:
        return 0, 1
    return 1, 0


@inlined
def _line(s, row, column, side):
    """Return the line of a point, counted from the edge that lies behind the way ``side``."""
    if side == 0:
        return s[ROWS] + 1 - row
    if side == 1:
        return s[COLUMNS] + 1 - column
    if side == 2:
        return column
    return row


@kernel
def _is_free(s, row, column, height, width):
    """Say whether the box from the point to (row + height, column + width) is empty inside.

    The two corners themselves are not looked at; ``height`` and ``width`` may be negative.
    """
    for i in range(abs(height) + 1):
        for j in range(abs(width) + 1):
            if (i == 0 and j == 0) or (i == abs(height) and j == abs(width)):
                continue
            r = row + (i if height > 0 else -i)
            c = column + (j if width > 0 else -j)
            if _at(s, r, c) != EMPTY:
                return False
    return True


@kernel
def _links(s, row, column, near, far):
    """Say whether an own stone stands (near, far) away, in any direction, the box being empty."""
    own = np.int64(s[TO_MOVE])
    for turn in range(2):
        a, b = (near, far) if turn == 0 else (far, near)
        for signs in range(4):
            height = a if signs & 1 else -a
            width = b if signs & 2 else -b
            if _at(s, row + height, column + width) == own and _is_free(
                s, row, column, height, width
            ):
                return True
    return False


@kernel
def _extends(s, row, column):
    """Say whether the stone extends along a side from an own stone on its line, the third or
    fourth: two to four empty points between, no opponent's stone on the lines beside them."""
    own = np.int64(s[TO_MOVE])
    for side in range(4):
        line = _line(s, row, column, side)
        if line != 3 and line != 4:
            continue
        up_row, up_column = _way(side)
        for sign in (-1, 1):
            way_row, way_column = up_column * sign, up_row * sign
            for gap in range(2, 5):
                far = gap + 1
                if _at(s, row + far * way_row, column + far * way_column) != own:
                    continue
                clear = True
                for i in range(far + 1):
                    r, c = row + i * way_row, column + i * way_column
                    if 0 < i < far and _at(s, r, c) != EMPTY:
                        clear = False
                    for lift in (-1, 1):
                        if _at(s, r + lift * up_row, c + lift * up_column) == 3 - own:
                            clear = False
                if clear:
                    return True
    return False


@kernel
def _is_empty_triangle(s, row, column):
    """Say whether three own stones and one empty point fill a square of four points."""
    own = np.int64(s[TO_MOVE])
    for dr in (-1, 1):
        for dc in (-1, 1):
            stones = empty = 0
            for color in (
                _at(s, row + dr, column),
                _at(s, row, column + dc),
                _at(s, row + dr, column + dc),
            ):
                stones += color == own
                empty += color == EMPTY
            if stones == 2 and empty == 1:
                return True
    return False


@kernel
def _is_wall(s, row, column, back_row, back_column, along_row, along_column):
    """Say what closes the side of the stone in front of the move: 2 own stone, 1 edge, 0 open."""
    own = np.int64(s[TO_MOVE])
    beside = _at(s, row + along_row, column + along_column)
    behind = _at(s, row + along_row + back_row, column + along_column + back_column)
    if beside == own or behind == own:
        return 2
    return 1 if beside == BORDER else 0


@kernel
def _against(s, row, column, adjacent):
    """Return the bits of shapes that need an opponent's stone beside: BLOCK, HANE, CLAMP."""
    own = np.int64(s[TO_MOVE])
    bits = np.int64(0)
    for side in range(4):
        dr, dc = _way(side)  # towards the opponent's stone
        if _at(s, row + dr, column + dc) != 3 - own:
            continue
        ahead = _at(s, row - dr, column - dc)
        left = _is_wall(s, row, column, dr, dc, dc, dr)
        right = _is_wall(s, row, column, dr, dc, -dc, -dr)
        walled = left > 0 and right > 0 and left + right > 2
        if adjacent <= 1 and walled and ahead != 3 - own:
            bits |= 1 << BLOCK
        if _at(s, row + 2 * dr, column + 2 * dc) == own:
            bits |= 1 << CLAMP
        for sign in (-1, 1):
            beside = _at(s, row + sign * dc, column + sign * dr)
            corner = _at(s, row + dr + sign * dc, column + dc + sign * dr)
            if adjacent == 0 and corner == own and beside == EMPTY:
                bits |= 1 << HANE
    if bits & (1 << BLOCK):
        bits &= ~(1 << HANE)
    return bits


@kernel
def _from_stone(s, row, column, adjacent):
    """Return the bits of shapes that lean on an own stone beside: STRETCH to PUSH, BRIDGE_UNDER."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = np.int64(s[TO_MOVE])
    bits = np.int64(0)
    touching = False
    for side in range(4):
        dr, dc = _way(side)  # from the own stone onward; also "up", for the lines
        back_row, back_column = row - dr, column - dc
        line = _line(s, row, column, side)
        over = _at(s, row + dr, column + dc)
        left, right = _at(s, row + dc, column + dr), _at(s, row - dc, column - dr)
        if adjacent == 1 and over == own and line <= 2:
            bits |= 1 << DESCENT
        if over == 3 - own and line <= 2 and (left == own) != (right == own):
            bits |= 1 << CRAWL
        if over == 3 - own and line <= 2 and left == own and right == own:
            p, step = row * stride + column, dc * stride + dr
            heads = HEADER + HEAD * area + p
            if s[heads + step] != s[heads - step]:
                bits |= 1 << BRIDGE_UNDER
        if _at(s, back_row, back_column) != own:
            continue
        for around in range(4):
            r, c = _way(around)
            touching |= _at(s, back_row + r, back_column + c) == 3 - own
        corner_left = _at(s, row + dc + dr, column + dr + dc)
        corner_right = _at(s, row - dc + dr, column - dr + dc)
        meets_left, meets_right = left == 3 - own, right == 3 - own
        gate_left = meets_left or corner_left == 3 - own
        gate_right = meets_right or corner_right == 3 - own
        if adjacent == 1 and over != own and gate_left and gate_right and (
            meets_left or meets_right
        ):  # fmt: skip
            bits |= 1 << PUSH
    if bits & (1 << PUSH):
        bits &= ~(1 << CRAWL)
    taken = (1 << PUSH) | (1 << CRAWL) | (1 << DESCENT)
    if adjacent == 1 and touching and not bits & taken:
        bits |= 1 << STRETCH
    return bits


@kernel
def move_shapes(s, p):
    """Return the shapes of a stone of the side to move at the empty point ``p``, as bits."""
    stride = np.int64(s[STRIDE])
    own = np.int64(s[TO_MOVE])
    row, column = p // stride, p % stride
    adjacent = corners = contact = empty = 0
    for side in range(4):
        color = s[HEADER + neighbour(p, side, stride)]
        adjacent += color == own
        contact += color == 3 - own
        empty += color == EMPTY
    for dr in (-1, 1):
        for dc in (-1, 1):
            if _at(s, row + dr, column + dc) != own:
                continue
            corners += 1
    bits = _against(s, row, column, adjacent)
    if adjacent > 0 or corners > 0:
        bits &= ~(1 << CLAMP)
    bits |= _from_stone(s, row, column, adjacent)
    if bits & (1 << BLOCK):
        bits &= ~(1 << STRETCH)
    if adjacent > 0 and _is_empty_triangle(s, row, column):
        bits |= 1 << EMPTY_TRIANGLE
    if adjacent == 0 and corners > 0 and _links(s, row, column, 1, 1):
        bits |= 1 << DIAGONAL
    if adjacent == 0 and corners == 0:
        if contact > 0 and empty >= 2 and not bits & (1 << CLAMP):
            bits |= 1 << ATTACHMENT
        bits |= _loose(s, row, column)
    return bits | opening_shapes(s, p)


@kernel
def most_telling(bits):
    """Return the first bit of ``bits`` in the order of ``PRECEDENCE``, alone; 0 of none."""
    for i in range(PRECEDENCE.shape[0]):
        bit = np.int64(1) << PRECEDENCE[i]
        if bits & bit:
            return bit
    return np.int64(0)


@kernel
def _loose(s, row, column):
    """Return the bit of the nearest loose link, for a stone without own stones near."""
    if _links(s, row, column, 0, 2):
        return np.int64(1 << JUMP)
    if _links(s, row, column, 1, 2):
        return np.int64(1 << SMALL_KNIGHT)
    if _extends(s, row, column):
        return np.int64(1 << EXTENSION)
    if _links(s, row, column, 0, 3):
        return np.int64(1 << TWO_POINT_JUMP)
    if _links(s, row, column, 1, 3):
        return np.int64(1 << LARGE_KNIGHT)
    return np.int64(0)


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    most_telling(move_shapes(new_state(9, 9), 35))
