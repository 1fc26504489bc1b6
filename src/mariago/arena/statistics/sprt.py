"""A sequential test on pairs: play until one of two Elo differences is refuted.

The generalised sequential probability ratio test with five kinds of pairs: the chances of 0, 1/2,
1, 3/2 and 2 points are unknown, so each hypothesis is given the likeliest chances that it allows.
Sources: Michel Van den Bergh, "The generalized maximum likelihood ratio for the expectation value
of a distribution" and "Comments on normalized Elo", the notes on which fishtest, Stockfish's
framework of tests, rests; Li, Liu and Ying, Sequential Analysis 33 (2014), for the test itself;
Wald (1945) for its bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mariago.arena.statistics.elo import ELO_OF_A_LOGIT, expected_score
from mariago.arena.statistics.estimates import PENTANOMIAL
from mariago.errors import MatchError, first_fault

__all__ = ["SprtState", "SprtTerms", "log_likelihood_ratio", "sprt_state", "terms_of_text"]

Floats = npt.NDArray[np.float64]
Decision = Literal["elo0", "elo1"]

UNSEEN = 1e-3
"""Pairs that count as seen of a kind that was not: no kind is ruled out (as fishtest does)."""
LEAST_APART = 0.5
"""Elo between the two; a test of fewer would take millions of games."""
ROUNDS = 10  # of finding the likeliest chances with a given mean in standard deviations
HALVINGS = 45
_SCORES = np.asarray(PENTANOMIAL)


class SprtTerms(BaseModel):
    """What a sequential test decides between, seen from Player A."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    elo0: float = Field(0.0, ge=-1500, le=1500)
    elo1: float = Field(35.0, ge=-1500, le=1500)
    alpha: float = Field(0.05, ge=1e-6, lt=0.5)
    """How often elo1 is taken although elo0 is true, at most."""
    beta: float = Field(0.05, ge=1e-6, lt=0.5)
    """How often elo0 is taken although elo1 is true, at most."""
    scale: Literal["logistic", "normalised"] = "logistic"
    """Elo of scores; or normalised Elo, of scores in standard deviations of a game
    (``800 / log(10)`` for one), in which a test takes equally long however many games are drawn."""

    @model_validator(mode="after")
    def _in_order(self) -> SprtTerms:
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 {self.elo0:g} has to be less than elo1 {self.elo1:g}")
        if self.elo1 - self.elo0 < LEAST_APART:
            raise ValueError(
                f"elo0 and elo1 have to lie at least {LEAST_APART:g} Elo apart; "
                "fewer take more games than anybody plays"
            )
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Return Wald's bounds: below the first elo0 is taken, above the second elo1."""
        lower = math.log(self.beta / (1 - self.alpha))
        return lower, math.log((1 - self.beta) / self.alpha)

    def usual_pairs(self) -> int:
        """Return about how many pairs a decision takes where elo0 or elo1 is true.

        Wald's approximation for pairs of two independent games without draws.
        """
        lower, upper = self.bounds
        if self.scale == "logistic":
            apart = (expected_score(self.elo1) - expected_score(self.elo0)) / math.sqrt(1 / 8)
        else:
            apart = _ratio_of(self.elo1) - _ratio_of(self.elo0)
        step = apart**2 / 2  # of the ratio with each pair, in the mean; a pair's variance is 1/8
        under0 = -((1 - self.alpha) * lower + self.alpha * upper) / step
        under1 = ((1 - self.beta) * upper + self.beta * lower) / step
        return math.ceil(max(under0, under1))


