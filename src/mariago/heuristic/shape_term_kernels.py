# pyright: basic
"""The terms of shape and of touching stones, one row of ``term_list`` at a time."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    COLUMNS,
    EMPTY,
    HEAD,
    HEADER,
    LAST,
    LIBERTIES,
    ROWS,
    STONES,
    STRIDE,
    TO_MOVE,
    neighbour,
    new_state,
)
from mariago.heuristic import term_list as term
from mariago.tactics import fact_kernels as fact


@kernel
def read_link(s, p, row, column, x):
    """Write which of one-point jump, knight's move and two-space extension reach an own stone."""
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    for side in range(4):
        step = (-stride, -1, 1, stride)[side]
        first = p + step
        if s[HEADER + first] != EMPTY:
            continue
        second = first + step
        color = s[HEADER + second]
        if color == own:
            x[term.JUMP] = 1.0
            continue
        if color != EMPTY:
            continue
        across = 1 if abs(step) == stride else stride
        for turn in (-across, across):
            if s[HEADER + second + turn] == own and s[HEADER + first + turn] == EMPTY:
                x[term.KNIGHT] = 1.0
        if s[HEADER + second + step] == own:
            lines = min(row, s[ROWS] + 1 - row, column, s[COLUMNS] + 1 - column)
            x[term.EXTENSION] = max(x[term.EXTENSION], 1.0 if 3 <= lines <= 4 else 0.5)


@kernel
def read_corners(s, p, x):
    """Write the shapes on the four squares of 2 by 2 points that ``p`` is a corner of."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    other = 3 - own
    for side in range(2):
        a = p + (-stride, stride)[side]
        for turn in range(2):
            b = p + (-1, 1)[turn]
            d = a + b - p
            at_a, at_b, at_d = s[HEADER + a], s[HEADER + b], s[HEADER + d]
            if at_d == own:
                if (at_a == other and at_b == EMPTY) or (at_b == other and at_a == EMPTY):
                    x[term.HANE] = 1.0
                if at_a == EMPTY and at_b == EMPTY:
                    x[term.DIAGONAL] = 1.0
                if at_a == other and at_b == other:
                    x[term.CUTS_THROUGH] = 1.0
                if (at_a == own and at_b == EMPTY) or (at_b == own and at_a == EMPTY):
                    x[term.EMPTY_TRIANGLE] += 1.0
                if at_a == own and at_b == own:
                    x[term.LUMP] += 1.0
            elif at_a == own and at_b == own and (at_d == other or at_d == EMPTY):
                head_a = s[HEADER + HEAD * area + a]
                head_b = s[HEADER + HEAD * area + b]
                if head_a != head_b and at_d == other:
                    x[term.MENDS] = 1.0
                if at_d == EMPTY:
                    x[term.EMPTY_TRIANGLE] += 1.0
            elif at_d == other and at_a == EMPTY and at_b == EMPTY:
                x[term.SHOULDER] = 1.0
            if at_a == other and at_b == other and at_d == EMPTY:
                head_a = s[HEADER + HEAD * area + a]
                head_b = s[HEADER + HEAD * area + b]
                if head_a != head_b:
                    x[term.PEEP_CUT] = 1.0


@kernel
def read_contact(s, p, facts, caught, x):
    """Write the terms of touching stones and of liberties."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    joins, cuts = facts[fact.JOINS], facts[fact.CUTS]
    if joins >= 2 and cuts >= 1:
        x[term.JOIN] = 1.0
    if cuts >= 2:
        x[term.CUT] = 1.0
    if joins >= 1 and cuts >= 1:
        x[term.CONTACT] = 1.0
    elif joins >= 1:
        x[term.SOLID] = 1.0
    elif cuts >= 1:
        x[term.ATTACHMENT] = 1.0
    after = facts[fact.LIBERTIES_AFTER]
    if after < 3:
        x[term.SHORT_OF_LIBERTIES] = 3.0 - after
    for side in range(4):
        q = neighbour(p, side, stride)
        color = s[HEADER + q]
        if (color != own and color != 3 - own) or caught[q]:
            continue
        head = np.int64(s[HEADER + HEAD * area + q])
        liberties = s[HEADER + LIBERTIES * area + head]
        stones = min(8, s[HEADER + STONES * area + head])
        if color == own:
            if liberties <= 3 and after > liberties:
                x[term.STRETCH] = max(x[term.STRETCH], np.float32(stones))
        elif liberties == 2:
            x[term.SQUEEZE_2] = max(x[term.SQUEEZE_2], np.float32(stones))
        elif liberties == 3:
            x[term.SQUEEZE_3] = max(x[term.SQUEEZE_3], np.float32(stones))
        elif liberties == 4:
            x[term.SQUEEZE_4] = max(x[term.SQUEEZE_4], np.float32(stones))


@kernel
def read_answer(s, p, x):
    """Write how near the move is to the last one: dx + dy + max(dx, dy) of 2, 3, 4, 5-6, 7-9."""
    stride = np.int64(s[STRIDE])
    last = np.int64(s[LAST])
    if last <= 0:
        return
    dy = abs(p // stride - last // stride)
    dx = abs(p % stride - last % stride)
    distance = dx + dy + max(dx, dy)
    if distance <= 2:
        x[term.ANSWER_TOUCH] = 1.0
    elif distance == 3:
        x[term.ANSWER_DIAGONAL] = 1.0
    elif distance == 4:
        x[term.ANSWER_JUMP] = 1.0
    elif distance <= 6:
        x[term.ANSWER_NEAR] = 1.0
    elif distance <= 9:
        x[term.ANSWER_AROUND] = 1.0


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    x = np.zeros(term.COUNT, np.float32)
    read_link(s, np.int64(9), np.int64(2), np.int64(2), x)
    read_corners(s, np.int64(9), x)
    read_contact(s, np.int64(9), np.zeros(fact.FACTS, np.int32), np.zeros(s.shape[0], np.uint8), x)
    read_answer(s, np.int64(9), x)
