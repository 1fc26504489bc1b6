# pyright: basic
"""A small game of its own inside one region: who kills, read to the end on bit boards.

The region's points are numbered 0 to n - 1 (54 at the most). A position is two masks, the stones of
the *attacker* and of the *defender*; ``near[i]`` is the mask of the neighbours of point i in the
region. What lies outside is edge, or stones of the attacker that live for certain: an attacker's
stone on the points of ``free`` touches them and is never taken. Suicide and taking back a ko at
once are forbidden; coming back to a position in more moves does not help the attacker.
"""

import numpy as np

from mariago.board.jit import inlined, kernel

LARGEST = 54
UNREAD, KILLS, FAILS, OPEN = 0, 1, 2, 3
DEPTH = 2_000
ONE = np.int64(1)


@kernel
def local_workspace(bits):
    """Return an empty table for 2 to the power of ``bits`` positions, and the reader's stack.

    Keys, values, counters (positions entered, allowed, kills newly found in this pass), stack.
    """
    size = 1 << bits
    stack = np.empty((DEPTH, 5), np.int64)  # attackers, defenders, who, ko, next move
    return np.empty((size, 2), np.int64), np.zeros(size, np.uint8), np.zeros(3, np.int64), stack


@inlined
def grown(seed, own, near, n):
    """Return the chains of ``own`` that ``seed`` (a part of it) belongs to."""
    chain = seed
    edge = seed
    while edge != 0:
        reached = np.int64(0)
        for i in range(n):
            if (edge >> i) & ONE:
                reached |= near[i]
        edge = reached & own & ~chain
        chain |= edge
    return chain


@inlined
def _beside(chain, near, n):
    reached = np.int64(0)
    for i in range(n):
        if (chain >> i) & ONE:
            reached |= near[i]
    return reached


@kernel
def local_play(attackers, defenders, i, attacking, near, free, n):
    """Return both masks after a stone at the empty point ``i``, and the ko point (-1 none).

    The masks are (-1, -1) for suicide.
    """
    stone = ONE << i
    none = np.int64(-1)
    if attacking:
        own, other = attackers | stone, defenders
        own_free, other_free = free, np.int64(0)
    else:
        own, other = defenders | stone, attackers
        own_free, other_free = np.int64(0), free
    empty = ~(own | other)
    taken = np.int64(0)
    left = near[i] & other
    while left != 0:
        chain = grown(left & -left, other, near, n)
        left &= ~chain
        if chain & other_free == 0 and _beside(chain, near, n) & empty == 0:
            taken |= chain
    other &= ~taken
    chain = grown(stone, own, near, n)
    ko = none
    if chain & own_free == 0:
        liberties = _beside(chain, near, n) & ~(own | other)
        if liberties == 0:
            return none, none, none
        if chain == stone and liberties == taken and taken & (taken - 1) == 0:
            ko = np.int64(0)
            while (taken >> ko) & ONE == 0:
                ko += 1
    if attacking:
        return own, other, ko
    return other, own, ko


@kernel
def _has_two_eyes(attackers, defenders, near, free, n):
    """Say whether some chain of the defender holds two eyes of one point that it alone borders."""
    left = defenders
    while left != 0:
        chain = grown(left & -left, defenders, near, n)
        left &= ~chain
        eyes = 0
        for i in range(n):
            taken = (attackers | defenders | free) >> i
            if taken & ONE == 0 and near[i] != 0 and near[i] & ~chain == 0:
                eyes += 1
        if eyes >= 2:
            return True
    return False


@inlined
def _slot(keys, values, attackers, turned):
    """Return where a position is kept in the table, or a free place."""
    size = keys.shape[0]
    at = (attackers * np.int64(0x9E3779B97F4A7C1) ^ turned * np.int64(0x2545F4914F6CDD1D)) >> 20
    at &= size - 1
    while values[at] != UNREAD and (keys[at, 0] != attackers or keys[at, 1] != turned):
        at = (at + 1) & (size - 1)
    return at


