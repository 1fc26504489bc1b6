"""Numbers in KataGo's training files that no game can have, told by array, row and value.

What a column holds: KataGo's cpp/dataio/trainingwrite.cpp (targets) and cpp/neuralnet/nninputs.cpp
(``fillRowV7``, global inputs). Where KataGo sets no bound, one is set here that lies well beyond
what its games reach.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mariago.board.points import MAX_SIZE
from mariago.records.intake import MAX_MOVES
from mariago.records.katago_format import EXTRA_SCORES, ROW_VERSION, Column

__all__ = ["first_impossible"]

MOST_WEIGHT = 1e24  # of a row: four factors of records.weights; KataGo writes 1, or a row twice
MOST_MODES = 255  # kinds of games: KataGo has seven
GAME_WORD = 2**22 - 1  # of the six words that name a game
MOST_GLOBAL = 4.0  # of global inputs but komi: KataGo's lie within 1.5
KOMI_INPUT, KOMI_UNIT = 5, 20.0
PASSES = 5  # the first global inputs
_HISTORY = slice(9, 14)  # planes of the last five moves
_RESULTS = (0, *Column.AVERAGED)
_POINTS = (Column.SCORE, *(at + 3 for at in Column.AVERAGED), Column.FINAL_SCORE, Column.LEAD)


class _Bound(NamedTuple):
    """What a column of an array must be: between ``low`` and ``high``, which may be (B,)."""

    array: str
    column: int
    what: str
    low: Any
    high: Any
    is_whole: bool = False


def first_impossible(arrays: "Mapping[str, NDArray[Any]]", start: int = 0) -> str:
    """Return the first number that cannot be, "" where there is none.

    Args:
        arrays: rows of a file whose arrays ``katago_format.problems_of`` finds in order.
        start: the row of the file with which they begin.
    """
    packed = arrays["binaryInputNCHWPacked"]
    fault = _in_planes(packed, arrays["policyTargetsNCMove"].shape[2] - 1, start)
    if fault:
        return fault
    cells = np.unpackbits(packed[:, 0], axis=1).sum(axis=1, dtype=np.int64)
    for bound in _bounds(cells, arrays["globalTargetsNC"][:, Column.OWN_KOMI]):
        values = arrays[bound.array][:, bound.column]
        wrong = ~((values >= bound.low) & (values <= bound.high))
        if bound.is_whole:
            wrong |= values != np.floor(values)
        if wrong.any():
            row = int(np.argmax(wrong))
            low, high = (
                np.broadcast_to(np.asarray(limit), wrong.shape)[row]
                for limit in (bound.low, bound.high)
            )
            kind = "a whole number" if bound.is_whole else "a number"
            return (
                f"{bound.array}, row {start + row}: {bound.what} is {values[row]:.9g}, not {kind} "
                f"from {low:.9g} to {high:.9g}"
            )
    return ""


def _in_planes(packed: NDArray[np.uint8], cells: int, start: int) -> str:
    side = round(cells**0.5)
    told = f"binaryInputNCHWPacked, row {start}"
    if side > MAX_SIZE:
        board = np.unpackbits(packed[:, 0], axis=1, count=cells).reshape(-1, side, side)
        large = board[:, MAX_SIZE:].any(axis=(1, 2)) | board[:, :, MAX_SIZE:].any(axis=(1, 2))
        if large.any():
            told = f"binaryInputNCHWPacked, row {start + int(np.argmax(large))}"
            return f"{told}: a board with a side of more than {MAX_SIZE}"
    points = np.unpackbits(packed[:, _HISTORY], axis=2).sum(axis=2, dtype=np.int64)
    if (points > 1).any():
        row, back = np.argwhere(points > 1)[0].tolist()
        told = f"binaryInputNCHWPacked, row {start + row}"
        return f"{told}: the move {back + 1} before is {points[row, back]} points at once"
    return ""


def _bounds(cells: NDArray[np.int64], komi: NDArray[np.float32]) -> Iterator[_Bound]:
    """Yield what the columns must be; ``cells`` (B,) points of the boards."""
    inputs, targets = "globalInputNC", "globalTargetsNC"
    most_komi = cells + EXTRA_SCORES
    yield _Bound(targets, Column.OWN_KOMI, "komi", -most_komi, most_komi)
    most_input = most_komi / KOMI_UNIT + 1
    yield _Bound(inputs, KOMI_INPUT, "komi", -most_input, most_input)
    for at in range(PASSES):
        yield _Bound(inputs, at, f"input {at}, a pass,", 0, 1, is_whole=True)
    for at in range(PASSES, 19):
        if at != KOMI_INPUT:
            yield _Bound(inputs, at, f"input {at}", -MOST_GLOBAL, MOST_GLOBAL)
    for at in _RESULTS:
        for k, what in enumerate(("win", "loss", "no result")):
            yield _Bound(targets, at + k, f"column {at + k}, {what},", -1e-4, 1 + 1e-4)
    most_score = 2 * cells + np.abs(komi) + EXTRA_SCORES  # every point and every stone
    for at in _POINTS:
        yield _Bound(targets, at, f"column {at}, a score,", -most_score, most_score)
    yield _Bound(targets, Column.SIDE, "the side to move", 0, 2, is_whole=True)
    yield _Bound(targets, Column.ROW_WEIGHT, "the weight", 0, MOST_WEIGHT)
    yield _Bound(targets, Column.TURN, "the number of the turn", 0, MAX_MOVES - 1, is_whole=True)
    extra = np.minimum(cells, 254)
    yield _Bound(targets, Column.EXTRA_BLACK, "extra black stones", 0, extra, is_whole=True)
    yield _Bound(targets, Column.MODE, "the kind of game", 0, MOST_MODES, is_whole=True)
    yield _Bound(targets, Column.VERSION, "the version of the row", 0, ROW_VERSION, is_whole=True)
    for at in range(Column.GAME, Column.GAME + 6):
        yield _Bound(targets, at, f"column {at}, of the game,", 0, GAME_WORD, is_whole=True)
