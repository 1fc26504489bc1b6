"""Coordinates: one table, its corners, and what is refused."""

from __future__ import annotations

import pytest

from mariago.board import points
from mariago.board.points import (
    Size,
    move_at,
    move_to_point,
    move_to_sgf,
    move_to_vertex,
    opponent,
    point_to_move,
    row_column,
    sgf_to_move,
    size_of,
    vertex_to_move,
)
from mariago.errors import CoordinateError

# size, then top left and bottom right: vertex, SGF, (row, column), move, point; then pass
CORNERS = [
    ("19", ("A19", "aa", (0, 0), 0, 21), ("T1", "ss", (18, 18), 360, 399), 361),
    ("9", ("A9", "aa", (0, 0), 0, 11), ("J1", "ii", (8, 8), 80, 99), 81),
    ("1", ("A1", "aa", (0, 0), 0, 3), ("A1", "aa", (0, 0), 0, 3), 1),
    ("25", ("A25", "aa", (0, 0), 0, 27), ("Z1", "yy", (24, 24), 624, 675), 625),
    ("9x13", ("A13", "aa", (0, 0), 0, 11), ("J1", "im", (12, 8), 116, 139), 117),
    ("13x9", ("A9", "aa", (0, 0), 0, 15), ("N1", "mi", (8, 12), 116, 139), 117),
]


@pytest.mark.parametrize(("text", "top_left", "bottom_right", "pass_move"), CORNERS)
def test_the_table_holds_at_two_corners_and_pass(
    text: str, top_left: tuple, bottom_right: tuple, pass_move: int
) -> None:
    size = size_of(text)
    for vertex, sgf, at, move, point in (top_left, bottom_right):
        assert move_at(*at, size) == move
        assert row_column(move, size) == at
        assert (move_to_vertex(move, size), vertex_to_move(vertex, size)) == (vertex, move)
        assert (move_to_sgf(move, size), sgf_to_move(sgf, size)) == (sgf, move)
        assert (move_to_point(move, size), point_to_move(point, size)) == (point, move)
    assert size.cells == pass_move
    assert (move_to_vertex(pass_move, size), vertex_to_move("PASS", size)) == ("pass", pass_move)
    assert (move_to_sgf(pass_move, size), sgf_to_move("", size)) == ("", pass_move)
    assert (move_to_point(pass_move, size), point_to_move(-1, size)) == (-1, pass_move)


@pytest.mark.parametrize("size", [Size(1, 1), Size(1, 9), Size(7, 2), Size(19, 19), Size(25, 25)])
def test_every_system_leads_back_to_the_move(size: Size) -> None:
    seen = set()
    for move in range(size.cells + 1):
        assert vertex_to_move(move_to_vertex(move, size), size) == move
        assert point_to_move(move_to_point(move, size), size) == move
        if move < size.cells or size.rows > 19:
            assert sgf_to_move(move_to_sgf(move, size), size) == move
        seen.add(move_to_point(move, size))
    assert len(seen) == size.cells + 1
    assert max(seen) < size.area


def test_the_letter_i_is_left_out() -> None:
    assert move_to_vertex(8, Size(9, 9)) == "J9"
    with pytest.raises(CoordinateError, match="not a vertex"):
        vertex_to_move("I9", Size(9, 9))


def test_tt_is_a_pass_up_to_19x19_and_a_point_above() -> None:
    assert sgf_to_move("tt", Size(19, 19)) == 361
    assert sgf_to_move("tt", Size(9, 9)) == 81
    assert sgf_to_move("tt", Size(25, 25)) == 19 * 25 + 19
    assert sgf_to_move("tt", Size(20, 20)) == 19 * 20 + 19
    with pytest.raises(CoordinateError):
        sgf_to_move("tt", Size(19, 21))


def test_sgf_letters_are_case_sensitive() -> None:
    with pytest.raises(CoordinateError):
        sgf_to_move("AA", Size(19, 19))


@pytest.mark.parametrize(
    ("given", "size"),
    [
        (19, Size(19, 19)),
        ("19", Size(19, 19)),
        (" 9X13 ", Size(13, 9)),
        ("9:13", Size(13, 9)),
        ((13, 9), Size(13, 9)),
        (Size(2, 3), Size(2, 3)),
    ],
)
def test_sizes_are_read_columns_first_in_text_and_rows_first_in_pairs(
    given: object, size: Size
) -> None:
    assert size_of(given) == size  # type: ignore[arg-type]
    assert size_of(str(size)) == size


@pytest.mark.parametrize("bad", [0, 26, "0", "26", "19x", "x", "", "nineteen", (5, 26), (0, 3), -1])
def test_other_sizes_are_refused(bad: object) -> None:
    with pytest.raises(CoordinateError) as caught:
        size_of(bad)  # type: ignore[arg-type]
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["", "D", "4", "D0", "D05", "D20", "Z1", "D 4", "pass it", "DD", "4D"]
)
def test_texts_that_are_no_vertex_are_refused(text: str) -> None:
    with pytest.raises(CoordinateError):
        vertex_to_move(text, Size(19, 19))


@pytest.mark.parametrize("text", ["a", "abc", "at", "ta", "a1", "  ", "é?"])
def test_texts_that_are_no_sgf_point_are_refused(text: str) -> None:
    with pytest.raises(CoordinateError):
        sgf_to_move(text, Size(19, 19))


def test_moves_off_the_board_are_refused() -> None:
    size = Size(3, 4)
    for call in (move_to_vertex, move_to_sgf, move_to_point, row_column):
        for move in (-1, 13):
            with pytest.raises(CoordinateError):
                call(move, size)
    with pytest.raises(CoordinateError):
        row_column(12, size)
    for row, column in ((-1, 0), (3, 0), (0, 4), (0, -1)):
        with pytest.raises(CoordinateError):
            move_at(row, column, size)
    for point in (0, 1, 4, 5, 10, 15, size.area - 1, size.area, -2):
        with pytest.raises(CoordinateError):
            point_to_move(point, size)


def test_opponents_are_each_other() -> None:
    assert opponent(points.BLACK) == points.WHITE
    assert opponent(points.WHITE) == points.BLACK
