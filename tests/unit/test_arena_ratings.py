"""Ratings of several players: hand-computed tables, invariances, players without an end."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from tools.match_statistics import World, league

from mariago.arena.statistics import (
    INDEPENDENT_GAMES,
    INDEPENDENT_PAIRS,
    Outcome,
    cross_table,
    rate_outcomes,
)
from mariago.arena.statistics.ratings import MODELS, Model


def meet(a: str, b: str, wins: int, losses: int = 0, draws: int = 0) -> list[Outcome]:
    points = [1.0] * wins + [0.0] * losses + [0.5] * draws
    return [Outcome(a, b, one, (a, b, k // 2)) for k, one in enumerate(points)]


def elo_of(games: list[Outcome], model: Model = "davidson", anchor: str | None = None) -> dict:
    ratings = rate_outcomes(games, model=model, anchor=anchor)
    return {name: ratings.of(name).value for name in ratings.table.players}


@pytest.mark.parametrize("model", MODELS)
def test_three_quarters_are_191(model: Model) -> None:
    (group,) = rate_outcomes(meet("x", "y", 30, 10), model=model).groups
    told = group.difference("x", "y")
    assert told.value == pytest.approx(400 * math.log10(3), abs=1e-3)  # 190.85
    assert told.low is not None
    assert told.high is not None
    assert told.low < 190.85 < told.high
    assert group.virtual_draws == 0
    assert told.count == 20


def test_a_cross_table_by_hand() -> None:
    games = [*meet("x", "y", 2, 1, 1), Outcome("y", "x", 1.0, "late", fault=True)]
    table = cross_table(games)
    assert table.players == ("x", "y")
    assert table.wins.tolist() == [[0, 2], [2, 0]]
    assert table.draws.tolist() == [[0, 1], [1, 0]]
    assert table.points.tolist() == [[0, 2.5], [2.5, 0]]
    assert table.games.tolist() == [[0, 5], [5, 0]]
    assert table.faults.tolist() == [[0, 0], [1, 0]]


def test_a_chain_adds_up_and_the_ends_need_not_meet() -> None:
    found = elo_of([*meet("x", "y", 30, 10), *meet("y", "z", 10, 1)], anchor="z")
    assert found["z"] == 0
    assert found["y"] == pytest.approx(400, abs=0.01)  # odds of ten to one
    assert found["x"] == pytest.approx(590.85, abs=0.01)
    mean0 = elo_of([*meet("x", "y", 30, 10), *meet("y", "z", 10, 1)])
    assert sum(mean0.values()) == pytest.approx(0, abs=1e-6)
    assert mean0["x"] - mean0["z"] == pytest.approx(590.85, abs=0.01)


def test_the_likeliest_ratings_give_everybody_the_points_that_were_made() -> None:
    # Bradley and Terry's condition: points made equal points expected, for every player.
    games = [*meet("x", "y", 7, 3, 2), *meet("y", "z", 6, 5, 1), *meet("z", "x", 2, 9)]
    ratings = rate_outcomes(games, model="bradley-terry")
    table = ratings.table
    elo = np.array([ratings.of(name).value for name in table.players])
    expected = 1 / (1 + 10 ** ((elo[None] - elo[:, None]) / 400))
    made = table.points.sum(axis=1)
    assert (table.games * expected).sum(axis=1) == pytest.approx(made, abs=1e-4)


def test_davidsons_draws_and_odds_by_hand() -> None:
    # Two players: the odds of a win are those seen, and the chance of a draw is the one seen.
    (group,) = rate_outcomes(meet("x", "y", 20, 5, 10)).groups
    told = group.difference("x", "y")
    assert told.value == pytest.approx(400 * math.log10(4), abs=1e-3)
    nu = 10 / math.sqrt(20 * 5)  # draws over the root of wins times losses
    assert group.draw_at_equal == pytest.approx(nu / (2 + nu), abs=1e-5)
    assert elo_of(meet("x", "y", 20, 5, 10), "bradley-terry")["x"] == pytest.approx(
        200 * math.log10(25 / 10), abs=1e-3
    )


@pytest.mark.parametrize("model", MODELS)
def test_swapping_the_players_of_every_game_changes_nothing(model: Model) -> None:
    games = [*meet("x", "y", 7, 3, 2), *meet("y", "z", 6, 5, 1)]
    turned = [Outcome(g.second, g.first, 1 - g.points, g.pair) for g in games]
    assert elo_of(turned, model) == pytest.approx(elo_of(games, model), abs=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_reversing_every_result_negates_the_ratings(model: Model) -> None:
    games = [*meet("x", "y", 7, 3, 2), *meet("y", "z", 6, 5, 1)]
    lost = [Outcome(g.first, g.second, 1 - g.points, g.pair) for g in games]
    found = elo_of(games, model)
    assert elo_of(lost, model) == pytest.approx({k: -v for k, v in found.items()}, abs=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_who_won_everything_has_a_finite_rating_by_one_virtual_game(model: Model) -> None:
    (group,) = rate_outcomes(meet("x", "y", 40), model=model).groups
    assert group.virtual_draws == 1
    told = group.difference("x", "y")
    assert told.value == pytest.approx(400 * math.log10(40.5 / 0.5), abs=0.01)
    assert told.low is not None
    assert 200 < told.low < 600
    more = rate_outcomes(meet("x", "y", 80), model=model).groups[0].difference("x", "y")
    assert more.value is not None
    assert told.value is not None
    assert more.value > told.value


@pytest.mark.parametrize("model", MODELS)
def test_only_draws_are_no_difference_with_an_interval(model: Model) -> None:
    (group,) = rate_outcomes(meet("x", "y", 0, 0, 20), model=model).groups
    told = group.difference("x", "y")
    assert told.value == pytest.approx(0, abs=1e-3)
    assert told.low is not None
    assert told.low < -20


def test_one_pair_says_little() -> None:
    (group,) = rate_outcomes(meet("x", "y", 2)).groups
    told = group.difference("x", "y")
    assert told.low is not None
    assert told.low < 0
    assert 0.5 < group.chance_stronger("x", "y") < 0.95
    assert group.chance_stronger("y", "x") == pytest.approx(1 - group.chance_stronger("x", "y"))


def test_no_games_and_strangers() -> None:
    assert rate_outcomes([]).groups == ()
    ratings = rate_outcomes([*meet("x", "y", 3, 1), *meet("v", "w", 1, 2), *meet("w", "u", 2, 2)])
    assert [set(group.players) for group in ratings.groups] == [{"u", "v", "w"}, {"x", "y"}]
    assert ratings.of("nobody").value is None
    with pytest.raises(ValueError, match="the anchor t played no game"):
        rate_outcomes(meet("x", "y", 1), anchor="t")
    with pytest.raises(ValueError, match="x against itself"):
        rate_outcomes(meet("x", "x", 1))


def test_games_that_lean_on_each_other_say_less() -> None:
    swept = [Outcome("x", "y", float(k % 2), k) for k in range(20) for _ in range(2)]
    split = [Outcome("x", "y", float(k), n) for n in range(20) for k in range(2)]

    def width(games: list[Outcome], unit: str) -> float:
        told = rate_outcomes(games, unit=unit).groups[0].difference("x", "y")  # type: ignore[arg-type]
        assert told.assumes == (INDEPENDENT_PAIRS if unit == "pairs" else INDEPENDENT_GAMES)
        return (told.high or 0) - (told.low or 0)

    assert width(swept, "pairs") > 1.3 * width(swept, "games")
    assert width(split, "pairs") < 0.6 * width(split, "games")
    assert width(swept, "games") == pytest.approx(width(split, "games"))


def test_an_anchor_moves_all_ratings_alike() -> None:
    games = [*meet("x", "y", 7, 3, 2), *meet("y", "z", 6, 5, 1)]
    free, tied = rate_outcomes(games).groups[0], rate_outcomes(games, anchor="y").groups[0]
    assert tied.elo[tied.players.index("y")].as_list() == pytest.approx([0, 0, 0])
    for one, other in pairwise(free.players):
        assert free.difference(one, other).as_list() == pytest.approx(
            tied.difference(one, other).as_list(), abs=1e-4
        )


def test_intervals_of_a_league_hold_the_truth_as_often_as_they_say() -> None:
    theta = np.array([-1.0, 0.0, 0.5, 1.0])
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(100):
        games = league(theta, World("independent games"), 8, rng)
        (group,) = rate_outcomes(games).groups
        told = group.difference("P3", "P0")
        true = 2.0 * 400 / math.log(10)
        assert told.low is not None
        assert told.high is not None
        held += told.low <= true <= told.high
    assert held >= 87  # 95% less three standard errors of 100 trials
