"""The rule-based player sees what its terms say, and ends its games."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.points import vertex_to_move
from mariago.errors import BadInputError
from mariago.heuristic import (
    LATEST,
    choose,
    groups,
    score_moves,
    version_names,
    weights_of,
)
from mariago.heuristic.term_list import TERMS
from mariago.rules import Position
from mariago.scoring import score_reference


def chosen(position: Position, **given) -> str:
    from mariago.board.points import move_to_vertex

    move = choose(position, np.random.default_rng(0), **given)
    return str(move_to_vertex(move, position.size))


def at(position: Position, diagram_vertex: str) -> int:
    return vertex_to_move(diagram_vertex, position.size)


def test_every_term_stands_in_one_group_and_only_known_terms_have_weights():
    named = [term for group in groups().values() for term in group]
    assert sorted(named) == sorted(TERMS)
    for version in version_names():
        assert set(weights_of(version).values) == set(TERMS)


def test_the_reference_weights_are_those_of_the_account():
    weights = weights_of("account").values
    assert weights["tigers_mouth_entry"] == -9000
    assert weights["tigers_mouth_fill"] == -2000
    assert weights["futile"] == -14000
    assert (weights["working_ladder"], weights["working_ladder_stone"]) == (2500, 80)
    assert weights["broken_ladder"] == -2000
    assert weights["own_territory"] == -3500
    assert weights["double_atari_risk"] == -6000


def test_what_can_be_taken_is_taken():
    position = Position.from_diagram(
        """
        . . . . . . .
        . . . O . . .
        . . O X O . .
        . . O X . . .
        . . . O . . .
        . . . . . . .
        . . . . . . .
        """,
        to_move=2,
        move_number=60,
    )
    assert chosen(position) == "E4"


def test_stones_in_atari_are_saved_before_everything():
    position = Position.from_diagram(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . O X O . . . .
        . . O X O . . . .
        . . . O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        move_number=6,
    )
    assert chosen(position) == "D7"


def test_a_stone_lost_to_a_ladder_does_not_run():
    position = Position.from_diagram(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X . . . .
        . . X O . . . . .
        . . . X . . . . .
        . . . . . . . . .
        """,
        to_move=2,
    )
    scores = score_moves(position)
    assert scores[at(position, "E3")] < 0
    assert chosen(position) != "E3"


def test_faults_are_scored_down():
    position = Position.from_diagram(
        """
        . . . . . . .
        . . . X . . .
        . . X . . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        to_move=2,
    )
    assert score_moves(position)[at(position, "D5")] < -9000


def test_the_opening_takes_the_corners_third_and_fourth_lines():
    position = Position.empty(19)
    rng = np.random.default_rng(4)
    lines = set()
    for _ in range(4):
        move = choose(position, rng)
        row, column = divmod(move, 19)
        lines |= {min(row, 18 - row) + 1, min(column, 18 - column) + 1}
        position = position.play(move)
    assert lines <= {3, 4}


def test_the_first_version_piles_its_stones_in_the_centre():
    position = Position.empty(9)
    assert chosen(position, weights=weights_of("v1")) == "E5"


@pytest.mark.parametrize("version", version_names())
@pytest.mark.parametrize(("size", "rules"), [(5, "japanese"), (9, "chinese"), ((7, 9), "aga")])
def test_games_end_by_passes_and_no_own_eye_is_filled(version, size, rules):
    rng = np.random.default_rng(1)
    position = Position.empty(size, rules)
    limit = 6 * position.size.cells
    while not position.is_over and position.move_number < limit:
        move = choose(position, rng, weights_of(version))
        assert position.is_legal(move)
        if move < position.size.cells:
            stones = np.pad(position.stones, 1, constant_values=3)
            row, column = divmod(move, position.size.columns)
            around = {
                int(stones[row, column + 1]),
                int(stones[row + 2, column + 1]),
                int(stones[row + 1, column]),
                int(stones[row + 1, column + 2]),
            }
            if around <= {position.to_move, 3}:  # an eye by its sides: only a false one
                assert score_moves(position, weights_of(version))[move] > -np.inf
        position = position.play(move)
    assert position.is_over


@pytest.mark.parametrize("size", [1, 2, 3, (1, 5), 25])
def test_every_size_is_played(size):
    position = Position.empty(size)
    for _ in range(6):
        position = position.play(choose(position, np.random.default_rng(0)))
    assert position.move_number == 6


def test_illegal_moves_and_own_eyes_have_no_score():
    position = Position.from_diagram(
        """
        . X . .
        X X . .
        . . . .
        """,
    )
    scores = score_moves(position)
    assert scores.dtype == np.float32
    assert scores.shape == (13,)
    assert scores[0] == scores[1] == -np.inf
    assert scores[-1] == 0


def test_a_pass_is_answered_when_ahead_and_nothing_is_left():
    position = Position.from_diagram(
        """
        . X . O .
        X X X O O
        . X X O O
        X X X O .
        . X X O O
        """,
        to_move=1,
        komi=0.5,
        rules="japanese",
        move_number=30,
    ).with_to_move(2)
    after = position.play_pass()
    assert score_reference(after).margin > 0
    assert chosen(after) == "pass"


def test_a_bonus_changes_the_choice():
    position = Position.empty(9)
    bonus = np.zeros(82)
    bonus[0] = 1e5
    assert chosen(position, bonus=bonus) == "A9"
    with pytest.raises(BadInputError):
        score_moves(position, bonus=np.zeros(81))


def test_the_same_seed_gives_the_same_game():
    def game(seed):
        rng = np.random.default_rng(seed)
        position = Position.empty(9)
        for _ in range(40):
            position = position.play(choose(position, rng))
        return position.moves

    assert game(3) == game(3)


def test_an_unknown_version_is_refused():
    assert weights_of("") == weights_of(LATEST)
    with pytest.raises(BadInputError) as caught:
        weights_of("v9")
    assert caught.value.hint == "choose from " + ", ".join(version_names())
