# pyright: basic
"""Groups: chains that are as good as connected, and how much room each has.

Chains belong together where two of their stones stand diagonally and the opponent holds neither
point between, or one point apart with no opponent beside the point between. The *room* of a group
is counted on the points within two steps of its stones: 2 where its own side's influence owns the
point, 1 where nobody's does, 4 for a dead stone of the opponent's.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    EMPTY,
    HEAD,
    HEADER,
    STRIDE,
    TO_MOVE,
    WHITE,
    neighbour,
    new_state,
)

ENOUGH = 24  # room from which on a group is safe
HALF_OWNED = 8  # balance from which on a point counts as room


@kernel
def _root(group, p):
    while group[p] != p:
        group[p] = group[group[p]]
        p = group[p]
    return p


@kernel
def _unite(s, group, p, q, area):
    a = _root(group, np.int64(s[HEADER + HEAD * area + p]))
    b = _root(group, np.int64(s[HEADER + HEAD * area + q]))
    if a != b:
        group[max(a, b)] = min(a, b)


@kernel
def mark_groups(s, dead, group):
    """Write the group of every stone, int32 by padded point: the smallest of its chains' heads.

    Empty points, and dead stones, have -1.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    for p in range(area):
        group[p] = p
    for p in range(stride, area - stride):
        color = s[HEADER + p]
        if (color != BLACK and color != WHITE) or dead[p]:
            continue
        other = 3 - color
        for across in (-1, 1):
            q = p + stride + across
            if q >= area or s[HEADER + q] != color or dead[q]:
                continue
            if s[HEADER + p + across] != other and s[HEADER + p + stride] != other:
                _unite(s, group, p, q, area)
        for step in (1, stride):
            between = p + step
            q = between + step
            if q >= area or s[HEADER + q] != color or dead[q]:
                continue
            if s[HEADER + between] != EMPTY:
                continue
            aside = stride if step == 1 else 1
            if s[HEADER + between - aside] != other and s[HEADER + between + aside] != other:
                _unite(s, group, p, q, area)
    for p in range(area):
        color = s[HEADER + p]
        if (color == BLACK or color == WHITE) and s[HEADER + HEAD * area + p] == p:
            group[p] = _root(group, p)
    for p in range(area):
        color = s[HEADER + p]
        if color == BLACK or color == WHITE:
            group[p] = group[s[HEADER + HEAD * area + p]]
    for p in range(area):
        color = s[HEADER + p]
        if (color != BLACK and color != WHITE) or dead[p]:
            group[p] = -1


@kernel
def _room_of(s, root, dead, settled, balance, group, seen, mark):
    """Return room and stones of a group, enough room where a chain of it is settled.

    ``seen`` gets ``mark`` on the points that were counted.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    color = s[HEADER + root]
    sign = 1 if color == s[TO_MOVE] else -1
    room = 0
    stones = 0
    for p in range(stride, area - stride):
        if group[p] != root:
            continue
        stones += 1
        if settled[p] == color:
            room += ENOUGH
        for side in range(4):
            q = neighbour(p, side, stride)
            for around in range(-1, 4):
                t = q if around < 0 else neighbour(q, around, stride)
                if around >= 0 and s[HEADER + q] != EMPTY:
                    break
                if seen[t] == mark:
                    continue
                if s[HEADER + t] == EMPTY:
                    seen[t] = mark
                    worth = sign * balance[t]
                    room += 2 if worth >= HALF_OWNED else 1 if worth > -HALF_OWNED else 0
                elif s[HEADER + t] == 3 - color and dead[t]:
                    seen[t] = mark
                    room += 4
    return room, stones


@kernel
def mark_care(s, dead, settled, balance, group, seen, mark, care):
    """Write how much each point matters to weak groups of either side, int32 by padded point.

    Each group adds its stones times what it lacks to the points round it, little where it is all
    but dead. Return the marks used up in ``seen``.
    """
    area = np.int64(s[AREA])
    for p in range(area):
        care[p] = 0
    mark_groups(s, dead, group)
    for root in range(area):
        if group[root] != root:
            continue
        mark += 1
        room, stones = _room_of(s, root, dead, settled, balance, group, seen, mark)
        if room >= ENOUGH:
            continue
        lacks = min(ENOUGH - room, 3 * room)
        for q in range(area):
            if seen[q] == mark:
                care[q] += stones * lacks
    return mark


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    area = int(s[AREA])
    balance, group, seen, care = np.zeros((4, area), np.int32)
    dead, settled = np.zeros((2, area), np.uint8)
    mark_care(s, dead, settled, balance, group, seen, 0, care)
