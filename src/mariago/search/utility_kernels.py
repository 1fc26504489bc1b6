# pyright: basic
"""Winning and points in one number."""

import math

import numpy as np

from mariago.board.jit import kernel

STATIC_WIDTH, DYNAMIC_WIDTH = 2.0, 0.75  # of the score's arctangents, times the board's side


@kernel
def utilities(value, score, centers, side, static, dynamic, out):
    """Write (B,) utilities; ``utility.utility_of`` says what they are."""
    whole = 1.0 + static + dynamic
    for i in range(value.shape[0]):
        a = math.atan(score[i] / (STATIC_WIDTH * side))
        b = math.atan((score[i] - centers[i]) / (DYNAMIC_WIDTH * side))
        out[i] = (value[i] + (static * a + dynamic * b) * 2.0 / math.pi) / whole


def warm():
    """Compile the kernel of this file, or load it from the cache."""
    one = np.ones(1)
    utilities(one, one, one, 1.0, 0.1, 0.1, one.copy())
