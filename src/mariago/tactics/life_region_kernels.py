# pyright: basic
"""The place of a fight for one group's life: which points take part, and where the way out lies.

Names: the *group* is the chain asked about and the chains of its owner that stand by it; the
*walls* are the other side's chains around. ``place`` holds bits by padded point (see below).
Distances are counted over empty points, from the stones of the group and from all stones of the
other side.

A point takes part where the group is not much farther from it than the other side. Past the
farthest of those, where the group is no farther than the other side, the board is open: the group
that gets there has run away. Walls with few liberties take part with all of them. What else lies
outside is the other side's: only it may play there, and only to take a liberty from the group.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    LIBERTIES,
    NEXT,
    STONES,
    STRIDE,
    neighbour,
)

INSIDE, OPEN, GROUP, FRIEND, TARGET = 1, 2, 4, 8, 16  # bits of ``place``
MOST_POINTS = 62
FARTHEST = 5
_FAR = 99
_LINK = 2  # empty points between two chains of a group
_NEAR = 3  # so far the group may be one step behind
_ALONG = 3  # so far along the edge the other side's strength does not count
_WEAK = 3  # liberties of a wall that takes part as a whole
_WIDE = 16  # points of an area that counts as the open board
_MANY = 3  # stones of a chain, next to the one asked about, without which the group is not dead


@kernel
def _spread_from_walls(s, color, distance, queue, area, stride):
    """Write the distance of every empty point from the stones of ``color``, 0 on them."""
    tail = 0
    for p in range(area):
        distance[p] = _FAR
        if s[HEADER + p] == color:
            distance[p] = 0
            queue[tail] = p
            tail += 1
    at = 0
    while at < tail:
        p = np.int64(queue[at])
        at += 1
        for side in range(4):
            t = neighbour(p, side, stride)
            if s[HEADER + t] == EMPTY and distance[t] == _FAR:
                distance[t] = distance[p] + 1
                queue[tail] = t
                tail += 1


@inlined
def _reaches(own, other):
    """Say whether a point at these distances from the group and from the walls takes part."""
    if own <= _NEAR:
        return own <= other + 1
    return own <= other


@kernel
def _join(s, p, reach, queue, tail, area):
    """Put the chain at ``p`` into the group; returns the new end of the queue."""
    q = np.int64(p)
    while True:
        reach[q] = 0
        queue[tail] = q
        tail += 1
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return tail


@kernel
def _mark_wide(s, other, wide, queue, area, stride):
    """Set ``wide`` to 1 on the open board: large areas two steps or more from the walls."""
    for p in range(area):
        wide[p] = 0
    for p in range(area):
        if s[HEADER + p] != EMPTY or wide[p] != 0 or other[p] < 2 or other[p] == _FAR:
            continue
        wide[p] = 2
        queue[0] = p
        tail = 1
        at = 0
        while at < tail:
            q = np.int64(queue[at])
            at += 1
            for side in range(4):
                t = neighbour(q, side, stride)
                if s[HEADER + t] == EMPTY and wide[t] == 0 and 2 <= other[t] < _FAR:
                    wide[t] = 2
                    queue[tail] = t
                    tail += 1
        if tail >= _WIDE:
            for i in range(tail):
                wide[queue[i]] = 1


@kernel
def _is_open(s, p, wide, area, stride):
    """Say whether a chain has a liberty on the open board."""
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == EMPTY and wide[t] == 1:
                return True
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return False


@inlined
def _on_edge(s, p, stride):
    for side in range(4):
        if s[HEADER + neighbour(p, side, stride)] == BORDER:
            return True
    return False


@kernel
def _spread_from_group(s, p, reach, other, wide, place, queue, area, stride):
    """Write the distance of the points that take part from the group; find its chains on the way.

    Chains of the owner that are in the open are marked as FRIEND: to be linked to one is to live.
    """
    color = s[HEADER + p]
    for q in range(area):
        reach[q] = _FAR
    tail = _join(s, p, reach, queue, 0, area)
    at = 0
    while at < tail:
        q = np.int64(queue[at])
        at += 1
        if at > queue.shape[0] - 8:
            return
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == EMPTY:
                step = reach[q] + 1
                along = _on_edge(s, q, stride) and _on_edge(s, t, stride)
                if along and reach[q] > 2:
                    step += 1  # to crawl along the edge leads nowhere
                near = _reaches(step, other[t]) or (along and step <= _ALONG)
                if reach[t] > step and near:
                    reach[t] = step
                    if tail < queue.shape[0] - area:
                        queue[tail] = t
                        tail += 1
            elif s[HEADER + t] == color and reach[t] != 0 and place[t] & FRIEND == 0:
                if s[HEADER + q] != EMPTY or reach[q] > _LINK:
                    continue
                if _is_open(s, t, wide, area, stride):
                    r = np.int64(t)
                    while True:
                        place[r] |= FRIEND
                        r = np.int64(s[HEADER + NEXT * area + r])
                        if r == t:
                            break
                elif tail < queue.shape[0] - 2 * area:
                    tail = _join(s, t, reach, queue, tail, area)


@kernel
def _take_in(s, p, place, area, stride):
    """Let a chain take part: its points and its liberties."""
    q = np.int64(p)
    while True:
        place[q] |= INSIDE
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == EMPTY:
                place[t] |= INSIDE
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return


@kernel
def _outside_liberties(s, p, place, area, stride):
    """Return how many liberties outside the place a chain has; 2 stands for more."""
    first = np.int64(0)
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == EMPTY and place[t] & INSIDE == 0 and t != first:
                if first != 0:
                    return 2
                first = t
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return 1 if first != 0 else 0


@kernel
def _touches_place(s, p, place, area, stride):
    """Say whether a wall is next to the group or to a point that takes part."""
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if place[t] & (INSIDE | GROUP) and s[HEADER + t] != s[HEADER + p]:
                return True
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return False


@kernel
def _call_in_allies(s, p, place, area, stride):
    """Let the owner's chains of few liberties take part that help to hold a weak wall."""
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] != 3 - s[HEADER + p] or place[t] & (GROUP | FRIEND):
                continue
            if s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + t]] > _WEAK:
                continue
            _take_in(s, t, place, area, stride)
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return


