"""Inputs of live positions, read off the boards at once: what a player asks its net."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError
from mariago.features.live_kernels import fill_live
from mariago.features.plane_kernels import GLOBALS, PLANES
from mariago.features.rows import rule_index
from mariago.rules import RULE_SETS, Position

__all__ = ["fill_inputs", "inputs_of_positions"]

_KO_CODES = {"simple": 0, "positional": 1, "situational": 2}
_Codes = tuple[int, bool, bool]  # ko code, suicide, territory
_CODES: list[_Codes] = [
    (_KO_CODES[r.ko], r.suicide, r.scoring == "territory") for r in RULE_SETS.values()
]  # of every named rule set, in their order
_CODES_BY_ID = {id(r): codes for r, codes in zip(RULE_SETS.values(), _CODES, strict=True)}
_NO_MOVES = np.empty(0, np.int16)

Array = npt.NDArray[Any]


def inputs_of_positions(
    positions: "Sequence[Position]", pad: "int | None" = None
) -> "tuple[Array, Array, Array]":
    """Return what a net is asked, and the legal moves, of positions of one size.

    Planes (B, 22, H, W) uint8 and globals (B, 19) float32 equal those of
    :func:`mariago.features.planes_of_positions`; H = W = ``pad``, or the board's own rows and
    columns without it. Legal moves are (B, cells + 1) bool, pass last.

    Raises:
        BadInputError: there is no position, the sizes differ, or a board is larger than ``pad``.
        RulesError: rules that no named set stands for.
    """
    if not positions:
        raise BadInputError("inputs are made of one position or more")
    size, count = positions[0].size, len(positions)
    field = size if pad is None else (pad, pad)
    if max(size) > max(field):
        raise BadInputError(
            f"a board with a side of {max(size)} does not fit planes of {pad}x{pad}",
            hint=f"use a pad of {max(size)} or more",
        )
    planes = np.empty((count, PLANES, *field), np.uint8)
    global_inputs = np.empty((count, GLOBALS), np.float32)
    legal = np.empty((count, size.cells + 1), np.uint8)
    fill_inputs(positions, planes, global_inputs, legal)
    return planes, global_inputs, legal.view(np.bool_)


def fill_inputs(
    positions: "Sequence[Position]", planes: Array, global_inputs: Array, legal: Array
) -> None:
    """Write the inputs of positions of one size into arrays of this many positions or more.

    Args:
        positions: one or more.
        planes: (B, 22, H, W) uint8 or float32, with room for the boards.
        global_inputs: (B, 19) float32.
        legal: (B, cells + 1) uint8.

    Raises:
        BadInputError: the sizes differ.
        RulesError: rules that no named set stands for.
    """
    # After a net has run, Python and its objects lie in no near cache: little is done here.
    if len(positions) > 1:
        size = positions[0].size
        if any(position.size != size for position in positions):
            raise BadInputError("inputs are made of positions of one size")
    for i, position in enumerate(positions):
        recent = position.recent
        before = recent[1].taken if len(recent) > 1 else ()
        fill_live(
            i,
            *position.arrays,
            np.array(before, np.int16) if before else _NO_MOVES,
            position.komi,
            position.handicap_bonus if position.handicap else 0,
            *(_CODES_BY_ID.get(id(position.rules)) or _CODES[rule_index(position.rules)]),
            planes,
            global_inputs,
            legal,
        )
