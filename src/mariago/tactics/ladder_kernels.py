# pyright: basic
"""Reading ladders: chases in which every attacking move is atari.

The conventions are KataGo's, so that its networks see what they were trained on (the meaning of
its input planes 14 to 17 is public; the reader here is our own):

* a chain with one liberty is read with its owner to move, a chain with two with the attacker to
  move; chains with more liberties are not read;
* the owner may extend, or take any neighbouring attacking chain in atari; two liberties on the
  attacker's turn go on, three are an escape;
* a ko that bans the owner at the root is lifted, and an attacking move that takes a ko later on
  counts as an escape: a ladder that needs a ko does not work;
* a chain whose two liberties are both mouths of kos that the attacker takes, and that neither
  connecting nor capturing helps, is caught;
* suicide is never tried, and after 25,000 moves the ladder does not work.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    NEXT,
    SECTIONS,
    STONES,
    STRIDE,
    TO_MOVE,
    is_pseudo_legal,
    neighbour,
    new_state,
    play,
)

NODE_LIMIT = 25_000
_NOT_ENTERED = -1


@kernel
def ladder_workspace(rows, columns):
    """Return scratch for the ladder kernels on boards of one size; only what is used costs."""
    area = (rows + 2) * (columns + 1) + 1
    depth = rows * columns * 3 // 2 + 4
    states = np.empty((depth, HEADER + SECTIONS * area), np.int16)
    stack = np.empty((3, depth), np.int32)  # first move, number of moves, cursor of each level
    moves = np.empty(depth * 4 + area, np.int16)
    return states, stack, moves, np.empty(4, np.int64)


@kernel
def _copy_board(target, source, area):
    """Copy what reading needs: all but the points' past and the stones taken last."""
    for i in range(HEADER + (STONES + 1) * area):
        target[i] = source[i]


@inlined
def _empty_neighbours(s, p, stride):
    n = 0
    for side in range(4):
        n += s[HEADER + neighbour(p, side, stride)] == EMPTY
    return n


@inlined
def _liberties(s, p, area):
    return s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + p]]


@kernel
def only_liberty(s, p, area, stride):
    """Return the liberty of a chain that has one."""
    q = np.int64(p)
    while True:
        for side in range(4):
            e = neighbour(q, side, stride)
            if s[HEADER + e] == EMPTY:
                return e
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return np.int64(0)


@kernel
def _two_liberties(s, p, area, stride):
    """Return the liberties of a chain that has two."""
    first = np.int64(0)
    q = np.int64(p)
    while True:
        for side in range(4):
            e = neighbour(q, side, stride)
            if s[HEADER + e] == EMPTY and e != first:
                if first != 0:
                    return first, e
                first = e
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return first, np.int64(0)


@kernel
def _rescuing_captures(s, p, moves, start, area, stride):
    """Write the points that take a neighbour in atari of the chain at ``p``; return how many."""
    other = 3 - s[HEADER + p]
    n = 0
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == other and _liberties(s, t, area) == 1:
                e = only_liberty(s, t, area, stride)
                known = start + n >= moves.shape[0] - 4
                for i in range(n):
                    if moves[start + i] == e:
                        known = True
                if not known:
                    moves[start + n] = e
                    n += 1
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return n


@kernel
def _is_ko_mouth(s, e, attacker, area, stride):
    """Say whether an attacker's stone at ``e`` would take a single stone and stand in ko."""
    lone = 0
    for side in range(4):
        t = neighbour(e, side, stride)
        color = s[HEADER + t]
        if color == EMPTY or color == attacker:
            return False
        if color != BORDER and _liberties(s, t, area) == 1:
            lone += s[HEADER + STONES * area + s[HEADER + HEAD * area + t]]
    return lone == 1


@kernel
def joined_liberties(s, e, color, scratch, area, stride):
    """Return the liberties of a stone of ``color`` at ``e`` with the chains it joins, 4 at most.

    Captures are not looked at. ``scratch`` int64 holds 4.
    """
    n = 0
    for side in range(4):
        t = neighbour(e, side, stride)
        if s[HEADER + t] == EMPTY:
            scratch[n] = t
            n += 1
    for side in range(4):
        t = neighbour(e, side, stride)
        if s[HEADER + t] != color:
            continue
        q = np.int64(t)
        while True:
            for around in range(4):
                f = neighbour(q, around, stride)
                if s[HEADER + f] != EMPTY or f == e:
                    continue
                known = False
                for i in range(n):
                    if scratch[i] == f:
                        known = True
                if known:
                    continue
                scratch[n] = f
                n += 1
                if n == 4:
                    return n
            q = np.int64(s[HEADER + NEXT * area + q])
            if q == t:
                break
    return n


@kernel
def _double_ko_death(s, p, a, b, scratch, area, stride):
    """Say whether both liberties of the chain at ``p`` are ko mouths and nothing helps it."""
    owner = s[HEADER + p]
    if not _is_ko_mouth(s, a, 3 - owner, area, stride):
        return False
    if not _is_ko_mouth(s, b, 3 - owner, area, stride):
        return False
    if joined_liberties(s, a, owner, scratch, area, stride) > 2:
        return False
    if joined_liberties(s, b, owner, scratch, area, stride) > 2:
        return False
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == 3 - owner and _liberties(s, t, area) == 1:
                return False
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            return True


