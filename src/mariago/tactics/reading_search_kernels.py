# pyright: basic
"""The search of local reading: df-pn with weak sums, over the moves around one chain.

Depth-first with proof numbers (df-pn, Nagai 2002) that take the largest child and count the others
instead of adding them up (weak proof numbers, Ueda et al. 2008): many moves lead into the same
positions here, and sums count those again and again. ``proof`` tells how far a position is from
"captured", ``disproof`` how far from "not captured". Children are played only when their turn
comes; until then a guess from the chain's liberties stands for them.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    STONES,
    STRIDE,
    TO_MOVE,
    is_pseudo_legal,
    neighbour,
    play,
    play_pass,
)
from mariago.tactics.ladder_kernels import joined_liberties
from mariago.tactics.proof_kernels import SURE, sum_up
from mariago.tactics.reading_move_kernels import (
    MOST_MOVES,
    PASS,
    all_moves,
    few_liberties,
    liberties_of,
    may_be_taken_back,
    moves_around,
    takes_back,
)
from mariago.tactics.reading_table_kernels import (
    ATTACK_CLASS,
    BAN_MET,
    BEST,
    CHILDREN,
    COLOR,
    DEFENSE_CLASS,
    DISPROOF_BOUND,
    ENTERED,
    FIRST_LEISURE,
    FREE,
    LEISURE,
    LIFTED,
    MOST,
    NO_PASS,
    NODE_LIMIT,
    NODES,
    PROOF_BOUND,
    RETAKEN,
    SALT,
    TARGET,
    WIDE,
    found,
    key_after,
    key_of,
    store,
)

ENDLESS = 15  # leisure without end


@kernel
def copy_board(target, source, area):
    """Copy what reading needs: all but the points' past and the stones taken last."""
    for i in range(HEADER + (STONES + 1) * area):
        target[i] = source[i]


@kernel
def only_liberty_taken(s, said, lists, area, stride):
    """Say whether the attacker, to move, takes the chain that has one liberty for good."""
    p = said[TARGET]
    few_liberties(s, p, lists[0], 1, area, stride)
    if not is_pseudo_legal(s, lists[0, 0], False):
        return False
    return not may_be_taken_back(s, p, lists[0, 0], lists[3], area, stride)


@inlined
def _guess(owner_moves, room):
    """Return proof and disproof of a position of which only the chain's liberties are known."""
    if owner_moves:
        if room == 1:
            return 1, 2
        return 2 * room, 4 - min(room, 3)
    if room <= 1:
        return 1, 4
    return room * (room - 1), 5 - min(room, 4)


@kernel
def _first_numbers(s, said, taken, lists, area, stride):
    """Return proof and disproof of a position not searched yet; SURE and 0 where it is decided."""
    p = said[TARGET]
    if s[HEADER + p] != said[COLOR]:
        if taken == 1 and takes_back(s, p, area, stride):
            return 16, 1  # what falls without that falls better
        return 0, SURE
    room = liberties_of(s, p, area)
    if room > said[MOST]:
        return SURE, 0
    if s[TO_MOVE] == said[COLOR]:
        return _guess(True, room)
    if room == 1:
        if only_liberty_taken(s, said, lists, area, stride):
            return 0, SURE
        return 3, 1
    return _guess(False, room)


@kernel
def lift_ban(s, said):
    """Lift the ban of the side that is free of it and return its point; note that one was met."""
    point = np.int64(s[KO])
    if point != 0:
        said[BAN_MET] = 1
        if s[TO_MOVE] == said[FREE]:
            s[KO] = 0
            return point
    return np.int64(0)


@kernel
def make(work, level, move):
    """Make the position of ``level + 1`` from the one of ``level``.

    Returns how many stones the move took and the point of the ban that was lifted.
    """
    states = work[0]
    s = states[level]
    t = states[level + 1]
    copy_board(t, s, np.int64(s[AREA]))
    taken = 0
    if move == PASS:
        play_pass(t)
    else:
        taken = play(t, move)
    return taken, lift_ban(t, work[9])


