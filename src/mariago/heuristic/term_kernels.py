# pyright: basic
"""The terms of the rule-based player, written and added up for every legal move of a board."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    COLUMNS,
    EMPTY,
    ROWS,
    STRIDE,
    TO_MOVE,
    WHITE,
    new_state,
)
from mariago.heuristic import term_list as term
from mariago.heuristic.group_kernels import mark_care
from mariago.heuristic.influence_kernels import gain_of, spread
from mariago.heuristic.opening_term_kernels import read_opening
from mariago.heuristic.region_kernels import DAME, OPEN, mark_dead, mark_owners
from mariago.heuristic.shape_term_kernels import (
    read_answer,
    read_contact,
    read_corners,
    read_link,
)
from mariago.tactics import fact_kernels as fact
from mariago.tactics.flag_kernels import CAPTURES, FLAGS, GIVES_ATARI, SAVES, SELF_ATARI
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.shape_kernels import EYE, FALSE_EYE

OPENING_MOVES = 70.0  # on 19x19; smaller boards in proportion
FULL_INFLUENCE = 64.0
SHARE = 6  # a region of up to 1/6 of the board that one colour surrounds is its territory
NO_LIFE = 12  # in a region of the opponent's this small nothing lives


@kernel
def _read_tactics(facts, x):
    """Write the terms of tactics and faults of one row of facts."""
    caught = facts[fact.CAPTURES_CAUGHT]
    fresh = facts[CAPTURES] - caught
    if fresh > 0:
        x[term.CAPTURE] = 1.0
        x[term.CAPTURE_STONE] = fresh
    x[term.CAPTURE_CAUGHT_STONE] = caught
    if facts[SAVES] > 0:
        x[term.SAVE] = 1.0
        x[term.SAVE_STONE] = facts[SAVES]
        if facts[fact.OWN_CAUGHT] == 0:
            x[term.VITAL] = 1.0
            x[term.VITAL_STONE] = facts[SAVES]
    if facts[fact.OWN_CAUGHT] > 0 and facts[CAPTURES] == 0:
        x[term.OWN_CAUGHT] = 1.0
        x[term.OWN_CAUGHT_STONE] = facts[fact.OWN_CAUGHT]
    if facts[fact.AVERTS] > 0:
        x[term.AVERT] = 1.0
        x[term.AVERT_STONE] = facts[fact.AVERTS]
    if facts[SELF_ATARI] > 0:
        x[term.SELF] = 1.0
        x[term.SELF_STONE] = facts[SELF_ATARI]
    if facts[fact.CHAINS_IN_ATARI] >= 2:
        x[term.DOUBLE_ATARI] = 1.0
    if facts[GIVES_ATARI] > 0 and facts[SELF_ATARI] == 0:
        x[term.ATARI] = 1.0
    if facts[fact.LADDER_WORKS] > 0:
        x[term.LADDER] = 1.0
        x[term.LADDER_STONE] = facts[fact.LADDER_WORKS]
    elif facts[fact.LADDER_BROKEN] > 0 and facts[fact.CHAINS_IN_ATARI] < 2:
        if facts[CAPTURES] == 0 and facts[SAVES] == 0:
            x[term.BROKEN_LADDER] = 1.0
    if facts[fact.ENTERS_MOUTH] and facts[fact.LIBERTIES_AFTER] == 1:
        x[term.MOUTH_ENTRY] = 1.0
    if facts[fact.FILLS_MOUTH]:
        x[term.MOUTH_FILL] = 1.0
    if facts[fact.FUTILE]:
        x[term.FUTILE] = 1.0
    if facts[fact.OWN_TERRITORY]:
        x[term.OWN_TERRITORY] = 1.0
    if facts[fact.DOUBLE_ATARI_RISK] and facts[CAPTURES] == 0:
        x[term.DOUBLE_ATARI_RISK] = 1.0
    if facts[fact.OWN_EYE] == FALSE_EYE and facts[SAVES] == 0 and facts[fact.AVERTS] == 0:
        x[term.FALSE] = 1.0


@kernel
def _may_matter(s, p, facts, whose, extent, settled, area_counts):
    """Say whether a move can still change the count, for all that is known of the region."""
    if facts[CAPTURES] > facts[fact.CAPTURES_CAUGHT] or facts[SAVES] > 0:
        return facts[fact.OWN_CAUGHT] == 0 or facts[CAPTURES] > 0
    if facts[fact.AVERTS] > 0 or facts[fact.LADDER_WORKS] > 0:
        return True
    if facts[SELF_ATARI] > 0 and facts[GIVES_ATARI] == 0:
        return False
    if settled[p] != EMPTY:
        return False
    if whose[p] == DAME:
        return area_counts
    if whose[p] == OPEN or whose[p] == EMPTY:
        return True
    cells = np.int64(s[ROWS]) * np.int64(s[COLUMNS])
    small = extent[p] * SHARE <= cells
    if whose[p] == s[TO_MOVE]:
        return not small
    return not (small and extent[p] <= NO_LIFE)


@kernel
def _read_place(s, row, column, x):
    """Write the terms of lines and of the distance to the middle."""
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    line = min(row, column, rows + 1 - row, columns + 1 - column)
    if line == 1:
        x[term.LINE_1] = 1.0
    elif line == 2:
        x[term.LINE_2] = 1.0
    elif line == 3:
        x[term.LINE_3] = 1.0
    elif line == 4:
        x[term.LINE_4] = 1.0
    away = abs(2 * row - rows - 1) + abs(2 * column - columns - 1)
    x[term.CENTRE] = 1.0 / (1.0 + away)


@kernel
def _read_field(mine, theirs, x):
    """Write the terms of both sides' influence on a point."""
    x[term.FRONTIER] = min(mine, theirs, FULL_INFLUENCE) / FULL_INFLUENCE
    if theirs > 2 * mine + 16:
        x[term.OVERRUN] = 1.0


