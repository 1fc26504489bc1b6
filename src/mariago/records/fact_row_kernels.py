# pyright: basic
"""The facts of the moves of stored rows, each read off its own packed board."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import KO, TO_MOVE, new_state
from mariago.board.setup_kernels import point_of, set_stones
from mariago.records.replay_kernels import MAX_CELLS
from mariago.tactics.deep_fact_kernels import DEEP_FACTS, deep_workspace, read_deep_facts


@kernel
def read_rows(board, ends, rows, columns, to_move, ko, move, out):
    """Write the facts of legal moves to ``out`` int32 (R, DEEP_FACTS).

    Args:
        board: flat uint8, 2 bits a point; row r lies from ``ends[r]`` to ``ends[r + 1]``.
        rows, columns, to_move: (R,) uint8.
        ko, move: (R,) int16, -1 for no ko, rows * columns for a pass.
    """
    stones = np.empty(MAX_CELLS, np.uint8)
    height, width = np.int64(0), np.int64(0)
    s = new_state(1, 1)
    space = deep_workspace(1, 1)
    for r in range(rows.shape[0]):
        if rows[r] != height or columns[r] != width:
            height, width = np.int64(rows[r]), np.int64(columns[r])
            s = new_state(height, width)
            space = deep_workspace(height, width)
        cells = height * width
        for i in range(cells):
            stones[i] = board[ends[r] + i // 4] >> (2 * (i % 4)) & 3
        set_stones(s, stones[:cells])
        s[TO_MOVE] = to_move[r]
        s[KO] = point_of(np.int64(ko[r]), width) if ko[r] >= 0 else 0
        p = point_of(np.int64(move[r]), width) if move[r] < cells else np.int64(-1)
        read_deep_facts(s, p, False, space, out[r])


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one = np.ones(1, np.uint8)
    read_rows(
        np.zeros(1, np.uint8), np.array([0, 1], np.int32), 2 * one, 2 * one, one,
        np.full(1, -1, np.int16), np.zeros(1, np.int16), np.zeros((1, DEEP_FACTS), np.int32),
    )  # fmt: skip
