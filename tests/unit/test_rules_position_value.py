"""Position as a value: set-up, text, equality, pickles."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE, vertex_to_move
from mariago.errors import BadInputError, CoordinateError, RulesError
from mariago.rules import Position

KO = """
  . X O .
  X . X O
  . X O .
  . . . .
  O to move
"""


def play_all(position: Position, vertices: str) -> Position:
    for vertex in vertices.split():
        position = position.play_vertex(vertex)
    return position


def test_playing_leaves_the_position_as_it_was() -> None:
    position = play_all(Position.empty(9), "C3 D4")
    before = (position.stones, position.hash, position.to_move, position.recent, position.moves)
    position.play_vertex("E5")
    position.play_pass()
    position.state[:] = 0
    position.stones[:] = 1
    position.history_hashes[:] = 0
    after = (position.stones, position.hash, position.to_move, position.recent, position.moves)
    assert np.array_equal(before[0], after[0])
    assert before[1:] == after[1:]


def test_brothers_do_not_share_a_future() -> None:
    position = play_all(Position.empty(5, "tromp_taylor"), "C3 B2")
    one, other = position.play_vertex("A1"), position.play_vertex("E5")
    assert one.play_pass().moves[2] == (1, vertex_to_move("A1", one.size))
    assert other.play_pass().moves[2] == (1, vertex_to_move("E5", one.size))
    assert len(one.history_hashes) == len(other.history_hashes) == 4
    assert len(position.history_hashes) == 3


def test_equal_positions_are_equal_whatever_way_they_came_about() -> None:
    one = play_all(Position.empty(9), "C3 D4 E5")
    two = play_all(Position.empty(9), "E5 D4 C3")
    assert one == two
    assert hash(one) == hash(two)
    assert one != one.play_pass()
    assert one != play_all(Position.empty(9, "aga"), "C3 D4 E5")
    assert one != play_all(Position.empty(9, komi=0.5), "C3 D4 E5")
    assert one != "a position"
    assert len({one, two, one.play_pass()}) == 2


def test_a_ko_makes_positions_differ() -> None:
    taken = Position.from_diagram(KO).play_vertex("B3")
    free = Position.from_stones(taken.stones, to_move=taken.to_move)
    assert taken != free
    assert taken.play_pass() != free
    assert taken == Position.from_stones(taken.stones, to_move=taken.to_move, ko=taken.ko)


def test_pickles_keep_the_past() -> None:
    position = play_all(Position.empty((1, 4), "aga"), "B1 D1 A1 C1")
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.recent == position.recent
    assert copy.moves == position.moves
    assert copy.superko_banned() == [1]
    assert copy.symmetry(2).superko_banned() == [2]


def test_a_long_game_can_be_pickled_and_turned() -> None:
    position = Position.empty(3, "chinese")
    for _ in range(1500):
        position = position.play_pass()
    copy = pickle.loads(pickle.dumps(position))
    assert copy.symmetry(5).move_number == 1500


def test_text_shows_board_ko_last_move_and_side() -> None:
    taken = Position.from_diagram(KO).play_vertex("B3")
    assert str(taken) == "\n".join(
        [
            "    A B C D",
            "  4 . X O .",
            "  3 X(O)* O",
            "  2 . X O .",
            "  1 . . . .",
            "X to move",
        ]
    )
    assert repr(taken) == "<Position 4x4 chinese komi 7.5, move 1, Black to move>"


def test_a_diagram_or_an_argument_says_ko_and_side() -> None:
    drawn = Position.from_diagram(". X O .\nX O * O\n. X O .")
    assert (drawn.ko, drawn.to_move) == (6, BLACK)
    named = Position.from_diagram(". X O .\nX O . O\n. X O .", ko="C2")
    assert named == drawn
    assert Position.from_diagram("X .\nO to move", to_move=BLACK).to_move == BLACK


@pytest.mark.parametrize(
    "text",
    [
        "* . .\n. . .",
        ". X O .\nX O * .\n. X O .",
        ". X O .\nX O * X\n. X O .",
        ". X O .\nX O * O\n. X O .\nO to move",
        ". . O .\nX O * O\n. X O .",
    ],
)
def test_a_ko_that_nobody_can_have_taken_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match="no ko"):
        Position.from_diagram(text)


def test_set_ups_without_liberty_are_refused_or_taken_off() -> None:
    stones = np.array([[2, 1, 0], [1, 0, 0]], np.uint8)
    with pytest.raises(RulesError, match="no liberty") as caught:
        Position.from_stones(stones)
    assert caught.value.where == "A2"
    left = Position.from_stones(stones, without_breathless=True)
    assert left.stones.tolist() == [[0, 1, 0], [1, 0, 0]]
    assert left.liberties_at(1) == (0, 2, 4)


def test_bad_set_ups_are_refused() -> None:
    with pytest.raises(RulesError, match="neither"):
        Position.from_stones(np.array([[3]]))
    with pytest.raises(RulesError, match="not a side"):
        Position.from_stones(np.zeros((2, 2)), to_move=0)
    with pytest.raises(CoordinateError):
        Position.from_stones(np.zeros((26, 2)))
    with pytest.raises(BadInputError):
        Position.from_diagram("?")


def test_points_set_by_hand_start_a_new_history() -> None:
    position = play_all(Position.empty(5), "C3 A1 B4 B1 E5 D1 A2")
    edited = position.with_setup([(WHITE, 0), (0, vertex_to_move("C3", position.size))])
    assert edited.color_at(0) == WHITE
    assert edited.color_at(vertex_to_move("C3", position.size)) == 0
    assert (edited.move_number, edited.taken) == (7, position.taken)
    assert (edited.recent, edited.moves, len(edited.history_hashes)) == ((), [], 1)
    with pytest.raises(CoordinateError):
        position.with_setup([(WHITE, 25)])
