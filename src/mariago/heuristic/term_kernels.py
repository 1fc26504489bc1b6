# pyright: basic
"""The terms of the rule-based player, added up for every legal move of a board."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    COLUMNS,
    EMPTY,
    HEADER,
    LAST,
    ROWS,
    STRIDE,
    TO_MOVE,
    WHITE,
    new_state,
)
from mariago.tactics import fact_kernels as fact
from mariago.tactics.flag_kernels import CAPTURES, FLAGS, SAVES, SELF_ATARI
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.shape_kernels import EYE, FALSE_EYE

TERMS = (
    *("capture", "capture_stone", "capture_caught_stone", "save", "save_stone", "avert"),
    *("avert_stone", "self_atari", "self_atari_stone", "own_caught", "own_caught_stone"),
    *("double_atari", "working_ladder", "working_ladder_stone", "broken_ladder"),
    *("tigers_mouth_entry", "tigers_mouth_fill", "futile", "own_territory"),
    *("double_atari_risk", "false_eye", "corner", "approach", "good_line", "low_line"),
    *("far_centre", "room", "jump", "knight", "extension", "frontier", "overrun"),
    *(
        "join",
        "cut",
        "contact",
        "solid",
        "short_of_liberties",
        "near_last",
        "edge",
        "boundary",
        "centre",
    ),
)
(CAPTURE, CAPTURE_STONE, CAPTURE_CAUGHT_STONE, SAVE, SAVE_STONE, AVERT) = range(6)
(AVERT_STONE, SELF, SELF_STONE, OWN_CAUGHT, OWN_CAUGHT_STONE) = range(6, 11)
(DOUBLE_ATARI, LADDER, LADDER_STONE, BROKEN_LADDER) = range(11, 15)
(MOUTH_ENTRY, MOUTH_FILL, FUTILE, OWN_TERRITORY) = range(15, 19)
(DOUBLE_ATARI_RISK, FALSE, CORNER, APPROACH, GOOD_LINE, LOW_LINE) = range(19, 25)
(FAR_CENTRE, ROOM, JUMP, KNIGHT, EXTENSION, FRONTIER, OVERRUN) = range(25, 32)
(JOIN, CUT, CONTACT, SOLID, SHORT, NEAR_LAST, EDGE, BOUNDARY, CENTRE) = range(32, 41)

OPENING_MOVES = 70.0  # on 19x19; smaller boards in proportion
REACH = 4  # how far a stone's influence goes
FULL_INFLUENCE = 16.0


@kernel
def spread_influence(s, caught, out):
    """Write both sides' influence on every point into ``out`` float32 (3, area), by colour.

    A stone gives 8 to its own point, 4, 2, 1, 1/2 at distances 1 to 4; stones that a ladder takes
    give none.
    """
    stride = np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    out[:] = 0.0
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            p = row * stride + column
            color = s[HEADER + p]
            if color == EMPTY or caught[p]:
                continue
            for y in range(max(1, row - REACH), min(rows, row + REACH) + 1):
                left = REACH - abs(y - row)
                for x in range(max(1, column - left), min(columns, column + left) + 1):
                    distance = abs(y - row) + abs(x - column)
                    out[color, y * stride + x] += 8.0 / (1 << distance)


@kernel
def _nearest_stone(s, row, column, reach):
    """Return the distance (larger of rows and columns) to the nearest stone, up to ``reach``."""
    stride = np.int64(s[STRIDE])
    for distance in range(1, reach):
        for y in range(row - distance, row + distance + 1):
            if y < 1 or y > s[ROWS]:
                continue
            step = 1 if abs(y - row) == distance else 2 * distance
            for x in range(column - distance, column + distance + 1, step):
                if 1 <= x <= s[COLUMNS] and s[HEADER + y * stride + x] != EMPTY:
                    return distance
    return reach


@kernel
def _corner_stones(s, row, column, side):
    """Count the stones by colour in the square corner of ``side`` points that the point lies in."""
    stride = np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    top = 1 if 2 * row <= rows + 1 else rows - side + 1
    left = 1 if 2 * column <= columns + 1 else columns - side + 1
    black = white = 0
    for y in range(top, top + side):
        for x in range(left, left + side):
            color = s[HEADER + y * stride + x]
            black += color == BLACK
            white += color == WHITE
    return black, white


@kernel
def _opening(s, row, column, weights):
    """Return the opening's terms of a point."""
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    line_y = min(row, rows + 1 - row)
    line_x = min(column, columns + 1 - column)
    line = min(line_y, line_x)
    shorter = min(rows, columns)
    value = 0.0
    good = 3 <= line <= (4 if shorter >= 11 else 3)
    if shorter >= 7:
        if line <= 2:
            return weights[LOW_LINE] * (1.0 if line == 1 else 0.6)
        if good:
            value += weights[GOOD_LINE]
        elif shorter >= 11:
            value += weights[FAR_CENTRE]
    elif line == 1:
        return weights[LOW_LINE]
    value += weights[ROOM] * (_nearest_stone(s, row, column, 6) - 1)
    if 2 * row == rows + 1 or 2 * column == columns + 1:
        return value  # on a middle line, in no corner
    if shorter >= 7 and line_y in (3, 4) and line_x in (3, 4):
        black, white = _corner_stones(s, row, column, max(3, shorter // 3))
        if black + white == 0:
            value += weights[CORNER] * (0.8 if line_y == line_x == 3 and shorter >= 11 else 1.0)
    elif shorter >= 11 and good:
        black, white = _corner_stones(s, row, column, shorter // 3)
        theirs = white if s[TO_MOVE] == BLACK else black
        if theirs == 1 and black + white == 1:
            value += weights[APPROACH]
    return value


@kernel
def _link(s, p, row, column, weights):
    """Return the best of one-point jump, knight's move and two-space extension to an own stone."""
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    best = 0.0
    for side in range(4):
        step = (-stride, -1, 1, stride)[side]
        first = p + step
        if s[HEADER + first] != EMPTY:
            continue
        second = first + step
        color = s[HEADER + second]
        if color == own:
            best = max(best, weights[JUMP])
            continue
        if color != EMPTY:
            continue
        across = 1 if abs(step) == stride else stride
        for turn in (-across, across):
            if s[HEADER + second + turn] == own and s[HEADER + first + turn] == EMPTY:
                best = max(best, weights[KNIGHT])
        if s[HEADER + second + step] == own:
            lines = min(row, s[ROWS] + 1 - row, column, s[COLUMNS] + 1 - column)
            best = max(best, weights[EXTENSION] * (1.0 if 3 <= lines <= 4 else 0.4))
    return best


@kernel
def _tactics(facts, weights):
    """Return the terms of tactics and faults of one row of facts."""
    value = 0.0
    caught = facts[fact.CAPTURES_CAUGHT]
    fresh = facts[CAPTURES] - caught
    if fresh > 0:
        value += weights[CAPTURE] + weights[CAPTURE_STONE] * fresh
    value += weights[CAPTURE_CAUGHT_STONE] * caught
    if facts[fact.OWN_CAUGHT] > 0:
        if facts[CAPTURES] == 0:
            stones = facts[fact.OWN_CAUGHT]
            value += weights[OWN_CAUGHT] + weights[OWN_CAUGHT_STONE] * stones
    elif facts[SAVES] > 0:
        value += weights[SAVE] + weights[SAVE_STONE] * facts[SAVES]
    if facts[fact.AVERTS] > 0:
        value += weights[AVERT] + weights[AVERT_STONE] * facts[fact.AVERTS]
    if facts[SELF_ATARI] > 0:
        value += weights[SELF] + weights[SELF_STONE] * facts[SELF_ATARI]
    if facts[fact.CHAINS_IN_ATARI] >= 2:
        value += weights[DOUBLE_ATARI]
    if facts[fact.LADDER_WORKS] > 0:
        value += weights[LADDER] + weights[LADDER_STONE] * facts[fact.LADDER_WORKS]
    elif facts[fact.LADDER_BROKEN] > 0 and facts[fact.CHAINS_IN_ATARI] < 2:
        if facts[CAPTURES] == 0 and facts[SAVES] == 0:
            value += weights[BROKEN_LADDER]
    if facts[fact.ENTERS_MOUTH] and facts[fact.LIBERTIES_AFTER] == 1:
        value += weights[MOUTH_ENTRY]
    if facts[fact.FILLS_MOUTH]:
        value += weights[MOUTH_FILL]
    if facts[fact.FUTILE]:
        value += weights[FUTILE]
    if facts[fact.OWN_TERRITORY]:
        value += weights[OWN_TERRITORY]
    if facts[fact.DOUBLE_ATARI_RISK] and facts[CAPTURES] == 0:
        value += weights[DOUBLE_ATARI_RISK]
    if facts[fact.OWN_EYE] == FALSE_EYE and facts[SAVES] == 0 and facts[fact.AVERTS] == 0:
        value += weights[FALSE]
    return value


@kernel
def _contact(s, p, facts, weights):
    """Return the terms of touching stones."""
    value = 0.0
    joins, cuts = facts[fact.JOINS], facts[fact.CUTS]
    if joins >= 2 and cuts >= 1:
        value += weights[JOIN]
    if cuts >= 2:
        value += weights[CUT]
    if joins >= 1 and cuts >= 1:
        value += weights[CONTACT]
    elif joins >= 1:
        value += weights[SOLID]
    if facts[fact.LIBERTIES_AFTER] < 3:
        value += weights[SHORT] * (3 - facts[fact.LIBERTIES_AFTER])
    return value


@kernel
def _near(s, p, q):
    stride = np.int64(s[STRIDE])
    return q > 0 and abs(p // stride - q // stride) + abs(p % stride - q % stride) <= 3


@kernel
def score_board(s, legal, suicide, move_number, weights, out):
    """Write the score of every move into ``out`` float32 (cells + 1); pass, last, is 0.

    Moves that ``legal`` (uint8, cells + 1) forbids, suicides and own eyes get minus infinity.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    own = np.int64(s[TO_MOVE])
    work = ladder_workspace(rows, columns)
    caught = np.empty(area, np.uint8)
    touches = np.empty(area, np.uint8)
    sizes = np.empty(area, np.int16)
    settled = np.empty(area, np.uint8)
    fact.survey(s, suicide, work, caught, touches, sizes, settled)
    influence = np.empty((3, area), np.float32)
    spread_influence(s, caught, influence)
    scratch = np.empty((2, s.shape[0]), np.int16)
    flags = np.empty(FLAGS, np.uint16)
    facts = np.empty(fact.FACTS, np.int32)
    length = OPENING_MOVES * rows * columns / 361.0
    fresh = min(1.0, max(0.0, 2.0 - 2.0 * move_number / length))
    out[rows * columns] = 0.0
    for move in range(rows * columns):
        out[move] = -np.inf
        if not legal[move]:
            continue
        row, column = move // columns + 1, move % columns + 1
        p = row * stride + column
        fact.read_facts(s, p, work, scratch, caught, touches, sizes, settled, flags, facts)
        if facts[fact.LIBERTIES_AFTER] == 0 or facts[fact.OWN_EYE] == EYE:
            continue
        value = _tactics(facts, weights) + _contact(s, p, facts, weights)
        value += _link(s, p, row, column, weights)
        if fresh > 0:
            value += fresh * _opening(s, row, column, weights)
        mine, theirs = influence[own, p], influence[3 - own, p]
        value += weights[FRONTIER] * min(mine, theirs, FULL_INFLUENCE) / FULL_INFLUENCE
        if theirs > 2.0 * mine + 4.0:
            value += weights[OVERRUN]
        if _near(s, p, s[LAST]):
            value += weights[NEAR_LAST]
        if mine >= 1.0 and theirs >= 1.0 and touches[p] == BLACK | WHITE:
            value += weights[BOUNDARY] * (1.0 - fresh)
        elif min(row, column, rows + 1 - row, columns + 1 - column) == 1:
            value += weights[EDGE]
        if weights[CENTRE] != 0:
            away = abs(2 * row - rows - 1) + abs(2 * column - columns - 1)
            value += weights[CENTRE] / (1.0 + away)
        out[move] = value


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    weights = np.zeros(len(TERMS), np.float32)
    score_board(s, np.ones(10, np.uint8), False, 0, weights, np.zeros(10, np.float32))