@kernel
def _came_before(keys, frame, level, move, key, said):
    """Say whether a child of ``level`` has been on the line; 2 where its owner took back since."""
    owner_free = said[FREE] == said[COLOR]
    retaken = owner_free and move != PASS and move == frame[level, LIFTED]
    for i in range(level, -1, -1):
        if (level - i) % 2 == 1 and keys[i, MOST_MOVES] == key:
            return 2 if retaken else 1
        retaken = retaken or (owner_free and frame[i, RETAKEN] != 0)
    return 0


@kernel
def _mind_return(work, level, i, key):
    """Decide child ``i`` of a level where it has been on the line before."""
    numbers = work[3]
    before = _came_before(work[2], work[4], level, work[1][level, 0, i], key, work[9])
    if before != 0:
        numbers[level, 0, i] = SURE if before == 1 else 0
        numbers[level, 1, i] = 0 if before == 1 else SURE


@kernel
def look(work, level, i):
    """Play child ``i`` of a level for the first time and put down its numbers."""
    states, moves, keys, numbers, _frame, entries, entry_keys, lists, _seen, said = work
    area = np.int64(states[level, AREA])
    stride = np.int64(states[level, STRIDE])
    taken, _ = make(work, level, np.int64(moves[level, 0, i]))
    t = states[level + 1]
    said[NODES] += 1
    key = key_of(t, np.int64(moves[level, 2, i]))
    keys[level, i] = key
    proof, disproof = _first_numbers(t, said, taken, lists, area, stride)
    at = np.int64(-1)
    if proof != 0 and disproof != 0:
        at = found(entries, entry_keys, key, said[SALT])
        if at >= 0:
            proof, disproof = np.int64(entries[at, 0]), np.int64(entries[at, 1])
        elif t[TO_MOVE] != said[COLOR]:
            disproof += np.int64(moves[level, 1, i])
        else:
            proof += 2 * np.int64(moves[level, 1, i])
    if at < 0:
        store(entries, entry_keys, key, proof, disproof, 1, said[SALT])
    numbers[level, 0, i] = proof
    numbers[level, 1, i] = disproof
    if level > 2:
        _mind_return(work, level, i, key)


@kernel
def _is_liberty(s, p, e, area, stride):
    """Say whether the empty point ``e`` is next to the chain at ``p``."""
    color = s[HEADER + p]
    head = s[HEADER + HEAD * area + p]
    for side in range(4):
        t = neighbour(e, side, stride)
        if color != EMPTY and s[HEADER + t] == color and s[HEADER + HEAD * area + t] == head:
            return True
    return False


@kernel
def _room_after(s, p, e, lists, area, stride):
    """Return about how many liberties the chain at ``p`` has after a move at ``e``."""
    room = liberties_of(s, p, area)
    if e == PASS or s[HEADER + p] == EMPTY:
        return room
    if not _is_liberty(s, p, e, area, stride):
        return room
    color = s[HEADER + p]
    if color != s[TO_MOVE]:
        return room - 1
    return joined_liberties(s, e, color, lists[3], area, stride)


@kernel
def _set_leisure(s, p, defending, n, moves, left, area, stride):
    """Write what each move leaves of the attacker's leisure; drop those for which it is too little.

    An atari costs nothing, a move that leaves the chain two liberties 1, any other 2.
    """
    room = liberties_of(s, p, area)
    kept = 0
    for i in range(n):
        rest = left
        if not defending and left != ENDLESS:
            after = room
            if moves[0, i] != PASS:
                after -= _is_liberty(s, p, np.int64(moves[0, i]), area, stride)
            rest -= max(min(after, 3) - 1, 0)
        if rest >= 0:
            moves[0, kept] = moves[0, i]
            moves[1, kept] = moves[1, i]
            moves[2, kept] = rest
            kept += 1
    return kept


