"""Ratings of any number of players from their games with each other.

Two models. Bradley and Terry (Biometrika 39, 1952): a player wins with odds of
``10 ** (difference / 400)``, and a draw is half a win for each. Davidson (Journal of the American
Statistical Association 65, 1970): the same odds of a win to a loss, and draws with a chance that
grows with the square root of both sides' chances, by one parameter for all. Without draws the two
are one.

Ratings are those that make the games likeliest. Where wins do not lead from every player to every
other one (somebody won or lost everything), no finite ratings do: then every two players who met
get one virtual game that both half won, and the result says so.

Intervals take pairs of games as independent, games of a pair not: the sandwich of White
(Econometrica 50, 1982) with pairs as clusters. A made-up pair for each player but one, both games
of it alike, keeps them from vanishing where all pairs ended alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components
from scipy.stats import norm

from mariago.arena.statistics.elo import ELO_OF_A_LOGIT
from mariago.arena.statistics.estimates import (
    INDEPENDENT_GAMES,
    INDEPENDENT_PAIRS,
    LEVEL,
    Estimate,
    z_of,
)
from mariago.arena.statistics.outcomes import CrossTable, Outcome, cross_table

__all__ = ["MODELS", "Model", "RatedGroup", "Ratings", "Unit", "rate_outcomes"]

Floats = npt.NDArray[np.float64]
Model = Literal["davidson", "bradley-terry"]
Unit = Literal["pairs", "games"]
MODELS: tuple[Model, ...] = ("davidson", "bradley-terry")


@dataclass(frozen=True, slots=True, eq=False)
class RatedGroup:
    """Players who are connected by games, if only through others; best first."""

    players: tuple[str, ...]
    elo: tuple[Estimate, ...]
    """Rating of each, relative to the anchor, or to the mean of the group; ``count`` is the number
    of pairs it took part in."""
    virtual_draws: int
    """How many virtual games the ratings rest on; 0 where the games alone give finite ones."""
    draw_at_equal: float
    """Chance of a draw between equal players; 0 under Bradley and Terry's model."""
    covariance: Floats
    """(P, P) of the ratings, in Elo squared."""

    def difference(self, first: str, second: str, level: float = LEVEL) -> Estimate:
        """Return the Elo difference of two players with its interval.

        It is narrower than the two ratings' own intervals suggest where they met each other.
        """
        i, j = self.players.index(first), self.players.index(second)
        value, error = self._apart(i, j)
        half = z_of(level) * error
        count = min(self.elo[i].count, self.elo[j].count)
        return Estimate(value, value - half, value + half, count, self.elo[i].assumes)

    def chance_stronger(self, first: str, second: str) -> float:
        """Return how sure it is that the first is the stronger one, from 0 to 1 (normal)."""
        value, error = self._apart(self.players.index(first), self.players.index(second))
        return float(norm.cdf(value / error)) if error > 0 else 0.5

    def _apart(self, i: int, j: int) -> tuple[float, float]:
        c = self.covariance
        value = (self.elo[i].value or 0.0) - (self.elo[j].value or 0.0)
        return value, float(np.sqrt(max(0.0, c[i, i] + c[j, j] - 2 * c[i, j])))


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Ratings of all players; players of different groups cannot be compared."""

    model: Model
    anchor: str | None
    table: CrossTable
    groups: tuple[RatedGroup, ...]
    """Largest first."""

    def of(self, player: str) -> Estimate:
        """Return a player's rating; no value for one without games."""
        for group in self.groups:
            if player in group.players:
                return group.elo[group.players.index(player)]
        return Estimate(None, None, None, 0)


def rate_outcomes(
    outcomes: Sequence[Outcome],
    *,
    model: Model = "davidson",
    anchor: str | None = None,
    unit: Unit = "pairs",
    level: float = LEVEL,
) -> Ratings:
    """Return ratings from the games of a match, a league or several of them.

    Args:
        anchor: the player whose rating is 0; without one, and in groups that the anchor is not
            in, the mean is 0.
        unit: what the intervals take as independent.

    Raises:
        ValueError: an anchor that played no game; see also :func:`cross_table`.
    """
    table = cross_table(outcomes)
    if anchor is not None and anchor not in table.players:
        raise ValueError(f"the anchor {anchor} played no game")
    count, labels = connected_components(table.games > 0, directed=False)
    groups: list[RatedGroup] = []
    for label in range(count):
        names = [name for name, of in zip(table.players, labels, strict=True) if of == label]
        games = [game for game in outcomes if game.first in set(names)]
        groups.append(_rate_group(names, games, model, anchor, unit, level))
    groups.sort(key=lambda group: -len(group.players))
    return Ratings(model, anchor, table, tuple(groups))


