# pyright: basic
"""Which games open alike."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.zobrist import MAX_AREA
from mariago.records.replay_kernels import identity, symmetric_points


@kernel
def openings(rows, columns, first, colors, moves, setup_first, setup, depth, out):
    """Write a word for the first ``depth`` moves of each game, arrays as in ``judge``.

    It is the same for openings that are the same under a symmetry of the board; a shorter game
    opens with all its moves.

    Args:
        out: (G,) uint64.
    """
    table = np.zeros((8, MAX_AREA), np.int16)
    last_rows = last_columns = np.int64(0)
    n = 0
    for g in range(rows.shape[0]):
        if rows[g] != last_rows or columns[g] != last_columns:
            last_rows, last_columns = rows[g], columns[g]
            n = symmetric_points(last_rows, last_columns, table)
        end = min(first[g + 1], first[g] + depth)
        put_up = setup_first[g]
        while put_up < setup_first[g + 1] and setup[put_up, 0] < depth:
            put_up += 1
        out[g] = identity(
            table, n, last_rows, last_columns, moves, colors, first[g], end,
            setup, setup_first[g], put_up,
        )  # fmt: skip


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one = np.ones(1, np.int64)
    openings(
        2 * one, 2 * one, np.array([0, 1], np.int64), np.ones(1, np.uint8),
        np.zeros(1, np.int16), np.zeros(2, np.int64), np.zeros((0, 3), np.int16), 1,
        np.zeros(1, np.uint64),
    )  # fmt: skip
