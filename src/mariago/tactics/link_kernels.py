# pyright: basic
"""Connections and cuts at one point, checked with ladders.

A stone of one colour at a point *parts* two chains of the other that touch it when, with the other
colour to move, the stone cannot be taken (one liberty: it can; two: a ladder says; more: not), and
the two chains share no liberty at which they could be joined at once. A chain that the stone
takes off the board counts as parted.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    NEXT,
    STRIDE,
    TO_MOVE,
    copy_into,
    is_pseudo_legal,
    neighbour,
    new_state,
    play,
)
from mariago.tactics.ladder_kernels import ladder_captured, ladder_workspace


@kernel
def chains_beside(s, p, color, heads):
    """Write the heads of the chains of ``color`` beside ``p`` into ``heads`` (4,); return how many.

    They come in the order of the sides; a chain that touches twice comes once.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    n = 0
    for side in range(4):
        q = neighbour(p, side, stride)
        if s[HEADER + q] != color:
            continue
        head = np.int64(s[HEADER + HEAD * area + q])
        known = False
        for i in range(n):
            if heads[i] == head:
                known = True
        if not known:
            heads[n] = head
            n += 1
    return n


@kernel
def _share_a_liberty(s, a, b):
    """Say whether a liberty of the chain at ``a`` is one of the chain at ``b``, too."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    color = s[HEADER + a]
    head = s[HEADER + HEAD * area + b]
    q = np.int64(a)
    while True:
        for side in range(4):
            e = neighbour(q, side, stride)
            if s[HEADER + e] != EMPTY:
                continue
            for around in range(4):
                t = neighbour(e, around, stride)
                if s[HEADER + t] == color and s[HEADER + HEAD * area + t] == head:
                    return True
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == a:
            return False


@kernel
def _is_parted(s, a, b):
    """Say whether the chains at ``a`` and ``b``, of one colour, can not be joined at once."""
    if s[HEADER + a] == EMPTY or s[HEADER + b] == EMPTY:
        return True
    area = np.int64(s[AREA])
    if s[HEADER + HEAD * area + a] == s[HEADER + HEAD * area + b]:
        return False
    return not _share_a_liberty(s, a, b)


@kernel
def parted_chains(s, p, chains, n, work):
    """Return how many of the ``n`` chains beside the stone at ``p`` it parts from another.

    ``s`` is the board with that stone on it, the other colour to move.
    """
    area = np.int64(s[AREA])
    if s[HEADER + p] == EMPTY:
        return 0
    liberties = s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + p]]
    if liberties == 1 or (liberties == 2 and ladder_captured(s, p, work)):
        return 0
    total = 0
    for i in range(n):
        for j in range(n):
            if i != j and _is_parted(s, chains[i], chains[j]):
                total += 1
                break
    return total


@kernel
def could_be_parted(s, p, chains, n, scratch, work):
    """Return how many of the ``n`` own chains beside ``p`` the opponent could part there.

    ``scratch`` is a state; ``s`` has the owner of the chains to move.
    """
    copy_into(scratch, s)
    scratch[TO_MOVE] = 3 - s[TO_MOVE]
    scratch[KO] = 0
    if not is_pseudo_legal(scratch, p, False):
        return 0
    play(scratch, p)
    return parted_chains(scratch, p, chains, n, work)


@kernel
def may_play(s, p, color):
    """Say whether ``color`` could play at the empty point ``p``, were it to move and no ko."""
    side, ko = s[TO_MOVE], s[KO]
    s[TO_MOVE] = color
    s[KO] = 0
    legal = is_pseudo_legal(s, p, False)
    s[TO_MOVE] = side
    s[KO] = ko
    return legal


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    play(s, 6)
    heads = np.zeros(4, np.int64)
    chains_beside(s, 6, 1, heads)
    could_be_parted(s, 9, heads, 0, s.copy(), ladder_workspace(3, 3))
    may_play(s, 9, 1)
