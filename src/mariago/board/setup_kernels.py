# pyright: basic
"""Boards set up by hand: putting stones, recounting everything, reading the stones back."""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    COLUMNS,
    EMPTY,
    EVER,
    HASH,
    HEADER,
    KO,
    LAST,
    LIBERTIES,
    N_TAKEN,
    NEXT,
    PASSES,
    ROWS,
    SIZE_WORDS,
    STONES,
    STRIDE,
    flip_key,
    neighbour,
)


@inlined
def point_of(move, columns):
    """Return the padded point of a move that is not a pass."""
    return (move // columns + 1) * (columns + 1) + move % columns + 1


@kernel
def rebuild(s):
    """Recount chains, liberties and hash after points were set by hand; forget ko and last move.

    A chain without liberties (a set-up can have one) stays on the board with 0 liberties.
    """
    rebuild_chains(s)
    area = np.int64(s[AREA])
    at_ever = HEADER + EVER * area
    for word in range(4):
        s[HASH + word] = SIZE_WORDS[s[ROWS], s[COLUMNS], word]
    for p in range(area):
        color = s[HEADER + p]
        if color != EMPTY and color != BORDER:
            flip_key(s, color, p)
            s[at_ever + p] |= color


@kernel
def rebuild_chains(s):
    """Do what ``rebuild`` does for boards that nobody asks for their hash or past stones."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    at_head = HEADER + area
    at_next = HEADER + NEXT * area
    at_liberties = HEADER + LIBERTIES * area
    at_stones = HEADER + STONES * area
    s[KO] = 0
    s[LAST] = 0
    s[N_TAKEN] = 0
    s[PASSES] = 0
    seen = np.zeros(
        area, np.int16
    )  # the head + 1 that has counted this empty point; area is under 2**15
    stack = np.empty(area, np.int64)
    for p in range(area):
        s[at_head + p] = 0
    for p in range(area):
        color = s[HEADER + p]
        if color == EMPTY or color == BORDER or s[at_head + p] != 0:
            continue
        n_stack = 1
        stack[0] = p
        s[at_head + p] = p
        previous = p
        first = True
        stones = 0
        liberties = 0
        while n_stack > 0:
            n_stack -= 1
            q = stack[n_stack]
            stones += 1
            if first:
                s[at_next + q] = q
                first = False
            else:
                s[at_next + q] = s[at_next + previous]
                s[at_next + previous] = q
            previous = q
            for side in range(4):
                t = neighbour(q, side, stride)
                if s[HEADER + t] == color and s[at_head + t] == 0:
                    s[at_head + t] = p
                    stack[n_stack] = t
                    n_stack += 1
                elif s[HEADER + t] == EMPTY and seen[t] != p + 1:
                    seen[t] = p + 1
                    liberties += 1
        s[at_stones + p] = stones
        s[at_liberties + p] = liberties


@kernel
def set_stones(s, stones):
    """Put up a whole board: ``stones`` (rows * columns) uint8 by move index; then ``rebuild``."""
    _put(s, stones)
    rebuild(s)


@kernel
def set_stones_to_read(s, stones):
    """Put up a whole board as ``set_stones`` does; then ``rebuild_chains``."""
    _put(s, stones)
    rebuild_chains(s)


@inlined
def _put(s, stones):
    move = 0
    for row in range(1, s[ROWS] + 1):
        base = HEADER + row * np.int64(s[STRIDE])
        for column in range(1, s[COLUMNS] + 1):
            s[base + column] = stones[move]
            move += 1


@kernel
def put_stone(s, p, color):
    """Set one point to BLACK, WHITE or EMPTY by hand, without captures; then ``rebuild``."""
    s[HEADER + p] = color
    rebuild(s)


@kernel
def read_stones(s, out):
    """Write the colours by move index into ``out`` (rows * columns) uint8."""
    stride = np.int64(s[STRIDE])
    move = 0
    for row in range(1, s[ROWS] + 1):
        base = HEADER + row * stride
        for column in range(1, s[COLUMNS] + 1):
            out[move] = s[base + column]
            move += 1
