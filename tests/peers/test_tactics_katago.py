"""Ladders and settled area against KataGo's own input planes of 512 real positions.

Source: KataGo python/testdata. The floors are what is reached; they may only rise.
"""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.kernels import AREA, KO, new_state
from mariago.board.setup_kernels import set_stones
from mariago.tactics.area_kernels import area_as_it_stands
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.ladder_map_kernels import mark_ladders

LADDER_FLOOR = 512
AREA_FLOOR = 99  # of 99 positions counted by area without tax
AREA_CASES = 99


@pytest.fixture(scope="module")
def katago(peer_data):
    with np.load(peer_data / "tactics" / "katago" / "positions_512.npz") as data:
        return {name: data[name] for name in ("planes", "global_inputs")}


def states_of(planes):
    """Yield (state, rows, columns) of each position, the ko point given."""
    for given in planes:
        rows, columns = int(given[0].any(1).sum()), int(given[0].any(0).sum())
        stones = (given[1] + 2 * given[2])[:rows, :columns]
        state = new_state(rows, columns)
        set_stones(state, np.ascontiguousarray(stones, np.uint8).ravel())
        banned = np.argwhere(given[6])
        if len(banned) == 1:
            state[KO] = (banned[0][0] + 1) * (columns + 1) + banned[0][1] + 1
        yield state, rows, columns


def inner(padded, rows, columns):
    """Return (rows, columns) of an array by padded point."""
    stride = columns + 1
    return padded[: (rows + 2) * stride].reshape(rows + 2, stride)[1 : rows + 1, 1:]


def test_ladders_equal_katagos_planes_14_and_17(katago):
    equal = {14: 0, 17: 0}
    for (state, rows, columns), given in zip(
        states_of(katago["planes"]), katago["planes"], strict=True
    ):
        caught, working = np.zeros((2, int(state[AREA])), np.uint8)
        mark_ladders(state, ladder_workspace(rows, columns), caught, working)
        for plane, ours in ((14, caught), (17, working)):
            equal[plane] += np.array_equal(
                inner(ours, rows, columns), given[plane][:rows, :columns]
            )
    print(f"positions with equal ladder planes, of {len(katago['planes'])}: {equal}")
    assert min(equal.values()) >= LADDER_FLOOR


def test_settled_area_equals_katagos_planes_18_and_19(katago):
    equal = cases = 0
    for (state, rows, columns), given, rules in zip(
        states_of(katago["planes"]), katago["planes"], katago["global_inputs"], strict=True
    ):
        if rules[9] or rules[10]:  # territory counting or a tax: other planes
            continue
        cases += 1
        out = np.zeros(int(state[AREA]), np.uint8)
        area_as_it_stands(state, bool(rules[8]), out)
        ours = inner(out, rows, columns)
        equal += all(
            np.array_equal(ours == color, given[plane][:rows, :columns])
            for color, plane in ((1, 18), (2, 19))
        )
    print(f"positions with equal area planes: {equal} of {cases}")
    assert cases == AREA_CASES
    assert equal >= AREA_FLOOR