@dataclass(frozen=True, slots=True, eq=False)
class _Meetings:
    """The games of each two players who met; E meetings of P players."""

    players: int
    i: npt.NDArray[np.int64]  # (E,)
    j: npt.NDArray[np.int64]  # (E,)
    wins: Floats  # (E,) of i
    losses: Floats  # (E,)
    draws: Floats  # (E,)

    @property
    def games(self) -> Floats:
        return self.wins + self.losses + self.draws


def _meetings(table: CrossTable, model: Model) -> tuple[_Meetings, int]:
    """Return all meetings and how many virtual games were added."""
    i, j = np.nonzero(np.triu(table.games))
    wins, losses, draws = table.wins[i, j], table.wins[j, i], table.draws[i, j]
    # Ford's condition (American Mathematical Monthly 64, 1957). A draw is a way both ways under
    # Bradley and Terry; under Davidson draws alone do not keep ratings finite.
    ways = table.wins + (table.draws if model == "bradley-terry" else 0)
    strong, _ = connected_components(ways > 0, directed=True, connection="strong")
    added = len(i) if strong > 1 else 0
    if added:
        wins, losses = wins + 0.5, losses + 0.5
    return _Meetings(len(table.players), i, j, wins, losses, draws), added


def _chances(at: Floats, m: _Meetings, with_draws: bool) -> tuple[Floats, Floats, Floats]:
    """Return the chances that i wins, loses, draws in each meeting, (E,) each.

    ``at`` is (P - 1,) ratings in logits, the first player's being 0, and with draws one more: the
    logarithm of the draws' parameter.
    """
    theta = np.concatenate(([0.0], at[: m.players - 1]))
    half = (theta[m.i] - theta[m.j]) / 2
    logits = [half, -half, np.full_like(half, at[-1] if with_draws else -np.inf)]
    stacked = np.stack(logits)
    powers = np.exp(stacked - stacked.max(axis=0))
    won, lost, drawn = powers / powers.sum(axis=0)
    return won, lost, drawn


def _spread_out(at_d: Floats, at_draws: Floats | None, m: _Meetings) -> Floats:
    """Return the gradient by all parameters from that by differences, (E,), and by draws."""
    full = np.zeros(m.players)
    np.add.at(full, m.i, at_d)
    np.add.at(full, m.j, -at_d)
    return full[1:] if at_draws is None else np.append(full[1:], at_draws.sum())


def _curvature(at: Floats, m: _Meetings, weights: Floats, with_draws: bool) -> Floats:
    """Return the information of ``weights`` games, (E,), in each meeting: minus the Hessian."""
    won, lost, drawn = _chances(at, m, with_draws)
    dd = weights * (won + lost - (won - lost) ** 2) / 4
    size = m.players + with_draws
    full = np.zeros((size, size))
    for a, b, sign in ((m.i, m.i, 1), (m.j, m.j, 1), (m.i, m.j, -1), (m.j, m.i, -1)):
        np.add.at(full, (a, b), sign * dd)
    if with_draws:
        cross = -weights * (won - lost) * drawn / 2
        np.add.at(full[:, -1], m.i, cross)
        np.add.at(full[:, -1], m.j, -cross)
        full[-1, :-1] = full[:-1, -1]
        full[-1, -1] = (weights * drawn * (1 - drawn)).sum()
    return full[1:, 1:]


def _slopes(
    points: Floats, draws: Floats, games: Floats, chances: tuple[Floats, Floats, Floats]
) -> tuple[Floats, Floats]:
    """Return the gradients of a log likelihood by the difference and by the draws' parameter.

    ``points`` counts a draw as half: wins less losses are twice the points less the games.
    """
    won, lost, drawn = chances
    return points - games / 2 - games * (won - lost) / 2, draws - games * drawn


def _likeliest(m: _Meetings, with_draws: bool) -> Floats:
    """Return the parameters that make the games likeliest; the problem is convex."""
    wins, losses, draws = m.wins, m.losses, m.draws
    if not with_draws:
        wins, losses, draws = wins + draws / 2, losses + draws / 2, np.zeros_like(draws)

    def cost(at: Floats) -> float:
        won, lost, drawn = _chances(at, m, with_draws)
        told = wins * np.log(won) + losses * np.log(lost)
        return -float((told + (draws * np.log(drawn) if with_draws else 0)).sum())

    def slope(at: Floats) -> Floats:
        d, nu = _slopes(wins + draws / 2, draws, m.games, _chances(at, m, with_draws))
        return -_spread_out(d, nu if with_draws else None, m)

    found: Any = minimize(
        cost,
        np.zeros(m.players - 1 + with_draws),
        jac=slope,
        hess=lambda at: _curvature(at, m, m.games, with_draws),
        method="trust-exact",
        options={"gtol": 1e-7 * max(1.0, float(m.games.sum()))},
    )
    return found.x


