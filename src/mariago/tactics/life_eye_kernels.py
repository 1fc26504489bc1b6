# pyright: basic
"""What can be said of a group without playing on: alive for good, hopeless, run away, gone."""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    NEXT,
    neighbour,
)
from mariago.tactics.life_region_kernels import FRIEND, INSIDE, OPEN, TARGET

UNDECIDED, LIVING, DEAD = 0, 1, 2
_MOST_CHAINS = 62
_WAYS_OUT = 3  # liberties outside with which a chain has run away
_ONE = np.int64(1)


@inlined
def _chain_bit(s, t, index, heads, n, area):
    """Return the number of the chain at ``t`` in this judgement and how many there are now."""
    head = np.int64(s[HEADER + HEAD * area + t])
    at = np.int64(index[head])
    if at < 0 and n < _MOST_CHAINS:
        index[head] = n
        heads[n] = head
        return np.int64(n), n + 1
    return at, n


@kernel
def living_chains(s, color, points, n_points, place, scratch, masks, area, stride):
    """Find the chains of ``color`` that live though their owner always passes (Benson 1976).

    Only regions inside the place are looked at. ``scratch`` (4, area) int16, whose row 2 is -1
    everywhere and stays so; ``masks`` (3, 64) int64. Returns the heads' number in ``scratch[3]``,
    those that live first.
    """
    label, queue, index, heads = scratch[0], scratch[1], scratch[2], scratch[3]
    for i in range(n_points):
        label[points[i]] = 0
    n_regions = 0
    n_chains = 0
    for i in range(n_points):
        first = np.int64(points[i])
        if s[HEADER + first] == color or label[first] != 0:
            continue
        label[first] = 1
        queue[0] = first
        at = 0
        tail = 1
        closed = True
        border = np.int64(0)
        vital = np.int64(-1)
        while at < tail:
            q = np.int64(queue[at])
            at += 1
            mask = np.int64(0)
            for side in range(4):
                t = neighbour(q, side, stride)
                c = s[HEADER + t]
                if c == BORDER:
                    continue
                if c == color:
                    bit, n_chains = _chain_bit(s, t, index, heads, n_chains, area)
                    if bit >= 0:
                        mask |= _ONE << bit
                    else:
                        closed = False
                elif place[t] & INSIDE == 0:
                    closed = False
                elif label[t] == 0:
                    label[t] = 1
                    queue[tail] = t
                    tail += 1
            border |= mask
            if s[HEADER + q] == EMPTY:
                vital &= mask
        if closed and vital & border != 0 and n_regions < masks.shape[1]:
            masks[0, n_regions] = border
            masks[1, n_regions] = vital & border
            n_regions += 1
    for i in range(n_chains):
        index[heads[i]] = -1
    alive = np.int64(0)
    if n_regions >= 2:
        alive = (_ONE << n_chains) - 1
        changed = True
        while changed and alive != 0:
            changed = False
            once = twice = np.int64(0)
            for k in range(n_regions):
                if masks[0, k] & ~alive == 0:
                    twice |= once & masks[1, k]
                    once |= masks[1, k]
            if alive & ~twice != 0:
                alive &= twice
                changed = True
    kept = 0
    for i in range(n_chains):
        if (alive >> np.int64(i)) & _ONE:
            heads[kept] = heads[i]
            kept += 1
    return kept


@kernel
def _has_liberty_outside(s, p, place, area, stride):
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == EMPTY and place[t] & INSIDE == 0:
                return True
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return False


@kernel
def _may_run(s, color, points, n_points, place, scratch, area, stride):
    """Say whether ``color`` may still get out of the place: to a friend, or to three liberties.

    Each area of empty points is looked at by itself.
    """
    label, queue = scratch[0], scratch[1]
    for i in range(n_points):
        label[points[i]] = 0
    for i in range(n_points):
        first = np.int64(points[i])
        if s[HEADER + first] != EMPTY or label[first] != 0:
            continue
        label[first] = 1
        queue[0] = first
        at = 0
        tail = 1
        out = 0
        while at < tail:
            q = np.int64(queue[at])
            at += 1
            for side in range(4):
                t = neighbour(q, side, stride)
                if s[HEADER + t] == color and place[t] & FRIEND:
                    return True
                if s[HEADER + t] != EMPTY:
                    continue
                if place[t] & INSIDE == 0:
                    out += 1
                    if place[t] & OPEN or out >= _WAYS_OUT:
                        return True
                elif label[t] == 0:
                    label[t] = 1
                    queue[tail] = t
                    tail += 1
    return False


