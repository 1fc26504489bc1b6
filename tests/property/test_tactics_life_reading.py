"""Life and death in closed corners, against a plain search of every position."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.plain_group_life import ClosedPlace

from mariago.board.kernels import AREA
from mariago.board.points import move_to_point
from mariago.rules import Position
from mariago.tactics.life_kernels import life_workspace, prepare, read
from mariago.tactics.life_region_kernels import INSIDE, TARGET

OWNER = 1
NODES = 200_000


def corner(rng, height, width):
    """Return a board: a random corner, a wall of the owner's round it, and the attacker's walls."""
    rows, columns = height + 3, width + 3
    board = np.zeros((rows, columns), np.uint8)
    board[: height + 2, : width + 2] = 3 - OWNER
    board[: height + 1, : width + 1] = OWNER
    board[:height, :width] = rng.choice(3, (height, width), p=(0.55, 0.2, 0.25))
    for _ in range(rng.integers(0, 2)):  # a gap, or a stone of the attacker's in the wall
        row, column = rng.integers(0, (height + 1, width + 1))
        board[row, column] = rng.choice((0, 3 - OWNER))
    return board


def closed_places(rng, height, width, count):
    """Yield (position, point asked about, place, targets) where nothing leads out."""
    work = life_workspace(height + 3, width + 3)
    while count:
        position = Position.from_stones(corner(rng, height, width), without_breathless=True)
        size = position.size
        if position.color_at(height * size.columns + width) != OWNER:
            continue
        point = move_to_point(height * size.columns + width, size)
        if prepare(position.state, point, 0, work) == 0:
            continue
        marks = np.array(work[7][0, : int(position.state[AREA])])
        inside = [
            divmod(move, size.columns)
            for move in range(size.cells)
            if marks[move_to_point(move, size)] & INSIDE
        ]
        targets = {
            divmod(move, size.columns)
            for move in range(size.cells)
            if marks[move_to_point(move, size)] & TARGET
        }
        open_points = sum(position.color_at(r * size.columns + c) != OWNER for r, c in inside)
        touches_outside = any(r > height or c > width for r, c in inside)
        if touches_outside or open_points > 6 or open_points == 0:
            continue
        count -= 1
        yield position, point, inside, targets, work


@pytest.mark.parametrize(("height", "width"), [(1, 4), (2, 2), (1, 5), (2, 3)])
def test_groups_in_closed_corners_die_as_a_search_of_every_position_says(height, width):
    rng = np.random.default_rng(height * 10 + width)
    out = np.zeros(2, np.int64)
    killed = compared = 0
    for position, point, inside, targets, work in closed_places(rng, height, width, 20):
        rows, columns = position.size
        stones = {
            divmod(move, columns): position.color_at(move)
            for move in range(rows * columns)
            if position.color_at(move)
        }
        for mover in (1, 2):
            answers = []
            for free in (OWNER, 0, 3 - OWNER):
                prepare(position.state, point, 0, work)
                answers.append(read(position.state, mover, free, NODES, work, out))
            assert answers == sorted(answers), f"{position}\n{mover} {answers}"
            for free, answer in ((0, answers[1]), (3 - OWNER, answers[2])):
                plain = ClosedPlace(stones, inside, targets, OWNER, rows, columns, free)
                assert answer == plain.is_killed(mover), f"{position}\nmover {mover} free {free}"
                compared += 1
                killed += answer
    assert 0 < killed < compared
