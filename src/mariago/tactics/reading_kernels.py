# pyright: basic
"""Reading whether one chain falls, and what brings it down or saves it.

One read (``read``) asks a question of two answers, "is the chain at p captured?", under one of
three rules for ko; a whole answer (``read_attack``, ``read_defense``) comes from two or three:

* *banned*: a ko may not be taken back at once, by neither side;
* *free for one side*: that side may take a ko back at once, as if it always had a threat.

A position that comes back along the line counts as not captured, unless the owner has made use of
the freedom to take back since: then it counts as captured, for threats do end. The chain counts as
escaped when it has more liberties than MOST_LIBERTIES, and as captured only when its owner cannot
take back at once at the same point.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    HEADER,
    KO,
    STRIDE,
    TO_MOVE,
    new_state,
    play,
)
from mariago.tactics.proof_kernels import SURE
from mariago.tactics.reading_move_kernels import (
    MOST_CLASS,
    MOST_MOVES,
    PASS,
    liberties_of,
    takes_back,
)
from mariago.tactics.reading_search_kernels import (
    ENDLESS,
    copy_board,
    expand,
    lift_ban,
    look,
    make,
    only_liberty_taken,
    search,
)
from mariago.tactics.reading_table_kernels import (
    ATTACK_CLASS,
    BAN_MET,
    BEST,
    CAPTURED,
    CHILDREN,
    COLOR,
    DEFENSE_CLASS,
    FIRST_LEISURE,
    FREE,
    LEISURE,
    MOST,
    NO_PASS,
    NODE_LIMIT,
    NODES,
    SALT,
    TARGET,
    WIDE,
    found,
    reading_workspace,
)

FAILS, SUCCEEDS, FAVOURABLE_KO, UNFAVOURABLE_KO, UNKNOWN = 0, 1, 2, 3, -1
MOST_LIBERTIES = 4  # of a chain that is attacked, on the attacker's turn
_NO_LIBERTY_LIMIT = 1000
# What each search of a read allows: class of the attacker's moves, of the owner's, the attacker's
# leisure, and sixteenths of the nodes. An answer counts where the side that it speaks against had
# all its moves; in the last search, the one for want of a better, always.
_STAGES = (
    (1, MOST_CLASS, 2, 1),
    (MOST_CLASS, 1, ENDLESS, 1),
    (MOST_CLASS, MOST_CLASS, ENDLESS, 7),
    (2, 2, ENDLESS, 7),
)


@kernel
def read_line(work, out):
    """Write the line of the last read, if it decided; return its length.

    The side that fails plays the move that took most to answer. The line ends where the outcome
    is plain, or where the table has forgotten.
    """
    states, moves, keys, numbers, frame, entries, entry_keys, _lists, _seen, said = work
    level = 0
    captured = said[CAPTURED]
    if captured == UNKNOWN:
        return 0
    while level + 2 < states.shape[0] and level < out.shape[0]:
        expand(work, level)
        for i in range(frame[level, CHILDREN]):
            look(work, level, i)
        winning = (states[level, TO_MOVE] == said[COLOR]) != (captured == 1)
        best = np.int64(-1)
        most = np.int64(-1)
        for i in range(frame[level, CHILDREN]):
            if numbers[level, 1 - captured, i] != 0 and winning:
                continue
            at = found(entries, entry_keys, keys[level, i], said[SALT])
            work_done = np.int64(entries[at, 2]) if at >= 0 else np.int64(0)
            if winning:
                work_done = SURE - work_done
            if work_done > most:
                most = work_done
                best = i
        if best < 0:
            break
        out[level] = moves[level, 0, best]
        make(work, level, np.int64(moves[level, 0, best]))
        keys[level + 1, MOST_MOVES] = keys[level, best]
        frame[level + 1, LEISURE] = moves[level, 2, best]
        level += 1
        t = states[level]
        if t[HEADER + said[TARGET]] != said[COLOR]:
            if not takes_back(t, said[TARGET], np.int64(t[AREA]), np.int64(t[STRIDE])):
                break
            continue
        if liberties_of(states[level], said[TARGET], np.int64(states[0, AREA])) > said[MOST]:
            break
    return level


@kernel
def read(s, p, mover, free, no_pass, work, out):
    """Ask whether the chain at ``p`` is captured when ``mover`` is to move; one rule for ko.

    ``free`` is the colour that may take kos back at once, 0 none. The limits stand in ``work``.
    Returns 1 captured, 0 not, -1 not known; ``out[0]`` is the move that shows it, PASS for none.

    Searches in turn: first the attacker has few moves and the owner all, so that what is captured
    is; then the other way round; then both have all; and where that takes too long, both have few.
    """
    said = work[9]
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    root = work[0][0]
    copy_board(root, s, area)
    root[TO_MOVE] = mover
    if mover != s[TO_MOVE]:
        root[KO] = 0
    said[NODES] = 0
    said[BAN_MET] = 0
    said[FREE] = free
    said[NO_PASS] = no_pass
    said[TARGET] = p
    said[COLOR] = s[HEADER + p]
    lift_ban(root, said)
    out[0] = PASS
    out[1] = 0
    said[CAPTURED] = UNKNOWN
    room = liberties_of(s, p, area)
    if room > said[MOST]:
        return 0
    if room == 1 and mover != said[COLOR] and only_liberty_taken(root, said, work[7], area, stride):
        out[0] = work[7][0, 0]
        return 1
    limit = said[NODE_LIMIT]
    captured = np.int64(UNKNOWN)
    for turn in range(len(_STAGES)):
        attack, defense, leisure, share = _STAGES[turn]
        if said[WIDE] != 0 and turn != 2:
            continue
        said[SALT] += 1
        said[ATTACK_CLASS] = attack
        said[DEFENSE_CLASS] = defense
        said[FIRST_LEISURE] = leisure
        said[NODE_LIMIT] = said[NODES] + (limit if said[WIDE] != 0 else limit * share // 16)
        proof, disproof = search(work, SURE, SURE)
        last = turn == len(_STAGES) - 1
        if proof == 0 and (last or defense == MOST_CLASS):
            captured = 1
        elif disproof == 0 and (last or (attack == MOST_CLASS and leisure == ENDLESS)):
            captured = 0
        if captured != UNKNOWN:
            wanted = disproof if mover == said[COLOR] else proof
            if wanted == 0:
                out[0] = work[1][0, 0, work[4][0, BEST]]
            break
    said[NODE_LIMIT] = limit
    out[1] = said[NODES]
    said[CAPTURED] = captured
    return captured


@kernel
def set_limits(nodes, work):
    work[9][NODE_LIMIT] = nodes
    work[9][WIDE] = 0
    work[9][MOST] = MOST_LIBERTIES


@kernel
def read_exactly(s, p, mover, free, nodes, work, out):
    """Read with every point as a move and no limit to the liberties; for boards of few points."""
    said = work[9]
    said[NODE_LIMIT] = nodes
    said[WIDE] = 1
    said[MOST] = _NO_LIBERTY_LIMIT
    return read(s, p, mover, free, 0, work, out)


@kernel
def _read_for_attack(s, p, mover, no_pass, work, out):
    """Return how an attack fares with ``mover`` to move: a result of ``read_attack``.

    First neither side may take a ko back at once, then the side that failed may.
    """
    said = work[9]
    owner = np.int64(s[HEADER + p])
    captured = read(s, p, mover, 0, no_pass, work, out)
    move = out[0]
    if captured == UNKNOWN:
        return UNKNOWN
    if said[BAN_MET] == 0:
        return SUCCEEDS if captured == 1 else FAILS
    spent = out[1]
    free = owner if captured == 1 else 3 - owner
    again = read(s, p, mover, free, no_pass, work, out)
    out[1] += spent
    if captured == 1:
        if again == 1:
            return SUCCEEDS
        out[0] = move if mover != owner else out[0]
        return FAVOURABLE_KO
    if again == 0:
        return FAILS
    if again == 1:
        return UNFAVOURABLE_KO
    return UNKNOWN


@kernel
def read_attack(s, p, nodes, work, out):
    """Read the chain at ``p`` with its opponent to move.

    Returns SUCCEEDS, FAVOURABLE_KO, UNFAVOURABLE_KO, FAILS or UNKNOWN (more than ``nodes`` nodes).
    ``out`` int64: the attacking move (0 none) and the nodes that were looked at.
    """
    set_limits(nodes, work)
    result = _read_for_attack(s, p, 3 - np.int64(s[HEADER + p]), 0, work, out)
    if result == FAILS or result == UNKNOWN:
        out[0] = PASS
    return result


@kernel
def read_defense(s, p, nodes, work, out):
    """Read the chain at ``p`` with its owner to move; see ``read_attack``.

    SUCCEEDS with the move 0 says that the chain stands without a move.
    """
    set_limits(nodes, work)
    said = work[9]
    owner = np.int64(s[HEADER + p])
    threat = read(s, p, 3 - owner, 3 - owner, 0, work, out)
    spent = out[1]
    if threat == 0:
        out[0] = PASS
        return SUCCEEDS
    captured = read(s, p, owner, 0, 1, work, out)
    move = out[0]
    spent += out[1]
    out[1] = spent
    if captured == UNKNOWN:
        out[0] = PASS
        return UNKNOWN
    if said[BAN_MET] == 0:
        return FAILS if captured == 1 else SUCCEEDS
    if captured == 1:
        standing = read(s, p, 3 - owner, 0, 0, work, out)
        spent += out[1]
        out[1] = spent
        if standing == 0:  # every move hurts, and none is needed while no side has a threat
            out[0] = PASS
            return FAVOURABLE_KO
    again = read(s, p, owner, owner if captured == 1 else 3 - owner, 1, work, out)
    out[1] += spent
    if captured == 0:
        if again != 0:
            out[0] = move
        return SUCCEEDS if again == 0 else FAVOURABLE_KO
    if again == 0:
        return UNFAVOURABLE_KO
    out[0] = PASS
    return FAILS if again == 1 else UNKNOWN


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    work = reading_workspace(3, 3)
    out = np.zeros(2, np.int64)
    read_attack(s, 5, 100, work, out)
    read_defense(s, 5, 100, work, out)
    read_line(work, np.zeros(2, np.int64))