@kernel
def _is_hopeless(attackers, defenders, near, free, n):
    """Say whether the defender can make no second eye even if the attacker only passed.

    That holds where all attackers live and all the points that touch none of them, and hold no
    defender, touch each other. One chain that can reach life by either of two points lives too.
    """
    living = grown(attackers & free, attackers, near, n)
    if living != attackers:
        rest = attackers & ~living
        chain = grown(rest & -rest, attackers, near, n)
        links = _beside(chain, near, n) & (free | _beside(living, near, n))
        links &= ~(attackers | defenders)
        if chain != rest or links & (links - 1) == 0:
            return False
        living = attackers
    first = second = -1
    for i in range(n):
        if ((attackers | defenders | free) >> i) & ONE or near[i] & living:
            continue
        if first < 0:
            first = i
        elif second >= 0 or (near[i] >> first) & ONE == 0:
            return False
        else:
            second = i
    return True


@kernel
def _enter(attackers, defenders, ko, attacking, near, free, n, table, counters):
    """Look a position up and judge it where that needs no reading; return its value."""
    keys, values = table
    if defenders == 0:
        return KILLS
    turned = defenders * 128 + (ko + 1) * 2 + attacking
    at = _slot(keys, values, attackers, turned)
    if values[at] != UNREAD:
        return FAILS if values[at] == OPEN else np.int64(values[at])
    keys[at, 0] = attackers
    keys[at, 1] = turned
    values[at] = OPEN
    counters[0] += 1
    if _has_two_eyes(attackers, defenders, near, free, n):
        values[at] = FAILS
    elif _is_hopeless(attackers, defenders, near, free, n):
        values[at] = KILLS
    return UNREAD if values[at] == OPEN else np.int64(values[at])


@kernel
def _read(attackers, defenders, attacking, near, free, n, work):
    """Return KILLS, FAILS or, past the allowed number of positions, UNREAD."""
    keys, values, counters, stack = work
    table = (keys, values)
    none = np.int64(-1)
    value = _enter(attackers, defenders, none, attacking, near, free, n, table, counters)
    if value != UNREAD:
        return value
    depth = 0
    stack[0, 0], stack[0, 1], stack[0, 2] = attackers, defenders, attacking
    stack[0, 3], stack[0, 4] = none, 0
    while depth >= 0:
        attackers, defenders, attacking = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        ko = stack[depth, 3]
        if value != (KILLS if attacking else FAILS):
            turn = stack[depth, 4]
            stack[depth, 4] += 1
            if turn <= 2 * n:
                # First a pass (the attacker's only where a ko bans a move), then captures.
                i = turn - 1 if turn <= n else turn - n - 1
                a, d, k = attackers, defenders, none
                if i < 0:
                    if attacking and ko < 0:
                        continue
                elif i == ko or ((attackers | defenders) >> i) & ONE:
                    continue
                else:
                    a, d, k = local_play(attackers, defenders, i, attacking == 1, near, free, n)
                    takes = d != defenders if attacking else a != attackers
                    if d < 0 or takes != (turn <= n):
                        continue
                value = _enter(a, d, k, 1 - attacking, near, free, n, table, counters)
                if value == UNREAD:
                    if counters[0] > counters[1] or depth + 1 >= stack.shape[0]:
                        return UNREAD
                    depth += 1
                    stack[depth, 0], stack[depth, 1] = a, d
                    stack[depth, 2], stack[depth, 3], stack[depth, 4] = 1 - attacking, k, 0
                continue
            value = FAILS if attacking else KILLS
        at = _slot(keys, values, attackers, defenders * 128 + (ko + 1) * 2 + attacking)
        values[at] = value
        counters[2] += value == KILLS
        depth -= 1  # the one before goes on unless this was what it wanted
    return value


@kernel
def attacker_kills(attackers, defenders, attacking, near, free, n, work, limit):
    """Return 1 where the attacker kills all that the defender has, 0 where not, -1 unread.

    ``attacking`` is 1 where the attacker moves first. The defender may pass, and is safe too where
    no move makes headway (seki). What is found to kill stays in ``work`` for more positions of the
    same region; ``limit`` is the number of positions that may be entered in all calls together, at
    most half the table.
    """
    values, counters = work[1], work[2]
    counters[1] = limit
    while True:
        counters[2] = 0
        for at in range(values.shape[0]):
            if values[at] != KILLS:
                values[at] = UNREAD
        value = _read(
            np.int64(attackers), np.int64(defenders), np.int64(attacking), near, free, n, work
        )
        if value == UNREAD:
            return -1
        if value == KILLS:
            return 1
        if counters[2] == 0:
            return 0


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    near = np.array([2, 1], np.int64)
    attacker_kills(0, 1, 1, near, 2, 2, local_workspace(4), 8)
