# pyright: basic
"""Filling KataGo's V7 input planes from rows.

The meaning of planes and globals is that of KataGo's published training data ("Accelerating
Self-Play Learning in Go", Wu 2019, and its input version 7); ``planes`` has the table.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    COLUMNS,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    ROWS,
    STONES,
    STRIDE,
    TO_MOVE,
    neighbour,
    new_state,
)
from mariago.board.setup_kernels import set_stones
from mariago.tactics.alive_kernels import settled_area
from mariago.tactics.ladder_kernels import ladder_workspace, mark_ladders

PLANES = 22
GLOBALS = 19
_KOMI_PER_UNIT = 20.0
_KOMI_BEYOND_AREA = 20.0  # komi is clipped to the number of points and this much more


@kernel
def _undo(stones, last, taken, mover, cells):
    """Turn ``stones`` into the board before ``mover`` played ``last``, which emptied ``taken``."""
    if last < 0 or last >= cells:
        return
    if stones[last] == EMPTY:  # a suicide: the mover's own stones left
        for i in range(taken.shape[0]):
            stones[taken[i]] = mover
    else:
        for i in range(taken.shape[0]):
            stones[taken[i]] = 3 - mover
    stones[last] = EMPTY


@kernel
def _set_ko(s, last, taken, cells, columns):
    """Set the ko point that a move left, where it took one stone and stands alone in atari."""
    if last < 0 or last >= cells or taken.shape[0] != 1 or taken[0] == last:
        return
    area = np.int64(s[AREA])
    p = (last // columns + 1) * (columns + 1) + last % columns + 1
    head = s[HEADER + HEAD * area + p]
    if s[HEADER + p] != EMPTY and s[HEADER + STONES * area + head] == 1:
        if s[HEADER + LIBERTIES * area + head] == 1:
            s[KO] = (taken[0] // columns + 1) * (columns + 1) + taken[0] % columns + 1


@kernel
def _is_lone_suicide(s, p, own):
    """Say whether a stone of ``own`` at the empty ``p`` would stand alone, taken by itself."""
    area = np.int64(s[AREA])
    for side in range(4):
        q = neighbour(p, side, np.int64(s[STRIDE]))
        color = s[HEADER + q]
        if color == EMPTY or color == own:
            return False
        if color != BORDER and s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + q]] == 1:
            return False
    return True


@kernel
def _spread(padded, value, plane, rows, columns):
    """Set 1 in ``plane`` (pad, pad) where ``padded``, by padded point, equals ``value``."""
    for row in range(rows):
        base = (row + 1) * (columns + 1) + 1
        for column in range(columns):
            if padded[base + column] == value:
                plane[row, column] = 1


@kernel
def _fill_stones(s, own, planes, rows, columns):
    area = np.int64(s[AREA])
    for row in range(rows):
        base = (row + 1) * (columns + 1) + 1
        for column in range(columns):
            planes[0, row, column] = 1
            color = s[HEADER + base + column]
            if color == EMPTY or color == BORDER:
                continue
            planes[1 if color == own else 2, row, column] = 1
            head = s[HEADER + HEAD * area + base + column]
            liberties = s[HEADER + LIBERTIES * area + head]
            if 1 <= liberties <= 3:
                planes[2 + liberties, row, column] = 1


@kernel
def _fill_past(last_moves, cells, columns, planes, globals_out):
    for i in range(last_moves.shape[0]):
        move = last_moves[i]
        if move < 0:
            return
        if move >= cells:
            globals_out[i] = 1.0
        else:
            planes[9 + i, move // columns, move % columns] = 1


@kernel
def komi_wave(self_komi, even_area):
    """Return KataGo's parity wave of komi: 0 where draws are possible, up to 0.5 between.

    Area scores are even on boards with an even number of points, odd on others; the wave has the
    period 2 and tells how far ``self_komi`` is from such a score.
    """
    shift = 0.0 if even_area else 1.0
    delta = (self_komi - shift) % 2.0
    if delta < 0.5:
        return delta
    if delta < 1.5:
        return 1.0 - delta
    return delta - 2.0


@kernel
def _fill_globals(self_komi, cells, ko_rule, suicide, territory, last_passed, out):
    limit = cells + _KOMI_BEYOND_AREA
    komi = min(max(self_komi, -limit), limit)
    out[5] = komi / _KOMI_PER_UNIT
    if ko_rule > 0:
        out[6] = 1.0
        out[7] = 0.5 if ko_rule == 1 else -0.5
    if suicide:
        out[8] = 1.0
    if territory:
        out[9] = 1.0
        out[10] = 1.0
    if last_passed:
        out[14] = 1.0
    if not territory:
        out[18] = komi_wave(komi, cells % 2 == 0)


@kernel
def new_workplace(rows, columns):
    """Return what ``fill_row`` works with on boards of one size: state, ladders, two marks."""
    s = new_state(rows, columns)
    return s, ladder_workspace(rows, columns), np.zeros((2, np.int64(s[AREA])), np.uint8)


@kernel
def fill_row(
    workplace,
    stones,
    own,
    ko,
    banned,
    last_moves,
    gone1,
    gone2,
    white_points,
    ko_rule,
    suicide,
    territory,
    planes,
    globals_out,
):
    """Fill ``planes`` (22, H, W) and ``globals_out`` (19,) float32, both zero, of one board.

    ``stones`` (cells,) uint8, by move index, is overwritten. ``gone1`` and ``gone2`` are the moves
    that the last two moves emptied; for the rest see ``fill_rows``.
    """
    s, work, marks = workplace
    height, width = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    cells = height * width
    set_stones(s, stones)
    s[TO_MOVE] = own
    if ko >= 0:
        s[KO] = (ko // width + 1) * (width + 1) + ko % width + 1
        planes[6, ko // width, ko % width] = 1
    for at in range(banned.shape[0]):
        row, column = banned[at] // width, banned[at] % width
        if not _is_lone_suicide(s, (row + 1) * (width + 1) + column + 1, own):
            planes[6, row, column] = 1
    _fill_stones(s, own, planes, height, width)
    _fill_past(last_moves, cells, width, planes, globals_out)
    last1, last2 = np.int64(last_moves[0]), np.int64(last_moves[1])
    self_komi = white_points if own == 2 else -white_points
    _fill_globals(self_komi, cells, ko_rule, suicide, territory, last1 == cells, globals_out)
    if not territory:
        settled_area(s, suicide, True, marks[0])
        _spread(marks[0], own, planes[18], height, width)
        _spread(marks[0], 3 - own, planes[19], height, width)
    mark_ladders(s, work, marks[0], marks[1])
    _spread(marks[0], 1, planes[14], height, width)
    _spread(marks[1], 1, planes[17], height, width)
    if last1 >= 0 and last1 < cells:
        _undo(stones, last1, gone1, 3 - own, cells)
        set_stones(s, stones)
        _set_ko(s, last2, gone2, cells, width)
        mark_ladders(s, work, marks[0], marks[1])
    _spread(marks[0], 1, planes[15], height, width)
    if last1 >= 0 and last2 >= 0 and last2 < cells:
        _undo(stones, last2, gone2, own, cells)
        set_stones(s, stones)
        mark_ladders(s, work, marks[0], marks[1])
    _spread(marks[0], 1, planes[16], height, width)


@kernel
def fill_rows(
    board,
    rows,
    columns,
    to_move,
    ko,
    banned_offsets,
    banned,
    last_moves,
    taken1_offsets,
    taken1,
    taken2_offsets,
    taken2,
    white_points,
    ko_rules,
    suicides,
    territories,
    planes,
    globals_out,
):
    """Fill ``planes`` (B, 22, pad, pad) uint8 and ``globals_out`` (B, 19) float32, both zero.

    The first arguments are the fields of Rows; ``white_points`` (B,) is what
    ``points_to_white`` gives, ``ko_rules`` 0 simple, 1 positional, 2 situational.
    """
    height, width = np.int64(1), np.int64(1)
    workplace = new_workplace(height, width)
    for i in range(rows.shape[0]):
        n_rows, n_columns = np.int64(rows[i]), np.int64(columns[i])
        if n_rows != height or n_columns != width:
            height, width = n_rows, n_columns
            workplace = new_workplace(height, width)
        fill_row(
            workplace,
            board[i, : n_rows * n_columns].copy(),
            np.int64(to_move[i]),
            np.int64(ko[i]),
            banned[banned_offsets[i] : banned_offsets[i + 1]],
            last_moves[i],
            taken1[taken1_offsets[i] : taken1_offsets[i + 1]],
            taken2[taken2_offsets[i] : taken2_offsets[i + 1]],
            white_points[i],
            np.int64(ko_rules[i]),
            suicides[i],
            territories[i],
            planes[i],
            globals_out[i],
        )


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one, zeros, none = np.ones(1, np.uint8), np.zeros(2, np.int64), np.zeros(0, np.int16)
    fill_rows(
        np.zeros((1, 1), np.uint8),
        one,
        one,
        one,
        np.full(1, -1, np.int16),
        zeros,
        none,
        np.full((1, 5), -1, np.int16),
        zeros,
        none,
        zeros,
        none,
        np.zeros(1),
        one,
        np.zeros(1, np.bool_),
        np.zeros(1, np.bool_),
        np.zeros((1, PLANES, 1, 1), np.uint8),
        np.zeros((1, GLOBALS), np.float32),
    )
