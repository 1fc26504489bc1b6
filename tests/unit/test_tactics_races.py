"""Races: the count against every sequence of moves on the liberties; sekis on small boards."""

from __future__ import annotations

from functools import cache

import pytest
from tests.reference.plain_life import after

from mariago.rules import Position
from mariago.tactics.races import outcome_of, races_of, sekis_of


def race_board(outside: tuple[int, int], eyes: tuple[int, int], shared: int) -> list[str]:
    """Return a board with one race: Black's chain on the left, White's on the right.

    Columns: White's wall, Black's outside liberties, Black's chain round its eye, the shared
    liberties, White's chain round its eye, White's outside liberties, Black's wall.
    """
    rows = max(*outside, *eyes, shared, 1)
    lines = [
        "".join(
            (
                "O",
                "." if row < outside[0] else "O",
                "X",
                "." if row < eyes[0] else "X",
                "X",
                "." if row < shared else "X",
                "O",
                "." if row < eyes[1] else "O",
                "O",
                "." if row < outside[1] else "X",
                "X",
            )
        )
        for row in range(rows)
    ]
    return [*lines, "OOXXXXOOOXX", "OOOOOOXXXXX", *["." * 11] * 3]


def bases(cells: tuple[int, ...]) -> tuple[int, int]:
    """Return a stone of Black's chain and one of White's, on the row below the liberties."""
    row = len(cells) - 5 * 11
    return row + 2, row + 6


@cache
def best(cells: tuple[int, ...], to_move: int, passed: bool, points: tuple[int, ...]) -> int:
    """Return 1 or 2, the colour that takes the other's chain by best play, or 0 for seki.

    Everything may be played on the liberties, and passing is allowed.
    """
    wanted = [0 if passed else best(cells, 3 - to_move, True, points)]
    if wanted[0] == to_move:
        return to_move
    for point in points:
        if cells[point]:
            continue
        new = after(cells, 11, point, to_move)
        if new is None:
            continue
        if new[bases(cells)[2 - to_move]] == 0:
            return to_move
        result = best(new, 3 - to_move, False, points)
        if result == to_move:
            return to_move
        wanted.append(result)
    return 0 if 0 in wanted else 3 - to_move


def cells_of(lines: list[str]) -> tuple[int, ...]:
    return tuple(".XO".index(c) for line in lines for c in line)


CASES = [
    (outside, eyes, shared)
    for outside in ((0, 0), (1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (1, 3))
    for eyes in ((0, 0), (1, 1), (1, 0), (0, 1), (2, 1))
    for shared in (0, 1, 2, 3)
    if sum(outside) + sum(eyes) + shared <= 7
    and outside[0] + eyes[0] + shared > 0
    and outside[1] + eyes[1] + shared > 0
]


@pytest.mark.parametrize(("outside", "eyes", "shared"), CASES)
def test_a_race_ends_as_every_sequence_of_moves_says(outside, eyes, shared):
    lines = race_board(outside, eyes, shared)
    cells = cells_of(lines)
    rows = len(lines) - 5
    points = tuple(k for k, c in enumerate(cells[: rows * 11]) if c == 0)
    sides = ((outside[0], eyes[0]), (outside[1], eyes[1]))
    for color, first, second in ((1, sides[0], sides[1]), (2, sides[1], sides[0])):
        result = outcome_of(first, second, shared)
        counted = {"first": color, "second": 3 - color, "seki": 0}
        assert counted[result] == best(cells, color, False, points), "\n".join(lines)


@pytest.mark.parametrize(("outside", "eyes", "shared"), CASES)
def test_a_race_on_the_board_is_counted(outside, eyes, shared):
    position = Position.from_diagram("\n".join(race_board(outside, eyes, shared)))
    races = races_of(position, set())
    for race in races:
        assert [(side.outside, side.eye) for side in race.sides] == list(
            zip(outside, eyes, strict=True)
        )
        assert race.shared == shared


def test_most_races_of_plain_shape_are_found():
    found = sum(
        bool(races_of(Position.from_diagram("\n".join(race_board(*case))), set())) for case in CASES
    )
    assert found >= 0.6 * len(CASES)


def test_two_shared_liberties_and_nothing_else_are_a_seki():
    position = Position.from_diagram("\n".join(race_board((0, 0), (0, 0), 2)))
    (seki,) = sekis_of(position, set())
    assert seki.shared == (5, 16)
    assert not seki.eyes
    assert not seki.false_eye


def test_an_eye_each_and_one_shared_liberty_are_a_seki():
    position = Position.from_diagram("\n".join(race_board((0, 0), (1, 1), 1)))
    (seki,) = sekis_of(position, set())
    assert seki.shared == (5,)
    assert seki.eyes == (3, 7)


@pytest.mark.parametrize(
    ("outside", "eyes", "shared"),
    [((1, 0), (0, 0), 2), ((0, 0), (0, 0), 1), ((0, 0), (1, 0), 2), ((1, 1), (0, 0), 2)],
)
def test_what_is_still_a_race_is_no_seki(outside, eyes, shared):
    position = Position.from_diagram("\n".join(race_board(outside, eyes, shared)))
    assert sekis_of(position, set()) == []


def test_two_stones_in_an_eye_of_four_in_a_row_are_a_seki_only_where_they_do_not_kill():
    killing = """
        . . . . . . .
        . O O O O O .
        O O . X X . O
        O O O O O O O
        """
    assert sekis_of(Position.from_diagram(killing), set()) == []


def test_who_can_connect_out_through_the_eye_is_in_no_seki():
    # White's stones at A5 to A7 share B5 with Black's, whose eye is A3; A8 joins B8 and gets out.
    lines = """
        . O . O . O . . O . . . . .
        O X O O X O X X X O O . . .
        O X X O O X X . . O O X . .
        O . X O O O X O O O X O O .
        X X X O X O O X X O X . . .
        . X O O X X X X . . X . O O
        O X X O O . O . X X X O O X
        X O O O O . O X X X X X X X
        . . . . . . . . . . . . . .
        """
    assert sekis_of(Position.from_diagram(lines), set()) == []
