# pyright: basic
"""Input planes and legal moves of live positions of one size, from the boards' own state arrays."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    COLUMNS,
    HEADER,
    KO,
    ROWS,
    STRIDE,
    TAKEN_BY_BLACK,
    TAKEN_BY_WHITE,
    TO_MOVE,
    WHITE,
    new_state,
)
from mariago.board.legality_kernels import legal_mask, legal_mask_superko
from mariago.board.setup_kernels import read_stones
from mariago.features.plane_kernels import GLOBALS, PLANES, fill_rows

SITUATIONAL = 2  # of the codes 0 simple, 1 positional, 2 situational


@kernel
def fill_live(
    states,
    last_moves,
    taken_offsets,
    taken,
    history_offsets,
    history,
    komi,
    bonus,
    rules,
    planes,
    globals_out,
    legal,
):
    """Fill planes and globals as ``fill_rows`` does, and ``legal`` (B, cells + 1) uint8.

    ``states`` (B, length) int16 are boards of one size. What the last move and the one before it
    took are lists 2 i and 2 i + 1 of ``taken``. ``history`` holds the hashes of each position's
    past, and nothing under simple ko. ``komi`` is float32; ``rules`` (B, 3) are the ko code, and
    whether suicide is allowed and territory counted.
    """
    count = states.shape[0]
    n_rows, n_columns = np.int64(states[0, ROWS]), np.int64(states[0, COLUMNS])
    stride = np.int64(states[0, STRIDE])
    cells = n_rows * n_columns
    board = np.empty((count, cells), np.uint8)
    rows = np.full(count, n_rows, np.uint8)
    columns = np.full(count, n_columns, np.uint8)
    to_move = np.empty(count, np.uint8)
    ko = np.empty(count, np.int16)
    banned_offsets = np.zeros(count + 1, np.int64)
    banned = np.empty(count * cells, np.int16)
    offsets1 = np.zeros(count + 1, np.int64)
    offsets2 = np.zeros(count + 1, np.int64)
    taken1 = np.empty(taken.shape[0], np.int16)
    taken2 = np.empty(taken.shape[0], np.int16)
    points = np.empty(count, np.float64)
    ko_rules = np.empty(count, np.uint8)
    suicides = np.empty(count, np.bool_)
    territories = np.empty(count, np.bool_)
    simple = np.empty(cells + 1, np.uint8)
    n_banned = 0
    for i in range(count):
        s = states[i]
        read_stones(s, board[i])
        to_move[i] = s[TO_MOVE]
        p = np.int64(s[KO])
        ko[i] = -1 if p == 0 else (p // stride - 1) * n_columns + p % stride - 1
        ko_rules[i] = rules[i, 0]
        suicides[i] = rules[i, 1] != 0
        territories[i] = rules[i, 2] != 0
        legal_mask(s, suicides[i], legal[i])
        if ko_rules[i] != 0:
            past = history[history_offsets[i] : history_offsets[i + 1]]
            simple[:] = legal[i]
            legal_mask_superko(
                s, suicides[i], ko_rules[i] == SITUATIONAL, past, past.shape[0], legal[i]
            )
            for move in range(cells):
                if simple[move] and not legal[i, move]:
                    banned[n_banned] = move
                    n_banned += 1
        banned_offsets[i + 1] = n_banned
        points[i] = np.float64(komi[i]) + bonus[i]
        if territories[i]:
            points[i] += stone_lead(s)
        for at in range(2):
            source = taken[taken_offsets[2 * i + at] : taken_offsets[2 * i + at + 1]]
            target, offsets = (taken1, offsets1) if at == 0 else (taken2, offsets2)
            start = offsets[i]
            for k in range(source.shape[0]):
                target[start + k] = source[k]
            offsets[i + 1] = start + source.shape[0]
    fill_rows(
        board,
        rows,
        columns,
        to_move,
        ko,
        banned_offsets,
        banned,
        last_moves,
        offsets1,
        taken1,
        offsets2,
        taken2,
        points,
        ko_rules,
        suicides,
        territories,
        planes,
        globals_out,
    )


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
    fill_live(
        new_state(1, 1)[None],
        np.full((1, 5), -1, np.int16),
        np.zeros(3, np.int64),
        np.zeros(0, np.int16),
        np.zeros(2, np.int64),
        np.zeros(0, np.uint64),
        np.zeros(1, np.float32),
        np.zeros(1),
        np.zeros((1, 3), np.uint8),
        np.zeros((1, PLANES, 1, 1), np.uint8),
        np.zeros((1, GLOBALS), np.float32),
        np.zeros((1, 2), np.uint8),
    )
