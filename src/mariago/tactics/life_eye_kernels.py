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
_MOST_HOPELESS = 6  # points that may become eyes, with which it is worth looking
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
def _are_all_safe(s, color, points, n_points, place, label, area, stride):
    """Say whether every stone of the other side in the place has a liberty outside."""
    for i in range(n_points):
        label[points[i]] = 0
    for i in range(n_points):
        p = np.int64(points[i])
        if s[HEADER + p] != 3 - color:
            continue
        head = np.int64(s[HEADER + HEAD * area + p])
        if place[head] & INSIDE and label[head] == 7:
            continue
        if not _has_liberty_outside(s, p, place, area, stride):
            return False
        label[head] = 7
    return True


@kernel
def _shared_by(s, color, points, n_points, place, scratch, masks, area, stride):
    """Label the areas of empty points and write which chains border each; return their number.

    ``scratch[0]`` gets 1 + the number of the area at its points. Returns -1 for too many chains.
    """
    label, queue, index, heads = scratch[0], scratch[1], scratch[2], scratch[3]
    for i in range(n_points):
        label[points[i]] = 0
    n = 0
    n_chains = 0
    for i in range(n_points):
        first = np.int64(points[i])
        if s[HEADER + first] != EMPTY or label[first] != 0 or n == masks.shape[1]:
            continue
        label[first] = n + 1
        queue[0] = first
        at = 0
        tail = 1
        mask = np.int64(0)
        while at < tail:
            q = np.int64(queue[at])
            at += 1
            for side in range(4):
                t = neighbour(q, side, stride)
                if s[HEADER + t] == color:
                    bit, n_chains = _chain_bit(s, t, index, heads, n_chains, area)
                    mask |= _ONE << max(bit, 0)
                elif s[HEADER + t] == EMPTY and place[t] & INSIDE and label[t] == 0:
                    label[t] = n + 1
                    queue[tail] = t
                    tail += 1
        masks[0, n] = mask
        n += 1
    for i in range(n_chains):
        index[heads[i]] = -1
    return n if n_chains < _MOST_CHAINS and n < masks.shape[1] else -1


@kernel
def _is_false(masks, n, k):
    """Say whether the chains round area ``k`` are linked by no other area."""
    mask = masks[0, k]
    linked = mask & -mask
    grown = True
    while grown:
        grown = False
        for j in range(n):
            if j != k and masks[0, j] & linked and masks[0, j] & ~linked:
                linked |= masks[0, j]
                grown = True
    return mask & ~linked != 0


@inlined
def _is_lone(s, p, color, stride):
    """Say whether a point touches nothing but ``color`` and the border."""
    for side in range(4):
        c = s[HEADER + neighbour(p, side, stride)]
        if c != color and c != BORDER:
            return False
    return True


@kernel
def _at_most_one_eye(s, color, points, n_points, place, scratch, masks, area, stride):
    """Say whether the points that touch no stone of the other side make one eye at the most.

    They touch each other, but for those that are eyes of chains which nothing else links: such a
    point must be filled in the end, or the chains on one side of it fall.
    """
    n = 0
    for turn in range(2):
        if turn == 1:
            n = _shared_by(s, color, points, n_points, place, scratch, masks, area, stride)
            if n < 0:
                return False
        first = second = np.int64(-1)
        apart = False
        for i in range(n_points):
            p = np.int64(points[i])
            if s[HEADER + p] != EMPTY:
                continue
            touched = False
            for side in range(4):
                if s[HEADER + neighbour(p, side, stride)] == 3 - color:
                    touched = True
            if touched:
                continue
            if turn == 1 and _is_lone(s, p, color, stride):
                if _is_false(masks, n, np.int64(scratch[0, p]) - 1):
                    continue
            if first < 0:
                first = p
            elif second >= 0 or (p - first != 1 and p - first != stride):
                apart = True
                break
            else:
                second = p
        if not apart:
            return True
    return False


@kernel
def _open_points(s, color, points, n_points, stride):
    """Return how many empty points touch no stone of the other side and look like real eyes."""
    count = 0
    for i in range(n_points):
        p = np.int64(points[i])
        if s[HEADER + p] != EMPTY:
            continue
        touched = False
        for side in range(4):
            if s[HEADER + neighbour(p, side, stride)] == 3 - color:
                touched = True
        if not touched and not _looks_false(s, p, 3 - color, stride):
            count += 1
    return count


@kernel
def is_hopeless(s, color, points, n_points, place, scratch, masks, area, stride):
    """Say whether ``color`` can make no two eyes in the place though the other side passes on.

    Returns that and about how many points may still become eyes.

    So it is where all stones of the other side have a liberty outside, and the points that touch
    none of them and hold no stone make one eye at the most. Then every liberty can be filled, too.
    The group must not get out, either.
    """
    count = _open_points(s, color, points, n_points, stride)
    if count > _MOST_HOPELESS:
        return False, count
    if not _are_all_safe(s, color, points, n_points, place, scratch[0], area, stride):
        return False, count
    if not _at_most_one_eye(s, color, points, n_points, place, scratch, masks, area, stride):
        return False, count
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
