# pyright: basic
"""Unconditional territory: where the other side can never live, though the owner always passes.

Let R be a connected set of points that holds no pass-alive stone of the owner and is bounded by
such stones and the edge. All else in R is the opponent's to take, for the owner passes (Benson
1976: chains that are not pass-alive can be captured so). What can the opponent build in R that is
pass-alive itself? Whatever it is, it may be filled up until R holds only its stones and eyes of one
point each; it lives then exactly where each of the chains, which the eyes part, touches two eyes.
From such a shape two eyes can be taken alone that are no *cut points* of R (points without which R
falls apart): of eyes that part R, each part holds one, and two in different parts do. The other way
round, two such points that do not touch each other leave every chain beside both. So

    **R is territory exactly where the possible eyes in R that are no cut points of R all touch
    each other**; the grid holds no triangles, so they are two at the most.

A possible eye is a point beside no pass-alive stone of the owner, and, where suicide is forbidden,
neither a stone of the opponent (it would never leave) nor a liberty of a chain that has to be taken
first (it is filled by then). The statement is ours; that a region with one such point at most is
settled is the common weaker form (``alive_kernels``).

Where stones of the owner stand in R, the opponent may also leave them there and live together with
them: a seki, or an eye that grows by what it takes at last. So the owner must also win the fight
that is left, moving first, in every shape that the opponent could have given its stones before:
``local_kernels`` reads that to the end. Points that can never be an eye (beside pass-alive stones,
or parting off a piece without an eye) count as filled: open, they are outside liberties, which the
owner takes at leisure.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    BORDER,
    EMPTY,
    HEADER,
    STRIDE,
    WHITE,
    neighbour,
    new_state,
    play,
)
from mariago.tactics.alive_kernels import settled_area
from mariago.tactics.local_kernels import (
    LARGEST,
    ONE,
    attacker_kills,
    grown,
    local_play,
    local_workspace,
)

TABLE_BITS = 19
NODES = 250_000  # positions read of one region before it counts as undecided
SHAPES = 2_048  # shapes of the opponent's that are looked at


@inlined
def _may_be_eye(s, p, color, suicide, alive, stride):
    """Say whether the opponent of ``color`` can make an eye of one point at ``p``."""
    if s[HEADER + p] == 3 - color and not suicide:
        return False
    for side in range(4):
        q = neighbour(p, side, stride)
        if s[HEADER + q] != color:
            continue
        if alive[q] == color or (s[HEADER + p] == EMPTY and not suicide):
            return False
    return True


@inlined
def _in_region(s, p, color, alive):
    return s[HEADER + p] != BORDER and alive[p] != color


@kernel
def _walk(s, start, color, alive, order, low, parent, cursor, cut, found, stride):
    """Collect the region of ``start`` in depth-first order, and mark its cut points in ``cut``.

    Tarjan 1972, "Depth-first search and linear graph algorithms", without recursion. ``order``
    (0 unvisited) and ``low`` are by padded point; ``found`` receives the points. Return their
    number.
    """
    n = 1
    order[start] = 1
    low[start] = 1
    parent[start] = 0
    cursor[start] = 0
    cut[start] = 0
    found[0] = start
    branches = 0
    p = np.int64(start)
    while True:
        if cursor[p] < 4:
            q = neighbour(p, np.int64(cursor[p]), stride)
            cursor[p] += 1
            if not _in_region(s, q, color, alive) or q == parent[p]:
                continue
            if order[q] != 0:
                low[p] = min(low[p], order[q])
                continue
            found[n] = q
            n += 1
            order[q] = n
            low[q] = n
            parent[q] = p
            cursor[q] = 0
            cut[q] = 0
            branches += p == start
            p = q
            continue
        if p == start:
            cut[start] = branches > 1
            return n
        up = np.int64(parent[p])
        low[up] = min(low[up], low[p])
        if up != start and low[p] >= order[up]:
            cut[up] = 1
        p = up


@kernel
def _cannot_live(s, color, suicide, alive, cut, found, n, stride):
    """Say whether the opponent of ``color`` has no two eyes to make in the region ``found[:n]``."""
    first = second = np.int64(0)
    for i in range(n):
        p = np.int64(found[i])
        if cut[p] != 0 or not _may_be_eye(s, p, color, suicide, alive, stride):
            continue
        if first == 0:
            first = p
            continue
        touches = False
        for side in range(4):
            if neighbour(p, side, stride) == first:
                touches = True
        if second != 0 or not touches:
            return False
        second = p
    return True


@kernel
def _bit_board(s, color, alive, index, found, n, near, stride):
    """Number the region's points; return the masks of ``color``, the opponent, and of the points
    beside pass-alive stones."""
    own = other = free = np.int64(0)
    for i in range(n):
        index[found[i]] = i
    for i in range(n):
        p = np.int64(found[i])
        near[i] = 0
        for side in range(4):
            q = neighbour(p, side, stride)
            if s[HEADER + q] == BORDER:
                continue
            if alive[q] == color:
                free |= ONE << i
            else:
                near[i] |= ONE << np.int64(index[q])
        if s[HEADER + p] == color:
            own |= ONE << i
        elif s[HEADER + p] != EMPTY:
            other |= ONE << i
    return own, other, free


@kernel
def _without_false_points(own, other, near, free, n):
    """Return both masks after the opponent has filled what can never be an eye of its own.

    Points beside pass-alive stones, and points that part off a piece with no eye to make. Open,
    they are outside liberties: the owner fills them at leisure, as if each took no move.
    """
    whole = (ONE << n) - 1
    grows = True
    while grows:
        grows = False
        for i in range(n):
            if ((own | other) >> i) & ONE:
                continue
            false_point = (free >> i) & ONE == 1
            left = whole & ~(ONE << i)
            while left != 0 and not false_point:
                piece = grown(left & -left, whole & ~(ONE << i), near, n)
                left &= ~piece
                false_point = piece & ~free & ~other == 0
            if false_point:
                a, d, _ = local_play(own, other, i, False, near, free, n)
                if d >= 0:
                    own, other = a, d
                    grows = True
    return own, other


@kernel
def _dies_by_play(s, color, alive, index, found, n, stride):
    """Say whether the owner kills all in the region, whatever the opponent played there before.

    Read to the end; False too where that takes too long.
    """
    if n > LARGEST:
        return False
    near = np.empty(n, np.int64)
    own, other, free = _bit_board(s, color, alive, index, found, n, near, stride)
    own, other = _without_false_points(own, other, near, free, n)
    work = local_workspace(TABLE_BITS)
    shapes = np.empty((SHAPES, 2), np.int64)
    shapes[0, 0] = own
    shapes[0, 1] = other
    known = 1
    at = 0
    while at < known:
        own, other = shapes[at, 0], shapes[at, 1]
        at += 1
        if attacker_kills(own, other, 1, near, free, n, work, NODES) != 1:
            return False
        for i in range(n):
            if ((own | other) >> i) & ONE:
                continue
            a, d, _ = local_play(own, other, i, False, near, free, n)
            fresh = d >= 0
            for k in range(known):
                if shapes[k, 0] == a and shapes[k, 1] == d:
                    fresh = False
                    break
            if fresh and known == SHAPES:
                return False
            if fresh:
                shapes[known, 0] = a
                shapes[known, 1] = d
                known += 1
    return True


@kernel
def unconditional_area(s, suicide, alive, ground):
    """Write whose stones are pass-alive and whose territory a point is, both uint8 by padded point.

    ``alive`` holds the colour of pass-alive stones, ``ground`` the colour in whose unconditional
    territory a point lies, whatever stands there; 0 elsewhere. What takes too long to read is 0.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    settled_area(s, suicide, ground)
    for p in range(area):
        color = s[HEADER + p]
        alive[p] = color if ground[p] != EMPTY and ground[p] == color else EMPTY
    scratch = np.empty((6, area), np.int16)
    order, low, parent, cursor, cut, found = scratch
    for p in range(area):
        ground[p] = EMPTY
    for color in (BLACK, WHITE):
        lives = False
        for p in range(area):
            order[p] = 0
            if alive[p] == color:
                lives = True
        if not lives:
            continue
        for p in range(stride, area):
            if order[p] != 0 or not _in_region(s, p, color, alive):
                continue
            n = _walk(s, p, color, alive, order, low, parent, cursor, cut, found, stride)
            if not _cannot_live(s, color, suicide, alive, cut, found, n, stride):
                continue
            holds_own = False
            for i in range(n):
                if s[HEADER + found[i]] == color:
                    holds_own = True
            if holds_own and not _dies_by_play(s, color, alive, parent, found, n, stride):
                continue
            for i in range(n):
                ground[found[i]] = color


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    area = int(s[AREA])
    unconditional_area(s, False, np.zeros(area, np.uint8), np.zeros(area, np.uint8))
