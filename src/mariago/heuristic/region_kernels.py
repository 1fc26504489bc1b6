# pyright: basic
"""Whose the empty regions are, dead stones taken off, and which points are dame."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    BORDER,
    EMPTY,
    HEAD,
    HEADER,
    LIBERTIES,
    STRIDE,
    WHITE,
    neighbour,
    new_state,
)

OPEN, DAME = 3, 4  # touched by both; and at every one of its points


@kernel
def mark_dead(s, caught, dead):
    """Mark the stones that fall though their owner moves first: in atari, and no ladder helps."""
    area = np.int64(s[AREA])
    for p in range(area):
        dead[p] = 0
        if caught[p]:
            dead[p] = s[HEADER + LIBERTIES * area + s[HEADER + HEAD * area + p]] == 1


@kernel
def mark_owners(s, dead, whose, extent):
    """Describe the region of every empty point or dead stone, by padded point.

    ``whose`` uint8: BLACK or WHITE where only that colour's living stones touch it, OPEN where both
    do, DAME where both touch every point of it, EMPTY where nobody does; ``extent`` int16 its
    points.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    queue = np.empty(area, np.int64)
    for p in range(area):
        whose[p] = 0
        extent[p] = 0
    for p in range(stride, area - stride):
        inside = s[HEADER + p] == EMPTY or (s[HEADER + p] != BORDER and dead[p])
        if not inside or extent[p] != 0:
            continue
        queue[0] = p
        extent[p] = 1
        tail = 1
        at = 0
        colors = 0
        narrow = True
        while at < tail:
            q = queue[at]
            at += 1
            touched = 0
            for side in range(4):
                t = neighbour(q, side, stride)
                around = s[HEADER + t]
                if around == BORDER:
                    continue
                if around == EMPTY or dead[t]:
                    if extent[t] == 0:
                        extent[t] = 1
                        queue[tail] = t
                        tail += 1
                else:
                    touched |= around
            colors |= touched
            if touched != BLACK | WHITE:
                narrow = False
        if narrow:
            colors = DAME
        for i in range(tail):
            whose[queue[i]] = colors
            extent[queue[i]] = tail


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    area = int(s[AREA])
    caught, dead, whose = np.zeros((3, area), np.uint8)
    mark_dead(s, caught, dead)
    mark_owners(s, dead, whose, np.zeros(area, np.int16))