@kernel
def expand(work, level):
    """List the moves of a position with a guess of the numbers of what they lead to."""
    states, moves, keys, numbers, frame, entries, entry_keys, lists, seen, said = work
    s = states[level]
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    p = said[TARGET]
    defending = s[TO_MOVE] == said[COLOR]
    if said[WIDE] != 0:
        n = all_moves(s, seen, moves[level], area)
    else:
        width = said[DEFENSE_CLASS if defending else ATTACK_CLASS]
        n = moves_around(s, p, width, seen, lists, moves[level], area, stride)
        if not defending and s[KO] != 0 and n < MOST_MOVES:  # to wait may be all that is left
            moves[level, 0, n] = PASS
            moves[level, 1, n] = 3
            n += 1
    if level == 0 and said[NO_PASS] != 0:
        kept = 0
        for i in range(n):
            if moves[level, 0, i] != PASS:
                moves[level, :, kept] = moves[level, :, i]
                kept += 1
        n = kept
    n = _set_leisure(s, p, defending, n, moves[level], frame[level, LEISURE], area, stride)
    frame[level, CHILDREN] = n
    for i in range(n):
        key = key_after(s, np.int64(moves[level, 0, i]), np.int64(moves[level, 2, i]))
        if key == 0:
            look(work, level, i)
            continue
        at = found(entries, entry_keys, key, said[SALT])
        if at >= 0:
            keys[level, i] = key
            numbers[level, 0, i] = entries[at, 0]
            numbers[level, 1, i] = entries[at, 1]
            if level > 2:
                _mind_return(work, level, i, key)
            continue
        keys[level, i] = 0
        room = _room_after(s, p, np.int64(moves[level, 0, i]), lists, area, stride)
        proof, disproof = _guess(not defending, min(room, said[MOST] + 1))
        numbers[level, 0, i] = proof
        numbers[level, 1, i] = disproof
        if defending:
            numbers[level, 1, i] += moves[level, 1, i]
        else:
            numbers[level, 0, i] += 2 * moves[level, 1, i]


@kernel
def search(work, proof_bound, disproof_bound):
    """Search the position of level 0; return its proof and disproof."""
    states, moves, keys, numbers, frame, entries, entry_keys, _lists, _seen, said = work
    level = 0
    frame[0, LEISURE] = said[FIRST_LEISURE]
    keys[0, MOST_MOVES] = key_of(states[0], said[FIRST_LEISURE])
    frame[0, PROOF_BOUND] = proof_bound
    frame[0, DISPROOF_BOUND] = disproof_bound
    frame[0, ENTERED] = said[NODES]
    frame[0, LIFTED] = 0
    frame[0, RETAKEN] = 0
    expand(work, 0)
    while True:
        mine = 1 if states[level, TO_MOVE] == said[COLOR] else 0
        n = frame[level, CHILDREN]
        least, most, best, second, count = sum_up(numbers, level, n, mine)
        proof = least if mine == 0 else most
        disproof = most if mine == 0 else least
        done = proof == 0 or disproof == 0 or said[NODES] >= said[NODE_LIMIT]
        if done or proof >= frame[level, PROOF_BOUND] or disproof >= frame[level, DISPROOF_BOUND]:
            spent = said[NODES] - frame[level, ENTERED]
            store(entries, entry_keys, keys[level, MOST_MOVES], proof, disproof, spent, said[SALT])
            frame[level, BEST] = best
            if level == 0:
                return proof, disproof
            level -= 1
            at = frame[level, BEST]
            numbers[level, 0, at] = proof
            numbers[level, 1, at] = disproof
            continue
        frame[level, BEST] = best
        if level + 2 >= states.shape[0]:
            numbers[level, 0, best] = SURE
            numbers[level, 1, best] = 0
            continue
        if keys[level, best] == 0:
            look(work, level, best)
            continue
        move = np.int64(moves[level, 0, best])
        retaken = 1 if move != PASS and move == frame[level, LIFTED] else 0
        _, lifted = make(work, level, move)
        own_bound = min(frame[level, PROOF_BOUND + mine], second + 2 + second // 2)
        other_bound = frame[level, DISPROOF_BOUND - mine] - (count - 1)
        level += 1
        frame[level, PROOF_BOUND + mine] = own_bound
        frame[level, DISPROOF_BOUND - mine] = other_bound
        frame[level, ENTERED] = said[NODES]
        frame[level, LIFTED] = lifted
        frame[level, RETAKEN] = retaken
        frame[level, LEISURE] = moves[level - 1, 2, best]
        keys[level, MOST_MOVES] = keys[level - 1, best]
        expand(work, level)
