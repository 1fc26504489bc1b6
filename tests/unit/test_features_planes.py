"""Input planes say what their table says, on boards small enough to check by eye."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.errors import BadInputError, RulesError
from mariago.features import (
    planes_of_position,
    planes_of_positions,
    planes_of_rows,
    rows_of_positions,
)
from mariago.rules import RULE_SETS, Position, rules_of


def drawn(plane, rows, columns):
    """Return the board part of a plane as text, ``1`` where set."""
    return ["".join("1" if v else "." for v in row[:columns]) for row in plane[:rows]]


def test_stones_and_liberties_are_seen_by_the_side_to_move():
    position = Position.from_diagram(
        """
        . . . . .
        . X O . .
        . X O . .
        . . X . .
        """,
        to_move=2,
    )
    planes, _ = planes_of_position(position, 7)
    board = planes[0]
    assert board[0].sum() == 20
    assert not board[:, 4:].any()
    assert not board[:, :, 5:].any()
    assert drawn(board[1], 4, 5) == [".....", "..1..", "..1..", "....."]
    assert drawn(board[2], 4, 5) == [".....", ".1...", ".1...", "..1.."]
    assert drawn(board[5], 4, 5) == [".....", "..1..", "..1..", "....."]
    assert drawn(board[4], 4, 5) == [".....", ".....", ".....", "..1.."]
    assert not board[3].any()


def test_the_ko_point_is_marked():
    position = Position.from_diagram(
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        """,
        to_move=2,
    ).play(6)
    planes, _ = planes_of_position(position, 5)
    assert drawn(planes[0, 6], 4, 5) == [".....", "..1..", ".....", "....."]


def test_superko_bans_are_marked_beside_the_ko_point():
    # A one-point eye on a 1x2 board: White's answer at once is ko, every return is superko.
    position = Position.empty((1, 2), "tromp_taylor").play(0).play(1)
    planes, _ = planes_of_position(position, 2)
    banned = set(position.superko_banned()) | ({position.ko} - {None})
    assert banned
    assert set(np.flatnonzero(planes[0, 6, 0])) == banned


def test_the_suicide_of_one_stone_is_no_matter_of_superko():
    # Here both of White's empty corners are forbidden by superko, and only the right one, where
    # two stones would go, is a superko ban in KataGo's eyes.
    position = Position.from_diagram(
        """
        . O . O O
        O O . O X
        . . . O .
        """,
        to_move=1,
        rules="tromp_taylor",
    )
    assert position.superko_banned() == [0]
    planes, _ = planes_of_position(position, 5)
    assert not planes[0, 6].any()


def test_moves_and_passes_of_the_past_stand_in_their_planes_and_globals():
    position = Position.empty(5).play(0).play(1).play_pass().play(7).play(8).play(9)
    planes, global_inputs = planes_of_position(position, 5)
    marked = [np.flatnonzero(planes[0, 9 + i]).tolist() for i in range(5)]
    assert marked == [[9], [8], [7], [], [1]]
    assert global_inputs[0, :5].tolist() == [0, 0, 0, 1, 0]


def test_the_past_ends_where_colours_stop_alternating():
    position = Position.empty(5).play(0).play(1).with_to_move(2).play(2).play(3)
    planes, _ = planes_of_position(position, 5)
    marked = [np.flatnonzero(planes[0, 9 + i]).tolist() for i in range(5)]
    assert marked == [[3], [2], [], [], []]


