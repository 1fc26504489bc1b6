"""Symmetries as a group, star points, lines from the edge."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.geometry import (
    SYMMETRIES,
    center,
    compose,
    edge_lines,
    inverse,
    move_table,
    star_points,
    symmetric_size,
    turned,
)
from mariago.board.points import Size, move_to_vertex
from mariago.errors import BadInputError

SIZES = [Size(1, 1), Size(3, 3), Size(2, 5), Size(19, 19), Size(1, 4)]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_tables_move_points_as_the_board_turns(size: Size, symmetry: int) -> None:
    board = np.arange(size.cells).reshape(size)
    after = turned(board, symmetry)
    table = move_table(size, symmetry)
    assert after.shape == tuple(symmetric_size(size, symmetry))
    assert np.array_equal(after.ravel()[table[:-1]], board.ravel())
    assert table[size.cells] == size.cells


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("first", SYMMETRIES)
def test_composition_is_one_after_the_other(size: Size, first: int) -> None:
    between = symmetric_size(size, first)
    for second in SYMMETRIES:
        both = move_table(between, second)[move_table(size, first)]
        assert np.array_equal(both, move_table(size, compose(first, second)))
    undone = move_table(between, inverse(first))[move_table(size, first)]
    assert np.array_equal(undone, np.arange(size.cells + 1))


def test_the_eight_symmetries_differ() -> None:
    images = {tuple(move_table(Size(3, 3), symmetry)) for symmetry in SYMMETRIES}
    assert len(images) == 8


def test_symmetries_are_what_the_bits_say() -> None:
    board = np.array([[0, 1], [2, 3]])
    assert turned(board, 1).tolist() == [[2, 3], [0, 1]]
    assert turned(board, 2).tolist() == [[1, 0], [3, 2]]
    assert turned(board, 4).tolist() == [[0, 2], [1, 3]]
    assert turned(board, 5).tolist() == [[2, 0], [3, 1]]  # a quarter turn clockwise
    assert turned(board, 6).tolist() == [[1, 3], [0, 2]]


@pytest.mark.parametrize("bad", [-1, 8])
def test_other_numbers_are_no_symmetry(bad: int) -> None:
    for call in (inverse, lambda k: move_table(Size(2, 2), k), lambda k: compose(0, k)):
        with pytest.raises(BadInputError):
            call(bad)


def test_tables_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        move_table(Size(3, 3), 1)[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        edge_lines(Size(3, 3))[0] = 5


@pytest.mark.parametrize(
    ("size", "vertices"),
    [
        (Size(19, 19), "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4"),
        (Size(13, 13), "D10 K10 G7 D4 K4"),
        (Size(9, 9), "C7 G7 E5 C3 G3"),
        (Size(8, 8), "C6 F6 C3 F3"),
        (Size(19, 9), "C16 G16 E10 C4 G4"),
        (Size(6, 6), ""),
        (Size(1, 19), ""),
    ],
    ids=str,
)
def test_star_points_are_where_boards_show_them(size: Size, vertices: str) -> None:
    assert [move_to_vertex(move, size) for move in star_points(size)] == vertices.split()


def test_the_centre_exists_on_odd_sides_only() -> None:
    assert center(Size(19, 19)) == 180
    assert center(Size(3, 5)) == 7
    assert center(Size(4, 5)) is None


def test_lines_are_counted_from_the_nearest_edge() -> None:
    assert edge_lines(Size(4, 5)).reshape(4, 5).tolist() == [
        [1, 1, 1, 1, 1],
        [1, 2, 2, 2, 1],
        [1, 2, 2, 2, 1],
        [1, 1, 1, 1, 1],
    ]