@kernel
def _weak_walls(s, p, place, area, stride):
    """Let the walls take part that have few liberties but those of the place."""
    color = s[HEADER + p]
    for q in range(area):
        if s[HEADER + q] != 3 - color or s[HEADER + HEAD * area + q] != q:
            continue
        if not _touches_place(s, q, place, area, stride):
            continue
        liberties = s[HEADER + LIBERTIES * area + q]
        outside = _outside_liberties(s, q, place, area, stride)
        if outside == 0 or liberties <= 2 or (outside == 1 and liberties <= _WEAK):
            _take_in(s, q, place, area, stride)
            _call_in_allies(s, q, place, area, stride)


@kernel
def find_place(s, p, rival, place, reach, other, wide, queue, points):
    """Mark the place of the fight for the group of the chain at ``p``.

    Args:
        rival: a stone of a wall that takes part as a whole, whatever its liberties; 0 none.
        place, reach, other, wide: int16 by padded point, written.
        queue: int16 scratch, four times the padded area.
        points: int16, gets the points that take part, stones of both sides among them.

    Returns:
        How many points, and how many of them TARGET: stones all of which fall where the group
        dies; (0, 0) where the place is too large.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    color = s[HEADER + p]
    for q in range(area):
        place[q] = 0
    _spread_from_walls(s, 3 - color, other, queue, area, stride)
    _mark_wide(s, other, wide, queue, area, stride)
    _spread_from_group(s, p, reach, other, wide, place, queue, area, stride)
    for farthest in range(FARTHEST, 0, -1):
        n = 0
        for q in range(area):
            place[q] &= FRIEND
            if s[HEADER + q] == EMPTY and reach[q] <= farthest:
                place[q] |= INSIDE
            elif s[HEADER + q] == color and reach[q] == 0:
                place[q] |= GROUP | INSIDE
            elif s[HEADER + q] == EMPTY and reach[q] != _FAR and reach[q] <= other[q]:
                place[q] |= OPEN
        _weak_walls(s, p, place, area, stride)
        if rival != 0:
            _take_in(s, rival, place, area, stride)
        for q in range(area):
            if place[q] & INSIDE and s[HEADER + q] == EMPTY:
                n += 1
        if n <= MOST_POINTS:
            break
    if n > MOST_POINTS:
        return 0, 0
    count = n_targets = 0
    head = s[HEADER + HEAD * area + p]
    for q in range(area):
        if s[HEADER + q] == BORDER or place[q] & INSIDE == 0:
            continue
        points[count] = q
        count += 1
        if place[q] & GROUP:
            own_head = s[HEADER + HEAD * area + q]
            if own_head == head or s[HEADER + STONES * area + own_head] >= _MANY:
                place[q] |= TARGET
                n_targets += 1
    return count, n_targets