@kernel
def _chase(work, p):
    """Read the chain at ``p`` of ``states[0]``, which is overwritten, with its owner to move."""
    states, stack, moves, scratch = work
    area = np.int64(states[0, AREA])
    stride = np.int64(states[0, STRIDE])
    owner = states[0, HEADER + p]
    states[0, KO] = 0
    stack[0, 0] = 0
    stack[2, 0] = _NOT_ENTERED
    level = 0
    nodes = 0
    caught = False
    while level >= 0:
        s = states[level]
        defending = level % 2 == 0
        if stack[2, level] == _NOT_ENTERED:
            liberties = _liberties(s, p, area)
            start = np.int64(stack[0, level])
            n = 0
            if defending:
                if liberties >= 2 or s[KO] != 0:
                    caught = False
                    level -= 1
                    continue
                e = only_liberty(s, p, area, stride)
                reached = joined_liberties(s, e, owner, scratch, area, stride)
                if reached >= 3:
                    caught = False
                    level -= 1
                    continue
                n = _rescuing_captures(s, p, moves, start, area, stride)
                moves[start + n] = e
                n += 1
            else:
                if liberties <= 1 or liberties >= 3:
                    caught = liberties <= 1
                    level -= 1
                    continue
                a, b = _two_liberties(s, p, area, stride)
                if _double_ko_death(s, p, a, b, scratch, area, stride):
                    caught = True
                    level -= 1
                    continue
                # The attacker must stand where the owner would otherwise get away: with four
                # liberties now, one of them the point that the attacker takes instead.
                if joined_liberties(s, b, owner, scratch, area, stride) < 4:
                    moves[start + n] = a
                    n += 1
                if joined_liberties(s, a, owner, scratch, area, stride) < 4:
                    moves[start + n] = b
                    n += 1
                if n == 2 and _empty_neighbours(s, b, stride) > _empty_neighbours(s, a, stride):
                    moves[start] = b
                    moves[start + 1] = a
            stack[1, level] = n
            stack[2, level] = 0
        elif caught != defending:  # the side to move found what it wanted
            level -= 1
            continue
        else:
            stack[2, level] += 1
        deeper = False
        while stack[2, level] < stack[1, level]:
            move = np.int64(moves[stack[0, level] + stack[2, level]])
            s[TO_MOVE] = owner if defending else 3 - owner
            if is_pseudo_legal(s, move, False):
                deeper = True
                break
            stack[2, level] += 1
        if not deeper:
            caught = defending
            level -= 1
            continue
        full = stack[0, level] + stack[1, level] + 4 >= moves.shape[0]
        if nodes >= NODE_LIMIT or level + 1 >= states.shape[0] or full:
            return False
        nodes += 1
        _copy_board(states[level + 1], s, area)
        play(states[level + 1], move)
        stack[0, level + 1] = stack[0, level] + stack[1, level]
        stack[2, level + 1] = _NOT_ENTERED
        level += 1
    return caught


@kernel
def caught_in_atari(s, p, work):
    """Say whether the chain at ``p``, in atari, is captured though its owner moves first."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    e = only_liberty(s, p, area, stride)
    if joined_liberties(s, e, s[HEADER + p], work[3], area, stride) >= 3:
        return False
    _copy_board(work[0][0], s, area)
    return _chase(work, np.int64(p))


@kernel
def working_moves(s, p, work, out):
    """Write the attacker's moves that catch the two-liberty chain at ``p``; return how many."""
    return working_moves_upto(s, p, work, out, 2)


@kernel
def has_working_move(s, p, work):
    """Say whether ``working_moves`` would find one."""
    return working_moves_upto(s, p, work, np.empty(2, np.int64), 1) > 0


@kernel
def working_moves_upto(s, p, work, out, most):
    """Do what ``working_moves`` does, and stop at the ``most``-th such move."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    color = s[HEADER + p]
    a, b = _two_liberties(s, p, area, stride)
    n = 0
    for turn in range(2):
        move = a if turn == 0 else b
        rest = b if turn == 0 else a
        if joined_liberties(s, rest, color, work[3], area, stride) >= 4:
            continue
        before = s[TO_MOVE]
        s[TO_MOVE] = 3 - color
        legal = is_pseudo_legal(s, move, False)
        s[TO_MOVE] = before
        if not legal:
            continue
        _copy_board(work[0][0], s, area)
        work[0][0, TO_MOVE] = 3 - color
        play(work[0][0], move)
        if _chase(work, np.int64(p)):
            out[n] = move
            n += 1
            if n == most:
                break
    return n


@kernel
def ladder_captured(s, p, work):
    """Say whether the chain at ``p`` falls: in atari its owner moves, with two the attacker."""
    area = np.int64(s[AREA])
    liberties = _liberties(s, p, area)
    if liberties == 1:
        return caught_in_atari(s, p, work)
    return liberties == 2 and has_working_move(s, p, work)


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    work = ladder_workspace(3, 3)
    caught_in_atari(s, 5, work)  # called with Python integers, as people's functions do
    working_moves(s, 5, work, np.zeros(2, np.int64))
    has_working_move(s, 5, work)
