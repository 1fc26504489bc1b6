"""Connections and combinations on diagrams of our own."""

from __future__ import annotations

import pytest

from mariago.board.geometry import SYMMETRIES, move_table
from mariago.board.points import BLACK, WHITE, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.combinations import combination_attack, combination_defenses
from mariago.tactics.connections import connect, disconnect

BAMBOO = """
    . . . . . . .
    . . . . . . .
    . . X X . . .
    . . . . . . .
    . . X X . . .
    . . . . . . .
    . . . . . . .
    """
DIAGONAL = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . X . . .
    . . X . . . .
    . . . . . . .
    . . . . . . .
    """
# Two groups with two eyes each; A5 is the only way from one to the other.
EDGE = """
    . X . X O . .
    X X X X O . .
    . O O O O . .
    X X X X O . .
    . X . X O . .
    X X X X O . .
    . . . . . . .
    """
APART = """
    X . . . . . .
    . . . O . . .
    . . . O . . .
    . . . O . . .
    . . . O . . .
    . . . O . . .
    . . . . . . X
    """
# F6 puts E6 and G6 in atari at once, and no reply saves both.
FORK = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . X . .
    . . . X O . O X .
    . . . . . . . . .
    . . . . O . O . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def each_way(diagram, *vertices):
    """Yield the position and the moves in all symmetries."""
    position = Position.from_diagram(diagram)
    for symmetry in SYMMETRIES:
        table = move_table(position.size, symmetry)
        moves = [int(table[vertex_to_move(vertex, position.size)]) for vertex in vertices]
        yield position.symmetry(symmetry), *moves


@pytest.mark.parametrize(("diagram", "pair"), [(BAMBOO, ("C5", "C3")), (DIAGONAL, ("C3", "D4"))])
def test_bamboo_joints_and_diagonals_cannot_be_cut(diagram, pair):
    for position, first, second in each_way(diagram, *pair):
        assert disconnect(position, first, second).result == 0
        assert connect(position, first, second).result == 1


def test_whoever_plays_at_the_one_point_left_decides():
    for position, first, second, point in each_way(EDGE, "A6", "A4", "A5"):
        for found in (connect(position, first, second), disconnect(position, first, second)):
            assert (found.result, found.move) == (1, point)


def test_stones_far_apart_need_no_cut_and_cannot_be_joined():
    for position, first, second in each_way(APART, "A7", "G1"):
        assert connect(position, first, second).result == 0
        assert disconnect(position, first, second).result == 1


def test_one_chain_is_joined_already():
    for position, first, second in each_way(BAMBOO, "C5", "D5"):
        found = connect(position, first, second)
        assert (found.result, found.move) == (1, None)
        assert disconnect(position, first, second).result == 0


def test_stones_of_two_colours_or_none_are_refused():
    position = Position.from_diagram(EDGE)
    for pair in (("A6", "B5"), ("A6", "A5"), ("G1", "G2")):
        with pytest.raises(BadInputError, match="one colour"):
            connect(position, *(vertex_to_move(vertex, position.size) for vertex in pair))


def test_a_double_atari_is_a_combination_whichever_way_the_board_is_turned():
    for position, point in each_way(FORK, "F6"):
        assert combination_attack(position, BLACK) == point


def test_whoever_plays_first_at_the_point_of_a_double_atari_has_no_more_to_fear():
    position = Position.from_diagram(FORK)
    point = vertex_to_move("F6", position.size)
    assert point in combination_defenses(position, WHITE, depth=1)
    assert combination_attack(position, WHITE, depth=1) is None
    assert combination_defenses(position, BLACK, depth=1) == []
