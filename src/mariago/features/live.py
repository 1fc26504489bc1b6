"""Inputs of live positions, read off the boards at once: what a player asks its net."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError
from mariago.features.live_kernels import fill_live
from mariago.features.plane_kernels import GLOBALS, PLANES
from mariago.features.rows import LAST_MOVES, NO_MOVE, alternating_past, rule_index
from mariago.rules import RULE_SETS, Position

__all__ = ["inputs_of_positions"]

_KO_CODES = {"simple": 0, "positional": 1, "situational": 2}
# (ko code, suicide, territory) of every named rule set, in their order
_CODES = [(_KO_CODES[r.ko], r.suicide, r.scoring == "territory") for r in RULE_SETS.values()]
_NO_HISTORY = np.empty(0, np.uint64)

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
    if any(position.size != size for position in positions):
        raise BadInputError("inputs are made of positions of one size")
    field = size if pad is None else (pad, pad)
    if max(size) > max(field):
        raise BadInputError(
            f"a board with a side of {max(size)} does not fit planes of {pad}x{pad}",
            hint=f"use a pad of {max(size)} or more",
        )
    last_moves = np.full((count, LAST_MOVES), NO_MOVE, np.int16)
    taken: list[int] = []
    taken_offsets = [0]
    histories: list[Array] = []
    history_offsets = [0]
    for i, position in enumerate(positions):
        moves, took = alternating_past(position)
        if moves:
            last_moves[i, : len(moves)] = moves
        for past in range(2):
            if past < len(took):
                taken.extend(took[past])
            taken_offsets.append(len(taken))
        if position.rules.is_superko:
            histories.append(position.history_hashes)
            history_offsets.append(history_offsets[-1] + len(histories[-1]))
        else:
            history_offsets.append(history_offsets[-1])
    planes = np.zeros((count, PLANES, *field), np.uint8)
    global_inputs = np.zeros((count, GLOBALS), np.float32)
    legal = np.empty((count, size.cells + 1), np.uint8)
    fill_live(
        np.stack([position.state for position in positions]),
        last_moves,
        np.array(taken_offsets, np.int64),
        np.array(taken, np.int16),
        np.array(history_offsets, np.int64),
        np.concatenate(histories) if histories else _NO_HISTORY,
        np.array([position.komi for position in positions], np.float32),
        np.array([position.handicap_bonus for position in positions], np.float64),
        np.array([_CODES[rule_index(position.rules)] for position in positions], np.uint8),
        planes,
        global_inputs,
        legal,
    )
    return planes, global_inputs, legal.view(np.bool_)
