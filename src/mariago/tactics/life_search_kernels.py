# pyright: basic
"""The search behind ``life_kernels``: workspace, table, judgement of positions, proof numbers.

Depth-first with proof numbers (df-pn, Nagai 2002) with weak sums (Ueda et al. 2008): the largest
number and the count of the others. ``proof`` tells how far a position is from "killed",
``disproof`` how far from "alive". Where no move has been tried yet the numbers are guesses, from
the points that may still become eyes and from how late a move is tried.

An answer that rests on a position coming back holds on that line alone and is kept with the line's
key (after Kishimoto and Mueller 2004).
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    HEADER,
    KO,
    SECTIONS,
    STONES,
    STRIDE,
    TO_MOVE,
    hash_of,
    play,
    play_pass,
)
from mariago.tactics.life_eye_kernels import (
    DEAD,
    LIVING,
    UNDECIDED,
    is_hopeless,
    living_chains,
    survey,
)
from mariago.tactics.life_move_kernels import MOST_MOVES, PASS, life_moves
from mariago.tactics.proof_kernels import SURE, mixed, sum_up

_TABLE_BITS = 18
_PROBES = 4
_DEPTH = 160
_NEVER = 1 << 20  # a level that no answer rests on

# What a read is told and what it tells.
NODES, LIMIT, FREE, BAN_MET, COLOR, SALT, N_POINTS, N_TARGETS, ROOT = range(9)
# What is kept of each level of the line.
CHILDREN, BEST, PROOF_BOUND, DISPROOF_BOUND, ENTERED, LIFTED, RETAKEN = range(7)
# What the table holds.
PROOF, DISPROOF, WORK, RESTS, READ = range(5)  # READ: of which read


@kernel
def life_workspace(rows, columns):
    """Return scratch for reading on boards of one size; only what is used costs."""
    area = (rows + 2) * (columns + 1) + 1
    states = np.empty((_DEPTH, HEADER + SECTIONS * area), np.int16)
    moves = np.empty((_DEPTH, 2, MOST_MOVES), np.int16)
    keys = np.empty((_DEPTH, MOST_MOVES + 2), np.uint64)  # of children, of itself, of its line
    numbers = np.empty((_DEPTH, 3, MOST_MOVES), np.int32)  # proof, disproof, level rested on
    frame = np.empty((_DEPTH, 7), np.int64)
    entries = np.zeros((1 << _TABLE_BITS, 5), np.int32)
    entry_keys = np.zeros((1 << _TABLE_BITS, 2), np.uint64)
    maps = np.full((8, 4 * area), -1, np.int16)  # place, reach, other, queue, judging (4)
    lists = np.zeros((1, area), np.int16)  # points
    extra = np.zeros((2, 8), np.int16)
    masks = np.zeros((3, 64), np.int64)
    stamps = np.zeros(area, np.int32)
    said = np.zeros(16, np.int64)
    tree = (states, moves, keys, numbers, frame, entries, entry_keys)
    return tree + (maps, lists, extra, masks, stamps, said)  # noqa: RUF005 - Numba has no other way


@inlined
def key_of(s):
    """Return the key of a position of this read: stones, side to move, ban that holds."""
    code = np.uint64(s[KO]) * np.uint64(2)
    code += np.uint64(s[TO_MOVE] - 1)
    return hash_of(s) ^ mixed(code + np.uint64(0x9E3779B97F4A7C15))


@kernel
def found(entries, entry_keys, key, read):
    """Return where the table holds a key of this read, or -1; older ones are as if not there."""
    mask = np.uint64((1 << _TABLE_BITS) - 1)
    for i in range(_PROBES):
        at = np.int64((key + np.uint64(i)) & mask)
        if entry_keys[at, 0] == key and entries[at, READ] == read:
            return at
    return np.int64(-1)


@kernel
def _store(entries, entry_keys, read, key, proof, disproof, nodes, rests, line):
    """Keep what is known of a position; where all places are taken, the least work goes."""
    at = found(entries, entry_keys, key, read)
    if at < 0:
        mask = np.uint64((1 << _TABLE_BITS) - 1)
        least = np.int64(1) << 40
        for i in range(_PROBES):
            place = np.int64((key + np.uint64(i)) & mask)
            if entries[place, READ] != read:
                at = place
                break
            if entries[place, WORK] < least:
                least = np.int64(entries[place, WORK])
                at = place
            entries[place, WORK] -= entries[place, WORK] >> 3  # what is not asked for ages
    entry_keys[at, 0] = key
    entry_keys[at, 1] = line
    entries[at, PROOF] = proof
    entries[at, DISPROOF] = disproof
    entries[at, WORK] = nodes
    entries[at, RESTS] = rests
    entries[at, READ] = read


@kernel
def copy_board(target, source, area):
    """Copy what reading needs: all but the points' past and the stones taken last."""
    for i in range(HEADER + (STONES + 1) * area):
        target[i] = source[i]


