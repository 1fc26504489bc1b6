"""Scores, intervals, Elo and median leads: known values, and how often intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from mariago.arena.statistics import (
    INDEPENDENT_GAMES,
    INDEPENDENT_PAIRS,
    bootstrap_score,
    elo_difference,
    elo_estimate,
    expected_score,
    fewest_pairs_for_median,
    median_lead,
    pair_score,
    pairs_to_tell,
    pentanomial_counts,
    wilson_interval,
)


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (3, 10), (10, 10), (125, 189), (1, 1)])
def test_wilson_equals_scipys(wins: int, games: int) -> None:
    ours = wilson_interval(wins, games)
    theirs = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_of_the_textbook() -> None:
    # 81 of 263: Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 0.2553 to 0.3662.
    found = wilson_interval(81, 263)
    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_pairs_of_wins_and_losses_give_agresti_and_coulls_interval() -> None:
    scores = [1.0] * 7 + [0.0] * 3
    z = norm.ppf(0.975)
    n, p = 10 + z**2, (7 + z**2 / 2) / (10 + z**2)
    half = z * np.sqrt(p * (1 - p) / n)
    found = pair_score(scores)
    assert found.value == pytest.approx(0.7)
    assert (found.low, found.high) == pytest.approx((p - half, min(1, p + half)))
    assert found.count == 10


def test_balanced_pairs_say_more_than_independent_games() -> None:
    split = pair_score([0.5] * 20)
    assert split.value == 0.5
    assert split.low is not None
    assert split.low > (wilson_interval(20, 40).low or 0)
    swept = pair_score([0.0, 1.0] * 10)  # the games of a pair go together
    assert swept.low is not None
    assert swept.low < (wilson_interval(20, 40).low or 0)


def test_a_clean_sweep_keeps_an_interval() -> None:
    found = pair_score([1.0] * 20)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low is not None
    assert 0.75 < found.low < 0.95
    assert pair_score([]).count == 0
    assert pair_score([]).value is None


@pytest.mark.parametrize("pairs", [5, 20, 100])
@pytest.mark.parametrize(
    "chances",
    [(0, 0, 1, 0, 0), (0.25, 0, 0.5, 0, 0.25), (0.05, 0, 0.3, 0, 0.65), (0, 0.1, 0.3, 0.3, 0.3)],
)
def test_the_pair_interval_holds_the_truth_as_often_as_it_says(
    pairs: int, chances: tuple[float, ...]
) -> None:
    rng = np.random.default_rng(1)
    values = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    truth = float(values @ np.array(chances))
    drawn = rng.choice(values, size=(600, pairs), p=chances)
    held = 0
    for scores in drawn:
        found = pair_score(scores.tolist())
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert held / 600 > 0.925  # 95% less three standard errors of 600 trials


def test_elo_of_known_scores() -> None:
    assert elo_difference(0.5) == 0
    assert elo_difference(0.75) == pytest.approx(190.85, abs=0.005)
    assert expected_score(190.85) == pytest.approx(0.75, abs=1e-5)
    assert elo_difference(10 / 11) == pytest.approx(400)  # odds of ten to one, Elo's definition
    assert elo_difference(0.25) == pytest.approx(-(elo_difference(0.75) or 0))
    assert elo_difference(1.0) is None
    open_end = elo_estimate(pair_score([1.0] * 10))
    assert open_end.value is None
    assert open_end.high is None
    assert open_end.low is not None
    assert open_end.low > 100


def test_the_median_lead_takes_all_games_and_needs_six_pairs() -> None:
    assert fewest_pairs_for_median() == 6  # 1 - 2 ** -4 = 0.938 < 0.95 < 1 - 2 ** -5
    few = median_lead([[1.0, 3.0], [5.0, 7.0]])
    assert (few.value, few.low, few.high, few.count) == (4.0, None, None, 2)
    assert median_lead([[], []]).value is None
    many = median_lead([[float(i), float(i)] for i in range(21)])
    assert many.value == 10
    assert many.low is not None
    assert many.high is not None
    assert 3 <= many.low < 10 < many.high <= 17
    again = median_lead([[float(i), float(i)] for i in range(21)])
    assert many == again
    assert median_lead([[1.0], [], [2.0, 4.0]]).count == 2


def test_the_median_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(200):
        shared = rng.normal(3.0, 8.0, size=(20, 1))  # what an opening does to both games
        leads = shared + rng.normal(0.0, 5.0, size=(20, 2))
        found = median_lead(leads.tolist(), resamples=400)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 3.0 <= found.high
    assert held / 200 > 0.90  # 95% less three standard errors of 200 trials


def test_pentanomial_counts() -> None:
    assert pentanomial_counts([0.5, 0.5, 1.0, 0.25]) == [0, 1, 2, 0, 1]


def test_every_interval_says_what_it_assumes() -> None:
    assert wilson_interval(3, 10).assumes == INDEPENDENT_GAMES
    for found in (
        *(pair_score([0.5, 1.0]), bootstrap_score([0.5, 1.0]), median_lead([[1.0]])),
        *(pair_score([]), bootstrap_score([]), elo_estimate(pair_score([1.0, 0.0]))),
    ):
        assert found.assumes == INDEPENDENT_PAIRS


def test_swapping_the_players_mirrors_score_interval_and_elo() -> None:
    scores = [1.0, 0.5, 0.75, 0.5, 0.0, 1.0, 1.0]
    for interval in (pair_score, bootstrap_score):
        one, other = interval(scores), interval([1 - score for score in scores])
        assert one.value == pytest.approx(1 - (other.value or 0))
        # The draws of pairs are the same ones: their percentiles change places.
        assert one.low == pytest.approx(1 - (other.high or 0))
        assert one.high == pytest.approx(1 - (other.low or 0))
    one, other = (elo_estimate(pair_score(x)) for x in (scores, [1 - s for s in scores]))
    assert one.value == pytest.approx(-(other.value or 0))


def test_the_bootstrap_draws_whole_pairs_and_knows_when_it_cannot_tell() -> None:
    alike = bootstrap_score([1.0] * 20)
    assert (alike.value, alike.low, alike.high, alike.count) == (1.0, None, None, 20)
    assert bootstrap_score([0.5]).low is None
    scores = [0.0, 0.5, 1.0, 0.5] * 25
    found, by_pairs = bootstrap_score(scores), pair_score(scores)
    assert found == bootstrap_score(scores)
    assert found.low == pytest.approx(by_pairs.low, abs=0.01)
    assert found.high == pytest.approx(by_pairs.high, abs=0.01)


def test_how_many_pairs_tell_55_from_50_percent() -> None:
    # Independent games without draws have pairs of variance 1/8: (2.8016 / 0.05) ** 2 / 8 = 392.4.
    independent = [0.0, 0.5, 0.5, 1.0] * 1000
    assert pairs_to_tell(independent) == pytest.approx(393, abs=2)
    assert pairs_to_tell([0.0, 1.0] * 1000) == pytest.approx(785, abs=3)
    assert pairs_to_tell([]) is None
    assert (pairs_to_tell([0.5] * 1000) or 0) < 10
