"""Life and death as people ask for it: well-known shapes, kos told apart, errors."""

from __future__ import annotations

import pytest

from mariago.board.points import BLACK, WHITE, move_to_vertex, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics import life, solve_problem

OUTSIDE = "\nO O O O O O . .\n. . . . . . . .\n. . . . . . . ."


def answer(diagram, stone, to_move):
    """Return (status, vertex of the move or None) for a group."""
    position = Position.from_diagram(diagram)
    reading = life(position, vertex_to_move(stone, position.size), to_move)
    move = reading.move
    return reading.status, None if move is None else move_to_vertex(move, position.size)


STRAIGHT_THREE = ". . . X O . . .\nX X X X O . . ." + OUTSIDE
STRAIGHT_FOUR = ". . . . X O . .\nX X X X X O . ." + OUTSIDE
TWO_EYES = ". X . X O . . .\nX X X X O . . ." + OUTSIDE
SQUARE_FOUR = ". . X O . . . .\n. . X O . . . .\nX X X O . . . .\nO O O O . . . .\n. . . . . . . ."


def test_straight_three_hangs_on_the_middle():
    assert answer(STRAIGHT_THREE, "A4", WHITE) == ("dead", "B5")
    assert answer(STRAIGHT_THREE, "A4", BLACK) == ("alive", "B5")


def test_straight_four_and_two_eyes_live_without_a_move():
    for shape in (STRAIGHT_FOUR, TWO_EYES):
        assert answer(shape, "A4", WHITE)[0] == "alive"
        assert answer(shape, "A4", BLACK)[0] == "alive"


def test_square_four_is_dead():
    assert answer(SQUARE_FOUR, "C4", WHITE)[0] == "dead"


def test_the_side_to_move_is_the_positions_where_none_is_given():
    position = Position.from_diagram(STRAIGHT_THREE)
    stone = vertex_to_move("A4", position.size)
    assert life(position.with_to_move(WHITE), stone).status == "dead"
    assert life(position.with_to_move(BLACK), stone).status == "alive"


def test_the_line_begins_with_the_move():
    position = Position.from_diagram(STRAIGHT_THREE)
    reading = life(position, vertex_to_move("A4", position.size), WHITE)
    assert reading.line[0] == reading.move
    assert reading.result == 1


def test_too_few_nodes_are_told_as_unknown():
    position = Position.from_diagram(
        ". . . . . X O .\n. . . . . X O .\nX X X X X X O .\nO O O O O O O ."
    )
    reading = life(position, vertex_to_move("A2", position.size), WHITE, nodes=5)
    assert (reading.status, reading.result) == ("unknown", -1)


def test_a_problem_is_about_the_group_that_hangs_on_the_move():
    position = Position.from_diagram(STRAIGHT_THREE)
    for to_move, goal in ((BLACK, "live"), (WHITE, "kill")):
        found = solve_problem(position.with_to_move(to_move), 50_000)
        assert (found.move, found.goal) == (vertex_to_move("B5", position.size), goal)


def test_the_smallest_boards_are_read():
    for size in ((1, 1), (1, 2), (2, 1), (1, 7), (25, 2)):
        position = Position.empty(size)
        if position.size.cells > 1:
            position = position.play(0)
            assert life(position, 0, BLACK, nodes=2_000).status in (
                "alive",
                "dead",
                "ko",
                "unknown",
            )
        assert solve_problem(position, 1_000).result in (-1, 0, 1, 2, 3)


@pytest.mark.parametrize("stone", ["A5", "pass"])
def test_where_no_stone_stands_there_is_nothing_to_read(stone):
    position = Position.from_diagram(STRAIGHT_THREE)
    with pytest.raises(BadInputError, match="no stone"):
        life(position, vertex_to_move(stone, position.size))


def test_only_colours_move_and_race():
    position = Position.from_diagram(STRAIGHT_THREE)
    stone = vertex_to_move("A4", position.size)
    with pytest.raises(BadInputError, match="moves first"):
        life(position, stone, 3)
    with pytest.raises(BadInputError, match="rival"):
        life(position, stone, BLACK, rival=stone)


def test_an_answer_does_not_depend_on_what_was_read_before():
    boards = [
        Position.from_diagram(
            """
            . X . O . . .
            X X O O . . .
            . X O . . . .
            X X O . . . .
            O O O . . . .
            . . . . . . .
            . . . . . . .
            """
        ),
        Position.from_diagram(
            """
            . . . O . . .
            X X . O . . .
            O X X O . . .
            O O O O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """
        ),
    ]
    alone = [life(board, 7, 2) for board in boards]
    again = [life(board, 7, 2) for board in reversed(boards)]
    assert alone == list(reversed(again))
    assert alone == [life(board, 7, 2) for board in boards]
