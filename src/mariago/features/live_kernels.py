# pyright: basic
"""Input planes and legal moves of live positions, from their own arrays."""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    COLUMNS,
    HEADER,
    KO,
    N_TAKEN,
    ROWS,
    STRIDE,
    TAKEN,
    TAKEN_BY_BLACK,
    TAKEN_BY_WHITE,
    TO_MOVE,
    WHITE,
    copy_into,
    new_state,
)
from mariago.board.legality_kernels import legal_mask, legal_mask_superko
from mariago.features.plane_kernels import GLOBALS, PLANES, fill_row
from mariago.rules.position_view import COLOR_SHIFT
from mariago.tactics.ladder_kernels import ladder_workspace

SITUATIONAL = 2  # of the codes 0 simple, 1 positional, 2 situational

LAST_MOVES = 5  # of which planes and globals tell


@kernel
def fill_live(
    i,
    s,
    moves,
    history,
    taken2,
    komi,
    bonus,
    ko_code,
    suicide,
    territory,
    planes,
    globals_out,
    legal,
):
    """Fill place ``i`` of planes and globals as ``fill_rows`` does, and of ``legal`` uint8.

    ``s``, ``moves`` and ``history`` are a position's ``arrays``; what the last move took stands in
    the state, what the move before it took in ``taken2``. ``komi`` is rounded to float32, as rows
    hold it. ``planes`` are uint8 or float32; ``legal`` (B, cells + 1).
    """
    _clear(planes, i)
    globals_out[i] = 0
    columns, stride = np.int64(s[COLUMNS]), np.int64(s[STRIDE])
    cells = legal.shape[1] - 1
    ko = _move_at(np.int64(s[KO]), stride, columns)
    last_moves = np.empty(LAST_MOVES, np.int16)
    _past(moves, np.int64(s[TO_MOVE]), last_moves)
    n_taken = np.int64(s[N_TAKEN])
    taken1 = np.empty(n_taken, np.int16)
    for k in range(n_taken):
        p = np.int64(s[HEADER + TAKEN * np.int64(s[AREA]) + k])
        taken1[k] = _move_at(p, stride, columns)
    out = legal[i]
    legal_mask(s, suicide, out)
    banned = np.empty(cells, np.int16)
    n_banned = 0
    if ko_code != 0:
        simple = out.copy()
        legal_mask_superko(s, suicide, ko_code == SITUATIONAL, history, history.shape[0], out)
        for move in range(cells):
            if simple[move] and not out[move]:
                banned[n_banned] = move
                n_banned += 1
    white_points = np.float64(np.float32(komi)) + bonus
    if territory:
        white_points += stone_lead(s)
    board = np.empty(s.shape[0], np.int16)
    copy_into(board, s)
    marks = np.zeros((2, np.int64(s[AREA])), np.uint8)
    fill_row(
        (board, ladder_workspace(np.int64(s[ROWS]), columns), marks),
        np.int64(s[TO_MOVE]),
        ko,
        banned[:n_banned],
        last_moves,
        taken1,
        taken2,
        white_points,
        ko_code,
        suicide,
        territory,
        planes[i],
        globals_out[i],
    )


@kernel
def _clear(planes, i):
    for plane in range(planes.shape[1]):
        for row in range(planes.shape[2]):
            for column in range(planes.shape[3]):
                planes[i, plane, row, column] = 0


@inlined
def _move_at(p, stride, columns):
    """Return the move of a padded point; -1 for 0, no point."""
    return -1 if p == 0 else (p // stride - 1) * columns + p % stride - 1


@kernel
def _past(moves, to_move, out):
    """Write the last moves, latest first, while colours alternate; -1 from there on."""
    out[:] = -1
    color = 3 - to_move
    for k in range(min(out.shape[0], moves.shape[0])):
        told = np.int64(moves[moves.shape[0] - 1 - k])
        if told >> COLOR_SHIFT != color:
            return
        out[k] = told & ((1 << COLOR_SHIFT) - 1)
        color = 3 - color


@kernel
def stone_lead(s):
    """Return Black's stones less White's, those that were taken included."""
    lead = np.int64(s[TAKEN_BY_WHITE]) - np.int64(s[TAKEN_BY_BLACK])
    for p in range(np.int64(s[AREA])):
        color = s[HEADER + p]
        if color == BLACK:
            lead += 1
        elif color == WHITE:
            lead -= 1
    return lead


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    for kind in (np.uint8, np.float32):
        fill_live(
            0,
            new_state(1, 1),
            np.zeros(0, np.int16),
            np.zeros(0, np.uint64),
            np.zeros(0, np.int16),
            7.5,
            0,
            0,
            False,
            False,
            np.zeros((1, PLANES, 1, 1), kind),
            np.zeros((1, GLOBALS), np.float32),
            np.zeros((1, 2), np.uint8),
        )
