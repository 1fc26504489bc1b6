"""What games say about players, as pure functions on numbers; no store and no board here.

The unit of evidence is the pair: two games from one opening with colours swapped. The games of a
pair lean on each other (an opening good for Black gives each player one easy game), pairs do not.
A score is a player's share of the points at stake: win 1, draw 1/2, loss 0. A pair brings 0, 1/2,
1, 3/2 or 2 points (hence "pentanomial"), and its score is half of that.

Names are loaded when first used: ratings need scipy's optimiser, intervals do not.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.arena.statistics.differences import independent_difference, paired_difference
    from mariago.arena.statistics.elo import elo_difference, elo_estimate, expected_score
    from mariago.arena.statistics.estimates import (
        INDEPENDENT_GAMES,
        INDEPENDENT_PAIRS,
        LEVEL,
        PENTANOMIAL,
        Estimate,
    )
    from mariago.arena.statistics.intervals import (
        bootstrap_score,
        fewest_pairs_for_median,
        median_lead,
        pair_score,
        pairs_to_tell,
        pentanomial_counts,
        wilson_interval,
    )
    from mariago.arena.statistics.outcomes import CrossTable, Outcome, cross_table
    from mariago.arena.statistics.ratings import RatedGroup, Ratings, rate_outcomes
    from mariago.arena.statistics.sprt import SprtState, SprtTerms, log_likelihood_ratio, sprt_state

_HOME_OF = {
    "INDEPENDENT_GAMES": "estimates",
    "INDEPENDENT_PAIRS": "estimates",
    "LEVEL": "estimates",
    "PENTANOMIAL": "estimates",
    "CrossTable": "outcomes",
    "Estimate": "estimates",
    "Outcome": "outcomes",
    "RatedGroup": "ratings",
    "Ratings": "ratings",
    "SprtState": "sprt",
    "SprtTerms": "sprt",
    "bootstrap_score": "intervals",
    "cross_table": "outcomes",
    "elo_difference": "elo",
    "elo_estimate": "elo",
    "expected_score": "elo",
    "fewest_pairs_for_median": "intervals",
    "independent_difference": "differences",
    "log_likelihood_ratio": "sprt",
    "median_lead": "intervals",
    "pair_score": "intervals",
    "paired_difference": "differences",
    "pairs_to_tell": "intervals",
    "pentanomial_counts": "intervals",
    "rate_outcomes": "ratings",
    "sprt_state": "sprt",
    "wilson_interval": "intervals",
}

__all__ = [
    "INDEPENDENT_GAMES",
    "INDEPENDENT_PAIRS",
    "LEVEL",
    "PENTANOMIAL",
    "CrossTable",
    "Estimate",
    "Outcome",
    "RatedGroup",
    "Ratings",
    "SprtState",
    "SprtTerms",
    "bootstrap_score",
    "cross_table",
    "elo_difference",
    "elo_estimate",
    "expected_score",
    "fewest_pairs_for_median",
    "independent_difference",
    "log_likelihood_ratio",
    "median_lead",
    "pair_score",
    "paired_difference",
    "pairs_to_tell",
    "pentanomial_counts",
    "rate_outcomes",
    "sprt_state",
    "wilson_interval",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
