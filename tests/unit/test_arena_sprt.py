"""The sequential test: its ratio, its decisions, how it is written."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from tools.match_statistics import WORLDS, run_tests

from mariago.arena.statistics import SprtTerms, expected_score, log_likelihood_ratio, sprt_state
from mariago.arena.statistics.sprt import terms_of_text
from mariago.errors import MatchError

TERMS = SprtTerms(elo0=0, elo1=35)


def test_the_bounds_are_walds() -> None:
    lower, upper = TERMS.bounds
    assert (lower, upper) == pytest.approx((-math.log(19), math.log(19)))


def test_pairs_of_wins_and_losses_are_a_coins_test() -> None:
    # Nothing but 0 and 2 points: the likeliest chances are those of a coin (Wald 1945), up to the
    # thousandths of a pair that unseen kinds count.
    s1 = expected_score(35)
    wanted = 30 * math.log(s1 / 0.5) + 10 * math.log((1 - s1) / 0.5)
    assert float(log_likelihood_ratio([10, 0, 0, 0, 30], TERMS)) == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize("counts", [(3, 5, 20, 8, 9), (0, 2, 10, 4, 1), (12, 0, 7, 0, 4)])
def test_the_ratio_is_that_of_the_likeliest_chances_with_each_mean(counts: tuple[int, ...]) -> None:
    seen = np.where(np.array(counts) > 0, counts, 1e-3).astype(float)
    values = np.array([0, 0.25, 0.5, 0.75, 1])

    def best(mean: float) -> float:
        """Maximise over all chances by a general solver, in place of the secular equation."""
        found = minimize(
            lambda logs: -float(seen @ (logs - np.log(np.exp(logs).sum()))),
            np.log(seen / seen.sum()),
            constraints={
                "type": "eq",
                "fun": lambda logs: float(values @ np.exp(logs) / np.exp(logs).sum()) - mean,
            },
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )
        return -found.fun

    wanted = best(expected_score(35)) - best(0.5)
    assert float(log_likelihood_ratio(counts, TERMS)) == pytest.approx(wanted, abs=1e-3)


def test_the_normalised_ratio_is_near_van_den_berghs_approximation() -> None:
    counts = np.array([40, 60, 200, 90, 70])
    values = np.array([0, 0.25, 0.5, 0.75, 1])
    mean = counts @ values / counts.sum()
    spread = math.sqrt(counts @ (values - mean) ** 2 / counts.sum())
    t, t1 = (mean - 0.5) / spread, math.sqrt(2) * 20 / (800 / math.log(10))
    wanted = counts.sum() / 2 * math.log((1 + t * t) / (1 + (t - t1) ** 2))
    found = log_likelihood_ratio(counts, SprtTerms(elo0=0, elo1=20, scale="normalised"))
    assert float(found) == pytest.approx(wanted, rel=0.03)


@pytest.mark.parametrize("scale", ["logistic", "normalised"])
def test_swapping_the_players_negates_the_ratio(scale: str) -> None:
    counts = [7, 3, 11, 2, 13]
    there = SprtTerms.model_validate({"elo0": -5, "elo1": 30, "scale": scale})
    back = SprtTerms.model_validate({"elo0": -30, "elo1": 5, "scale": scale})
    one, other = log_likelihood_ratio(counts, there), log_likelihood_ratio(counts[::-1], back)
    assert float(one) == pytest.approx(-float(other), abs=1e-9)


@pytest.mark.parametrize("scale", ["logistic", "normalised"])
def test_a_better_pair_never_lowers_the_ratio(scale: str) -> None:
    terms = SprtTerms.model_validate({"elo0": 0, "elo1": 40, "scale": scale})
    rng = np.random.default_rng(0)
    for _ in range(30):
        counts = rng.integers(1, 12, size=5).astype(float)
        ratios = log_likelihood_ratio(counts + np.eye(5), terms).tolist()
        if scale == "logistic":
            assert ratios == sorted(ratios)
        else:
            assert ratios[4] > ratios[0]


def test_a_test_without_pairs_and_one_with_a_single_pair_say_nothing() -> None:
    empty = sprt_state([], TERMS)
    assert (empty.llr, empty.pairs, empty.decision) == (0.0, 0, None)
    for score in (0.0, 0.5, 1.0):
        assert sprt_state([score], TERMS).decision is None


def test_a_decision_stands_whatever_comes_after() -> None:
    wins = [1.0] * 60
    decided = sprt_state(wins, TERMS)
    assert decided.decision == "elo1"
    assert decided.pairs < 60
    assert sprt_state(wins[: decided.pairs - 1], TERMS).decision is None
    assert sprt_state(wins[: decided.pairs] + [0.0] * 200, TERMS) == decided
    assert sprt_state([0.5] * 60, TERMS).decision == "elo0"


@pytest.mark.parametrize("world", [WORLDS[0], WORLDS[1], WORLDS[3]], ids=lambda world: world.name)
def test_wrong_decisions_are_as_rare_as_the_terms_say(world: object) -> None:
    terms, runs = SprtTerms(elo0=0, elo1=120), 300
    noise = 3 * math.sqrt(0.05 * 0.95 / runs)
    rng = np.random.default_rng(5)
    for truth, wrong in ((0.0, 1), (120.0, 0)):
        chances = world.at_score(expected_score(truth))  # type: ignore[attr-defined]
        took, pairs = run_tests(chances, terms, runs, 600, rng)
        assert (took == wrong).mean() <= 0.05 + noise
        assert (took == 1 - wrong).mean() >= 0.95 - noise
        assert pairs.mean() < 1.3 * terms.usual_pairs()


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_wrong_decisions_are_rare_at_usual_terms_too(world: object) -> None:
    runs = 1000
    noise = 3 * math.sqrt(0.05 * 0.95 / runs)
    rng = np.random.default_rng(6)
    for truth, wrong in ((0.0, 1), (35.0, 0)):
        chances = world.at_score(expected_score(truth))  # type: ignore[attr-defined]
        took, _ = run_tests(chances, TERMS, runs, 6000, rng)
        assert (took == wrong).mean() <= 0.05 + noise
        assert (took == -1).sum() == 0


def test_terms_are_read_as_people_write_them() -> None:
    assert terms_of_text("elo0=-5, elo1=20,alpha=0.1") == SprtTerms(elo0=-5, elo1=20, alpha=0.1)
    assert terms_of_text("elo1=50").elo0 == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("elo0", "'elo0' is no KEY=VALUE"),
        ("elo0=5,elo1=5", "elo0 5 has to be less than elo1 5"),
        ("elo=5", "elo: unknown key"),
        ("alpha=0.7", "alpha"),
        ("elo1=nan", "elo1"),
        ("elo1=x", "elo1"),
        ("elo1=5,elo1=6", "elo1 is given twice"),
        ("scale=bayes", "scale"),
        ("", "is no KEY=VALUE"),
    ],
)
def test_terms_that_no_test_has_are_one_line(text: str, said: str) -> None:
    with pytest.raises(MatchError, match=said) as error:
        terms_of_text(text)
    assert "\n" not in str(error.value)
