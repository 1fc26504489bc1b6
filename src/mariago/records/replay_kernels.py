# pyright: basic
"""Replay of whole games with a legality check, position hashes and the identity of a game.

Games come in batches as flat arrays: game g has the moves ``first[g]`` to ``first[g + 1] - 1`` of
``colors`` and ``moves`` (row * columns + column, rows * columns for a pass) and the rows
``setup_first[g]`` to ``setup_first[g + 1] - 1`` of ``setup``: (ply, colour, move) puts a stone, or
with EMPTY clears a point, before the move with index ``ply``.

The position hash is the smallest, over the symmetries of the board, of a Zobrist hash of (own
stones, opponent's stones, ko point); ``hashing`` says it in NumPy. Here it is kept up to date stone
by stone, for both sides and all symmetries.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    EMPTY,
    HEADER,
    KO,
    LIBERTIES,
    N_TAKEN,
    STRIDE,
    TAKEN,
    TO_MOVE,
    WHITE,
    clear,
    is_pseudo_legal,
    play,
    play_pass,
    state_length,
)
from mariago.board.points import MAX_SIZE
from mariago.board.setup_kernels import point_of, rebuild
from mariago.board.zobrist import KO_KEYS, MAX_AREA, SIZE_KEYS, STONE_KEYS
from mariago.tactics.flag_kernels import FLAGS, move_flags

# Codes of a judged game; 0 is a game that can be used.
LEGAL, OCCUPIED, SUICIDE, KO_TAKEN, BAD_SETUP = 0, 1, 2, 3, 4
MAX_CELLS = MAX_SIZE * MAX_SIZE

_PASS_KEYS = np.array(
    [0, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64
)  # colour; odd constants of splitmix64 and xxHash, only their difference matters
_ODD = np.uint64(0xBF58476D1CE4E5B9)


@kernel
def symmetric_points(rows, columns, table):
    """Write where symmetry k takes each padded point to ``table`` (8, MAX_AREA); return how many.

    A square board has eight symmetries; a rectangle the four that keep its shape.
    """
    stride = columns + 1
    n = 8 if rows == columns else 4
    for k in range(n):
        for row in range(rows):
            for column in range(columns):
                r, c = row, column
                if k & 1:
                    r = rows - 1 - r
                if k & 2:
                    c = columns - 1 - c
                if k & 4:
                    r, c = c, r
                table[k, (row + 1) * stride + column + 1] = (r + 1) * stride + c + 1
    return n


@inlined
def toggle(hashes, table, n, color, p):
    """Put a stone into, or take it out of, the hashes (2, 8): as Black sees it, as White does."""
    for k in range(n):
        q = table[k, p]
        hashes[0, k] ^= STONE_KEYS[color, q]
        hashes[1, k] ^= STONE_KEYS[3 - color, q]


@inlined
def smallest(hashes, table, n, to_move, ko):
    """Return the position hash for the side to move; ``ko`` is a point, 0 none."""
    best = np.uint64(0xFFFFFFFFFFFFFFFF)
    for k in range(n):
        value = hashes[to_move - 1, k]
        if ko != 0:
            value ^= KO_KEYS[table[k, ko]]
        if value < best:
            best = value
    return best


@inlined
def answer_of(hashes, table, n, to_move, ko, p):
    """Return the point of move ``p`` as the smallest hash sees the board; 0 for a pass.

    Where the board is symmetric to itself, of the points that come to the same the smallest. So two
    moves in symmetric positions have the same answer when they are symmetric too.
    """
    if p == 0:
        return np.int64(0)
    wanted = smallest(hashes, table, n, to_move, ko)
    answer = np.int64(MAX_AREA)
    for k in range(n):
        value = hashes[to_move - 1, k]
        if ko != 0:
            value ^= KO_KEYS[table[k, ko]]
        if value == wanted:
            answer = min(answer, np.int64(table[k, p]))
    return answer


@inlined
def _mixed(value):
    """Return a word whose bits all depend on those of ``value``."""
    value = value * _ODD
    return value ^ (value >> np.uint64(29))


@kernel
def put_setup(s, i, end, ply, setup):
    """Apply the set-up entries from ``i`` on that come before move ``ply``; return the next entry.

    The history of the board ends here: ko and last move are forgotten.
    """
    columns = np.int64(s[STRIDE]) - 1
    start = i
    while i < end and setup[i, 0] <= ply:
        s[HEADER + point_of(np.int64(setup[i, 2]), columns)] = setup[i, 1]
        i += 1
    if i > start:
        rebuild(s)
    return i


@inlined
def has_dead_chain(s):
    """Say whether a chain has no liberty, which only a set-up can bring about."""
    area = np.int64(s[AREA])
    for p in range(area):
        color = s[HEADER + p]
        if color == BLACK or color == WHITE:
            head = s[HEADER + area + p]
            if s[HEADER + LIBERTIES * area + head] == 0:
                return True
    return False


@kernel
def why_impossible(s, p):
    """Return LEGAL, OCCUPIED or SUICIDE for the side to move at ``p``, where no ko is."""
    if is_pseudo_legal(s, p, False):
        return LEGAL
    return OCCUPIED if s[HEADER + p] != EMPTY else SUICIDE


@kernel
def rehash(s, hashes, table, n):
    """Count the hashes (2, 8) of the board as it stands."""
    rows, columns = np.int64(s[0]), np.int64(s[1])
    area = np.int64(s[AREA])
    hashes[:, :] = SIZE_KEYS[rows, columns]
    for p in range(area):
        color = np.int64(s[HEADER + p])
        if color == BLACK or color == WHITE:
            toggle(hashes, table, n, color, p)


@inlined
def turn_to(s, color):
    """Give the move to ``color``; a change of side lifts the ko ban. Return the closed point."""
    closed = np.int64(s[KO])
    if s[TO_MOVE] != color:
        s[TO_MOVE] = color
        s[KO] = 0
    return closed


@kernel
def identity(table, n, rows, columns, moves, colors, a, b, setup, c, d):
    """Return a word that is the same for the same moves and set-up under any symmetry."""
    best = np.uint64(0xFFFFFFFFFFFFFFFF)
    for k in range(n):
        value = SIZE_KEYS[rows, columns]
        for i in range(c, d):
            q = table[k, point_of(np.int64(setup[i, 2]), columns)]
            key = STONE_KEYS[setup[i, 1], q] if setup[i, 1] != EMPTY else KO_KEYS[q]
            value ^= _mixed(key + np.uint64(setup[i, 0]))
        for i in range(a, b):
            p = np.int64(moves[i])
            if p == rows * columns:
                key = _PASS_KEYS[colors[i]]
            else:
                key = STONE_KEYS[colors[i], table[k, point_of(p, columns)]]
            value = _mixed(value ^ key)
        if value < best:
            best = value
    return best


@kernel
def judge(
    rows,
    columns,
    first,
    colors,
    moves,
    setup_first,
    setup,
    want_flags,
    codes,
    stopped,
    identities,
    hashes,
    tactical,
    answers,
):
    """Replay every game of a batch with simple ko and no suicide.

    Args:
        rows, columns: (G,) int64; a game with ``rows`` 0 is left out.
        moves, colors: (M,) int16 and uint8; ``setup``: (S, 3) int16.
        codes: (G,) uint8 out, LEGAL or why the game is impossible.
        stopped: (G,) int32 out, the index of the impossible move.
        identities: (G,) uint64 out, equal for equal games.
        hashes: (M,) uint64 out, the position before each move.
        tactical: (M,) uint8 out where ``want_flags``, see ``schema.TACTICAL_COLUMNS``.
        answers: (M,) uint16 out, see ``answer_of``; (0,) where they are not wanted.
    """
    want_answers = answers.shape[0] > 0
    table = np.zeros((8, MAX_AREA), np.int16)
    sums = np.zeros((2, 8), np.uint64)
    state = np.empty(state_length(MAX_SIZE, MAX_SIZE), np.int16)
    flags = np.zeros(FLAGS, np.uint16)
    last_rows = last_columns = np.int64(0)
    n = 0
    for g in range(rows.shape[0]):
        if rows[g] == 0:
            continue
        if rows[g] != last_rows or columns[g] != last_columns:
            last_rows, last_columns = rows[g], columns[g]
            n = symmetric_points(last_rows, last_columns, table)
        s = state[: state_length(last_rows, last_columns)]
        clear(s, last_rows, last_columns)
        sums[:, :] = SIZE_KEYS[last_rows, last_columns]
        at_setup, setup_end = setup_first[g], setup_first[g + 1]
        code, where = LEGAL, np.int64(0)
        cells = last_rows * last_columns
        for i in range(first[g], first[g + 1]):
            ply = i - first[g]
            if at_setup < setup_end and setup[at_setup, 0] <= ply:
                at_setup = put_setup(s, at_setup, setup_end, ply, setup)
                rehash(s, sums, table, n)
                if has_dead_chain(s):
                    code, where = BAD_SETUP, ply
                    break
            color = np.int64(colors[i])
            closed = turn_to(s, color)
            hashes[i] = smallest(sums, table, n, color, np.int64(s[KO]))
            move = np.int64(moves[i])
            if move == cells:  # the answer 0 stands in ``answers`` already
                play_pass(s)
                continue
            p = point_of(move, last_columns)
            if want_answers:
                answers[i] = answer_of(sums, table, n, color, np.int64(s[KO]), p)
            # Closed for the next move, whoever makes it: a side that moves twice in a row and
            # fills the ko with the second stands in a record that has lost a move.
            code = KO_TAKEN if p == closed else why_impossible(s, p)
            if code != LEGAL:
                where = ply
                break
            if want_flags:
                move_flags(s, p, flags)
                tactical[i] = (flags[0] | flags[1] | flags[2] | flags[3]) != 0
            if play(s, p) > 0:
                at_taken = HEADER + TAKEN * np.int64(s[AREA])
                for t in range(s[N_TAKEN]):
                    toggle(sums, table, n, 3 - color, np.int64(s[at_taken + t]))
            toggle(sums, table, n, color, p)
        codes[g] = code
        stopped[g] = where
        if code == LEGAL:
            identities[g] = identity(
                table, n, last_rows, last_columns, moves, colors, first[g], first[g + 1],
                setup, setup_first[g], setup_first[g + 1],
            )  # fmt: skip


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one = np.ones(1, np.int64)
    first = np.array([0, 1], np.int64)
    none = np.zeros(2, np.int64)
    judge(
        2 * one, 2 * one, first, np.ones(1, np.uint8), np.zeros(1, np.int16), none,
        np.zeros((0, 3), np.int16), True,
        np.zeros(1, np.uint8), np.zeros(1, np.int32), np.zeros(1, np.uint64),
        np.zeros(1, np.uint64), np.zeros(1, np.uint8), np.zeros(1, np.uint16),
    )  # fmt: skip
