"""Position: play, ko, suicide, superko, set-up and value."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE, Size, vertex_to_move
from mariago.errors import CoordinateError, IllegalMoveError, RulesError
from mariago.rules import RULE_SETS, Played, Position

KO = """
  . X O .
  X . X O
  . X O .
  . . . .
  O to move
"""


def at(vertex: str, position: Position) -> int:
    return vertex_to_move(vertex, position.size)


def play_all(position: Position, vertices: str) -> Position:
    for vertex in vertices.split():
        position = position.play_vertex(vertex)
    return position


def test_ko_recapture_waits_for_another_move() -> None:
    taken = Position.from_diagram(KO).play_vertex("B3")
    assert taken.ko == at("C3", taken)
    assert taken.why_illegal(at("C3", taken)) == "ko"
    with pytest.raises(IllegalMoveError) as caught:
        taken.play_vertex("C3")
    assert (caught.value.reason, caught.value.vertex) == ("ko", "C3")
    elsewhere = play_all(taken, "A1 D1")
    assert elsewhere.ko is None
    assert elsewhere.play_vertex("C3").taken == (1, 1)


def test_a_pass_lifts_the_ko() -> None:
    taken = Position.from_diagram(KO).play_vertex("B3").play_pass().play_pass()
    assert taken.ko is None
    assert taken.is_legal(at("C3", taken))


def test_reasons_come_in_the_order_occupied_ko_suicide_superko() -> None:
    position = Position.from_diagram(". X .\nX . X\n. X .\nO to move")
    assert position.why_illegal(at("B3", position)) == "occupied"
    assert position.why_illegal(at("B2", position)) == "suicide"
    assert position.why_illegal(at("A3", position)) == "suicide"
    assert position.why_illegal(position.size.cells) is None
    allowed = Position.from_diagram(str(position), rules="new_zealand")
    assert allowed.is_legal(at("B2", allowed))


def test_a_suicide_of_two_stones_takes_them_off() -> None:
    position = Position.from_diagram(
        ". O X\nX X .\n. . .\nO to move", rules="tromp_taylor"
    ).play_vertex("A3")
    assert position.stones.tolist() == [[0, 0, 1], [1, 1, 0], [0, 0, 0]]
    assert position.taken == (2, 0)
    assert sorted(position.last_taken) == [0, 1]
    assert position.recent[0] == Played(WHITE, 0, position.last_taken)


def test_a_single_stone_suicide_changes_no_board_so_positional_superko_bans_it() -> None:
    text = ". X .\nX . .\n. . .\nO to move"
    positional = Position.from_diagram(text, rules="tromp_taylor")
    assert positional.why_illegal(0) == "superko"
    situational = Position.from_diagram(text, rules="new_zealand")
    after = situational.play(0)
    assert np.array_equal(after.stones, situational.stones)
    assert (after.to_move, after.taken) == (BLACK, (1, 0))
    # The same board with the same side to move would be there a second time.
    again = after.play_pass()
    assert again.why_illegal(0) == "superko"


def test_situational_superko_counts_the_situations_that_passes_make() -> None:
    text = ". X .\nX . .\n. . .\nO to move"
    passed = Position.from_diagram(text, rules="new_zealand").play_pass().play_pass()
    assert passed.why_illegal(0) == "superko"


def test_a_repeated_board_under_simple_ko_ends_the_game() -> None:
    # One row of four: White takes two stones, Black takes two back.
    before = play_all(Position.empty((1, 4), "chinese"), "B1 D1 A1 C1")
    assert not before.is_over
    after = before.play_vertex("B1")
    assert after.repeated
    assert after.is_over
    assert after.passes == 0


def test_passes_do_not_count_as_repetition() -> None:
    position = play_all(Position.empty(3, "chinese"), "B2 pass A1 pass pass")
    assert not position.repeated
    assert position.is_over


@pytest.mark.parametrize("rules", ["tromp_taylor", "ing", "aga", "new_zealand"])
def test_superko_forbids_what_would_repeat_the_board(rules: str) -> None:
    before = play_all(Position.empty((1, 4), rules), "B1 D1 A1 C1")
    assert before.why_illegal(1) == "superko"
    assert before.superko_banned() == [1]
    assert not before.legal_mask()[1]
    with pytest.raises(IllegalMoveError, match="superko"):
        before.play(1)


def test_simple_ko_bans_no_move_as_superko() -> None:
    before = play_all(Position.empty((1, 4), "chinese"), "B1 D1 A1 C1")
    assert before.superko_banned() == []


def test_the_ko_point_is_not_named_as_superko() -> None:
    taken = Position.from_diagram(KO, rules="tromp_taylor").play_vertex("B3")
    assert taken.superko_banned() == [at("D4", taken)]  # a suicide that would change nothing
    assert taken.why_illegal(at("C3", taken)) == "ko"


def test_five_recent_moves_come_back_with_what_they_took() -> None:
    position = play_all(Position.empty(5), "C3 A1 B4 B1 pass E5 A2")
    assert [played.move for played in position.recent] == [
        at(vertex, position) for vertex in ("A2", "E5", "pass", "B1", "B4")
    ]
    assert [played.color for played in position.recent] == [1, 2, 1, 2, 1]
    corner = play_all(Position.empty(3), "A1 B1 C3 A2")
    assert corner.recent[0] == Played(WHITE, 3, (6,))
    assert (corner.last_move, corner.last_taken) == (3, (6,))
    assert corner.moves == [(1, 6), (2, 7), (1, 2), (2, 3)]
    assert corner.move_number == 4


def test_chains_and_liberties_are_sorted_moves() -> None:
    position = Position.from_diagram("X X .\n. X O\n. . .")
    assert position.chain_at(0) == (0, 1, 4)
    assert position.liberties_at(4) == (2, 3, 7)
    assert position.chain_at(2) == ()
    assert position.liberties_at(2) == ()
    assert position.liberty_counts().tolist() == [[3, 3, 0], [0, 3, 2], [0, 0, 0]]
    with pytest.raises(RulesError):
        position.chain_at(9)


def test_moves_off_the_board_are_refused() -> None:
    position = Position.empty(3)
    for move in (-1, 10):
        for call in (position.play, position.is_legal, position.why_illegal):
            with pytest.raises(CoordinateError):
                call(move)


def test_a_change_of_side_lifts_the_ko_and_nothing_else() -> None:
    taken = Position.from_diagram(KO).play_vertex("B3")
    turned = taken.with_to_move(WHITE)
    assert (turned.to_move, turned.ko) == (WHITE, None)
    assert np.array_equal(turned.stones, taken.stones)
    assert taken.with_to_move(BLACK) is taken
    with pytest.raises(RulesError):
        taken.with_to_move(0)


def test_other_rules_replay_the_past() -> None:
    position = play_all(Position.empty((1, 4), "chinese", komi=0.5), "B1 D1 A1 C1")
    other = position.with_rules("tromp_taylor")
    assert other.superko_banned() == [1]
    assert other.komi == 0.5
    assert other.with_rules(komi=3).komi == 3
    with pytest.raises(IllegalMoveError, match="superko"):
        position.play(1).with_rules("aga")


def test_komi_is_the_usual_one_unless_given() -> None:
    assert Position.empty(9, "ing").komi == 8
    assert Position.empty(9, "ing", 0).komi == 0
    assert Position.empty(9).size == Size(9, 9)
    assert Position.empty("9x13").stones.shape == (13, 9)
    assert Position.empty(9, RULE_SETS["aga"], handicap=3).handicap_bonus == 2
