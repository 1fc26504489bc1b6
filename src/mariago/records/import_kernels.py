# pyright: basic
"""What a stored sample needs and a bare position lacks: packed board, flags, position hash."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import KO, TO_MOVE, is_pseudo_legal, new_state
from mariago.board.setup_kernels import point_of, set_stones
from mariago.board.zobrist import MAX_AREA
from mariago.records.replay_kernels import (
    BAD_SETUP,
    KO_TAKEN,
    OCCUPIED,
    SUICIDE,
    has_dead_chain,
    rehash,
    smallest,
    symmetric_points,
)
from mariago.tactics.flag_kernels import move_flags

FINE = 0


@kernel
def describe(board, rows, columns, to_move, ko, move, suicide, codes, hashes, flags):
    """Judge positions and their moves; fill hashes and flags.

    Args:
        board: (B, cells) uint8; ``rows``, ``columns``, ``to_move`` (B,) uint8.
        ko: (B,) int16 move, -1 none; ``move``: (B,) int16, rows * columns for a pass.
        suicide: (B,) bool, whether the rules allow it.
        codes: out, (B,) uint8: FINE, OCCUPIED, SUICIDE, KO_TAKEN, or BAD_SETUP for a board where a
            chain has no liberty.
        hashes: out, (B,) uint64; ``flags``: out, (B, 5) uint16.
    """
    table = np.zeros((8, MAX_AREA), np.int16)
    sums = np.zeros((2, 8), np.uint64)
    height, width, n = np.int64(0), np.int64(0), 0
    s = new_state(1, 1)
    for i in range(rows.shape[0]):
        if rows[i] != height or columns[i] != width:
            height, width = np.int64(rows[i]), np.int64(columns[i])
            s = new_state(height, width)
            n = symmetric_points(height, width, table)
        cells = height * width
        set_stones(s, board[i, :cells])
        s[TO_MOVE] = to_move[i]
        if has_dead_chain(s):
            codes[i] = BAD_SETUP
            continue
        ko_point = np.int64(0)
        if ko[i] >= 0:
            ko_point = np.int64(point_of(np.int64(ko[i]), width))
            s[KO] = ko_point
        p = np.int64(-1)
        codes[i] = FINE
        if move[i] < cells:
            p = np.int64(point_of(np.int64(move[i]), width))
            if board[i, move[i]] != 0:
                codes[i] = OCCUPIED
                continue
            if not is_pseudo_legal(s, p, suicide[i]):
                codes[i] = KO_TAKEN if p == ko_point else SUICIDE
                continue
        rehash(s, sums, table, n)
        hashes[i] = smallest(sums, table, n, np.int64(to_move[i]), ko_point)
        move_flags(s, p, flags[i])


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one = np.ones(1, np.uint8)
    describe(
        np.zeros((1, 4), np.uint8), 2 * one, 2 * one, one, np.full(1, -1, np.int16),
        np.zeros(1, np.int16), np.zeros(1, np.bool_), one.copy(), np.zeros(1, np.uint64),
        np.zeros((1, 5), np.uint16),
    )  # fmt: skip
