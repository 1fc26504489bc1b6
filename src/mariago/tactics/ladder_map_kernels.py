# pyright: basic
"""What ladders do on a whole board: the stones that fall, the moves that start one."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    LIBERTIES,
    NEXT,
    TO_MOVE,
    new_state,
    play,
)
from mariago.tactics.ladder_kernels import caught_in_atari, ladder_workspace, working_moves_upto


@kernel
def mark_ladders(s, work, caught, working):
    """Mark the stones caught in ladders as the board stands, and the moves that start one.

    ``caught`` and ``working`` are uint8 by padded point. ``caught`` holds the stones of either
    colour in chains that fall: with one liberty though the owner moves, with two if the attacker
    moves. ``working`` holds the moves with which the side to move catches chains of two liberties.
    """
    for p in range(np.int64(s[AREA])):
        working[p] = 0
    _mark(s, work, caught, working, True)


@kernel
def mark_caught(s, work, caught):
    """Mark the stones caught in ladders as ``mark_ladders`` does; no move that starts one."""
    _mark(s, work, caught, caught, False)


@kernel
def _mark(s, work, caught, working, wants_working):
    area = np.int64(s[AREA])
    out = np.empty(2, np.int64)
    for p in range(area):
        caught[p] = 0
    for p in range(area):
        color = s[HEADER + p]
        if color == EMPTY or color == BORDER or s[HEADER + HEAD * area + p] != p:
            continue
        liberties = s[HEADER + LIBERTIES * area + p]
        if liberties == 1:
            falls = caught_in_atari(s, p, work)
        elif liberties == 2:
            starts = wants_working and color != s[TO_MOVE]
            n = working_moves_upto(s, p, work, out, 2 if starts else 1)
            falls = n > 0
            if starts:
                for i in range(n):
                    working[out[i]] = 1
        else:
            continue
        if falls:
            q = np.int64(p)
            while True:
                caught[q] = 1
                q = np.int64(s[HEADER + NEXT * area + q])
                if q == p:
                    break


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    work, marks = ladder_workspace(3, 3), np.zeros((2, int(s[AREA])), np.uint8)
    mark_ladders(s, work, marks[0], marks[1])
    mark_caught(s, work, marks[0])
