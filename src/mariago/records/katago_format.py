"""KataGo's training files (``.npz``): names, shapes, numbers of columns, and a check of a file.

Facts from KataGo's sources: the writer (cpp/dataio/trainingwrite.h and .cpp, row version 2) and
what its trainer reads and divides by (python/katago/train/data_processing_pytorch.py and
metrics_pytorch.py). N rows, planes of P x P, boards in the top left corner, everything for the
side to move:

=====================  ====================  =======  ===========================================
array                  shape                 type     holds
=====================  ====================  =======  ===========================================
binaryInputNCHWPacked  (N, 22, ceil(P*P/8))  uint8    input planes, 8 points a byte, first high
globalInputNC          (N, 19)               float32  global inputs
policyTargetsNCMove    (N, 2, P*P + 1)       int16    visits: this move, the next one; pass last
globalTargetsNC        (N, 64)               float32  results, weights, facts: class ``Column``
scoreDistrN            (N, 2*P*P + 120)      int8     the final score, sums to 100
valueTargetsNCHW       (N, 5, P, P)          int8     owner, seki, boards 8 and 32 on, scoring
qValueTargetsNCMove    (N, 3, P*P + 1)       int16    value, score, visits of each move; optional
metadataInputNC        (N, 192)              float32  players, for human nets; optional, not read
=====================  ====================  =======  ===========================================
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Column", "Head", "array_kinds", "array_problems", "problems_of", "problems_of_rows"]

PLANES, GLOBALS, TARGETS = 22, 19, 64
EXTRA_SCORES = 60  # scoreDistrN goes this far beyond the points of the board, on both sides
SCORING_UNIT = 120  # valueTargetsNCHW[4] of a point that is wholly ours
METADATA = 192
MOST_PAD = 64  # side of the planes
ROWS_AT_ONCE = 4_096  # of a check
ROW_VERSION = 2.0
MODE_OF_RECORDS = 4.0  # "positions of SGF files"
REQUIRED = (
    "binaryInputNCHWPacked",
    "globalInputNC",
    "policyTargetsNCMove",
    "globalTargetsNC",
    "scoreDistrN",
    "valueTargetsNCHW",
)
OPTIONAL = ("qValueTargetsNCMove", "metadataInputNC")


class Column:
    """Columns of ``globalTargetsNC``. A weight of 0 says that the target is not known."""

    WIN, LOSS, NO_RESULT, SCORE = 0, 1, 2, 3
    AVERAGED = (4, 8, 12, 16)  # win, loss, no result, score as searches saw them later on
    FINAL_SCORE = 20
    LEAD = 21
    ARRIVAL = 22  # when the winning chances are expected to move
    SIDE = 23  # free in KataGo's, and 0 there; in ours 1 Black, 2 White is to move
    AVERAGED_UNKNOWN = 24  # 1 less the weight of AVERAGED
    ROW_WEIGHT = 25
    POLICY_WEIGHT = 26
    OWNER_WEIGHT = 27  # of owner, seki, score and its distribution
    NEXT_POLICY_WEIGHT = 28
    LEAD_WEIGHT = 29
    FUTURE_WEIGHT = 33
    SCORING_WEIGHT = 34
    VALUE_UNKNOWN = 35  # 1 less the weight of WIN, LOSS, NO_RESULT
    HISTORY = 36  # to 40: 1 where the input may show that much of the past
    GAME = 41  # to 46: 128 bits that name the game
    OWN_KOMI = 47
    AREA_COUNTING = 48
    TURN = 51
    EXTRA_BLACK = 54
    MODE = 55
    VISITS = 60
    FINISHED = 62
    VERSION = 63


def array_kinds(pad: int) -> dict[str, tuple[tuple[int, ...], type[np.generic]]]:
    """Return the shape of one row, and the type, of every array for planes of pad x pad."""
    cells = pad * pad
    return {
        "binaryInputNCHWPacked": ((PLANES, (cells + 7) // 8), np.uint8),
        "globalInputNC": ((GLOBALS,), np.float32),
        "policyTargetsNCMove": ((2, cells + 1), np.int16),
        "globalTargetsNC": ((TARGETS,), np.float32),
        "scoreDistrN": ((2 * (cells + EXTRA_SCORES),), np.int8),
        "valueTargetsNCHW": ((5, pad, pad), np.int8),
        "qValueTargetsNCMove": ((3, cells + 1), np.int16),
        "metadataInputNC": ((METADATA,), np.float32),
    }


def unpacked(packed: NDArray[np.uint8], pad: int) -> NDArray[np.uint8]:
    """Return planes (N, 22, pad, pad) of 0 and 1 from ``binaryInputNCHWPacked``."""
    bits = np.unpackbits(packed, axis=2, count=pad * pad)
    return bits.reshape(len(packed), packed.shape[1], pad, pad)


class Head(NamedTuple):
    """What is known of an array before its numbers are read."""

    shape: tuple[int, ...]
    kind: "np.dtype[Any]"


def side_of(policy: tuple[int, ...]) -> int:
    """Return the side of the planes by the shape of policyTargetsNCMove, 0 where it tells none."""
    cells = policy[-1] - 1 if policy else 0
    if not 0 < cells <= MOST_PAD**2:
        return 0
    side = round(cells**0.5)
    return side if side * side == cells else 0


def pad_of(arrays: "Mapping[str, NDArray[Any]]") -> int:
    """Return the side of the planes, as the policy's length tells it; 0 where it tells none."""
    return side_of(arrays["policyTargetsNCMove"].shape)


