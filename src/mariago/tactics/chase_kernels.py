# pyright: basic
"""Where an atari begins a chase: a ladder that is tried, and that does not work.

A chase begins at a chain newly in atari when its owner extends it to exactly two liberties,
joining no other chain, while no chain round it is in atari; when the attacker can give atari again
with a stone that cannot be taken at once; and when the attacking chain itself has two liberties or
more, so that the atari is no throw-in.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    HEAD,
    HEADER,
    LIBERTIES,
    NEXT,
    STONES,
    STRIDE,
    chain_liberties,
    copy_into,
    is_pseudo_legal,
    neighbour,
    new_state,
    play,
)
from mariago.tactics.ladder_kernels import caught_in_atari, ladder_workspace, only_liberty
from mariago.tactics.link_kernels import chains_beside


@kernel
def _room(s, p):
    area = np.int64(s[AREA])
    return np.int64(s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + p]])


@kernel
def _has_neighbour_in_atari(s, p):
    """Say whether a chain of the other colour that touches the chain at ``p`` is in atari."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    other = 3 - s[HEADER + p]
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == other and _room(s, t) == 1:
                return True
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return False


@kernel
def _is_chased(after, q, ran, scratch):
    """Say whether the chain at ``q``, in atari and to move, runs and is put into atari again."""
    heads = np.empty(4, np.int64)
    two = np.empty(2, np.int64)
    e = only_liberty(after, q, np.int64(after[AREA]), np.int64(after[STRIDE]))
    if not is_pseudo_legal(after, e, False):
        return False
    if chains_beside(after, e, after[HEADER + q], heads) != 1:
        return False
    copy_into(ran, after)
    play(ran, e)
    if _room(ran, q) != 2 or _has_neighbour_in_atari(ran, q):
        return False
    chain_liberties(ran, q, two)
    for i in range(2):
        if not is_pseudo_legal(ran, two[i], False):
            continue
        copy_into(scratch, ran)
        play(scratch, two[i])
        if _room(scratch, q) == 1 and _room(scratch, two[i]) >= 2:
            return True
    return False


@kernel
def chased_stones(s, after, p, ran, scratch, work):
    """Count the opponent stones that the move at ``p`` begins to chase, and that get away.

    ``s`` is the board before, ``after`` behind the move; ``ran`` and ``scratch`` are states.
    """
    area = np.int64(s[AREA])
    heads = np.empty(4, np.int64)
    total = 0
    if _room(after, p) < 2:
        return total
    for i in range(chains_beside(after, p, 3 - after[HEADER + p], heads)):
        q = heads[i]
        if _room(after, q) != 1 or _room(s, q) != 2:
            continue
        if not caught_in_atari(after, q, work) and _is_chased(after, q, ran, scratch):
            total += after[HEADER + STONES * area + after[HEADER + HEAD * area + q]]
    return total


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    chased_stones(s, s.copy(), 5, s.copy(), s.copy(), ladder_workspace(3, 3))
