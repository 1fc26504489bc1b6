"""Area as it stands, where life is read only for stones that may be dead; ladders read in part."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.kernels import AREA, new_state, play
from mariago.board.legality_kernels import legal_mask
from mariago.board.setup_kernels import read_stones
from mariago.tactics.alive_kernels import settled_area
from mariago.tactics.area_kernels import area_as_it_stands
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.ladder_map_kernels import mark_caught, mark_ladders

SIZES = [(1, 5), (4, 4), (5, 6), (9, 9)]


def random_states(rows, columns, rng):
    """Yield the states of a random game, whose players leave one-point eyes alone at times."""
    state = new_state(rows, columns)
    legal = np.zeros(rows * columns + 1, np.uint8)
    for _ in range(2 * rows * columns):
        legal_mask(state, False, legal)
        moves = np.flatnonzero(legal[:-1])
        if not len(moves):
            return
        move = int(rng.choice(moves))
        play(state, (move // columns + 1) * (columns + 1) + move % columns + 1)
        yield state


def on_board(padded, rows, columns):
    """Return (rows, columns) of an array by padded point."""
    stride = columns + 1
    return padded[: (rows + 2) * stride].reshape(rows + 2, stride)[1:-1, 1:]


def area_by_hand(stones, settled):
    """Return whose each point is: settled, else the stone's, else that of the only neighbours."""
    owner = np.where(settled > 0, settled, stones)
    seen = stones > 0
    for start in zip(*np.nonzero(~seen), strict=True):
        if seen[start]:
            continue
        region, touched, at = [start], set(), 0
        seen[start] = True
        while at < len(region):
            row, column = region[at]
            at += 1
            for near in (
                (row - 1, column),
                (row + 1, column),
                (row, column - 1),
                (row, column + 1),
            ):
                if not (0 <= near[0] < stones.shape[0] and 0 <= near[1] < stones.shape[1]):
                    continue
                if stones[near]:
                    touched.add(int(stones[near]))
                elif not seen[near]:
                    seen[near] = True
                    region.append(near)
        if len(touched) == 1:
            for point in region:
                owner[point] = owner[point] or next(iter(touched))
    return owner


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_area_as_it_stands_is_settled_area_and_what_one_colour_surrounds(rows, columns, suicide):
    rng = np.random.default_rng(rows * 10 + columns)
    boards = with_dead = 0
    for _ in range(8):
        for state in random_states(rows, columns, rng):
            strict, loose = np.zeros((2, int(state[AREA])), np.uint8)
            settled_area(state, suicide, strict)
            area_as_it_stands(state, suicide, loose)
            flat = np.zeros(rows * columns, np.uint8)
            read_stones(state, flat)
            stones = flat.reshape(rows, columns)
            settled = on_board(strict, rows, columns)
            assert np.array_equal(on_board(loose, rows, columns), area_by_hand(stones, settled)), (
                stones
            )
            boards += 1
            with_dead += bool(((stones > 0) & (settled > 0) & (settled != stones)).any())
    print(f"{rows}x{columns}: {boards} boards, {with_dead} with dead stones")
    assert with_dead > 0 or rows == 1


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_stones_that_fall_are_the_same_without_the_moves_that_start_a_ladder(rows, columns):
    rng = np.random.default_rng(rows * 100 + columns)
    falling = 0
    for _ in range(8):
        for state in random_states(rows, columns, rng):
            caught, working, alone = np.zeros((3, int(state[AREA])), np.uint8)
            work = ladder_workspace(rows, columns)
            mark_ladders(state, work, caught, working)
            mark_caught(state, work, alone)
            assert np.array_equal(caught, alone)
            falling += bool(caught.any())
    assert falling > 0
