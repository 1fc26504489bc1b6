# pyright: basic
"""Influence of stones, the balance of both sides' on every point, and what one more stone moves.

A stone gives 32 to its own point and half as much at every step further, up to ``REACH`` steps;
the steps go round the opponent's stones and through dead stones. The edge throws influence
back, as if the board were mirrored there: a stone on the third line holds the points below it
better than those above. All is counted in whole numbers, so that a turned board has the same sums.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    COLUMNS,
    EMPTY,
    HEADER,
    ROWS,
    STRIDE,
    TO_MOVE,
    neighbour,
    new_state,
)

REACH = 5
STONE = 32  # influence of a stone on its own point
OWNED = 16  # balance from which on a point counts as owned


@kernel
def reach_of(s, p, color, dead, seen, mark, queue, amounts):
    """Write the points that a stone of ``color`` at ``p`` reaches, and how much; return how many.

    ``seen`` int32 by padded point holds the ``mark`` of the last call that saw it: give each call
    its own. ``queue`` and ``amounts`` are int32 by padded point.
    """
    stride = np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    row, column = p // stride, p % stride
    queue[0] = p
    amounts[0] = 0
    seen[p] = mark
    n = 1
    at = 0
    while at < n:
        q = np.int64(queue[at])
        steps = np.int64(amounts[at])
        y, x = q // stride, q % stride
        amounts[at] = STONE >> steps
        across = abs(x - column)
        along = abs(y - row)
        for mirrored in (
            row + y - 1 + across,
            2 * rows + 1 - row - y + across,
            column + x - 1 + along,
            2 * columns + 1 - column - x + along,
        ):
            if mirrored <= REACH:
                amounts[at] += STONE >> mirrored
        at += 1
        if steps == REACH:
            continue
        for side in range(4):
            t = neighbour(q, side, stride)
            there = s[HEADER + t]
            if there == BORDER or seen[t] == mark or (there == 3 - color and not dead[t]):
                continue
            seen[t] = mark
            queue[n] = t
            amounts[n] = steps + 1
            n += 1
    return n


@kernel
def spread(s, dead, seen, queue, amounts, mine, theirs):
    """Write the influence of the side to move and of the opponent, int32 by padded point.

    Dead stones have none. Return the marks used up in ``seen``.
    """
    area = np.int64(s[AREA])
    own = s[TO_MOVE]
    mark = 0
    for p in range(area):
        mine[p] = 0
        theirs[p] = 0
        seen[p] = 0
    for p in range(area):
        color = s[HEADER + p]
        if color == EMPTY or color == BORDER or dead[p]:
            continue
        mark += 1
        n = reach_of(s, p, color, dead, seen, mark, queue, amounts)
        if color == own:
            for i in range(n):
                mine[queue[i]] += amounts[i]
        else:
            for i in range(n):
                theirs[queue[i]] += amounts[i]
    return mark


@kernel
def gain_of(s, p, dead, seen, mark, queue, amounts, balance, care):
    """Return what a stone of the side to move at ``p`` adds: points, and points that matter.

    The first counts the points it brings over, whole where one goes from the opponent's to one's
    own; the second counts each with its ``care`` (int32 by padded point). A stone deep in the
    opponent's area adds less: it may not live.
    """
    n = reach_of(s, p, s[TO_MOVE], dead, seen, mark, queue, amounts)
    plain = 0
    dear = 0
    for i in range(n):
        q = queue[i]
        before = min(OWNED, max(-OWNED, balance[q]))
        after = min(OWNED, max(-OWNED, balance[q] + amounts[i]))
        plain += after - before
        dear += (after - before) * care[q]
    hope = min(8, max(0, 8 + (balance[p] + OWNED) // 4))
    return hope * plain / (16.0 * OWNED), hope * dear / (16.0 * OWNED)


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    area = int(s[AREA])
    seen, queue, amounts, mine, theirs = np.zeros((5, area), np.int32)
    dead = np.zeros(area, np.uint8)
    mark = spread(s, dead, seen, queue, amounts, mine, theirs)
    gain_of(s, np.int64(5), dead, seen, mark + 1, queue, amounts, mine, theirs)
