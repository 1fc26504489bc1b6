# pyright: basic
"""Chains that live though their owner always passes (Benson 1976), and the area they settle.

"Life in the game of Go", Information Sciences 10: a chain is unconditionally alive when, among the
regions of other points round it, two are *vital* to it, every one bordered by such chains only. A
region is vital to a chain where all its empty points are liberties of that chain; where suicide is
allowed, all its points, since the opponent's stones in it may leave.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    NEXT,
    STRIDE,
    WHITE,
    neighbour,
    new_state,
    play,
)


@inlined
def _borders_chain(s, p, color, head, area, stride):
    for side in range(4):
        q = neighbour(p, side, stride)
        if s[HEADER + q] == color and s[HEADER + HEAD * area + q] == head:
            return True
    return False


@kernel
def _find_regions(s, color, region, queue, ends, area, stride):
    """Label the regions of points not of ``color``; return their number.

    Region k is ``queue[ends[k] : ends[k + 1]]`` and begins with an empty point.
    """
    for p in range(area):
        region[p] = -1
    n = 0
    tail = 0
    ends[0] = 0
    for p in range(area):
        if s[HEADER + p] != EMPTY or region[p] >= 0:
            continue
        region[p] = n
        queue[tail] = p
        at = tail
        tail += 1
        while at < tail:
            q = np.int64(queue[at])
            at += 1
            for side in range(4):
                t = neighbour(q, side, stride)
                if s[HEADER + t] != color and s[HEADER + t] != BORDER and region[t] < 0:
                    region[t] = n
                    queue[tail] = t
                    tail += 1
        n += 1
        ends[n] = tail
    return n


@kernel
def _find_vital(s, color, suicide, queue, first, last, vital, area, stride):
    """Write the heads of the chains to which the region is vital; return their number (0 to 4)."""
    n = 0
    for side in range(4):
        q = neighbour(np.int64(queue[first]), side, stride)
        if s[HEADER + q] != color:
            continue
        head = s[HEADER + HEAD * area + q]
        known = False
        for i in range(n):
            if vital[i] == head:
                known = True
        if not known:
            vital[n] = head
            n += 1
    for at in range(first, last):
        p = np.int64(queue[at])
        if s[HEADER + p] != EMPTY and not suicide:
            continue
        kept = 0
        for i in range(n):
            if _borders_chain(s, p, color, vital[i], area, stride):
                vital[kept] = vital[i]
                kept += 1
        n = kept
        if n == 0:
            break
    return n


@kernel
def _open_points(s, color, queue, first, last, stride):
    """Return how many points of the region touch no stone of ``color`` (2 stands for more), and
    whether the region holds a stone of the opponent."""
    inner = 0
    holds_opponent = False
    for at in range(first, last):
        p = np.int64(queue[at])
        if s[HEADER + p] != EMPTY:
            holds_opponent = True
        touches = False
        for side in range(4):
            if s[HEADER + neighbour(p, side, stride)] == color:
                touches = True
        if not touches:
            inner += 1
        if inner >= 2 and holds_opponent:
            break
    return inner, holds_opponent


@kernel
def mark_settled(s, color, suicide, loose, scratch, out, area, stride):
    """Mark pass-alive chains and settled regions of ``color`` in ``out``; see ``settled_area``.

    With ``loose`` also the regions without an opponent's stone. ``scratch`` is int16, 8 rows of
    twice the area and 8.
    """
    region = scratch[0]
    queue = scratch[1]
    ends = scratch[2]
    n_vital = scratch[3]  # by region
    alive = scratch[4]  # by head: 1 while not refuted
    vital_regions = scratch[5]  # by head
    open_region = scratch[6]  # by region: 1 where it borders a refuted chain
    vital = scratch[7]  # four heads a region
    n_regions = _find_regions(s, color, region, queue, ends, area, stride)
    any_stone = False
    for p in range(area):
        alive[p] = 0
        if s[HEADER + p] == color and s[HEADER + HEAD * area + p] == p:
            alive[p] = 1
            any_stone = True
    if not any_stone:
        return
    for k in range(n_regions):
        open_region[k] = 0
        n_vital[k] = _find_vital(
            s, color, suicide, queue, ends[k], ends[k + 1], vital[4 * k : 4 * k + 4], area, stride
        )
    changed = True
    while changed:
        changed = False
        for p in range(area):
            vital_regions[p] = 0
        for k in range(n_regions):
            if open_region[k] == 0:
                for i in range(n_vital[k]):
                    vital_regions[vital[4 * k + i]] += 1
        for head in range(area):
            if alive[head] == 0 or vital_regions[head] >= 2:
                continue
            alive[head] = 0
            changed = True
            q = np.int64(head)
            while True:
                for side in range(4):
                    t = neighbour(q, side, stride)
                    if s[HEADER + t] != color and s[HEADER + t] != BORDER:
                        open_region[region[t]] = 1
                q = np.int64(s[HEADER + NEXT * area + q])
                if q == head:
                    break
    for p in range(area):
        if s[HEADER + p] == color and alive[s[HEADER + HEAD * area + p]] == 1:
            out[p] = color
    for k in range(n_regions):
        inner, holds_opponent = _open_points(s, color, queue, ends[k], ends[k + 1], stride)
        settled = open_region[k] == 0 and (inner <= 1 or (loose and not holds_opponent))
        if settled:
            for at in range(ends[k], ends[k + 1]):
                out[queue[at]] = color
        elif loose and not holds_opponent:
            for at in range(ends[k], ends[k + 1]):
                if out[queue[at]] == EMPTY:
                    out[queue[at]] = color


@kernel
def settled_area(s, suicide, out):
    """Write the owner (colour) of every settled point into ``out``, uint8 by padded point.

    Settled are pass-alive chains and the regions they surround in which the opponent cannot live:
    at most one point that touches no stone of theirs.
    """
    area = np.int64(s[AREA])
    for p in range(area):
        out[p] = EMPTY
    scratch = np.empty((8, 2 * area + 8), np.int16)
    for color in (BLACK, WHITE):
        mark_settled(s, color, suicide, False, scratch, out, area, np.int64(s[STRIDE]))


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    settled_area(s, False, np.zeros(int(s[AREA]), np.uint8))
