"""The eight symmetries on planes and on policies; their numbers are those of ``board.geometry``.

A board smaller than its planes stays in the top left corner: only the board itself is turned.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.geometry import inverse, move_table, symmetric_size, turned
from mariago.board.points import Size
from mariago.errors import BadInputError

Array = npt.NDArray[Any]


def apply_symmetry(symmetry: int, planes: Array, size: "Size | None" = None) -> Array:
    """Return ``planes`` (..., H, W) after the symmetry, a new array of the same kind.

    ``size`` is the board's, whole planes where it is None. A turn that exchanges rows and columns
    needs H = W unless the planes are the board itself.
    """
    height, width = planes.shape[-2:]
    known = Size(height, width) if size is None else size
    if known == (height, width):
        return np.ascontiguousarray(turned(planes, symmetry))
    after = symmetric_size(known, symmetry)
    if after.rows > height or after.columns > width:
        raise BadInputError(f"a board of {after} does not fit planes of {width}x{height}")
    out = np.zeros_like(planes)
    board = planes[..., : known.rows, : known.columns]
    out[..., : after.rows, : after.columns] = turned(board, symmetry)
    return out


def apply_symmetry_to_policy(symmetry: int, policy: Array, size: Size) -> Array:
    """Return ``policy`` (..., cells + 1), one entry a move and pass last, after the symmetry."""
    out = np.empty_like(policy)
    out[..., move_table(size, symmetry)] = policy
    return out


def turned_back(
    symmetry: int, policy: Array, ownership: Array, size: Size
) -> "tuple[Array, Array]":
    """Return what was said of boards that had been turned, as of the boards before.

    Args:
        policy: (..., cells + 1) over the turned boards.
        ownership: (..., rows, columns) of the turned boards.
        size: the boards' before the symmetry.
    """
    back = inverse(symmetry)
    return (
        apply_symmetry_to_policy(back, policy, symmetric_size(size, symmetry)),
        apply_symmetry(back, ownership),
    )


@cache
def policy_gather(symmetry: int, size: Size, pad: int) -> "npt.NDArray[np.int64]":
    """Return the table with ``after = before[..., table]`` for policies over planes of pad x pad.

    (pad * pad + 1,) int64, a permutation: pass, last, stays; entries off the board trade places
    among themselves. Shared and read-only.
    """
    after = symmetric_size(size, symmetry)
    grid = np.arange(pad * pad).reshape(pad, pad)
    source = np.full((pad, pad), -1, np.int64)
    source[: after.rows, : after.columns] = turned(grid[: size.rows, : size.columns], symmetry)
    left = np.setdiff1d(grid.ravel(), source.ravel())
    source[source < 0] = left
    table = np.append(source.ravel(), pad * pad)
    table.flags.writeable = False
    return table
