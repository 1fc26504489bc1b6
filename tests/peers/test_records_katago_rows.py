"""KataGo's own input rows, taken back to samples, give KataGo's planes again."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mariago.features import Rows, planes_of_rows
from mariago.records.katago_format import Column, problems_of
from mariago.records.katago_rows_back import FoundRows, rows_of_arrays

# Planes that follow from what a sample keeps. 15 and 16 (ladders one and two moves ago) need the
# stones that the last moves took, which a row does not tell; 18 to 21 are compared where the rules
# have no second phase.
WHOLE = [*range(15), 17, 18, 19, 20, 21]
LATE_LADDERS = {15: 3, 16: 6}  # rows that differ, of 58


def arrays_of(positions: Path) -> dict[str, np.ndarray]:
    """Return 512 real rows of KataGo's in the arrays of a training file; results are not known."""
    held = np.load(positions)
    n = len(held["planes"])
    policy = np.ones((n, 2, 362), np.int16)
    policy[:, 0] = held["policy_target"].clip(min=0)
    targets = np.zeros((n, 64), np.float32)
    for at in (0, *Column.AVERAGED):
        targets[:, at : at + 2] = 0.5
    for at in (Column.ROW_WEIGHT, Column.POLICY_WEIGHT, Column.VALUE_UNKNOWN):
        targets[:, at] = 1
    targets[:, Column.OWN_KOMI] = held["global_inputs"][:, 5] * 20
    scores = np.zeros((n, 842), np.int8)
    scores[:, 420:422] = 50
    return {
        "binaryInputNCHWPacked": np.packbits(held["planes"].reshape(n, 22, -1), axis=2),
        "globalInputNC": held["global_inputs"].astype(np.float32),
        "policyTargetsNCMove": policy,
        "globalTargetsNC": targets,
        "scoreDistrN": scores,
        "valueTargetsNCHW": np.zeros((n, 5, 19, 19), np.int8),
    }


def rows_of(found: FoundRows) -> Rows:
    def ragged(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
        offsets = np.cumsum([0, *map(len, lists)]).astype(np.int64)
        return offsets, np.array([value for values in lists for value in values], np.int16)

    n = len(found)
    lists = [part for values in (found.banned, *found.taken) for part in ragged(values)]
    return Rows(
        found.board, found.rows, found.columns, found.to_move, found.ko, *lists[:2],
        found.last_moves, *lists[2:], found.komi, np.zeros(n, np.uint8),
        found.rules.clip(min=0).astype(np.uint8),
    )  # fmt: skip


def test_katagos_rows_come_back_to_katagos_planes(peer_data: Path) -> None:
    arrays = arrays_of(peer_data / "tactics" / "katago" / "positions_512.npz")
    assert problems_of(arrays) == []
    found = rows_of_arrays(arrays)
    assert (found.codes == 0).all(), "every move of KataGo's is legal here"
    named = found.rules >= 0
    assert named.sum() == NAMED
    planes, globals_in = planes_of_rows(rows_of(found), 19)
    theirs = np.load(peer_data / "tactics" / "katago" / "positions_512.npz")["planes"]
    differ = (planes != theirs).any(axis=(2, 3))[named].sum(axis=0)
    assert {k: int(differ[k]) for k in WHOLE if differ[k]} == {}
    assert all(differ[k] <= most for k, most in LATE_LADDERS.items())
    # 15 and 16 say how unevenly the two sides searched, which is no fact of the position.
    told = [k for k in range(19) if k not in (15, 16)]
    assert np.allclose(globals_in[named][:, told], arrays["globalInputNC"][named][:, told])


NAMED = 58  # rows whose rules a named set stands for; the others have rules of KataGo's self-play
