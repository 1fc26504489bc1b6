"""Winning and points in one number that the tree can average."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.search.settings import SearchSettings

__all__ = ["utility_of"]

STATIC_WIDTH, DYNAMIC_WIDTH = 2.0, 0.75  # times the board's side, as in KataGo

Array = npt.NDArray[Any]


def utility_of(
    value: Array, score: Array | None, center: Array, cells: int, settings: SearchSettings
) -> npt.NDArray[np.float64]:
    """Return (B,) utilities in [-1, 1] for the side to move.

    To winning (``value``) come two arctangents of the ``score``, one round 0, one round ``center``,
    what the root expects seen from the same side (Wu 2019, appendix F). The sum is divided by the
    weights' total. Without scores it is the value.
    """
    known = np.asarray(value, np.float64)
    if score is None:
        return known
    points = np.asarray(score, np.float64)
    side = math.sqrt(cells)
    static = np.arctan(points / (STATIC_WIDTH * side)) * (2 / math.pi)
    dynamic = np.arctan((points - center) / (DYNAMIC_WIDTH * side)) * (2 / math.pi)
    a, b = settings.static_score, settings.dynamic_score
    return (known + a * static + b * dynamic) / (1.0 + a + b)
