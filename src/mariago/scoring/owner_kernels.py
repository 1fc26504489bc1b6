# pyright: basic
"""Who surrounds each point of a board."""

import numpy as np

from mariago.board.jit import kernel


@kernel
def mark_owners(stones, dead, out):
    """Write the owner of every point into ``out``.

    All are (rows, columns) uint8. A living stone owns its point; empty points and dead stones
    belong to the colour whose living stones alone touch their region; the rest is nobody's, 0.
    """
    rows, columns = stones.shape
    seen = np.zeros((rows, columns), np.uint8)
    queue = np.empty((rows * columns, 2), np.int64)
    for row in range(rows):
        for column in range(columns):
            if stones[row, column] != 0 and not dead[row, column]:
                out[row, column] = stones[row, column]
                continue
            if seen[row, column]:
                continue
            touched = 0
            seen[row, column] = 1
            queue[0, 0], queue[0, 1] = row, column
            tail = 1
            at = 0
            while at < tail:
                r, c = queue[at]
                at += 1
                for side in range(4):
                    y = r + (side == 3) - (side == 0)
                    x = c + (side == 2) - (side == 1)
                    if y < 0 or x < 0 or y >= rows or x >= columns:
                        continue
                    if stones[y, x] != 0 and not dead[y, x]:
                        touched |= stones[y, x]
                    elif not seen[y, x]:
                        seen[y, x] = 1
                        queue[tail, 0], queue[tail, 1] = y, x
                        tail += 1
            owner = touched if touched < 3 else 0
            for i in range(tail):
                out[queue[i, 0], queue[i, 1]] = owner


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    board = np.zeros((2, 2), np.uint8)
    mark_owners(board, board.copy(), board.copy())
