# pyright: basic
"""Area as it stands, the dead stones that are dead beyond doubt taken off.

Life is read only where it can matter: for a colour round whose stones some region holds stones of
the opponent and hardly a point out of touch. That is seen on rows of bits, almost without
branches, which a processor guesses badly on boards it has not met.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    BORDER,
    COLUMNS,
    EMPTY,
    HEADER,
    ROWS,
    STRIDE,
    WHITE,
    new_state,
    play,
)
from mariago.tactics.alive_kernels import mark_settled


@kernel
def _rows_of_bits(s, rows, columns, stride, black, white):
    """Write a word a row, bit c for column c; the words round the board are 0 and stay so."""
    for row in range(1, rows + 1):
        at = HEADER + row * stride + 1
        of_black, of_white = np.int64(0), np.int64(0)
        for column in range(columns):
            color = s[at + column]
            of_black |= np.int64(color == BLACK) << column
            of_white |= np.int64(color == WHITE) << column
        black[row] = of_black
        white[row] = of_white


@inlined
def _along(bits, room):
    """Return the runs of ``room`` that ``bits``, all of them in it, lie in."""
    while True:
        wider = (bits | (bits << 1) | (bits >> 1)) & room
        if wider == bits:
            return bits
        bits = wider


@kernel
def _grow(region, own, full, first, rows):
    """Grow ``region``, some bits of row ``first``, over all points without a stone of ``own``."""
    region[first] = _along(region[first], full & ~own[first])
    changed = True
    while changed:
        changed = False
        for row in range(first, rows + 1):  # nothing lies higher when the growing begins
            room = full & ~own[row]
            bits = (region[row] | region[row - 1]) & room
            if bits != region[row]:
                region[row] = _along(bits, room)
                changed = True
        for row in range(rows, 0, -1):
            room = full & ~own[row]
            bits = (region[row] | region[row + 1]) & room
            if bits != region[row]:
                region[row] = _along(bits, room)
                changed = True
                first = min(first, row)


@kernel
def _empty_regions(own, other, full, rows, left, region, owned):
    """Write what ``own`` alone surrounds into ``owned``, zeros before; say whether a stone in a
    region may be dead, which then has at most one point that touches no stone of ``own``."""
    if not own.any():
        return False
    for row in range(1, rows + 1):
        left[row] = full & ~own[row] & ~other[row]
    for first in range(1, rows + 1):
        while left[first] != 0:
            region[:] = 0
            region[first] = left[first] & -left[first]
            _grow(region, own, full, first, rows)
            inner = 0
            stones = np.int64(0)
            for row in range(1, rows + 1):
                touched = (own[row] << 1) | (own[row] >> 1) | own[row - 1] | own[row + 1]
                apart = region[row] & ~touched
                inner += (apart != 0) + (apart & (apart - 1) != 0)
                stones |= region[row] & other[row]
                left[row] &= ~region[row]
            if stones == 0:
                for row in range(1, rows + 1):
                    owned[row] |= region[row]
            elif inner <= 1:
                return True
    return False


@kernel
def area_as_it_stands(s, suicide, out):
    """Write whose each point is (colour) into ``out``, uint8 by padded point.

    Of ``settled_area`` what is settled; else stones their own, and empty regions of the one colour
    that surrounds them: KataGo's input planes 18 and 19 under area rules.
    """
    area, stride = np.int64(s[AREA]), np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    full = (np.int64(1) << columns) - 1
    bits = np.zeros((6, rows + 2), np.int64)
    black, white, left, region = bits[0], bits[1], bits[2], bits[3]
    _rows_of_bits(s, rows, columns, stride, black, white)
    black_may = _empty_regions(black, white, full, rows, left, region, bits[4])
    white_may = _empty_regions(white, black, full, rows, left, region, bits[5])
    for p in range(area):
        out[p] = EMPTY
    if black_may or white_may:
        scratch = np.empty((8, 2 * area + 8), np.int16)
        mark_settled(s, BLACK, suicide, True, scratch, out, area, stride)
        mark_settled(s, WHITE, suicide, True, scratch, out, area, stride)
        for p in range(area):
            if out[p] == EMPTY and s[HEADER + p] != BORDER:
                out[p] = s[HEADER + p]
        return
    for row in range(1, rows + 1):
        of_black, of_white = black[row] | bits[4, row], white[row] | bits[5, row]
        at = row * stride + 1
        for column in range(columns):
            out[at + column] = ((of_black >> column) & 1) + 2 * ((of_white >> column) & 1)


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    area_as_it_stands(s, False, np.zeros(int(s[AREA]), np.uint8))