@kernel
def read_board(s, legal, suicide, area_counts, progress, weights, rows_out, out):
    """Write the score of every move into ``out`` float32 (cells + 1); pass, last, is 0.

    Moves that ``legal`` (uint8, cells + 1) forbids, suicides and own eyes get minus infinity.
    ``rows_out`` float32 (cells, terms) gets what each term counts; (0, terms) leaves that out.
    ``progress`` counts moves or stones, whichever are more; with ``area_counts`` dame are worth a
    point.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    keep = rows_out.shape[0] > 0
    work = ladder_workspace(rows, columns)
    caught = np.empty(area, np.uint8)
    touches = np.empty(area, np.uint8)
    sizes = np.empty(area, np.int16)
    settled = np.empty(area, np.uint8)
    fact.survey(s, suicide, work, caught, touches, sizes, settled)
    dead = np.empty(area, np.uint8)
    whose = np.empty(area, np.uint8)
    extent = np.empty(area, np.int16)
    mark_dead(s, caught, dead)
    mark_owners(s, dead, whose, extent)
    seen = np.empty(area, np.int32)
    queue = np.empty(area, np.int32)
    amounts = np.empty(area, np.int32)
    mine = np.empty(area, np.int32)
    theirs = np.empty(area, np.int32)
    balance = np.empty(area, np.int32)
    group = np.empty(area, np.int32)
    care = np.empty(area, np.int32)
    mark = spread(s, dead, seen, queue, amounts, mine, theirs)
    for p in range(area):
        balance[p] = mine[p] - theirs[p]
    weighs_gain = keep or weights[term.AREA_GAIN] != 0 or weights[term.GROUP_GAIN] != 0
    if weighs_gain:
        mark = mark_care(s, dead, settled, balance, group, seen, mark, care)
    scratch = np.empty((2, s.shape[0]), np.int16)
    flags = np.empty(FLAGS, np.uint16)
    facts = np.empty(fact.FACTS, np.int32)
    x = np.empty(term.COUNT, np.float32)
    length = OPENING_MOVES * rows * columns / 361.0
    fresh = min(1.0, max(0.0, 2.0 - 2.0 * progress / length))
    out[rows * columns] = 0.0
    for move in range(rows * columns):
        out[move] = -np.inf
        x[:] = 0.0
        if keep:
            rows_out[move] = x
        if not legal[move]:
            continue
        row, column = move // columns + 1, move % columns + 1
        p = row * stride + column
        fact.read_facts(s, p, work, scratch, caught, touches, sizes, settled, flags, facts)
        if facts[fact.LIBERTIES_AFTER] == 0 or facts[fact.OWN_EYE] == EYE:
            continue
        _read_tactics(facts, x)
        read_contact(s, p, facts, caught, x)
        read_link(s, p, row, column, x)
        read_corners(s, p, x)
        read_answer(s, p, x)
        _read_place(s, row, column, x)
        _read_field(mine[p], theirs[p], x)
        if fresh > 0:
            read_opening(s, row, column, fresh, x)
        if touches[p] == BLACK | WHITE and mine[p] >= 4 and theirs[p] >= 4:
            x[term.BOUNDARY] = 1.0 - fresh
        if weighs_gain:
            mark += 1
            plain, dear = gain_of(s, p, dead, seen, mark, queue, amounts, balance, care)
            x[term.AREA_GAIN] = plain
            x[term.GROUP_GAIN] = dear / 64.0
        useful = _may_matter(s, p, facts, whose, extent, settled, area_counts)
        x[term.MATTERS] = 1.0 if useful else -1.0
        value = np.float32(0.0)
        for i in range(term.COUNT):
            value += x[i] * weights[i]
        out[move] = value
        if keep:
            rows_out[move] = x


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    weights = np.zeros(term.COUNT, np.float32)
    rows = np.zeros((0, term.COUNT), np.float32)
    out = np.zeros(10, np.float32)
    read_board(s, np.ones(10, np.uint8), False, True, 0, weights, rows, out)
