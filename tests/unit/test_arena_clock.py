"""Clocks: Fischer's and byo-yomi, what a move costs, what players make of what is left."""

from __future__ import annotations

import pytest

from mariago.arena.clock import Clock, TimeTerms, time_terms_of_text
from mariago.errors import MatchError
from mariago.players.clock import ClockLeft, time_for_move


def clock(text: str) -> Clock:
    return Clock(time_terms_of_text(text))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("main=300,increment=5", {"main": 300, "increment": 5}),
        ("main=60,byoyomi=5x10", {"main": 60, "periods": 5, "period": 10}),
        ("byoyomi=3x0.5,grace=0", {"periods": 3, "period": 0.5, "grace": 0}),
        ("seconds=2", {"periods": 1, "period": 2}),
        (" main = 10 ", {"main": 10}),
    ],
)
def test_what_people_write_is_a_clock(text: str, terms: dict[str, float]) -> None:
    found = time_terms_of_text(text)
    assert found == TimeTerms.model_validate(terms)
    assert time_terms_of_text(str(found)) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no part of a clock"),
        ("main", "no part of a clock"),
        ("hours=3", "no part of a clock"),
        ("main=1,main=2", "no part of a clock"),
        ("main=x", "main"),
        ("main=-1", "main"),
        ("main=inf", "main"),
        ("increment=5", "no time to begin with"),
        ("main=5,byoyomi=5", "not like 5x10"),
        ("byoyomi=0x5", "byo-yomi has a number"),
        ("main=5,increment=1,byoyomi=5x10", "either increment or byoyomi"),
        ("main=5,seconds=1", "stands alone"),
    ],
)
def test_what_is_no_clock_is_one_line_with_an_example(text: str, said: str) -> None:
    with pytest.raises(MatchError, match=said) as error:
        time_terms_of_text(text)
    assert "main=300" in str(error.value.hint)


def test_an_increment_comes_after_the_move_and_saves_nobody() -> None:
    one = clock("main=10,increment=5,grace=0")
    assert one.spend(8)
    assert one.left().main_s == 7
    assert one.spend(7)
    assert one.shown() == (5, 0)
    assert not one.spend(5.01)


def test_a_move_within_a_period_keeps_it_and_a_longer_one_uses_up_some() -> None:
    one = clock("main=10,byoyomi=3x5,grace=0")
    assert one.spend(9)
    assert one.shown() == (1, 0)
    assert one.spend(6)  # one second of main time, then a whole period
    assert one.shown() == (5, 3)
    assert one.spend(5.1)
    assert one.left() == ClockLeft(0, 0, 2, 5)
    assert one.spend(4.9)
    assert one.left().most_s == 10
    assert not one.spend(10.1)


def test_seconds_for_every_move_start_anew_each_time() -> None:
    one = clock("seconds=2,grace=0")
    assert all(one.spend(1.9) for _ in range(50))
    assert not one.spend(2.1)


def test_the_grace_is_for_the_first_move_alone() -> None:
    one = clock("main=1,grace=5")
    assert one.spend(5.5)
    assert one.left().main_s == pytest.approx(0.5)
    assert not one.spend(0.6)


@pytest.mark.parametrize(
    ("left", "moves", "seconds"),
    [
        (ClockLeft(300, 0, 0, 0), None, 10),
        (ClockLeft(300, 5, 0, 0), None, 14),
        (ClockLeft(300, 0, 0, 0), 10, 30),
        (ClockLeft(0, 0, 5, 10), None, 8),
        (ClockLeft(60, 0, 5, 10), None, 8),
        (ClockLeft(0.1, 5, 0, 0), None, 0.05),
    ],
)
def test_a_move_gets_a_stated_share(left: ClockLeft, moves: int | None, seconds: float) -> None:
    assert time_for_move(left, moves) == pytest.approx(seconds)


def test_a_player_that_keeps_to_its_share_never_oversteps() -> None:
    for text in ("main=5,increment=0.2", "main=5", "main=3,byoyomi=2x1", "seconds=0.3"):
        one = clock(f"{text},grace=0")
        assert all(one.spend(time_for_move(one.left())) for _ in range(150)), text
