"""Counting on boards small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.geometry import turned
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.scoring import (
    chinese_text,
    dead_of_ownership,
    score_area,
    score_reference,
    score_territory,
    stones_text,
)

WALLS = """
    . X . O .
    . X . O .
    . X . O .
    . X . O X
    . X . O .
    """


def walls(**given):
    return Position.from_diagram(WALLS, **given)


def test_area_counts_stones_and_surrounded_points_and_no_dame():
    score = score_area(walls(komi=0.5))
    assert (score.black, score.white) == (11, 5.5)
    assert score.margin == 5.5
    assert str(score) == "B+5.5"
    assert score.owner[:, 2].tolist() == [0] * 5


def test_dead_stones_come_off_before_area_is_counted():
    dead = np.zeros((5, 5), bool)
    dead[3, 4] = True
    score = score_area(walls(komi=0.5), dead)
    assert (score.black, score.white) == (10, 10.5)


def test_territory_counts_points_and_prisoners():
    score = score_territory(walls(komi=0.5, rules="japanese"), taken=(2, 1))
    assert (score.black, score.white) == (5 + 2, 0 + 1 + 0.5)


def test_a_dead_stone_is_a_point_and_a_prisoner():
    dead = np.zeros((5, 5), bool)
    dead[3, 4] = True
    score = score_territory(walls(komi=0, rules="japanese"), dead)
    assert (score.black, score.white) == (5, 5 + 1)


def test_points_in_seki_can_be_left_out():
    neutral = np.zeros((5, 5), bool)
    neutral[0, 0] = True
    assert score_territory(walls(komi=0), neutral=neutral).black == 4


def test_prisoners_of_a_played_game_are_counted():
    position = Position.from_diagram(
        """
        . X . .
        X O . .
        . X . .
        """,
        to_move=1,
        komi=0,
        rules="japanese",
    ).play(6)
    score = score_reference(position)
    assert position.taken == (1, 0)
    assert (score.how, score.black, score.white) == ("territory", 8 + 1, 0)
    assert score_reference(position, "area").black == 12
    with pytest.raises(BadInputError):
        score_reference(position, "stones")


def test_the_reference_count_takes_every_stone_as_alive():
    assert score_reference(walls(komi=0.5)).margin == 5 - 0 - 0.5


def test_handicap_points_go_to_white_under_rules_that_give_them():
    empty = Position.empty(9, "chinese", 0.5, handicap=3)
    assert score_area(empty).margin == -3.5
    assert score_area(Position.empty(9, "aga", 0.5, handicap=3)).margin == -2.5
    assert score_area(Position.empty(9, "japanese", 0.5, handicap=3)).margin == -0.5


def test_an_empty_board_is_nobodys():
    assert score_area(Position.empty(5, komi=0)).margin == 0
    assert str(score_area(Position.empty(5, komi=0))) == "0"


def test_swapping_colours_negates_the_score():
    rng = np.random.default_rng(3)
    for _ in range(60):
        rows, columns = rng.integers(1, 9, 2)
        stones = rng.choice([0, 1, 2], (rows, columns), p=(0.4, 0.3, 0.3)).astype(np.uint8)
        dead = (rng.random((rows, columns)) < 0.1) & (stones > 0)
        swapped = np.where(stones == 0, 0, 3 - stones)
        for count, extra in (
            (score_area, {}),
            (score_territory, {"taken": (3, 1)}),
        ):
            mirrored = {"taken": (1, 3)} if extra else {}
            margin = count(stones, dead, **extra).margin
            assert count(swapped, dead, **mirrored).margin == -margin
            for symmetry in range(8):
                board, mask = turned(stones, symmetry), turned(dead, symmetry)
                assert count(board, mask, **extra).margin == margin


def test_ownership_kills_whole_chains_only():
    stones = walls().stones
    ownership = np.where(np.arange(5) < 3, 1.0, -1.0) * np.ones((5, 1))
    ownership[2, 1] = -1.0  # one stone of a living chain: the mean decides
    dead = dead_of_ownership(stones, ownership)
    assert np.argwhere(dead).tolist() == [[3, 4]]


def test_a_mask_of_another_shape_is_refused():
    with pytest.raises(BadInputError, match="shape"):
        score_area(walls(), np.zeros((4, 5), bool))


@pytest.mark.parametrize(
    ("stones", "text"),
    [(3.75, "3 3/4"), (180.5, "180 1/2"), (0.25, "1/4"), (0, "0"), (7, "7"), (-0.75, "-3/4")],
)
def test_stones_are_written_in_quarters(stones, text):
    assert stones_text(stones) == text


def test_chinese_counting_holds_black_against_half_the_board():
    # 19x19, Black owns 185 points, komi 7.5: 185 - 3 3/4 = 181 1/4, and 180 1/2 is half.
    board = np.full((19, 19), 2, np.uint8)
    board.ravel()[:185] = 1
    score = score_area(board, komi=7.5)
    assert chinese_text(score) == ("Black 185 - 3 3/4 = 181 1/4 against 180 1/2: Black wins by 3/4")
    assert score.margin == 1.5
    even = score_area(Position.empty(19, komi=0))
    assert chinese_text(even) == "Black 180 1/2 - 0 = 180 1/2 against 180 1/2: a draw"
