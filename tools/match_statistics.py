"""How often the statistics of matches are right, by simulation; prints tables for the docs.

Pairs come from one of three worlds: games that know nothing of each other, openings that favour a
colour (each player gets one easy game), openings that suit one of the players (both games lean
the same way). Run from the repository root::

    .venv/bin/python tools/match_statistics.py [--runs N]
        [--part sprt|normalised|intervals|ratings]

The test on normalised Elo takes ten times as long as the one on logistic Elo.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import expit

from mariago.arena.statistics import (
    PENTANOMIAL,
    Estimate,
    Outcome,
    SprtTerms,
    bootstrap_score,
    expected_score,
    log_likelihood_ratio,
    pair_score,
    rate_outcomes,
    wilson_interval,
)
from mariago.arena.statistics.elo import ELO_OF_A_LOGIT
from mariago.arena.statistics.ratings import Unit

Floats = npt.NDArray[np.float64]
SCORES = np.asarray(PENTANOMIAL)
BLOCK = 40  # pairs that are looked at together
LEAN = 2.0  # logits that an opening gives


@dataclass(frozen=True)
class World:
    """Where pairs come from."""

    name: str
    color: float = 0.0
    """Logits that an opening gives one colour."""
    player: float = 0.0
    """Logits that an opening gives one player, in both games."""
    draws: float = 0.0
    """Chance of a draw in any game."""

    def chances(self, theta: float) -> Floats:
        """Return the chances of a pair's five scores, for a player ahead by ``theta`` logits."""
        total = np.zeros(5)
        for sign in (-1, 1):
            first = expit(theta + sign * (self.color + self.player))
            second = expit(theta + sign * (self.player - self.color))
            games = [
                np.array([(1 - p) * (1 - self.draws), self.draws, p * (1 - self.draws)])
                for p in (first, second)
            ]
            total += np.convolve(*games) / 2
        return total

    def at_score(self, score: float) -> Floats:
        """Return the chances under which a pair's mean score is ``score``."""
        theta = brentq(lambda x: float(self.chances(x) @ SCORES) - score, -30, 30)
        return self.chances(float(theta))

    def at_ratio(self, elo: float) -> Floats:
        """Return the chances under which the normalised Elo is ``elo``."""

        def apart(theta: float) -> float:
            chances = self.chances(theta)
            mean = float(chances @ SCORES)
            spread = float(np.sqrt(chances @ (SCORES - mean) ** 2))
            return (mean - 0.5) / spread / np.sqrt(2) * 2 * ELO_OF_A_LOGIT - elo

        return self.chances(float(brentq(apart, -6, 6)))


WORLDS = (
    World("independent games"),
    World("openings favour a colour", color=LEAN),
    World("openings suit a player", player=LEAN / 2),
    World("half the games drawn", draws=0.5),
)