@kernel
def make(work, level, move):
    """Make the position of ``level + 1`` from the one of ``level``."""
    states, said = work[0], work[12]
    s = states[level]
    t = states[level + 1]
    copy_board(t, s, np.int64(s[AREA]))
    if move == PASS:
        play_pass(t)
    else:
        play(t, move)
    return lift_ban(t, said)


@inlined
def lift_ban(t, said):
    """Note that a ban was met; lift it for the side that is free of it and return its point."""
    point = np.int64(t[KO])
    if point != 0:
        said[BAN_MET] = 1
        if t[TO_MOVE] == said[FREE]:
            t[KO] = 0
            return point
    return np.int64(0)


@kernel
def judge(s, work):
    """Return DEAD, LIVING or UNDECIDED for the group in this position, and how many points of it
    may still become eyes."""
    maps, lists, extra, masks, stamps = work[7:12]
    said = work[12]
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    color = said[COLOR]
    n = said[N_POINTS]
    verdict, n_extra = survey(s, color, lists[0], n, maps[0], extra, stamps, area, stride)
    if verdict != 0:
        return verdict, 0
    hopeless, eyes = is_hopeless(s, color, lists[0], n, maps[0], maps[4:8], masks, area, stride)
    if hopeless and n_extra == 0:
        return DEAD, 0
    kept = living_chains(s, color, lists[0], n, maps[0], maps[4:8], masks, area, stride)
    for i in range(kept):
        if stamps[maps[7, i]] == stamps[0]:  # the survey saw it as a target's
            return LIVING, 0
    return UNDECIDED, eyes


@kernel
def expand(work, level):
    """List the moves of a position with a guess of the numbers of what they lead to."""
    states, moves, keys, numbers, frame = work[:5]
    maps, lists, extra, _masks, stamps = work[7:12]
    said = work[12]
    s = states[level]
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    _, n_extra = survey(
        s, said[COLOR], lists[0], said[N_POINTS], maps[0], extra, stamps, area, stride
    )
    n = life_moves(
        s, said[COLOR], lists[0], said[N_POINTS], maps[0], extra[0], n_extra,
        moves[level], area, stride,
    )  # fmt: skip
    attacking = s[TO_MOVE] != said[COLOR]
    frame[level, CHILDREN] = n
    for i in range(n):
        keys[level, i] = 0
        numbers[level, 2, i] = _NEVER
        order = 2 * np.int64(moves[level, 1, i])
        if attacking:
            numbers[level, 0, i] = 1 + order
            numbers[level, 1, i] = 1
        else:
            numbers[level, 0, i] = 1
            numbers[level, 1, i] = 1 + order


@inlined
def _has_retaken(frame, back, level, move, said):
    """Say whether the owner has made use of its freedom in ko since a level of the line."""
    if said[FREE] != said[COLOR]:
        return False
    if move != PASS and move == frame[level, LIFTED]:
        return True
    for i in range(back + 1, level + 1):
        if frame[i, RETAKEN] != 0:
            return True
    return False