def problems_of(arrays: "Mapping[str, NDArray[Any]]", pad: int | None = None) -> list[str]:
    """Return what KataGo's shuffler and trainer would stumble over, or learn wrongly, in a file.

    Args:
        arrays: what ``numpy.load`` gives; ``pad``: the side of the planes, else the file's own.
    """
    heads = {name: Head(array.shape, array.dtype) for name, array in arrays.items()}
    found = array_problems(list(arrays), heads, pad)
    if found:
        return found
    side = pad_of(arrays) if pad is None else pad
    told: dict[str, None] = {}  # each problem once, in order
    for start in range(0, len(arrays["globalInputNC"]), ROWS_AT_ONCE):
        part = {name: array[start : start + ROWS_AT_ONCE] for name, array in arrays.items()}
        told |= dict.fromkeys(problems_of_rows(part, side))
    return list(told)


def array_problems(
    names: Sequence[str], heads: "Mapping[str, Head] | None" = None, pad: int | None = None
) -> list[str]:
    """Return what is wrong with the names of the arrays; with ``heads``, also types and shapes."""
    missing = [name for name in REQUIRED if name not in names]
    unknown = sorted({*names} - {*REQUIRED, *OPTIONAL})
    twice = [name for name, times in Counter(names).items() if times > 1]
    found = [f"no array {name}" for name in missing]
    found += [f"unknown array {name[:80]}" for name in unknown]
    found += [f"array {name} is there twice" for name in twice]
    if found or heads is None:
        return found
    side = side_of(heads["policyTargetsNCMove"].shape) if pad is None else pad
    if side == 0:
        return ["policyTargetsNCMove is not of a square board and a pass"]
    return _shape_problems(heads, side)


def problems_of_rows(arrays: "Mapping[str, NDArray[Any]]", pad: int) -> list[str]:
    """Return what is wrong in rows of arrays whose types and shapes are in order."""
    endless = [
        f"{name} is not finite"
        for name, array in arrays.items()
        if array.dtype == np.float32 and not np.isfinite(array).all()
    ]
    if endless:
        return endless
    whole = unpacked(arrays["binaryInputNCHWPacked"], pad)
    on_board = whole[:, 0].astype(np.bool_)
    return [
        *_input_problems(arrays["binaryInputNCHWPacked"], whole, on_board),
        *_policy_problems(arrays, on_board),
        *_value_problems(arrays["globalTargetsNC"], arrays["scoreDistrN"]),
        *_board_target_problems(arrays["globalTargetsNC"], arrays["valueTargetsNCHW"], on_board),
    ]


def _shape_problems(heads: "Mapping[str, Head]", pad: int) -> list[str]:
    # What most arrays agree on: the others are at fault.
    rows = Counter(sum(head.shape[:1]) for head in heads.values()).most_common(1)[0][0]
    found: list[str] = ["there are fewer than no rows"] if rows < 0 else []
    for name, (shape, kind) in array_kinds(pad).items():
        if name not in heads:
            continue
        head = heads[name]
        if head.kind != kind:
            found.append(f"{name} is {head.kind}, not {np.dtype(kind)}")
        if head.shape != (rows, *shape):
            found.append(f"{name} has the shape {head.shape}, not {(rows, *shape)}")
    return found


