"""The rule-based player passes when nothing is left, and not before."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.points import move_to_vertex
from mariago.heuristic import choose, weights_of
from mariago.heuristic.ending import answers_pass, margin, standing_of
from mariago.rules import Position
from mariago.rules.rule_sets import RULE_SETS

BEST = ("v6", "v7")


def chosen(position: Position, version: str = "") -> str:
    move = choose(position, np.random.default_rng(0), weights_of(version))
    return str(move_to_vertex(move, position.size))


def moves_of(position: Position, limit: int, version: str = "") -> list[str]:
    """Return what the player answers while its opponent passes."""
    found: list[str] = []
    rng = np.random.default_rng(0)
    while len(found) < limit:
        move = choose(position, rng, weights_of(version))
        found.append(str(move_to_vertex(move, position.size)))
        position = position.play(move)
        if position.is_over or move == position.size.cells:
            break
        position = position.play_pass()
    return found


# E6 and E5, between both sides, are dame.
DAME = """
    . X . X . O O . O
    X X X X . O O O O
    . X X X O O . O .
    X X X X X O O O O
    X . X . X O . O .
    X X X X X O O O O
"""


def test_dame_are_filled_under_area_counting_and_not_under_territory():
    area = Position.from_diagram(DAME, rules="chinese", move_number=60)
    assert chosen(area, "v7") in ("E6", "E5")
    territory = Position.from_diagram(DAME, rules="japanese", move_number=60)
    assert chosen(territory, "v7") == "pass"


SETTLED = """
    . X X O .
    X X X O O
    . X X O O
    X X X O .
    . X X O O
"""


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp_taylor", "new_zealand"])
@pytest.mark.parametrize("version", BEST)
def test_real_eyes_are_never_filled_even_when_behind(rules, version):
    for komi in (-20.5, 20.5):
        for side in (1, 2):
            position = Position.from_diagram(
                SETTLED, to_move=side, rules=rules, komi=komi, move_number=40
            )
            assert chosen(position, version) == "pass"


def test_a_pass_is_answered_where_both_counts_are_won():
    won = Position.from_diagram(DAME, rules="japanese", komi=-9.5, move_number=60, to_move=2)
    assert answers_pass(won.play_pass())
    lost = Position.from_diagram(DAME, rules="japanese", komi=9.5, move_number=60, to_move=2)
    assert not answers_pass(lost.play_pass())


# White's stone at A6 is dead; left there it makes the corner nobody's.
DEAD_STONE = """
    O . X X O . O
    X X X O O O O
    . X X X O . O
    X X X X O O O
    X . X X O . O
    X X X X O O O
"""


@pytest.mark.parametrize(("rules", "komi"), [("chinese", 2.5), ("japanese", 0.5)])
@pytest.mark.parametrize("version", BEST)
def test_dead_stones_are_taken_where_the_count_as_it_stands_is_behind(rules, komi, version):
    position = Position.from_diagram(DEAD_STONE, rules=rules, komi=komi, move_number=60)
    assert standing_of(position).dead[0, 0]
    assert margin(position) < 0 < margin(position, standing_of(position).dead)
    assert moves_of(position, 12, version) == ["B6", "pass"]


def test_dead_stones_are_left_where_the_count_is_won_as_it_stands():
    position = Position.from_diagram(DEAD_STONE, rules="japanese", komi=-9.5, move_number=60)
    assert moves_of(position, 12, "v7") == ["pass"]


@pytest.mark.parametrize("version", BEST)
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_stones_are_not_thrown_into_lost_areas_without_end(version, rules):
    position = Position.empty(9, rules, komi=-60.5 if rules != "japanese" else 60.5)
    rng = np.random.default_rng(3)
    for move in range(0, 81, 9):  # Black's wall in the middle column makes both sides large
        position = position.play(move + 4).play(move + 5 if move % 18 == 0 else 81)
    passes = 0
    while not position.is_over and position.move_number < 3 * 81:
        position = position.play(choose(position, rng, weights_of(version)))
        passes = position.passes
    assert position.is_over or position.repeated
    assert passes == 2 or position.repeated


def test_a_side_that_is_behind_plays_while_something_is_left():
    position = Position.from_diagram(
        """
        . . . . . . .
        . . . . . . .
        X X X X X X X
        O O O O O O O
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        komi=0.5,
        move_number=40,
        to_move=2,
    )
    black = position.play_pass()
    assert chosen(black) != "pass"
    white = Position.from_stones(black.stones, to_move=2, komi=0.5, move_number=41).play_pass()
    assert margin(white.with_to_move(2)) > 0


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
@pytest.mark.parametrize("size", [(5, 5), (4, 7), (9, 9)])
def test_every_rule_set_is_played_to_its_end(rules, size):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        position = Position.empty(size, rules)
        while not position.is_over and not position.repeated:
            move = choose(position, rng)
            assert position.is_legal(move)
            position = position.play(move)
            assert position.move_number < 4 * position.size.cells


def test_handicap_and_set_up_boards_are_played():
    stones = np.zeros((19, 19), np.uint8)
    stones[[3, 3, 15, 15, 9], [3, 15, 3, 15, 9]] = 1
    position = Position.from_stones(stones, to_move=2, handicap=5, komi=0.5)
    rng = np.random.default_rng(0)
    for _ in range(20):
        move = choose(position, rng)
        assert move < 361
        position = position.play(move)
    crosswise = np.zeros((19, 19), np.uint8)
    crosswise[[3, 15], [3, 15]] = 1
    crosswise[[3, 15], [15, 3]] = 2
    assert choose(Position.from_stones(crosswise, to_move=2), rng) < 361


# From a game that Black lost by seven points: its own ground is closed, H4 and H8 are no moves.
CLOSED = """
    O O . O X . X . X
    . O O O X X X . X
    . . O X X . X . X
    O O O X X . . X .
    O . . O X X X X .
    O O O O X X . . X
    . O . O X X X . X
    . . O O O O X X .
    . . O . O X X . X
"""


def test_a_lost_game_is_not_played_on_in_ground_where_nobody_lives():
    position = Position.from_diagram(CLOSED, rules="chinese", komi=7.5, move_number=72)
    assert margin(position) < 0
    assert chosen(position, "v7") == "pass"