def test_a_ladder_and_the_moves_that_start_it_are_marked():
    position = Position.from_diagram(
        """
        . . . . . . .
        . . . X . . .
        . . X O . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        to_move=1,
    )
    planes, _ = planes_of_position(position, 7)
    assert not planes[0, 17].any()  # two liberties would be needed: it has one
    assert drawn(planes[0, 3], 7, 7)[2] == "...1..."


@pytest.mark.parametrize("name", RULE_SETS)
def test_globals_follow_the_rule_set(name):
    rules = RULE_SETS[name]
    _, given = planes_of_position(Position.empty(19, name), 19)
    black = given[0]
    assert black[5] == pytest.approx(-rules.komi / 20)
    ko = {"simple": [0, 0], "positional": [1, 0.5], "situational": [1, -0.5]}[rules.ko]
    assert black[6:8].tolist() == ko
    assert black[8] == rules.suicide
    assert black[9] == black[10] == (rules.scoring == "territory")
    assert not black[11:18].any()


def test_komi_and_handicap_points_are_seen_from_the_side_to_move():
    black = Position.empty(19, "chinese", 0.5, handicap=4)
    white = black.with_to_move(2)
    assert planes_of_position(black)[1][0, 5] == pytest.approx(-4.5 / 20)
    assert planes_of_position(white)[1][0, 5] == pytest.approx(4.5 / 20)


def test_under_territory_rules_komi_holds_a_point_for_each_stone_more_of_blacks():
    start = Position.from_diagram(
        """
        . X O . .
        X . X O .
        . X O . .
        """,
        to_move=2,
        rules="japanese",
        komi=6.5,
    )  # four black stones, three white ones
    after = start.play(6)  # White takes one
    assert planes_of_position(start)[1][0, 5] == pytest.approx((6.5 + 1) / 20)
    assert planes_of_position(after)[1][0, 5] == pytest.approx(-6.5 / 20)
    assert planes_of_position(after.play_pass())[1][0, 5] == pytest.approx(6.5 / 20)
    area = after.with_rules("chinese", komi=6.5)
    assert planes_of_position(area.play_pass())[1][0, 5] == pytest.approx(6.5 / 20)
    assert planes_of_position(area.play(14))[1][0, 5] == pytest.approx(6.5 / 20)


@pytest.mark.parametrize(
    ("komi", "size", "wave"),
    # White to move. Odd boards: draws at odd komi; even boards: at even komi.
    [(7.0, 19, 0.0), (7.5, 19, 0.5), (6.5, 19, -0.5), (6.0, 19, 0.0), (7.5, 8, -0.5), (7, 8, 0)],
)
def test_the_parity_wave_is_nought_at_whole_komi(komi, size, wave):
    position = Position.empty(size, "chinese", komi).with_to_move(2)
    assert planes_of_position(position)[1][0, 18] == pytest.approx(wave)


def test_a_pass_that_would_end_the_game_is_told():
    assert planes_of_position(Position.empty(5).play_pass())[1][0, 14] == 1
    assert planes_of_position(Position.empty(5).play_pass().play(3))[1][0, 14] == 0


def test_area_is_marked_under_area_counting_only():
    diagram = """
        . X . . O
        . X . . O
        """
    area, _ = planes_of_position(Position.from_diagram(diagram, rules="chinese"), 5)
    territory, _ = planes_of_position(Position.from_diagram(diagram, rules="japanese"), 5)
    assert drawn(area[0, 18], 2, 5) == ["11...", "11..."]
    assert drawn(area[0, 19], 2, 5) == ["....1", "....1"]
    assert not territory[0, 18:20].any()


def test_boards_of_many_sizes_share_a_batch():
    positions = [
        Position.empty(size).play(0) for size in ((1, 2), (25, 25), (9, 13), (19, 19), (2, 1))
    ]
    planes, global_inputs = planes_of_positions(positions, 25)
    assert planes.shape == (5, 22, 25, 25)
    for i, position in enumerate(positions):
        one, one_globals = planes_of_position(position, 25)
        assert np.array_equal(one[0], planes[i])
        assert np.array_equal(one_globals[0], global_inputs[i])


def test_taking_rows_keeps_their_lists():
    ko = Position.from_diagram(
        """
        . X O . .
        X . X O .
        . X O . .
        """,
        to_move=2,
    )
    positions = [ko.play(6), Position.empty(3), ko.play(6).play(14), ko]
    rows = rows_of_positions(positions)
    taken = rows.take([2, 0, 0])
    expected = planes_of_positions([positions[2], positions[0], positions[0]])
    for ours, theirs in zip(planes_of_rows(taken), expected, strict=True):
        assert np.array_equal(ours, theirs)
    assert len(rows.take([])) == 0


def test_a_board_larger_than_the_planes_is_refused():
    with pytest.raises(BadInputError, match="does not fit"):
        planes_of_position(Position.empty(13), 9)


def test_rules_that_no_row_can_hold_are_refused():
    odd = rules_of("japanese").replace(ko="positional")
    with pytest.raises(RulesError, match="a row cannot hold"):
        planes_of_position(Position.empty(5, odd))


def test_unknown_komi_stands_for_the_usual_one():
    from dataclasses import replace

    rows = rows_of_positions([Position.empty(9, "aga", 0.5)])
    unknown = replace(rows, komi=np.array([np.nan], np.float32))
    assert planes_of_rows(unknown)[1][0, 5] == pytest.approx(-7.5 / 20)
