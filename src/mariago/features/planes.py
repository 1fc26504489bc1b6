"""KataGo's V7 inputs of positions: 22 planes and 19 globals, for the side to move.

======  ==========================================================================================
plane   1 where
======  ==========================================================================================
0       on the board
1, 2    own, opponent's stones
3-5     stones of chains with one, two, three liberties
6       the ko point and what superko forbids
7, 8    second phase of territory rules only; 0 here
9-13    the last to fifth last move, while colours alternate
14      stones of chains caught in a ladder (in atari: the owner moves first; two liberties: not)
15, 16  the same on the boards one and two moves ago
17      moves that catch an opponent's chain of two liberties in a ladder
18, 19  own, opponent's area as the board stands, under area counting
20, 21  second phase of territory rules only; 0 here
======  ==========================================================================================

======  ==========================================================================================
global  value
======  ==========================================================================================
0-4     1 where the last to fifth last move was a pass
5       points to the side to move beforehand (komi, handicap points; minus for Black) / 20
6, 7    superko: 1, and 0.5 positional or -0.5 situational
8       1 where suicide is allowed
9, 10   1 under territory counting; 1 where points in seki do not count (the same sets here)
14      1 where a pass now would end the game
18      parity wave of komi, under area counting
======  ==========================================================================================

11-13 and 15-17 (group tax, second phase, uneven search effort, button) are 0: no rule set here has
them. Under territory counting global 5 also holds a point to White for each stone that Black has
put on the board more than White, set-up and taken ones included: KataGo counts the area there, and
those points make that the same as counting territory (``boardhistory.cpp``, ``whiteBonusScore``).
Plane 6 leaves out a suicide of one stone, which KataGo holds to be illegal under all rules and not
to be a matter of superko.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError
from mariago.features.live import inputs_of_positions
from mariago.features.plane_kernels import GLOBALS, PLANES, fill_rows
from mariago.features.rows import Rows, points_to_white, rows_of_positions
from mariago.rules import RULE_SETS, Position, RuleSet

__all__ = [
    "GLOBALS",
    "PLANES",
    "PLANES_VERSION",
    "planes_of_position",
    "planes_of_positions",
    "planes_of_rows",
]

PLANES_VERSION = "v7"
DEFAULT_PAD = 19
_KO_CODES = {"simple": 0, "positional": 1, "situational": 2}

Planes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


def _rule_columns(rules: "Sequence[RuleSet]") -> "tuple[npt.NDArray[Any], ...]":
    """Return (ko code, suicide, territory), each (number of rule sets,)."""
    return (
        np.array([_KO_CODES[known.ko] for known in rules], np.uint8),
        np.array([known.suicide for known in rules], np.bool_),
        np.array([known.scoring == "territory" for known in rules], np.bool_),
    )


def planes_of_rows(rows: Rows, pad: int = DEFAULT_PAD) -> "tuple[Planes, Floats]":
    """Return the inputs of every row: planes (B, 22, pad, pad) uint8, globals (B, 19) float32.

    Boards lie in the top left corner: [plane, y from the top, x].

    Raises:
        BadInputError: a board is larger than ``pad``.
    """
    return _filled(rows, pad, tuple(RULE_SETS.values()))


def planes_of_position(position: Position, pad: int = DEFAULT_PAD) -> "tuple[Planes, Floats]":
    """Return the inputs of one live position, as ``planes_of_rows`` with B = 1."""
    return planes_of_positions([position], pad)


def planes_of_positions(
    positions: "Sequence[Position]", pad: int = DEFAULT_PAD
) -> "tuple[Planes, Floats]":
    """Return the inputs of live positions, equal to those of the rows they make."""
    if not positions or any(p.size != positions[0].size for p in positions):
        return planes_of_rows(rows_of_positions(positions), pad)
    return inputs_of_positions(positions, pad)[:2]


def _filled(rows: Rows, pad: int, known: "Sequence[RuleSet]") -> "tuple[Planes, Floats]":
    count = len(rows)
    largest = max((int(side.max()) for side in (rows.rows, rows.columns) if count), default=0)
    if largest > pad:
        raise BadInputError(
            f"a board with a side of {largest} does not fit planes of {pad}x{pad}",
            hint=f"use a pad of {largest} or more",
        )
    ko_rules, suicides, territories = (column[rows.rules] for column in _rule_columns(known))
    planes = np.zeros((count, PLANES, pad, pad), np.uint8)
    global_inputs = np.zeros((count, GLOBALS), np.float32)
    fill_rows(
        np.ascontiguousarray(rows.board, np.uint8),
        *(np.ascontiguousarray(a, np.uint8) for a in (rows.rows, rows.columns, rows.to_move)),
        np.ascontiguousarray(rows.ko, np.int16),
        *_lists(rows.banned_offsets, rows.banned),
        np.ascontiguousarray(rows.last_moves, np.int16),
        *_lists(rows.taken1_offsets, rows.taken1),
        *_lists(rows.taken2_offsets, rows.taken2),
        points_to_white(rows),
        ko_rules,
        suicides,
        territories,
        planes,
        global_inputs,
    )
    return planes, global_inputs


def _lists(offsets: "npt.NDArray[Any]", values: "npt.NDArray[Any]") -> "tuple[Any, Any]":
    return np.ascontiguousarray(offsets, np.int64), np.ascontiguousarray(values, np.int16)
