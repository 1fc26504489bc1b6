"""Winning and points in one number that the tree can average."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.search.settings import SearchSettings
from mariago.search.utility_kernels import utilities

__all__ = ["utility_of"]

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
    out = np.empty(len(known))
    utilities(
        *(known, np.asarray(score, np.float64), center, math.sqrt(cells)),
        *(settings.static_score, settings.dynamic_score, out),
    )
    return out
