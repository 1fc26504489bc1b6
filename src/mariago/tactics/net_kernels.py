# pyright: basic
"""Nets (枷, ゲタ): stones that are not in atari and cannot get away any more.

Three moves are read, and ladders from there. The owner moves first and may play any liberty of the
chain, any empty point beside one, take a chain in atari that touches it, put one of two liberties
into atari, or pass. After his move the chain is *held* when the attacker takes it at once or in a
ladder, or has a move (a liberty, or a point beside one) after which the owner, with the same
choice, only comes to positions in which it is taken at once or in a ladder. A chain with four
liberties or more on the attacker's turn has got away. All is read to the end, so the answer is the
same however the board is turned.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    COLUMNS,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    NEXT,
    ROWS,
    STONES,
    STRIDE,
    TO_MOVE,
    chain_liberties,
    copy_into,
    is_pseudo_legal,
    neighbour,
    new_state,
    play,
    play_pass,
    state_length,
)
from mariago.tactics.ladder_kernels import (
    caught_in_atari,
    has_working_move,
    ladder_workspace,
    only_liberty,
)

REACH = 2  # lines from the move to the nearest stone of a chain that it may net
MOST = 4  # liberties of a chain that can be held
_MOVES = 48
PASS = 0


@kernel
def net_workspace(rows, columns):
    """Return scratch for ``read_nets`` on boards of one size."""
    return (
        np.empty((4, state_length(rows, columns)), np.int16),
        np.empty((3, _MOVES), np.int64),
        np.empty((rows + 2) * (columns + 1) + 1, np.int64),
    )


@kernel
def _liberties_of(s, p):
    area = np.int64(s[AREA])
    return np.int64(s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + p]])


@kernel
def _add(moves, n, e):
    """Add a point to a list unless it is there; return the length."""
    for i in range(n):
        if moves[i] == e:
            return n
    if n < _MOVES:
        moves[n] = e
        n += 1
    return n


@kernel
def _near_moves(s, p, moves, points):
    """Write the liberties of the chain at ``p``, then the empty points beside them."""
    stride = np.int64(s[STRIDE])
    liberties = chain_liberties(s, p, points)
    n = 0
    for i in range(liberties):
        n = _add(moves, n, points[i])
    for i in range(liberties):
        for side in range(4):
            e = neighbour(points[i], side, stride)
            if s[HEADER + e] == EMPTY:
                n = _add(moves, n, e)
    return n


@kernel
def _owner_moves(s, p, moves, points):
    """Write what the owner of the chain at ``p`` may try, PASS last; return how many."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    other = 3 - s[HEADER + p]
    n = _near_moves(s, p, moves, points)
    q = np.int64(p)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if s[HEADER + t] == other and _liberties_of(s, t) <= 2:
                for i in range(chain_liberties(s, t, points)):
                    n = _add(moves, n, points[i])
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == p:
            break
    if n == _MOVES:
        n -= 1
    moves[n] = PASS
    return n + 1


@kernel
def _falls(s, p, work):
    """Say whether the attacker, to move, takes the chain at ``p`` at once or in a ladder."""
    liberties = _liberties_of(s, p)
    if liberties == 1:
        e = only_liberty(s, p, np.int64(s[AREA]), np.int64(s[STRIDE]))
        return is_pseudo_legal(s, e, False)
    return liberties == 2 and has_working_move(s, p, work)


@kernel
def _play_or_pass(target, s, move):
    """Play a move of the side to move on a copy; say whether it is possible."""
    if move != PASS and not is_pseudo_legal(s, move, False):
        return False
    copy_into(target, s)
    if move == PASS:
        play_pass(target)
    else:
        play(target, move)
    return True


@kernel
def _cannot_run(s, p, level, space, work):
    """Say whether the chain at ``p`` falls to ``_falls`` whatever its owner, to move, plays."""
    states, lists, points = space
    if _liberties_of(s, p) == 1:
        return caught_in_atari(s, p, work)
    moves = lists[level]
    after = states[level]
    for i in range(_owner_moves(s, p, moves, points)):
        if _play_or_pass(after, s, moves[i]) and not _falls(after, p, work):
            return False
    return True


@kernel
def _is_held(s, p, space, work):
    """Say whether the attacker, to move, holds the chain at ``p``; see the text above."""
    states, lists, points = space
    liberties = _liberties_of(s, p)
    if liberties >= MOST:
        return False
    if liberties <= 2 and _falls(s, p, work):
        return True
    moves = lists[1]
    for i in range(_near_moves(s, p, moves, points)):
        if _play_or_pass(states[1], s, moves[i]) and _cannot_run(states[1], p, 2, space, work):
            return True
    return False


@kernel
def is_netted(s, p, space, work):
    """Say whether the chain at ``p`` does not get away, its owner to move in ``s``."""
    states, lists, points = space
    if _liberties_of(s, p) > MOST:
        return False
    moves = lists[0]
    for i in range(_owner_moves(s, p, moves, points)):
        if _play_or_pass(states[0], s, moves[i]) and not _is_held(states[0], p, space, work):
            return False
    return True


@kernel
def read_nets(s, after, p, space, work, netted, out):
    """Count the opponent stones that the move at ``p`` catches without atari into ``out`` (2,).

    ``s`` is the board before, ``after`` behind the move. ``out``: stones of chains that the move
    does not touch, and of chains that it touches; each has two to four liberties and a stone at
    most two lines away, is netted after the move, and was not before. The heads of
    the former are set in ``netted``, uint8 by padded point.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    other = 3 - s[TO_MOVE]
    row, column = p // stride, p % stride
    seen = np.empty((2 * REACH + 1) ** 2, np.int64)
    n = 0
    out[0] = out[1] = 0
    if after[KO] != 0:
        return  # what falls for a ko's sake is no net
    for y in range(max(1, row - REACH), min(s[ROWS], row + REACH) + 1):
        for x in range(max(1, column - REACH), min(s[COLUMNS], column + REACH) + 1):
            q = np.int64(y * stride + x)
            if s[HEADER + q] != other or after[HEADER + q] != other:
                continue
            head = np.int64(s[HEADER + HEAD * area + q])
            before = n
            n = _add(seen, n, head)
            liberties = _liberties_of(after, q)
            if n == before or liberties < 2 or not is_netted(after, q, space, work):
                continue
            touches = _liberties_of(s, q) != liberties
            s[TO_MOVE] = other
            ko, s[KO] = s[KO], 0
            known = is_netted(s, q, space, work)
            s[TO_MOVE] = 3 - other
            s[KO] = ko
            if not known:
                out[1 if touches else 0] += s[HEADER + STONES * area + head]
                if not touches:
                    netted[head] = 1


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    after = s.copy()
    play(after, 10)
    space = net_workspace(3, 3)
    netted = np.zeros(int(s[AREA]), np.uint8)
    read_nets(s, after, 10, space, ladder_workspace(3, 3), netted, np.zeros(2, np.int64))
