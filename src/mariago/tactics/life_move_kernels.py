# pyright: basic
"""The moves that a reading of life and death tries, with how late each comes."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    STONES,
    TO_MOVE,
    is_pseudo_legal,
    neighbour,
)

PASS = 0  # in lists of moves; no point of the board is 0
MOST_MOVES = 80


@kernel
def _order(s, e, color, place, area, stride):
    """Return how late a move of the side to move is tried, 0 first."""
    own = s[TO_MOVE]
    order = 2
    empty = 0
    joined = 0
    friends = 0
    for side in range(4):
        t = neighbour(e, side, stride)
        c = s[HEADER + t]
        if c == EMPTY:
            empty += 1
            continue
        if c == BORDER:
            continue
        head = s[HEADER + HEAD * area + t]
        liberties = s[HEADER + LIBERTIES * area + head]
        if c == own:
            friends += 1
            joined = max(joined, np.int64(liberties))
            if liberties == 1 and s[HEADER + STONES * area + head] > 1:
                order -= 1
        elif liberties == 1:
            order -= 2
        elif liberties == 2:
            order -= 1
    if empty >= 3:
        order -= 1
    if empty == 0 and friends > 0 and joined <= 2:
        order += 1  # fills, or stands in atari
    elif empty <= 1 and friends == 0:
        order += 1
    return max(0, order)


@kernel
def life_moves(s, color, points, n_points, place, extra, n_extra, out, area, stride):
    """Write the moves of the side to move; return how many.

    ``out`` (2, n) gets points and how late each is tried. The owner may pass; the attacker may
    only where a ban keeps it from a ko. ``extra`` are liberties outside, for the attacker alone.
    """
    n = 0
    for i in range(n_points):
        e = np.int64(points[i])
        if n < MOST_MOVES - 12 and is_pseudo_legal(s, e, False):
            out[0, n] = e
            out[1, n] = _order(s, e, color, place, area, stride)
            n += 1
    if s[TO_MOVE] != color:
        for i in range(n_extra):
            e = np.int64(extra[i])
            if is_pseudo_legal(s, e, False):
                out[0, n] = e
                out[1, n] = 0
                n += 1
        if s[KO] != 0:
            out[0, n] = PASS
            out[1, n] = 3
            n += 1
    else:
        out[0, n] = PASS
        out[1, n] = 2
        n += 1
    return n
