# pyright: basic
"""Stones given up on purpose, and what is played inside an eye: read two or three moves deep.

*Snapback*: the played chain has one liberty; the opponent takes it there, and the taking chain, in
atari, is taken back at once, more stones than were given; the chain that the move put into atari
falls however it answers. *Throw-in*: one stone that takes nothing and is left with one liberty;
when it is taken, its point is a false eye, or an opponent's chain beside it has fewer liberties
than before and two at most. *Nakade*: the vital point of a closed eye of three to six points.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    STONES,
    STRIDE,
    TO_MOVE,
    copy_into,
    is_pseudo_legal,
    neighbour,
    new_state,
    play,
)
from mariago.tactics.ladder_kernels import caught_in_atari, ladder_workspace, only_liberty
from mariago.tactics.link_kernels import chains_beside
from mariago.tactics.shape_kernels import FALSE_EYE, eye_at

# What ``read_thrown`` writes.
SNAPS, THROWS, OFFERS = 0, 1, 2

LARGEST_EYE = 6


@kernel
def _of_chain(s, section, p):
    area = np.int64(s[AREA])
    return np.int64(s[HEADER + section * area + s[HEADER + HEAD * area + p]])


@kernel
def read_thrown(s, after, p, captures, taken, work, out):
    """Write what giving up the chain at ``p``, left with one liberty, is worth to ``out`` (3,).

    ``s`` is the board before, ``after`` behind the move; ``taken`` is scratch. ``out``: stones that
    a snapback takes; whether it is a throw-in; whether the opponent can only take it as a ko.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = np.int64(s[TO_MOVE])
    out[SNAPS] = out[THROWS] = out[OFFERS] = 0
    e = only_liberty(after, p, area, stride)
    if not is_pseudo_legal(after, e, False):
        return
    given = _of_chain(after, STONES, p)
    copy_into(taken, after)
    play(taken, e)
    if taken[HEADER + e] == EMPTY:
        return
    if taken[KO] != 0:
        out[OFFERS] = 1
    elif _of_chain(taken, LIBERTIES, e) == 1:
        back = only_liberty(taken, e, area, stride)
        size = _of_chain(taken, STONES, e)
        if size > given and is_pseudo_legal(taken, back, False):
            head = taken[HEADER + HEAD * area + e]
            for side in range(4):
                q = neighbour(p, side, stride)
                if (
                    after[HEADER + q] == 3 - own
                    and taken[HEADER + HEAD * area + q] == head
                    and _of_chain(after, LIBERTIES, q) == 1
                    and caught_in_atari(after, q, work)
                ):
                    out[SNAPS] = size
    if given != 1 or captures > 0:
        return
    if eye_at(taken, p, 3 - own) == FALSE_EYE:
        out[THROWS] = 1
    for side in range(4):
        q = neighbour(p, side, stride)
        if s[HEADER + q] != 3 - own:
            continue
        left = _of_chain(taken, LIBERTIES, q)
        if left <= 2 and left < _of_chain(s, LIBERTIES, q):
            out[THROWS] = 1


@kernel
def connected_and_taken(after, p, scratch, work):
    """Return the stones of the largest opponent group that connects out of atari and still falls.

    A chain beside ``p`` that is in atari falls whatever its owner does; and where he connects it at
    its liberty, what is joined has one liberty again.
    """
    area = np.int64(after[AREA])
    stride = np.int64(after[STRIDE])
    heads = np.empty(4, np.int64)
    beside = np.empty(4, np.int64)
    largest = 0
    for i in range(chains_beside(after, p, 3 - after[HEADER + p], heads)):
        q = heads[i]
        if after[HEADER + LIBERTIES * area + q] != 1 or not caught_in_atari(after, q, work):
            continue
        e = only_liberty(after, q, area, stride)
        n = chains_beside(after, e, after[HEADER + q], beside)
        if n < 2 or not is_pseudo_legal(after, e, False):
            continue
        copy_into(scratch, after)
        if play(scratch, e) == 0 and scratch[HEADER + e] != EMPTY:
            if _of_chain(scratch, LIBERTIES, e) == 1:
                largest = max(largest, _of_chain(scratch, STONES, e))
    return largest


@kernel
def makes_ko_of(s, p, color, scratch):
    """Say whether ``color`` at the empty point ``p`` would take one stone and stand in ko."""
    copy_into(scratch, s)
    scratch[TO_MOVE] = color
    scratch[KO] = 0
    if not is_pseudo_legal(scratch, p, False):
        return False
    play(scratch, p)
    return scratch[KO] != 0


@kernel
def vital_eye_points(s, p, color):
    """Return the points of a closed eye of ``color`` of which the empty ``p`` is the vital one.

    The eye is what can be reached from ``p`` without stepping on ``color``; 3 to 6 points of a
    shape that has one vital point (straight and bent three, pyramid four, bulky and crossed five,
    rabbity six); 0 for all else. Stones of the other colour in it count as its points.
    """
    stride = np.int64(s[STRIDE])
    points = np.empty(LARGEST_EYE, np.int64)
    points[0] = p
    n = 1
    at = 0
    links = 0
    own_links = 0
    while at < n:
        q = points[at]
        at += 1
        for side in range(4):
            t = neighbour(q, side, stride)
            held = s[HEADER + t]
            if held == color or held == BORDER:
                continue
            links += 1
            own_links += q == p
            known = False
            for i in range(n):
                if points[i] == t:
                    known = True
            if known:
                continue
            if n == LARGEST_EYE:
                return 0
            points[n] = t
            n += 1
    links //= 2
    if n == 3 and own_links == 2:
        return 3
    if n == 4 and own_links == 3:
        return 4
    if n == 5 and (own_links == 4 or (own_links == 3 and links == 5)):
        return 5
    return 6 if n == 6 and own_links == 4 and links == 6 else 0


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    for p in (5, 6, 9):
        play(s, p)
    work = ladder_workspace(3, 3)
    out = np.zeros(3, np.int64)
    read_thrown(s, s.copy(), 5, 0, s.copy(), work, out)
    connected_and_taken(s, 5, s.copy(), work)
    makes_ko_of(s, 10, 1, s.copy())
    vital_eye_points(s, 10, 1)
