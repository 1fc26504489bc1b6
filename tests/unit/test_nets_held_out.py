"""Before and after on held-out games: the game is the unit, and too few games say so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mariago.nets.held_out import FIGURES, compare, spread_over_games, verdict


def columns(top1: np.ndarray) -> dict[str, np.ndarray]:
    return {"top1": top1, "policy_loss": 2.0 - top1, "value_loss": np.full(len(top1), np.nan)}


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60), st.integers(1, 70))
def test_no_game_gives_more_than_it_must(games: list[int], most: int):
    numbers = np.array(games)
    chosen = spread_over_games(numbers, most, seed=3)
    assert len(chosen) <= most
    assert (np.diff(chosen) > 0).all()
    held, taken = np.bincount(numbers, minlength=7), np.bincount(numbers[chosen], minlength=7)
    if len(numbers) <= most:
        assert len(chosen) == len(numbers)
    elif most >= len(np.unique(games)):
        fewest = min(t for t, h in zip(taken, held, strict=True) if t < h)
        assert taken.max() <= fewest
        assert fewest >= 1


def test_a_change_is_told_with_its_value_and_an_interval_around_it():
    rng = np.random.default_rng(1)
    games = np.repeat(np.arange(60), 10)
    before = (rng.random(600) < 0.4).astype(float)
    after = np.where(rng.random(600) < 0.3, 1.0, before)
    found = compare(columns(before), columns(after), games, seed=1)
    assert (found["games"], found["samples"]) == (60, 600)
    value, low, high = found["top1"]["change"]
    assert value == pytest.approx(after.mean() - before.mean())
    assert 0 < low < value < high
    assert found["top1"]["before"][0] == pytest.approx(before.mean())
    assert found["value_loss"]["after"] == [None, None, None]
    told = verdict(found)
    assert told.startswith("over 60 held-out games more moves are right than before; ")
    assert told.endswith("the moves played are likelier to the net")
    turned = compare(columns(after), columns(before), games, seed=1)
    assert "fewer moves" in verdict(turned)


def test_moves_of_one_game_do_not_count_as_so_many_games():
    """Where whole games change together, the interval is that of the games."""
    good = np.arange(40) % 2
    one_each = compare(columns(np.zeros(40)), columns(good * 1.0), np.arange(40), seed=2)
    many_each = compare(
        columns(np.zeros(2000)), columns(np.repeat(good, 50) * 1.0), np.repeat(np.arange(40), 50), 2
    )
    assert many_each["top1"] == one_each["top1"]


def test_both_nets_answer_the_same_games_so_that_hard_games_do_not_widen_a_change():
    rng = np.random.default_rng(3)
    games = np.repeat(np.arange(50), 20)
    hard = np.repeat(rng.random(50), 20)
    before = (rng.random(1000) < hard).astype(float)
    after = before.copy()
    after[::20] = 1.0
    found = compare(columns(before), columns(after), games, seed=1)["top1"]
    alone = found["after"][2] - found["after"][1]
    assert found["change"][2] - found["change"][1] < alone / 3


@pytest.mark.parametrize(
    ("games", "words"),
    [
        (0, "no held-out games"),
        (1, "1 held-out games are too few"),
        (19, "too few to tell"),
        (30, "not one answer changed"),
    ],
)
def test_few_games_say_that_they_are_few(games: int, words: str):
    same = columns(np.ones(games * 3))
    found = compare(same, same, np.repeat(np.arange(games), 3), seed=1) if games else {"games": 0}
    assert words in verdict(found)


def test_one_game_has_no_interval():
    found = compare(columns(np.zeros(5)), columns(np.ones(5)), np.zeros(5, int), seed=1)
    assert found["top1"]["change"] == [1.0, None, None]
    assert set(FIGURES) <= set(found)


def test_a_change_that_may_be_none_is_not_told_as_one():
    rng = np.random.default_rng(5)
    before, after = ((rng.random(90) < 0.5).astype(float) for _ in range(2))
    found = compare(columns(before), columns(after), np.repeat(np.arange(30), 3), seed=1)
    assert found["top1"]["change"][1] < 0 < found["top1"]["change"][2]
    assert "cannot be told from none" in verdict(found)
