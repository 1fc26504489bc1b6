# pyright: basic
"""Shapes round one point: eyes, false eyes, tiger's mouths (虎口, hogu) and empty regions.

*Eye* of a colour: an empty point whose neighbours are all stones of that colour or border. It is
*false* where the opponent holds two of its diagonal points, or one at the edge: the usual rule of
thumb, which does not look whether the stones round it live.

*Tiger's mouth* of a colour: an empty point of whose four neighbours one is empty and three are
that colour's stones or border, two at least stones. An opposing stone played there takes nothing
unless a stone round it is in atari, and has one liberty, so it can be taken at once.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    EMPTY,
    HEADER,
    ROWS,
    STRIDE,
    neighbour,
    new_state,
    play,
)

NO_EYE, EYE, FALSE_EYE = 0, 1, 2


@kernel
def eye_at(s, p, color):
    """Return NO_EYE, EYE or FALSE_EYE for the empty point ``p`` and ``color``."""
    stride = np.int64(s[STRIDE])
    for side in range(4):
        around = s[HEADER + neighbour(p, side, stride)]
        if around != color and around != BORDER:
            return NO_EYE
    area = np.int64(s[AREA])
    spoiled = 0
    edge = 0
    for diagonal in (p - stride - 1, p - stride + 1, p + stride - 1, p + stride + 1):
        around = s[HEADER + diagonal] if 0 <= diagonal < area else BORDER
        if around == BORDER:
            edge = 1
        elif around == 3 - color:
            spoiled += 1
    return FALSE_EYE if spoiled + edge >= 2 and spoiled > 0 else EYE


@kernel
def is_tigers_mouth(s, p, color):
    """Say whether the empty point ``p`` is a tiger's mouth of ``color``."""
    stride = np.int64(s[STRIDE])
    open_sides = 0
    stones = 0
    for side in range(4):
        around = s[HEADER + neighbour(p, side, stride)]
        if around == EMPTY:
            open_sides += 1
        elif around == color:
            stones += 1
        elif around != BORDER:
            return False
    return open_sides == 1 and stones >= 2


@kernel
def mark_regions(s, touches, sizes):
    """Describe the empty region of every empty point, by padded point.

    ``touches`` uint8: the colours that border it, BLACK | WHITE; ``sizes`` int16: its points.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    queue = np.empty(area, np.int64)
    for p in range(area):
        sizes[p] = 0
        touches[p] = 0
    for p in range(stride, (s[ROWS] + 1) * stride):
        if s[HEADER + p] != EMPTY or sizes[p] != 0:
            continue
        queue[0] = p
        sizes[p] = 1
        tail = 1
        at = 0
        colors = 0
        while at < tail:
            q = queue[at]
            at += 1
            for side in range(4):
                t = neighbour(q, side, stride)
                around = s[HEADER + t]
                if around == BORDER:
                    continue
                if around != EMPTY:
                    colors |= around
                elif sizes[t] == 0:
                    sizes[t] = 1
                    queue[tail] = t
                    tail += 1
        for i in range(tail):
            touches[queue[i]] = colors
            sizes[queue[i]] = tail


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    play(s, 5)
    area = int(s[AREA])
    mark_regions(s, np.zeros(area, np.uint8), np.zeros(area, np.int16))
    eye_at(s, 6, 1)
    is_tigers_mouth(s, 6, 1)