@inlined
def _looks_false(s, p, other, stride):
    """Say whether stones of ``other`` on the diagonals would make an eye at ``p`` false."""
    held = 0
    edge = False
    for up in range(2):
        for left in range(2):
            t = p + (stride if up == 0 else -stride) + (1 if left == 0 else -1)
            if s[HEADER + t] == BORDER:
                edge = True
            elif s[HEADER + t] == other:
                held += 1
    return held >= (1 if edge else 2)


@kernel
def is_hopeless(s, color, points, n_points, place, scratch, area, stride):
    """Say whether ``color`` can make no two eyes in the place though the other side passes on.

    Returns that and about how many points may still become eyes.

    So it is where all stones of the other side have a liberty outside, and the points that touch
    none of them and hold no stone touch each other. Then every liberty can be filled, too.
    It must not get out, either.
    """
    label = scratch[0]
    first = second = np.int64(-1)
    count = 0
    apart = False
    for i in range(n_points):
        p = np.int64(points[i])
        label[p] = 0
        if s[HEADER + p] != EMPTY:
            continue
        touched = False
        for side in range(4):
            if s[HEADER + neighbour(p, side, stride)] == 3 - color:
                touched = True
        if touched:
            continue
        if not _looks_false(s, p, 3 - color, stride):
            count += 1
        if first < 0:
            first = p
        elif second >= 0 or (p - first != 1 and p - first != stride):
            apart = True
        else:
            second = p
    if apart:
        return False, count
    for i in range(n_points):
        p = np.int64(points[i])
        if s[HEADER + p] != 3 - color:
            continue
        head = np.int64(s[HEADER + HEAD * area + p])
        if place[head] & INSIDE and label[head] == 7:
            continue
        if not _has_liberty_outside(s, p, place, area, stride):
            return False, count
        label[head] = 7
    return not _may_run(s, color, points, n_points, place, scratch, area, stride), count


@kernel
def survey(s, color, points, n_points, place, extra, stamps, area, stride):
    """Look at the group's chains: DEAD where no target stands, LIVING where a target's is out.

    ``extra`` (2, 8) int16: row 0 gets liberties outside the place; returns the verdict and how
    many. The heads of the chains with a target get the stamp ``stamps[0]``.
    """
    stamps[0] += 2
    standing = 0
    n = 0
    for i in range(n_points):
        p = np.int64(points[i])
        if s[HEADER + p] != color:
            continue
        head = np.int64(s[HEADER + HEAD * area + p])
        if stamps[head] >= stamps[0] - 1:
            continue
        stamps[head] = stamps[0] - 1
        out = 0
        free = target = False
        q = head
        while True:
            if place[q] & FRIEND:
                free = True
            if place[q] & TARGET:
                target = True
            for side in range(4):
                t = neighbour(q, side, stride)
                if s[HEADER + t] != EMPTY or place[t] & INSIDE:
                    continue
                if place[t] & OPEN:
                    free = True
                known = False
                for k in range(out):
                    if extra[1, k] == t:
                        known = True
                if not known and out < _WAYS_OUT:
                    extra[1, out] = t
                    out += 1
                for k in range(n):
                    if extra[0, k] == t:
                        known = True
                if not known and n < extra.shape[1]:
                    extra[0, n] = t
                    n += 1
            q = np.int64(s[HEADER + NEXT * area + q])
            if q == head:
                break
        if target:
            standing += 1
            stamps[head] = stamps[0]
            if free or out >= _WAYS_OUT:
                return LIVING, 0
    if standing == 0:
        return DEAD, 0
    return UNDECIDED, n