@kernel
def look(work, level, i):
    """Play child ``i`` of a level for the first time and put down its numbers."""
    states, moves, keys, numbers, frame = work[:5]
    entries, entry_keys = work[5:7]
    said = work[12]
    make(work, level, np.int64(moves[level, 0, i]))
    t = states[level + 1]
    said[NODES] += 1
    key = key_of(t)
    keys[level, i] = key
    order = 2 * np.int64(moves[level, 1, i])
    proof = np.int64(1)
    disproof = np.int64(1)
    if t[TO_MOVE] == said[COLOR]:
        proof += order
    else:
        disproof += order
    for back in range(level - 1, -1, -2):
        if keys[back, MOST_MOVES] == key:
            killed = _has_retaken(frame, back, level, moves[level, 0, i], said)
            numbers[level, 0, i] = 0 if killed else SURE
            numbers[level, 1, i] = SURE if killed else 0
            numbers[level, 2, i] = back
            return
    at = found(entries, entry_keys, key, said[SALT])
    if at >= 0:
        line = keys[level, MOST_MOVES + 1] ^ mixed(keys[level, MOST_MOVES])
        rests = np.int64(entries[at, RESTS])
        if rests == _NEVER or entry_keys[at, 1] == line:
            proof, disproof = np.int64(entries[at, PROOF]), np.int64(entries[at, DISPROOF])
            numbers[level, 2, i] = rests
        elif entries[at, PROOF] != 0 and entries[at, DISPROOF] != 0:
            proof, disproof = np.int64(entries[at, PROOF]), np.int64(entries[at, DISPROOF])
    else:
        verdict, eyes = judge(t, work)
        proof += min(eyes, 12) // 2
        disproof += max(0, 8 - eyes) // 2
        if verdict == DEAD:
            proof, disproof = np.int64(0), np.int64(SURE)
        elif verdict == LIVING:
            proof, disproof = np.int64(SURE), np.int64(0)
        if verdict != 0:
            _store(entries, entry_keys, said[SALT], key, proof, disproof, 1, _NEVER, np.uint64(0))
    numbers[level, 0, i] = proof
    numbers[level, 1, i] = disproof


@inlined
def _rested_on(numbers, level, n, best, by_one):
    """Return the first level of the line that the answer to this position rests on."""
    if by_one:
        return np.int64(numbers[level, 2, best])
    rests = np.int64(_NEVER)
    for i in range(n):
        rests = min(rests, np.int64(numbers[level, 2, i]))
    return rests


@kernel
def search(work):
    """Search the position of level 0; return its proof and disproof."""
    states, moves, keys, numbers, frame = work[:5]
    entries, entry_keys = work[5:7]
    said = work[12]
    level = 0
    keys[0, MOST_MOVES] = key_of(states[0])
    keys[0, MOST_MOVES + 1] = 0
    frame[0, PROOF_BOUND] = SURE
    frame[0, DISPROOF_BOUND] = SURE
    frame[0, ENTERED] = said[NODES]
    frame[0, RETAKEN] = 0
    expand(work, 0)
    while True:
        mine = 1 if states[level, TO_MOVE] == said[COLOR] else 0
        n = frame[level, CHILDREN]
        least, most, best, second, count = sum_up(numbers, level, n, mine)
        if least == 0:
            most = np.int64(SURE)
        proof = least if mine == 0 else most
        disproof = most if mine == 0 else least
        frame[level, BEST] = best
        done = proof == 0 or disproof == 0 or said[NODES] >= said[LIMIT]
        if done or proof >= frame[level, PROOF_BOUND] or disproof >= frame[level, DISPROOF_BOUND]:
            rests = np.int64(_NEVER)
            if proof == 0 or disproof == 0:
                rests = _rested_on(numbers, level, n, best, least == 0)
                if rests >= level:
                    rests = np.int64(_NEVER)
            spent = said[NODES] - frame[level, ENTERED]
            line = keys[level, MOST_MOVES + 1]
            _store(
                entries,
                entry_keys,
                said[SALT],
                keys[level, MOST_MOVES],
                proof,
                disproof,
                spent,
                rests,
                line,
            )
            if level == 0:
                return proof, disproof
            level -= 1
            at = frame[level, BEST]
            numbers[level, 0, at] = proof
            numbers[level, 1, at] = disproof
            numbers[level, 2, at] = rests
            continue
        if level + 2 >= states.shape[0]:
            said[NODES] = said[LIMIT]  # too deep to be known
            continue
        if keys[level, best] == 0:
            look(work, level, best)
            continue
        move = np.int64(moves[level, 0, best])
        frame[level + 1, RETAKEN] = move != PASS and move == frame[level, LIFTED]
        frame[level + 1, LIFTED] = make(work, level, move)
        own_bound = min(frame[level, PROOF_BOUND + mine], second + 1 + second // 4)
        other_bound = frame[level, DISPROOF_BOUND - mine] - (count - 1)
        level += 1
        frame[level, PROOF_BOUND + mine] = own_bound
        frame[level, DISPROOF_BOUND - mine] = other_bound
        frame[level, ENTERED] = said[NODES]
        keys[level, MOST_MOVES] = keys[level - 1, best]
        keys[level, MOST_MOVES + 1] = keys[level - 1, MOST_MOVES + 1] ^ mixed(
            keys[level - 1, MOST_MOVES]
        )
        expand(work, level)