def run_tests(
    chances: Floats, terms: SprtTerms, runs: int, most: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return what ``runs`` tests took (0, 1, or -1 for none) and after how many pairs."""
    lower, upper = terms.bounds
    took = np.full(runs, -1)
    pairs = np.full(runs, most)
    open_runs = np.arange(runs)
    counts = np.zeros((runs, 5))
    for start in range(0, most, BLOCK):
        drawn = np.eye(5)[rng.choice(5, size=(len(open_runs), BLOCK), p=chances)]
        path = counts[open_runs, None] + drawn.cumsum(axis=1)
        ratio = log_likelihood_ratio(path, terms)
        past = (ratio <= lower) | (ratio >= upper)
        ended = past.any(axis=1)
        at = past.argmax(axis=1)
        done = open_runs[ended]
        took[done] = ratio[ended, at[ended]] >= upper
        pairs[done] = start + at[ended] + 1
        counts[open_runs] = path[:, -1]
        open_runs = open_runs[~ended]
        if not len(open_runs):
            break
    return took, pairs


def print_sprt(runs: int) -> None:
    """Print how often tests err and how many pairs they take."""
    _print_tests(runs, [SprtTerms(elo0=0, elo1=35), SprtTerms(elo0=0, elo1=100)])


def print_normalised(runs: int) -> None:
    """Print the same of a test on normalised Elo."""
    _print_tests(runs, [SprtTerms(elo0=0, elo1=100, scale="normalised")])


def _print_tests(runs: int, tests: list[SprtTerms]) -> None:
    print("| world | elo0, elo1 | truth | elo0 taken | elo1 taken | pairs, mean (90% below) |")
    print("|---|---|---|---|---|---|")
    for terms in tests:
        rng = np.random.default_rng(1)
        for world in WORLDS:
            for truth in (terms.elo0, (terms.elo0 + terms.elo1) / 2, terms.elo1):
                if terms.scale == "logistic":
                    chances = world.at_score(expected_score(truth))
                else:
                    chances = world.at_ratio(truth)
                took, pairs = run_tests(chances, terms, runs, 6000, rng)
                shares = [f"{100 * float((took == k).mean()):.1f}%" for k in (0, 1)]
                length = f"{pairs.mean():.0f} ({np.quantile(pairs, 0.9):.0f})"
                print(
                    f"| {world.name} | {terms.elo0:g}, {terms.elo1:g} | {truth:g} | {shares[0]} "
                    f"| {shares[1]} | {length} |",
                    flush=True,
                )


def held(
    estimate: Callable[[list[float]], Estimate], draws: npt.NDArray[np.int64], truth: float
) -> float:
    """Return how often an interval of pair scores, drawn as kinds (runs, pairs), holds the truth.

    An interval that is not there holds nothing.
    """
    found = 0
    for kinds in draws:
        told = estimate(SCORES[kinds].tolist())
        if told.low is not None and told.high is not None:
            found += told.low <= truth <= told.high
    return found / len(draws)


def wilson_of_pairs(scores: list[float]) -> Estimate:
    """Return Wilson's interval of the games that pairs are made of."""
    return wilson_interval(2 * sum(scores), 2 * len(scores))


def print_intervals(runs: int) -> None:
    """Print how often 95% intervals of a score hold the truth."""
    print("| world | score | pairs | by pairs | bootstrap of pairs | Wilson, by games |")
    print("|---|---|---|---|---|---|")
    rng = np.random.default_rng(2)
    for world in WORLDS[:3]:
        for score in (0.5, 0.8):
            for pairs in (5, 20, 100):
                draws = rng.choice(5, size=(runs, pairs), p=world.at_score(score))
                resampled = draws[: runs // 4]
                shares = (
                    held(pair_score, draws, score),
                    held(lambda x: bootstrap_score(x, resamples=500), resampled, score),
                    held(wilson_of_pairs, draws, score),
                )
                told = " | ".join(f"{100 * share:.1f}%" for share in shares)
                print(f"| {world.name} | {score:g} | {pairs} | {told} |", flush=True)


def league(theta: Floats, world: World, pairs: int, rng: np.random.Generator) -> list[Outcome]:
    """Return the games of a round robin with ``pairs`` pairs between each two players."""
    games: list[Outcome] = []
    for i in range(len(theta)):
        for j in range(i):
            chances = world.chances(float(theta[i] - theta[j]))
            for number, kind in enumerate(rng.choice(5, size=pairs, p=chances)):
                first = (1.0, 0.0, 0.5)[0 if kind >= 2 else 1]
                points = (first, 2 * SCORES[kind] - first)
                if kind in (1, 3):
                    points = (0.5, 2 * SCORES[kind] - 0.5)
                key = (i, j, number)
                games += [Outcome(f"P{i}", f"P{j}", float(p), key) for p in points]
    return games


def print_ratings(runs: int) -> None:
    """Print how often 95% intervals of Elo differences in a league hold the truth."""
    print("| world | pairs of each two | by pairs | by games |")
    print("|---|---|---|---|")
    theta = np.array([-1.5, -0.5, 0.0, 0.5, 1.5])
    for world in (WORLDS[0], World("openings favour a colour", color=1.0), WORLDS[2]):
        rng = np.random.default_rng(3)
        for pairs in (3, 20):
            # What ratings aim at where openings matter: those of endlessly many games.
            true = _limit(theta, world)
            told = {"pairs": 0, "games": 0}
            for _ in range(runs):
                games = league(theta, world, pairs, rng)
                for unit in told:
                    told[unit] += _difference_holds(games, unit, true)  # pyright: ignore
            shares = " | ".join(f"{100 * count / runs / 2:.1f}%" for count in told.values())
            print(f"| {world.name} | {pairs} | {shares} |", flush=True)


def _limit(theta: Floats, world: World) -> dict[str, float]:
    """Return the Elo that very many games of a league come to."""
    games = league(theta, world, 3000, np.random.default_rng(9))
    ratings = rate_outcomes(games)
    return {name: ratings.of(name).value or 0.0 for name in ratings.table.players}


def _difference_holds(games: list[Outcome], unit: Unit, true: dict[str, float]) -> int:
    """Return in how many of two differences the interval holds the truth."""
    (group,) = rate_outcomes(games, unit=unit).groups
    holds = 0
    for one, other in (("P4", "P0"), ("P3", "P2")):
        told = group.difference(one, other)
        assert told.low is not None
        assert told.high is not None
        holds += told.low <= true[one] - true[other] <= told.high
    return holds


def main() -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parts = {
        "sprt": print_sprt,
        "normalised": print_normalised,
        "intervals": print_intervals,
        "ratings": print_ratings,
    }
    parser.add_argument("--part", choices=parts)
    chosen = parser.parse_args()
    for name in [chosen.part] if chosen.part else parts:
        parts[name](chosen.runs)
        print()


if __name__ == "__main__":
    main()