def _input_problems(
    packed: NDArray[np.uint8], planes: NDArray[np.uint8], on_board: NDArray[np.bool_]
) -> list[str]:
    spare = np.unpackbits(packed, axis=2)[:, :, planes.shape[2] * planes.shape[3] :]
    # A board is its top row's length times its left column's, and nothing else.
    box = on_board[:, :, :1] & on_board[:, :1, :]
    off = ~on_board[:, None]
    return _told(
        ("bits beyond the planes are set", spare.any()),
        ("plane 0 is not a board in the top left corner", (box != on_board).any()),
        ("a row has no board", not on_board[:, 0, 0].all()),
        ("a plane has points off the board", (planes.astype(np.bool_) & off).any()),
        ("a point has two stones", (planes[:, 1] & planes[:, 2]).any()),
    )


def _policy_problems(
    arrays: "Mapping[str, NDArray[Any]]", on_board: NDArray[np.bool_]
) -> list[str]:
    policy, targets = arrays["policyTargetsNCMove"], arrays["globalTargetsNC"]
    allowed = np.ones((len(policy), policy.shape[2]), np.bool_)
    allowed[:, :-1] = on_board.reshape(len(policy), -1)
    outside = (policy != 0) & ~allowed[:, None]
    known = targets[:, [Column.POLICY_WEIGHT, Column.NEXT_POLICY_WEIGHT]] > 0
    return _told(
        ("a policy target is negative", (policy < 0).any()),
        ("a policy target sums to 0: the trainer divides by it", (policy.sum(axis=2) == 0).any()),
        ("a policy target with weight lies off the board", (outside.any(axis=2) & known).any()),
    )


def _value_problems(targets: NDArray[np.float32], scores: NDArray[np.int8]) -> list[str]:
    sums = np.stack([targets[:, at : at + 3].sum(axis=1) for at in (0, *Column.AVERAGED)])
    weights = targets[
        :,
        [
            Column.AVERAGED_UNKNOWN,
            Column.POLICY_WEIGHT,
            Column.OWNER_WEIGHT,
            Column.NEXT_POLICY_WEIGHT,
            Column.LEAD_WEIGHT,
            Column.FUTURE_WEIGHT,
            Column.SCORING_WEIGHT,
            Column.VALUE_UNKNOWN,
        ],
    ]
    history = targets[:, Column.HISTORY : Column.HISTORY + 5]
    lead_unknown = targets[:, Column.LEAD_WEIGHT] == 0
    owner_unknown = targets[:, Column.OWNER_WEIGHT] == 0
    return _told(
        ("win, loss and no result do not sum to 1", (abs(sums - 1) > 1e-4).any()),
        ("a weight is not between 0 and 1", ((weights < 0) | (weights > 1)).any()),
        ("the weight of a row is negative", (targets[:, Column.ROW_WEIGHT] < 0).any()),
        ("scoreDistrN does not sum to 100", (scores.sum(axis=1, dtype=np.int64) != 100).any()),
        ("a lead stands where it has no weight", targets[lead_unknown, Column.LEAD].any()),
        ("a score stands without weight", targets[owner_unknown, Column.FINAL_SCORE].any()),
        ("history is shown behind a gap", (np.diff(history, axis=1) > 0).any()),
        ("a mask of history is neither 0 nor 1", ((history != 0) & (history != 1)).any()),
    )


def _board_target_problems(
    targets: NDArray[np.float32], boards: NDArray[np.int8], on_board: NDArray[np.bool_]
) -> list[str]:
    def stands(column: int, *channels: int) -> bool:
        unknown = targets[:, column] == 0
        return bool(boards[unknown][:, channels].any())

    return _told(
        ("owners stand where they have no weight", stands(Column.OWNER_WEIGHT, 0, 1)),
        ("future boards stand where they have no weight", stands(Column.FUTURE_WEIGHT, 2, 3)),
        ("scoring stands where it has no weight", stands(Column.SCORING_WEIGHT, 4)),
        ("owners or future boards are not -1, 0, 1", (abs(boards[:, :4]) > 1).any()),
        ("scoring is beyond -120 to 120", (abs(boards[:, 4].astype(np.int16)) > 120).any()),
        ("a target of a point lies off the board", (boards * ~on_board[:, None]).any()),
    )


def _told(*checks: "tuple[str, Any]") -> list[str]:
    return [text for text, failed in checks if failed]