def terms_of_text(text: str) -> SprtTerms:
    """Return the terms that ``elo0=0,elo1=35,alpha=0.05`` means.

    Raises:
        MatchError: a key or a value that no test has; the message names it.
    """
    values: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key:
            hint = "write it as elo0=0,elo1=35"
            raise MatchError(f"{part.strip()!r} is no KEY=VALUE", where="--sprt", hint=hint)
        if key in values:
            raise MatchError(f"{key} is given twice", where="--sprt")
        values[key] = value
    try:
        return SprtTerms.model_validate(values)
    except ValidationError as error:
        fault = first_fault(error, SprtTerms.model_fields)
        hint = "write it as elo0=0,elo1=35; also alpha, beta, scale=logistic or normalised"
        raise MatchError(fault, where="--sprt", hint=hint) from None


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a sequential test stands."""

    terms: SprtTerms
    llr: float
    """Logarithm of how much likelier the pairs are under elo1 than under elo0."""
    lower: float
    upper: float
    pairs: int
    """The pairs it rests on: all, or those up to the one that decided."""
    decision: Decision | None
    """The difference that was taken; ``None`` while undecided."""

    def as_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {**asdict(self), "terms": self.terms.model_dump()}


def _tilted(shares: Floats, distances: Floats) -> Floats:
    """Return the chances nearest to ``shares`` under which ``distances`` average to nothing.

    Both (..., 5). They are ``shares / (1 + x * distances)`` with the ``x`` at which their mean
    distance is 0; it falls as ``x`` grows, so halving finds it.
    """
    low, high = -1 / distances.max(axis=-1), -1 / distances.min(axis=-1)
    for _ in range(HALVINGS):
        x = (low + high) / 2
        over = (shares * distances / (1 + x[..., None] * distances)).sum(axis=-1) > 0
        low, high = np.where(over, x, low), np.where(over, high, x)
    chances = shares / (1 + ((low + high) / 2)[..., None] * distances)
    return chances / chances.sum(axis=-1, keepdims=True)


def _with_mean(shares: Floats, mean: float) -> Floats:
    """Return the likeliest chances, (..., 5), with a given mean score."""
    return _tilted(shares, np.broadcast_to(_SCORES - mean, shares.shape))


def _with_ratio(shares: Floats, ratio: float) -> Floats:
    """Return the likeliest chances whose mean lies ``ratio`` standard deviations above 1/2.

    The condition is linearised where the last round stood, which makes it one of a mean.
    """
    chances = np.full_like(shares, 1 / len(_SCORES))
    for _ in range(ROUNDS):
        mean = (chances * _SCORES).sum(axis=-1, keepdims=True)
        spread = np.sqrt((chances * (_SCORES - mean) ** 2).sum(axis=-1, keepdims=True))
        bent = ((_SCORES - mean) / spread) ** 2
        chances = _tilted(shares, _SCORES - 0.5 - ratio * spread * (1 + bent) / 2)
    return chances


def _ratio_of(normalised_elo: float) -> float:
    """Return mean over standard deviation of a pair's score; a game's is smaller by sqrt(2)."""
    return math.sqrt(2) * normalised_elo / (2 * ELO_OF_A_LOGIT)


def log_likelihood_ratio(counts: npt.ArrayLike, terms: SprtTerms) -> Floats:
    """Return how much likelier pairs are under elo1 than under elo0, as a logarithm.

    ``counts`` is (..., 5): pairs with 0, 1/2, 1, 3/2 and 2 points of Player A; the result is
    (...). Without pairs it is 0.
    """
    seen = np.asarray(counts, np.float64)
    filled = np.where(seen > 0, seen, UNSEEN)
    shares = filled / filled.sum(axis=-1, keepdims=True)
    if terms.scale == "logistic":
        under0 = _with_mean(shares, expected_score(terms.elo0))
        under1 = _with_mean(shares, expected_score(terms.elo1))
    else:
        under0 = _with_ratio(shares, _ratio_of(terms.elo0))
        under1 = _with_ratio(shares, _ratio_of(terms.elo1))
    ratio = (filled * (np.log(under1) - np.log(under0))).sum(axis=-1)
    return np.where(seen.sum(axis=-1) > 0, ratio, 0.0)


def sprt_state(scores: Sequence[float], terms: SprtTerms) -> SprtState:
    """Return where the test stands after pairs of these scores, in the order of their numbers.

    It ends at the first pair that takes the ratio past a bound; later pairs change nothing.
    """
    lower, upper = terms.bounds
    kinds = np.asarray([PENTANOMIAL.index(score) for score in scores], np.int64)
    counts = np.cumsum(np.eye(len(PENTANOMIAL))[kinds], axis=0)
    ratios = log_likelihood_ratio(counts, terms)
    past = np.flatnonzero((ratios <= lower) | (ratios >= upper))
    if len(past) == 0:
        last = float(ratios[-1]) if len(scores) else 0.0
        return SprtState(terms, last, lower, upper, len(scores), None)
    end = int(past[0])
    decision: Decision = "elo0" if ratios[end] <= lower else "elo1"
    return SprtState(terms, float(ratios[end]), lower, upper, end + 1, decision)
