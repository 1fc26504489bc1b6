"""Fixed third parties: who they are, from which openings they are met, and what that says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mariago.arena.settings import MatchSettings
from mariago.arena.standings import StoredMatch
from mariago.arena.statistics import Estimate, Outcome, RatedGroup, pair_score, rate_outcomes
from mariago.arena.stopping import complete_pairs
from mariago.errors import BadInputError, PlayerError
from mariago.players import resolve_name

__all__ = [
    "checked_third",
    "default_third",
    "meeting",
    "pair_scores",
    "rate_students",
    "seed_of",
    "third_label",
    "third_score",
]

MATCHES, THIRD = 1, 2
"""First words of seeds: the two players' matches, and those against third parties."""


def default_third() -> tuple[str, ...]:
    """Return who is met where nobody is named: a fixed version of the rules, the packaged net."""
    from mariago.nets import packaged_net

    if not packaged_net().is_dir():
        return ("heuristic:v5",)
    try:
        return ("heuristic:v5", resolve_name("net"))
    except PlayerError:
        return ("heuristic:v5",)


def checked_third(names: Sequence[str]) -> tuple[str, ...]:
    """Return third parties by their names in one fixed spelling.

    Raises:
        BadInputError: one is named twice.
        PlayerError: there is no such player.
    """
    found = tuple(resolve_name(name) for name in names)
    for name in found:
        if found.count(name) > 1:
            raise BadInputError(f"{name} is named twice", where="--third")
    return found


def seed_of(seed: int, *words: int) -> int:
    """Return the seed of a part of a run."""
    return int(np.random.SeedSequence((seed, *words)).generate_state(1)[0])


def meeting(terms: MatchSettings, a: str, b: str, games: int, seed: int) -> MatchSettings:
    """Return the settings of a match on the terms of another one."""
    values = {"player_a": a, "player_b": b, "games": games, "seed": seed, "sprt": None}
    return MatchSettings.model_validate({**dict(terms), **values})


def third_label(number: int) -> str:
    """Return what ratings call a third party."""
    return f"third {number}"


def pair_scores(match: StoredMatch) -> dict[int, float]:
    """Return player A's score, 0 to 1, in each complete pair, by the pair's number."""
    pairs = complete_pairs(match.games)
    return {n: sum(game.points_of("a") for game in both) / 2 for n, both in pairs.items()}


def third_score(matches: Sequence[StoredMatch]) -> Estimate:
    """Return player A's score in several matches, all pairs alike."""
    return pair_score([score for match in matches for score in pair_scores(match).values()])


def rate_students(students: Mapping[str, Sequence[StoredMatch]]) -> RatedGroup | None:
    """Return ratings of students from their matches with third parties, the first of which is 0.

    None where no pair of games is complete.

    Matches with one third party begin from the same openings whoever the student is: what comes
    from one opening is one cluster, so that ``difference`` of two students is paired by opening.

    Args:
        students: name -> its match with each third party, in one order, as player A.
    """
    outcomes = [
        Outcome(name, third_label(number), game.points_of("a"), (number, pair), game.by_fault)
        for name, matches in students.items()
        for number, match in enumerate(matches)
        for pair, both in complete_pairs(match.games).items()
        for game in both
    ]
    if not any(outcome.second == third_label(0) for outcome in outcomes):
        return None
    return rate_outcomes(outcomes, anchor=third_label(0)).groups[0]
