# pyright: basic
"""Reading whether a group lives or dies: proof-number search over the points of one place.

One read asks a question of two answers, "is the group killed?", under one rule for ko; a whole
answer comes from up to three (``read_kill``, ``read_save``): the owner may take kos back at once,
as if its threats never ended; neither side may; the attacker may. What is killed under the first
is killed whatever happens, under the second if the attacker takes the ko first, under the third if
it also finds a threat first.

* killed: every stone of the targets is taken, or no two eyes can be made any more;
* alive: a target's chain lives for good (Benson 1976), runs away, or is linked to a friend in the
  open. The owner may pass and the attacker not (but to wait in a ko), so a seki is alive;
* a position that comes back along the line is no progress: alive, unless the owner has made use of
  its freedom to take back since. Threats do end: then it is killed.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import AREA, HEADER, KO, TO_MOVE, new_state, play
from mariago.tactics.life_eye_kernels import DEAD
from mariago.tactics.life_move_kernels import MOST_MOVES, PASS
from mariago.tactics.life_region_kernels import find_place
from mariago.tactics.life_search_kernels import (
    BAN_MET,
    BEST,
    CHILDREN,
    COLOR,
    FREE,
    LIFTED,
    LIMIT,
    N_POINTS,
    N_TARGETS,
    NODES,
    RETAKEN,
    SALT,
    WORK,
    copy_board,
    expand,
    found,
    judge,
    life_workspace,
    lift_ban,
    look,
    make,
    search,
)
from mariago.tactics.proof_kernels import SURE, mixed

FAILS, SUCCEEDS, FAVOURABLE_KO, UNFAVOURABLE_KO, UNKNOWN = 0, 1, 2, 3, -1


@kernel
def prepare(s, p, rival, work):
    """Find the place of the fight for the group of ``p``; return how many points it has."""
    maps, lists, said = work[7], work[8], work[12]
    area = np.int64(s[AREA])
    count, n_targets = find_place(
        s, p, rival, maps[0], maps[1], maps[2], maps[4], maps[3], lists[0]
    )
    maps[6, :area] = -1
    said[N_POINTS] = count
    said[N_TARGETS] = n_targets
    said[COLOR] = s[HEADER + p]
    return count


@kernel
def read(s, mover, free, nodes, work, out):
    """Ask whether the group that was prepared is killed when ``mover`` moves; one rule for ko.

    ``free`` is the colour that may take kos back at once, 0 none. Returns 1 killed, 0 not, -1 not
    known; ``out[0]`` is the move that shows it, PASS for none; where it is not known, the move that
    looks best. ``out[1]`` grows by the nodes.
    """
    said = work[12]
    area = np.int64(s[AREA])
    root = work[0][0]
    copy_board(root, s, area)
    root[TO_MOVE] = mover
    if mover != s[TO_MOVE]:
        root[KO] = 0
    said[NODES] = 0
    said[LIMIT] = nodes
    said[FREE] = free
    said[BAN_MET] = 0
    said[SALT] += 1
    work[4][0, LIFTED] = lift_ban(root, said)
    out[0] = PASS
    verdict, _ = judge(root, work)
    if verdict != 0:
        return 1 if verdict == DEAD else 0
    proof, disproof = search(work)
    out[1] += said[NODES]
    wanted = disproof if mover == said[COLOR] else proof
    if wanted == 0:
        out[0] = work[1][0, 0, work[4][0, BEST]]
    if proof != 0 and disproof != 0:
        out[0] = work[1][0, 0, work[4][0, BEST]]
    if proof == 0:
        return 1
    return 0 if disproof == 0 else UNKNOWN


@kernel
def read_line(killed, work, out):
    """Write the line of the last read, decided as ``killed`` says; return its length.

    The side that fails plays the move that took most to answer. The line ends where the outcome
    is plain, or where the table has forgotten.
    """
    states, moves, keys, numbers, frame = work[:5]
    entries, entry_keys = work[5:7]
    said = work[12]
    level = 0
    while level + 2 < states.shape[0] and level < out.shape[0]:
        if level > 0 and judge(states[level], work)[0] != 0:
            break
        expand(work, level)
        winning = (states[level, TO_MOVE] == said[COLOR]) != (killed == 1)
        best = np.int64(-1)
        most = np.int64(-1)
        for i in range(frame[level, CHILDREN]):
            look(work, level, i)
            at = found(entries, entry_keys, keys[level, i], said[SALT])
            effort = np.int64(entries[at, WORK]) if at >= 0 else np.int64(0)
            if winning:
                if numbers[level, 1 - killed, i] != 0:
                    continue
                effort = SURE - effort
            if effort > most:
                most = effort
                best = i
        if best < 0:
            break
        out[level] = moves[level, 0, best]
        keys[level + 1, MOST_MOVES] = keys[level, best]
        keys[level + 1, MOST_MOVES + 1] = keys[level, MOST_MOVES + 1] ^ mixed(
            keys[level, MOST_MOVES]
        )
        move = np.int64(moves[level, 0, best])
        frame[level + 1, RETAKEN] = move != PASS and move == frame[level, LIFTED]
        frame[level + 1, LIFTED] = make(work, level, move)
        level += 1
    return level


@kernel
def read_kill(s, p, rival, nodes, work, out):
    """Read the group of the chain at ``p`` with its opponent to move.

    Returns SUCCEEDS, FAVOURABLE_KO, UNFAVOURABLE_KO, FAILS or UNKNOWN. ``out`` int64: the move (0:
    none, or none is needed) and the nodes that were looked at.
    """
    out[0] = PASS
    out[1] = 0
    if prepare(s, p, rival, work) == 0:
        return UNKNOWN
    owner = np.int64(s[HEADER + p])
    for turn in range(3):
        free = owner if turn == 0 else (0 if turn == 1 else 3 - owner)
        killed = read(s, 3 - owner, free, nodes, work, out)
        if killed == 1:
            return turn + 1
        if killed == UNKNOWN:
            return UNKNOWN
        if work[12][BAN_MET] == 0:
            break
    out[0] = PASS
    return FAILS


@kernel
def read_save(s, p, rival, nodes, work, out):
    """Read the group of the chain at ``p`` with its owner to move; see ``read_kill``.

    SUCCEEDS with the move 0 says that the group lives without a move.
    """
    out[0] = PASS
    out[1] = 0
    if prepare(s, p, rival, work) == 0:
        return UNKNOWN
    owner = np.int64(s[HEADER + p])
    for turn in range(3):
        free = 3 - owner if turn == 0 else (0 if turn == 1 else owner)
        killed = read(s, owner, free, nodes, work, out)
        if killed == 0:
            return turn + 1
        if killed == UNKNOWN:
            return UNKNOWN
        if work[12][BAN_MET] == 0:
            break
    out[0] = PASS
    return FAILS


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    work = life_workspace(3, 3)
    out = np.zeros(2, np.int64)
    read_kill(s, 5, 0, 100, work, out)
    read_save(s, 5, 0, 100, work, out)
    read_line(0, work, np.zeros(4, np.int64))
