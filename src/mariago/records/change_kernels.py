# pyright: basic
"""A game played through as the changes of its board, for viewers and pictures."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    HEADER,
    N_TAKEN,
    TAKEN,
    TO_MOVE,
    new_state,
    play,
    play_pass,
)
from mariago.board.setup_kernels import put_stone


@kernel
def board_changes(rows, columns, colors, moves, setup, out):
    """Write (step, point, colour) of every change into ``out``; return their number.

    Step 0 is the set-up before the first move, step i the i-th move with the stones set up just
    before it. ``setup`` (S, 3) is (ply, colour, move) in order of ply; ``out`` has room for
    2 * (len(moves) + S) rows. Moves are taken as they are: the game must be legal.
    """
    s = new_state(rows, columns)
    stride = columns + 1
    placed = n = 0
    for step in range(len(moves) + 1):
        ply = max(0, step - 1)
        while placed < len(setup) and setup[placed, 0] <= ply:
            point = setup[placed, 2]
            put_stone(s, (point // columns + 1) * stride + point % columns + 1, setup[placed, 1])
            out[n, 0] = step
            out[n, 1] = point
            out[n, 2] = setup[placed, 1]
            n += 1
            placed += 1
        if step == 0:
            continue
        move = moves[ply]
        s[TO_MOVE] = colors[ply]
        if move >= rows * columns:
            play_pass(s)
            continue
        play(s, (move // columns + 1) * stride + move % columns + 1)
        out[n, 0] = step
        out[n, 1] = move
        out[n, 2] = colors[ply]
        n += 1
        start = HEADER + TAKEN * np.int64(s[AREA])
        for k in range(s[N_TAKEN]):
            p = np.int64(s[start + k])
            out[n, 0] = step
            out[n, 1] = (p // stride - 1) * columns + p % stride - 1
            out[n, 2] = 0
            n += 1
    return n


def warm() -> None:
    """Compile the kernels."""
    setup = np.zeros((0, 3), np.int64)
    out = np.zeros((4, 3), np.int64)
    board_changes(2, 2, np.ones(1, np.int64), np.zeros(1, np.int64), setup, out)
