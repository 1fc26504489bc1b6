"""Stones, liberties and the parity wave against KataGo's own inputs of 512 real positions.

Source: KataGo python/testdata. Ladders and area (14 to 19) are compared in test_tactics_katago.
"""

from __future__ import annotations

import numpy as np
import pytest

from mariago.features import planes_of_rows
from mariago.features.plane_kernels import komi_wave
from mariago.features.rows import RULE_NAMES, Rows

FLOORS = {"0-5": 512, "6": 512, "9-13": 512, "14": 512, "17": 512}


def rows_of_planes(planes) -> Rows:
    """Return Rows of KataGo's positions, with Black to move."""
    count = len(planes)
    heights = planes[:, 0].any(2).sum(1)
    widths = planes[:, 0].any(1).sum(1)
    board = np.zeros((count, 361), np.uint8)
    last_moves = np.full((count, 5), -1, np.int16)
    ko = np.full(count, -1, np.int16)
    banned, offsets = [], [0]
    for i, given in enumerate(planes):
        inside = given[:, : heights[i], : widths[i]]
        board[i, : heights[i] * widths[i]] = (inside[1] + 2 * inside[2]).ravel()
        for back in range(5):
            at = np.flatnonzero(inside[9 + back])
            if len(at) == 0:
                break
            last_moves[i, back] = at[0]
        forbidden = np.flatnonzero(inside[6])
        if len(forbidden) == 1:
            ko[i] = forbidden[0]
        else:
            banned.extend(forbidden)
        offsets.append(len(banned))
    none = np.zeros(count + 1, np.int64)
    empty = np.empty(0, np.int16)
    zeros = np.zeros(count, np.float32)
    return Rows(
        board=board,
        rows=heights.astype(np.uint8),
        columns=widths.astype(np.uint8),
        to_move=np.ones(count, np.uint8),
        ko=ko,
        banned_offsets=np.array(offsets),
        banned=np.array(banned, np.int16),
        last_moves=last_moves,
        taken1_offsets=none,
        taken1=empty,
        taken2_offsets=none,
        taken2=empty,
        komi=zeros,
        handicap_bonus=zeros,
        rules=np.full(count, RULE_NAMES.index("chinese"), np.uint8),
    )


@pytest.fixture(scope="module")
def katago(peer_data):
    with np.load(peer_data / "tactics" / "katago" / "positions_512.npz") as data:
        return {name: data[name] for name in ("planes", "global_inputs")}


def test_planes_equal_katagos(katago):
    given = katago["planes"]
    rows = rows_of_planes(given)
    planes, _ = planes_of_rows(rows, 19)
    passed = katago["global_inputs"][:, :5].any(1)
    counts = {}
    for name in FLOORS:
        first, last = (name.split("-") * 2)[:2]
        chosen = slice(int(first), int(last) + 1)
        equal = (planes[:, chosen] == given[:, chosen]).all((1, 2, 3))
        counts[name] = int((equal | passed).sum() if name == "9-13" else equal.sum())
    print(f"positions with equal planes, of {len(given)}: {counts}")
    assert all(counts[name] >= floor for name, floor in FLOORS.items())


def test_the_parity_wave_equals_katagos(katago):
    for planes, given in zip(katago["planes"], katago["global_inputs"], strict=True):
        if given[9] and not given[13]:  # territory counting before its last phase has no wave
            continue
        even = planes[0].sum() % 2 == 0
        assert komi_wave(float(given[5]) * 20, bool(even)) == pytest.approx(given[18], abs=1e-4)
