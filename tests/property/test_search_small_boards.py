"""Boards so small that they are solved: the search agrees with alpha-beta."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.plain_evaluators import counted, even
from tests.reference.plain_solver import Board, after, area_margin, empty_board, holds, outcome

from mariago.board.points import BLACK
from mariago.rules import Position
from mariago.scoring import score_area
from mariago.search import Search, SearchSettings

RULES = "tromp_taylor"
CENTER_OF_3X3 = 4


def boards_of(position: Position) -> frozenset[Board]:
    """Return every board that stood, this one too."""
    side = position.size.rows
    board = empty_board(side)
    seen = {board}
    for color, move in position.moves:
        if move < side * side:
            board = after(board, side, int(move), color)
            seen.add(board)
    return frozenset(seen)


def solved(position: Position) -> int:
    """Return Black's margin without komi under best play from here on."""
    side = position.size.rows
    board: Board = tuple(int(stone) for stone in position.stones.ravel())
    if position.is_over:
        return area_margin(board, side)
    worst = side * side + 1
    return outcome(
        board, side, position.to_move, boards_of(position), -worst, worst, position.passes == 1
    )


def random_position(rng: np.random.Generator, komi: float) -> Position:
    position = Position.empty(2, RULES, komi)
    for _ in range(int(rng.integers(0, 9))):
        after_one = position.play(int(rng.choice(position.legal_moves())))
        if after_one.is_over:
            break
        position = after_one
    return position


def test_the_empty_2x2_board_is_worth_one_point_to_black():
    assert solved(Position.empty(2, RULES, 0)) == 1


def test_the_middle_of_3x3_takes_the_whole_board_and_a_corner_loses_it():
    board = empty_board(3)
    middle = after(board, 3, CENTER_OF_3X3, 1)
    assert holds(middle, 3, 2, frozenset((board, middle)), 9, 13)
    other_side = after(board, 3, 0, 2)  # White in the corner, Black to answer
    assert holds(other_side, 3, 1, frozenset((board, other_side)), 9, 15)


@pytest.mark.parametrize("komi", [0.5, 1.5])
def test_the_search_finds_the_value_of_the_empty_2x2_board(komi: float):
    found = Search(even).run(Position.empty(2, RULES, komi), visits=4000)
    assert (found.value > 0.3) == (komi < 1)
    assert (found.value < -0.3) == (komi > 1)


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_no_move_on_2x2_throws_a_won_game_away(root: str):
    rng = np.random.default_rng(20)
    won = 0
    for komi in (-1.5, -0.5, 0.5, 1.5):
        for _ in range(15):
            position = random_position(rng, komi)
            wins = (solved(position) > komi) == (position.to_move == BLACK)
            won += wins
            settings = SearchSettings(root="gumbel" if root == "gumbel" else "puct")
            move = Search(even, settings).run(position, visits=1000).move
            after_it = solved(position.play(move))
            assert ((after_it > komi) == (position.to_move == BLACK)) == wins, str(position)
    assert won > 20


def test_the_search_begins_3x3_in_the_middle():
    found = Search(counted).run(Position.empty(3, RULES, 8.5), visits=40_000)
    assert found.move == CENTER_OF_3X3


def test_after_the_middle_black_takes_the_whole_3x3_board_from_anybody():
    rng = np.random.default_rng(5)
    for _ in range(8):
        position = Position.empty(3, RULES, 8.5).play(CENTER_OF_3X3)
        search = Search(counted)
        while not position.is_over:
            if position.to_move == BLACK:
                move = search.run(position, visits=4000).move
            else:
                move = int(rng.choice(position.legal_moves()))
            position = position.play(move)
        assert score_area(position).margin == 0.5
