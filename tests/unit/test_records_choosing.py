"""Filters of samples, names of games, boards between moves, and what a net gets wrong."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.random_records import random_game

from mariago.board.points import BLACK, WHITE, Size
from mariago.errors import BadInputError, CoordinateError
from mariago.records.choosing import ONLY, SampleFilter
from mariago.records.replayed import replayed
from mariago.records.report_words import (
    ENDINGS_IN_WORDS,
    FLAGS_IN_WORDS,
    REASONS_IN_WORDS,
    WINNERS_IN_WORDS,
)
from mariago.records.row_facts import Heat, folded
from mariago.records.schema import REASONS
from mariago.records.show import _spans
from mariago.records.told import RESULT_KINDS
from mariago.records.worst import Judged, worst_of
from mariago.sgf.repairs import REPAIRS
from mariago.words import texts


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("", (1, 10**6)),
        ("50-100", (50, 100)),
        ("200-", (200, 10**6)),
        ("-10", (1, 10)),
        ("7", (7, 7)),
    ],
)
def test_a_range_of_moves_may_be_open(text: str, span: tuple[int, int]) -> None:
    assert SampleFilter(moves=text).span == span


@pytest.mark.parametrize(
    "wanted", [{"moves": "9-3"}, {"moves": "-"}, {"moves": "a"}, {"only": "joseki"}, {"split": "x"}]
)
def test_a_filter_that_says_nothing_is_refused(wanted: dict[str, str]) -> None:
    with pytest.raises(BadInputError):
        SampleFilter(**wanted)


def test_a_filter_of_no_board_is_refused() -> None:
    with pytest.raises(CoordinateError):
        SampleFilter(size="big")


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_what_is_asked_for_is_told_in_every_language(lang: str) -> None:
    _ = texts(lang)
    for name in ONLY:
        english = SampleFilter(only=name).in_words(texts("en"))
        assert SampleFilter(only=name).in_words(_) != english
    words = (ENDINGS_IN_WORDS, WINNERS_IN_WORDS, FLAGS_IN_WORDS, REASONS_IN_WORDS, REPAIRS)
    assert not [text for table in words for text in table.values() if _(text) == text]


def test_every_reason_and_every_ending_has_words() -> None:
    assert set(REASONS) <= set(REASONS_IN_WORDS)
    assert set(RESULT_KINDS) == set(ENDINGS_IN_WORDS)


@pytest.mark.parametrize("seed", range(4))
def test_replayed_boards_are_those_of_the_game(seed: int) -> None:
    game = random_game(seed, "9x7", 150)
    steps = replayed(game.start.size, game.moves, [])
    board = np.zeros(63, np.uint8)
    for step, position in zip(steps, game.positions(), strict=True):
        for point, color in step.changes:
            board[point] = color
        assert (board.reshape(7, 9) == position.stones).all()
    assert [(step.color, step.move) for step in steps[1:]] == list(game.moves)


def test_stones_set_up_in_the_middle_belong_to_the_next_move() -> None:
    setup = [(0, BLACK, 0), (1, WHITE, 8), (1, 0, 0)]
    steps = replayed(Size(3, 3), [(WHITE, 4), (BLACK, 9)], setup)
    assert [step.changes for step in steps] == [((0, 1),), ((4, 2),), ((8, 2), (0, 0))]


def test_a_game_is_stopped_before_the_move_that_cannot_be() -> None:
    assert len(replayed(Size(3, 3), [(BLACK, 4), (WHITE, 4)], [], stop=1)) == 2


def test_a_folded_heat_map_is_the_same_from_all_sides() -> None:
    counts = np.random.default_rng(1).random((9, 9))
    heat = folded(Heat(counts, 10)).counts
    assert np.allclose(heat, heat.T)
    assert np.allclose(heat, heat[::-1])
    assert np.isclose(heat.sum(), counts.sum())
    wide = folded(Heat(np.arange(6.0).reshape(2, 3), 1)).counts
    assert wide.tolist() == [[2.5] * 3] * 2


def test_the_worst_come_first() -> None:
    judged = [Judged(loss, 0.5, ()) for loss in (0.5, 3.0, 1.0)]
    assert worst_of(judged, 2) == [1, 2]


def test_numbers_in_a_row_are_told_as_a_span() -> None:
    assert _spans([1, 2, 3, 7, 9, 10]) == "1–3, 7, 9–10"
    assert _spans([]) == ""
