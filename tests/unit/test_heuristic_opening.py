"""The rule-based player opens as boards of each size ask, and its choices of a few positions."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.points import move_to_vertex
from mariago.heuristic import choose, score_moves, weights_of
from mariago.rules import Position


def first_moves(size: object, count: int, version: str, seed: int = 0) -> list[tuple[int, int]]:
    """Return (row, column) of the first moves of a game with itself, from 1."""
    position = Position.empty(size)
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        move = choose(position, rng, weights_of(version))
        found.append((move // position.size.columns + 1, move % position.size.columns + 1))
        position = position.play(move)
    return found


@pytest.mark.parametrize("version", ["v3", "v7"])
@pytest.mark.parametrize(("size", "middle"), [(3, 2), (5, 3), (7, 4), (9, 5)])
def test_small_boards_are_opened_in_the_middle(version, size, middle):
    assert first_moves(size, 1, version) == [(middle, middle)]


@pytest.mark.parametrize("version", ["v3", "v6", "v7"])
@pytest.mark.parametrize("size", [11, 13, 15, 19, (11, 19), (13, 19), (12, 14)])
def test_larger_boards_are_opened_in_the_four_corners(version, size):
    rows, columns = Position.empty(size).size
    corners = set()
    for row, column in first_moves(size, 4, version):
        assert min(row, rows + 1 - row) in (3, 4)
        assert min(column, columns + 1 - column) in (3, 4)
        corners.add((2 * row > rows, 2 * column > columns))
    assert len(corners) == 4


@pytest.mark.parametrize("version", ["v3", "v6", "v7"])
@pytest.mark.parametrize("size", [9, 11, 13, 19, (9, 13), (13, 19)])
def test_the_opening_keeps_off_the_low_lines(version, size):
    rows, columns = Position.empty(size).size
    for row, column in first_moves(size, 6, version, seed=2):
        assert min(row, column, rows + 1 - row, columns + 1 - column) >= 3


@pytest.mark.parametrize("size", [1, 2, (1, 7), (2, 9), (3, 19), (4, 6), 25])
def test_boards_of_any_shape_have_a_first_move(size):
    position = Position.empty(size)
    assert position.is_legal(choose(position, np.random.default_rng(0)))


def test_handicap_stones_leave_white_the_rest_of_the_corners():
    stones = np.zeros((19, 19), np.uint8)
    stones[[3, 15], [15, 3]] = 1
    position = Position.from_stones(stones, to_move=2, handicap=2)
    move = choose(position, np.random.default_rng(0))
    assert (move // 19 < 9) == (move % 19 < 9)  # one of the two empty corners


# Choices that a player of any strength agrees with; the vertices were set by hand.
GOLDEN = {
    "takes the larger of two chains in atari": (
        """
        . . . . . . . . .
        . X . . . . . . .
        X O X . . . X . .
        . . . . . X O X .
        . . . . . X O X .
        . . . . . X O X .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        1,
        {"G3"},
    ),
    "saves the chain in atari rather than take a stone far away": (
        """
        . X . . . . . . .
        X O . . . . . . .
        . X . . . O . . .
        . . . . O X O . .
        . . . . O X O . .
        . . . . O X O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        1,
        {"F3"},
    ),
    "catches in a ladder that works": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . X O . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        1,
        {"F4"},
    ),
    "does not run out of a lost ladder": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X . . . .
        . . X O . . . . .
        . . . X . . . . .
        . . . . . . . . .
        """,
        2,
        None,
    ),
}


@pytest.mark.parametrize("version", ["v6", "v7"])
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_choices(name, version):
    diagram, side, wanted = GOLDEN[name]
    position = Position.from_diagram(diagram, to_move=side, move_number=50)
    move = choose(position, np.random.default_rng(0), weights_of(version))
    vertex = str(move_to_vertex(move, position.size))
    if wanted is None:
        assert vertex != "E3"
    else:
        assert vertex in wanted


def test_self_atari_and_mouths_are_left_alone():
    position = Position.from_diagram(
        """
        . . . . . . .
        . . . X . . .
        . . X . . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        to_move=2,
    )
    scores = score_moves(position)
    assert int(np.argmax(scores[:-1])) != 2 * 7 + 3
    assert scores[2 * 7 + 3] < 0
