"""Checks of what a position is made from, before any of it reaches the kernels."""

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import WHITE
from mariago.errors import RulesError


def count_of(value: object, what: str) -> int:
    """Return a count such as handicap stones; ``what`` names it in the error.

    Raises:
        RulesError: not a whole number from 0.
    """
    try:
        count = index(value)  # pyright: ignore[reportArgumentType]
    except TypeError:
        count = -1
    if count < 0:
        raise RulesError(f"{what} cannot be {value!r}", hint="it is a whole number from 0")
    return count


def stones_of(stones: object) -> "npt.NDArray[np.uint8]":
    """Return colours as a (rows, columns) uint8 array of one's own.

    Raises:
        RulesError: not a board of whole numbers, or a number that is no colour.
    """
    try:
        found: npt.NDArray[Any] = np.asarray(stones)
    except ValueError:  # rows of different lengths
        raise RulesError("the rows of the set-up differ in length") from None
    if found.ndim != 2:
        raise RulesError(
            f"a set-up of {found.ndim} dimensions is no board", hint="give (rows, columns) colours"
        )
    whole = found.dtype.kind in "iu"
    if found.dtype.kind == "f":
        whole = bool(np.isfinite(found).all() and (found == np.trunc(found)).all())
    if not whole:
        raise RulesError(
            f"a set-up holds whole numbers, not these ({found.dtype})",
            hint="0 is empty, 1 is Black, 2 is White",
        )
    if found.size and not 0 <= int(found.min()) <= int(found.max()) <= WHITE:
        raise RulesError("a point of the set-up is neither empty, Black nor White")
    return np.array(found, np.uint8, order="C")
