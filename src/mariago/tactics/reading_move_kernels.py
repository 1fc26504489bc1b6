# pyright: basic
"""The moves that reading tries for and against a chain, most direct first.

Each move carries a class, 0 for the most direct; the search looks at a higher class later. Names
below: the *chain* is the one that is read, *walls* are the attacker's chains that touch it,
*friends* are the owner's other chains that share a liberty with it.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    LIBERTIES,
    NEXT,
    STONES,
    TO_MOVE,
    is_pseudo_legal,
    neighbour,
)
from mariago.tactics.ladder_kernels import joined_liberties

PASS = 0  # in lists of moves; no point of the board is 0
MOST_MOVES = 64
MOST_CHAINS = 40
FARTHEST = 3  # steps from the chain to one that takes part
_MOST_ROOM = 4
MOST_CLASS = 4


@inlined
def liberties_of(s, p, area):
    """Return the number of liberties of the chain at ``p``."""
    return np.int64(s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + p]])


@kernel
def touches(s, x, p, area, stride):
    """Say whether a stone of the chain at ``x`` is next to one of the chain at ``p``."""
    head = s[HEADER + HEAD * area + p]
    color = s[HEADER + p]
    q = np.int64(x)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == color and s[HEADER + HEAD * area + t] == head:
                return True
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == x:
            return False


@kernel
def takes_back(s, p, area, stride):
    """Say whether a stone of the side to move at ``p``, legal there, would take one."""
    if not is_pseudo_legal(s, p, False):
        return False
    for side in range(4):
        t = neighbour(p, side, stride)
        if s[HEADER + t] == 3 - s[TO_MOVE] and liberties_of(s, t, area) == 1:
            return True
    return False


@kernel
def may_be_taken_back(s, p, e, scratch, area, stride):
    """Say whether the taker of the lone stone at ``p``, playing at ``e``, may fall to one at ``p``.

    Never so for chains of two stones or more.
    """
    if s[HEADER + STONES * area + s[HEADER + HEAD * area + p]] != 1:
        return False
    return joined_liberties(s, e, 3 - s[HEADER + p], scratch, area, stride) <= 2


@kernel
def few_liberties(s, p, out, most, area, stride):
    """Write up to ``most`` liberties of the chain at ``p``; return how many."""
    n = 0
    q = np.int64(p)
    while True:
        for side in range(4):
            e = neighbour(q, side, stride)
            if s[HEADER + e] == EMPTY:
                known = False
                for i in range(n):
                    if out[i] == e:
                        known = True
                        break
                if not known:
                    out[n] = e
                    n += 1
                    if n == most:
                        return n
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return n


@inlined
def _room_allowed(distance):
    """Return the most liberties with which a chain at a distance still takes part."""
    return 5 - distance


@kernel
def _involve(s, t, distance, n, lists, area):
    """Add the chain of the stone at ``t`` to the chains that take part."""
    head = np.int64(s[HEADER + HEAD * area + t])
    if n == MOST_CHAINS or liberties_of(s, head, area) > _room_allowed(distance):
        return n
    for i in range(n):
        if lists[1, i] == head:
            return n
    lists[1, n] = head
    lists[2, n] = distance
    return n + 1


@kernel
def _involved_chains(s, p, lists, area, stride):
    """List the chains that take part in the fight for the chain at ``p``, nearest first.

    Rows 1 and 2 of ``lists`` get their heads and distances. One step leads to the chains that
    touch a chain and to those, of both colours, that touch one of its liberties.
    """
    lists[1, 0] = np.int64(s[HEADER + HEAD * area + p])
    lists[2, 0] = 0
    n = 1
    i = 0
    while i < n:
        distance = lists[2, i] + 1
        head = lists[1, i]
        i += 1
        if distance > FARTHEST:
            break
        enemy = 3 - s[HEADER + head]
        q = head
        while True:
            for side in range(4):
                t = neighbour(q, side, stride)
                if s[HEADER + t] == enemy:
                    n = _involve(s, t, distance, n, lists, area)
            q = np.int64(s[HEADER + NEXT * area + q])
            if q == head:
                break
        count = few_liberties(s, head, lists[3], _MOST_ROOM, area, stride)
        for k in range(count):
            for side in range(4):
                t = neighbour(lists[3, k], side, stride)
                if s[HEADER + t] != EMPTY and s[HEADER + t] != BORDER:
                    n = _involve(s, t, distance, n, lists, area)
    return n


@kernel
def _add(s, e, order, seen, out, n):
    """Add a move that is legal and not known yet; ``seen[0]`` holds the stamp of this list."""
    if seen[e] == seen[0] or n == MOST_MOVES:
        return n
    seen[e] = seen[0]
    if not is_pseudo_legal(s, e, False):
        return n
    out[0, n] = e
    out[1, n] = order
    return n + 1


@kernel
def _add_liberties(s, p, order, seen, out, n, scratch, area, stride):
    """Add the liberties of a chain of few liberties."""
    k = few_liberties(s, p, scratch, _MOST_ROOM, area, stride)
    for i in range(k):
        n = _add(s, scratch[i], order, seen, out, n)
    return n


@kernel
def _add_next_to(s, libs, count, order, seen, out, n, stride):
    """Add what is next to a liberty."""
    for i in range(count):
        for side in range(4):
            f = neighbour(libs[i], side, stride)
            if s[HEADER + f] == EMPTY:
                n = _add(s, f, order, seen, out, n)
    return n


@kernel
def _add_diagonal(s, libs, count, order, seen, out, n, stride):
    """Add what is diagonal to a liberty."""
    for i in range(count):
        for up in range(2):
            for left in range(2):
                f = libs[i] + (stride if up == 0 else -stride) + (1 if left == 0 else -1)
                if s[HEADER + f] == EMPTY:
                    n = _add(s, f, order, seen, out, n)
    return n


@kernel
def moves_around(s, p, most_class, seen, lists, out, area, stride):
    """Write the moves of the side to move for or against the chain at ``p``; return how many.

    ``out`` (2, n) gets points and classes, ``seen`` int32 by point has a stamp at 0, ``lists``
    (4, 64) int64 is scratch. The owner's list holds PASS where the chain is not in atari.
    """
    seen[0] += 1
    if s[HEADER + p] == EMPTY:  # taken in a ko, and to be taken back
        return _add(s, p, 0, seen, out, 0)
    libs = lists[0]
    count = few_liberties(s, p, libs, 8, area, stride)
    defending = s[HEADER + p] == s[TO_MOVE]
    n = 0
    if count > 1 and defending:
        out[0, 0] = PASS
        out[1, 0] = 0
        n = 1
    for i in range(count):
        n = _add(s, libs[i], 0, seen, out, n)
    chains = _involved_chains(s, p, lists, area, stride)
    if count == 1 and defending:
        final = not may_be_taken_back(s, p, libs[0], lists[3], area, stride)
        if not final:
            out[0, n] = PASS
            out[1, n] = 1
            n += 1
        for i in range(1, chains):
            x = lists[1, i]
            if lists[2, i] == 1 and s[HEADER + x] != s[TO_MOVE]:
                if liberties_of(s, x, area) == 1 and touches(s, x, p, area, stride):
                    n = _add_liberties(s, x, 0, seen, out, n, lists[3], area, stride)
        if final:
            return n
    for step in range(most_class + 1):
        if step == 1:
            n = _add_next_to(s, libs, count, 1, seen, out, n, stride)
        if step == 2:
            n = _add_diagonal(s, libs, count, 2, seen, out, n, stride)
        for i in range(1, chains):
            x = lists[1, i]
            if lists[2, i] - 1 + liberties_of(s, x, area) - 1 == step:
                n = _add_liberties(s, x, step, seen, out, n, lists[3], area, stride)
    return n


@kernel
def all_moves(s, seen, out, area):
    """Write every legal point and PASS, all of class 0; for boards of few points."""
    out[0, 0] = PASS
    out[1, 0] = 0
    n = 1
    seen[0] += 1
    for e in range(1, area):
        if s[HEADER + e] == EMPTY:
            n = _add(s, e, 0, seen, out, n)
    return n
