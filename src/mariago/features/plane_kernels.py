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
from mariago.board.setup_kernels import point_of, rebuild_chains, set_stones_to_read
from mariago.tactics.area_kernels import area_as_it_stands
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.ladder_map_kernels import mark_caught, mark_ladders

PLANES = 22
GLOBALS = 19
_KOMI_PER_UNIT = 20.0
_KOMI_BEYOND_AREA = 20.0  # komi is clipped to the number of points and this much more


@kernel
def _undo(s, last, taken, mover, columns):
    """Turn the board into that before ``mover`` played ``last``, which emptied ``taken``."""
    at = HEADER + point_of(last, columns)
    back = mover if s[at] == EMPTY else 3 - mover  # own stones left where it was a suicide
    for i in range(taken.shape[0]):
        s[HEADER + point_of(np.int64(taken[i]), columns)] = back
    s[at] = EMPTY
    rebuild_chains(s)


@kernel
def _set_ko(s, last, taken, cells, columns):
    """Set the ko point that a move left, where it took one stone and stands alone in atari."""
    if last < 0 or last >= cells or taken.shape[0] != 1 or taken[0] == last:
        return
    area = np.int64(s[AREA])
    p = point_of(last, columns)
    head = s[HEADER + HEAD * area + p]
    if s[HEADER + p] != EMPTY and s[HEADER + STONES * area + head] == 1:
        if s[HEADER + LIBERTIES * area + head] == 1:
            s[KO] = point_of(np.int64(taken[0]), columns)


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
    """Set 1 in ``plane`` (pad, pad) where ``padded``, by padded point, equals ``value``, else 0."""
    for row in range(rows):
        base = (row + 1) * (columns + 1) + 1
        for column in range(columns):
            plane[row, column] = padded[base + column] == value


@kernel
def _fill_stones(s, own, planes, rows, columns):
    area = np.int64(s[AREA])
    for row in range(rows):
        base = (row + 1) * (columns + 1) + 1
        for column in range(columns):
            p = base + column
            color = s[HEADER + p]
            planes[0, row, column] = 1
            planes[1, row, column] = color == own
            planes[2, row, column] = color == 3 - own
            if color != EMPTY:
                liberties = s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + p]]
                for few in range(1, 4):
                    planes[2 + few, row, column] = liberties == few


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

    The state of the workplace holds the board with ``own`` to move, and is overwritten. ``gone1``
    and ``gone2`` are the moves that the last two moves emptied; for the rest see ``fill_rows``.
    """
    s, work, marks = workplace
    height, width = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    cells = height * width
    s[KO] = 0
    if ko >= 0:
        s[KO] = point_of(ko, width)
        planes[6, ko // width, ko % width] = 1
    for at in range(banned.shape[0]):
        move = np.int64(banned[at])
        if not _is_lone_suicide(s, point_of(move, width), own):
            planes[6, move // width, move % width] = 1
    _fill_stones(s, own, planes, height, width)
    _fill_past(last_moves, cells, width, planes, globals_out)
    last1, last2 = np.int64(last_moves[0]), np.int64(last_moves[1])
    self_komi = white_points if own == 2 else -white_points
    _fill_globals(self_komi, cells, ko_rule, suicide, territory, last1 == cells, globals_out)
    if not territory:
        area_as_it_stands(s, suicide, marks[0])
        _spread(marks[0], own, planes[18], height, width)
        _spread(marks[0], 3 - own, planes[19], height, width)
    mark_ladders(s, work, marks[0], marks[1])
    _spread(marks[0], 1, planes[14], height, width)
    _spread(marks[1], 1, planes[17], height, width)
    if last1 >= 0 and last1 < cells:
        _undo(s, last1, gone1, 3 - own, width)
        _set_ko(s, last2, gone2, cells, width)
        mark_caught(s, work, marks[0])
    _spread(marks[0], 1, planes[15], height, width)
    if last1 >= 0 and last2 >= 0 and last2 < cells:
        _undo(s, last2, gone2, own, width)
        mark_caught(s, work, marks[0])
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
        set_stones_to_read(workplace[0], board[i, : n_rows * n_columns])
        workplace[0][TO_MOVE] = to_move[i]
        fill_row(
            workplace,
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
