"""Unconditional life and territory against every sequence of moves, symmetries and colours."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.reference.plain_life import all_breathe, can_live, takeable

from mariago.board.kernels import AREA, new_state
from mariago.board.setup_kernels import set_stones
from mariago.tactics.territory_kernels import unconditional_area


def judged(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (alive, ground) of a board of colours, both in its shape."""
    rows, columns = cells.shape
    state = new_state(rows, columns)
    set_stones(state, np.ascontiguousarray(cells, np.uint8).ravel())
    alive, ground = np.zeros((2, int(state[AREA])), np.uint8)
    unconditional_area(state, False, alive, ground)
    stride = columns + 1
    shape = (rows + 2, stride)
    return tuple(a[: (rows + 2) * stride].reshape(shape)[1:-1, 1:] for a in (alive, ground))


def random_cells(rng: np.random.Generator, rows: int, columns: int, n_empty: int) -> np.ndarray:
    """Return a board on which every chain has a liberty."""
    while True:
        colors = np.array([0, 1, 2])
        weights = rng.dirichlet([1, 1])
        cells = rng.choice(colors[1:], rows * columns, p=weights)
        cells[rng.choice(rows * columns, n_empty, replace=False)] = 0
        if all_breathe(tuple(map(int, cells)), columns):
            return cells.reshape(rows, columns).astype(np.uint8)


def check_against_every_sequence(cells: np.ndarray) -> int:
    """Compare life exactly, and territory where it can be; return how many points are territory."""
    columns = cells.shape[1]
    flat = tuple(int(c) for c in cells.ravel())
    alive, ground = (a.ravel() for a in judged(cells))
    for owner in (1, 2):
        taken = takeable(flat, columns, owner)
        lasting = {k for k, c in enumerate(flat) if c == owner and k not in taken}
        assert set(np.flatnonzero(alive == owner)) == lasting, cells
        claimed = set(map(int, np.flatnonzero(ground == owner)))
        if claimed:
            assert not claimed & can_live(flat, columns, 3 - owner), cells
        if lasting and all(flat[k] != owner or k in lasting for k in range(len(flat))):
            # No stone of the owner is in danger: what is not claimed, the other side can live in.
            rest = set(range(len(flat))) - lasting - claimed
            assert rest <= can_live(flat, columns, 3 - owner), cells
    return int((ground > 0).sum())


@pytest.mark.slow
def test_life_is_what_no_sequence_takes_on_every_board_of_three_by_three():
    boards = claimed = 0
    for flat in product((0, 1, 2), repeat=9):
        if 0 in flat and all_breathe(flat, 3):
            boards += 1
            claimed += check_against_every_sequence(np.array(flat, np.uint8).reshape(3, 3)) > 0
    assert boards == 12_675  # legal positions of 3x3 (Tromp and Farneback 2007)
    assert claimed > 20


@pytest.mark.parametrize(
    ("rows", "columns", "boards"), [(4, 3, 200), (3, 5, 60), (4, 4, 60), (1, 9, 200), (2, 6, 200)]
)
def test_life_and_territory_are_what_no_sequence_breaks(rows, columns, boards):
    rng = np.random.default_rng(rows * 100 + columns)
    claimed = 0
    for _ in range(boards):
        n_empty = int(rng.integers(2, 7))
        claimed += check_against_every_sequence(random_cells(rng, rows, columns, n_empty)) > 0
    assert claimed > 0


def test_life_and_territory_turn_with_the_board_and_the_colours():
    rng = np.random.default_rng(7)
    seen = 0
    for _ in range(300):
        cells = random_cells(rng, 6, 5, int(rng.integers(4, 12)))
        alive, ground = judged(cells)
        seen += int((ground > 0).any())
        for turned in (lambda a: a.T, lambda a: a[::-1], lambda a: a[:, ::-1]):
            again = judged(turned(cells))
            assert np.array_equal(again[0], turned(alive))
            assert np.array_equal(again[1], turned(ground))
        swapped = np.array([0, 2, 1], np.uint8)
        again = judged(swapped[cells])
        assert np.array_equal(again[0], swapped[alive])
        assert np.array_equal(again[1], swapped[ground])
    assert seen > 10
