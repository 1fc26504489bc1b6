"""Text diagrams: what is read, what is drawn, what is refused."""

from __future__ import annotations

import pytest

from mariago.board.diagram import draw_diagram, parse_diagram
from mariago.errors import BadInputError

PLAIN = """
. X O .
X * X O
. X O .
"""

SAME_BOARD = [
    """
       A B C D
     3 . X O . 3
     2 X * X O 2
     1 . X O . 1
       A B C D
    """,
    ".#o.\n#*#o\n.#o.",
    "3  .  x  O  .\n2  x  *  #  o\n1  .  x  O  .\n   A  B  C  D",
    "ABCD\n,●○+\n●*●○\n-●○.",
    ". X O .\nX *(X)O\n. X O .",
    "| . X O . |\n| X * X O |\n| . X O . |",
]


@pytest.mark.parametrize("text", SAME_BOARD)
def test_ways_of_drawing_one_board_read_the_same(text: str) -> None:
    drawn = parse_diagram(text)
    assert drawn.stones.tolist() == [[0, 1, 2, 0], [1, 0, 1, 2], [0, 1, 2, 0]]
    assert drawn.ko == 5
    assert drawn.to_move is None
    assert drawn.size == (3, 4)


@pytest.mark.parametrize(
    ("line", "color"),
    [("X to move", 1), ("O to move", 2), ("white to play", 2), ("Black to move, komi 7.5", 1)],
)
def test_a_line_names_the_side_to_move(line: str, color: int) -> None:
    assert parse_diagram(f"{PLAIN}\n{line}\n").to_move == color


def test_drawing_marks_the_ko_the_last_move_and_the_stars() -> None:
    drawn = parse_diagram(PLAIN)
    assert draw_diagram(drawn.stones, ko=5, last=6) == "\n".join(
        ["    A B C D", "  3 . X O .", "  2 X *(X)O", "  1 . X O ."]
    )
    assert draw_diagram(drawn.stones, coordinates=False).split("\n")[0] == " . X O ."
    empty = parse_diagram("\n".join(["." * 9] * 9)).stones
    assert draw_diagram(empty).count("+") == 5
    assert draw_diagram(empty, stars=False).count("+") == 0


def test_single_points_and_rows_are_boards() -> None:
    assert parse_diagram("  1 .").stones.tolist() == [[0]]
    assert parse_diagram("X.O").stones.tolist() == [[1, 0, 2]]
    assert parse_diagram(" A\n3 X\n2 .\n1 O").stones.tolist() == [[1], [0], [2]]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no board"),
        ("A B C", "no board"),
        (". X\n. X O", "row of 3 points"),
        (". ? .", "not a point"),
        ("* * .", "more than one ko"),
        ("." * 26, "26"),
        ("3\n2\n1", "not a point"),
        ("\n".join(["."] * 26), "not supported"),
    ],
)
def test_diagrams_that_cannot_be_read_say_why(text: str, why: str) -> None:
    with pytest.raises(BadInputError, match=why):
        parse_diagram(text)