def _rate_group(
    names: list[str],
    outcomes: Sequence[Outcome],
    model: Model,
    anchor: str | None,
    unit: Unit,
    level: float,
) -> RatedGroup:
    table = cross_table(outcomes, names)
    m, virtual = _meetings(table, model)
    with_draws = model == "davidson" and bool(table.draws.any())
    at = _likeliest(m, with_draws)
    information = _curvature(at, m, m.games, with_draws)
    inverse = np.linalg.inv(information)
    if unit == "pairs":
        meat = _variance_by_pairs(at, m, virtual > 0, outcomes, names, with_draws)
        inverse = inverse @ meat @ inverse
    theta = np.concatenate(([0.0], at[: len(names) - 1]))
    relative = np.eye(len(names)) - (
        np.eye(len(names))[names.index(anchor)] if anchor in names else 1 / len(names)
    )
    theta, moved = relative @ theta, relative[:, 1:]
    covariance = moved @ inverse[: len(names) - 1, : len(names) - 1] @ moved.T
    elo = theta * ELO_OF_A_LOGIT
    covariance *= ELO_OF_A_LOGIT**2
    half = z_of(level) * np.sqrt(np.maximum(0.0, covariance.diagonal()))
    counts = _units_of(outcomes, unit)
    assumes = INDEPENDENT_PAIRS if unit == "pairs" else INDEPENDENT_GAMES
    order = sorted(range(len(names)), key=lambda k: (-round(elo[k], 6), names[k]))
    drawn = float(np.exp(at[-1]) / (2 + np.exp(at[-1]))) if with_draws else 0.0
    return RatedGroup(
        players=tuple(names[k] for k in order),
        elo=tuple(
            Estimate(
                float(elo[k]),
                float(elo[k] - half[k]),
                float(elo[k] + half[k]),
                counts[names[k]],
                assumes,
            )
            for k in order
        ),
        virtual_draws=virtual,
        draw_at_equal=drawn,
        covariance=covariance[np.ix_(order, order)],
    )


def _units_of(outcomes: Sequence[Outcome], unit: Unit) -> Counter[str]:
    """Return in how many pairs, or games, each player took part."""
    seen = {
        (name, game.pair if unit == "pairs" else number)
        for number, game in enumerate(outcomes)
        for name in (game.first, game.second)
    }
    return Counter(name for name, _ in seen)


def _variance_by_pairs(
    at: Floats,
    m: _Meetings,
    virtual: bool,
    outcomes: Sequence[Outcome],
    names: list[str],
    with_draws: bool,
) -> Floats:
    """Return the variance of the gradient with pairs as clusters: the filling of the sandwich."""
    index = {name: k for k, name in enumerate(names)}
    clusters = {pair: k for k, pair in enumerate(dict.fromkeys(game.pair for game in outcomes))}
    i = np.array([index[game.first] for game in outcomes])
    j = np.array([index[game.second] for game in outcomes])
    points = np.array([game.points for game in outcomes])
    single = _Meetings(m.players, i, j, points, 1 - points, np.zeros_like(points))
    draws = (points == 0.5).astype(np.float64)
    by_d, by_draws = _slopes(points, draws, np.ones_like(points), _chances(at, single, with_draws))
    of = np.array([clusters[game.pair] for game in outcomes])
    slopes = np.zeros((len(clusters), m.players + with_draws))
    np.add.at(slopes, (of, i), by_d)
    np.add.at(slopes, (of, j), -by_d)
    if with_draws:
        np.add.at(slopes[:, -1], of, by_draws)
    filling = slopes[:, 1:].T @ slopes[:, 1:]
    games = m.games - virtual
    # A made-up pair's games end alike: four times the variance of one game.
    share = games / games.sum() * (m.players - 1)
    filling += _curvature(at, m, 4 * share, with_draws)
    if virtual:
        won, lost, _ = _chances(at, m, with_draws)
        ones = np.zeros((len(m.i), m.players))
        edges = np.arange(len(m.i))
        ones[edges, m.i], ones[edges, m.j] = 1, -1
        pulled = ones[:, 1:] * ((won - lost) / 2)[:, None]
        filling[: m.players - 1, : m.players - 1] += pulled.T @ pulled
    return filling
