"""What rounds of lessons came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median

from mariago.arena.records import GameRecord
from mariago.arena.standings import StoredMatch
from mariago.arena.statistics import (
    LEVEL,
    Estimate,
    RatedGroup,
    elo_estimate,
    pair_score,
)
from mariago.teaching.cross_settings import TeachSettings
from mariago.teaching.lessons_used import Used
from mariago.teaching.side_books import SIDES, Told
from mariago.teaching.third_parties import rate_students, third_score
from mariago.teaching.tuned_side import Tuned

__all__ = ["RoundFigures", "RunFigures", "figures_of_run"]

NOTHING = Estimate(None, None, None, 0)


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """One round; round 0 is what the players were before any lesson."""

    number: int
    scores: tuple[float, ...]
    """A's score in each pair of games with B."""
    games: tuple[GameRecord, ...]
    given: dict[str, dict[str, tuple[int, float]]]
    """By the side that was taught: kind -> (lessons, what they count), of this round."""
    told: dict[str, Told]
    """What the sides' books hold after it."""
    used: dict[str, Used]
    """By side: moves against third parties that a lesson changed."""
    third: dict[str, tuple[StoredMatch, ...]]
    """By side: its match, as player A, with each third party."""
    tuned: dict[str, Tuned] = field(default_factory=dict[str, Tuned])
    """By side: what tuning its net in this round came to."""
    plain: dict[str, tuple[StoredMatch, ...]] = field(
        default_factory=dict[str, tuple[StoredMatch, ...]]
    )
    """By side with a tuned net: the same matches with the same book and its old weights."""

    @property
    def score(self) -> Estimate:
        """Return A's score against B."""
        return pair_score(self.scores)

    @property
    def wins(self) -> tuple[int, int, int]:
        """Return games that A won, that B won, and others."""
        won = sum(game.points_of("a") == 1 for game in self.games)
        lost = sum(game.points_of("b") == 1 for game in self.games)
        return won, lost, len(self.games) - won - lost

    @property
    def median_length(self) -> float | None:
        """Return the median number of moves of A's games with B."""
        return median(len(game.moves) for game in self.games) if self.games else None

    def lessons(self, side: str) -> int:
        """Return how many lessons a side was given in this round."""
        return sum(count for count, _ in self.given.get(side, {}).values())


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run, or the rounds of it that are done."""

    settings: TeachSettings
    rounds: tuple[RoundFigures, ...]
    rated: RatedGroup | None
    """``a0``, ``b0``, ``a1`` and so on; the first third party is 0."""

    def elo(self, side: str, number: int) -> Estimate:
        """Return a side's Elo after a round, from its games with third parties."""
        return self._elo(self._label(side, number))

    def elo_of_old_weights(self, side: str, number: int) -> Estimate:
        """Return the same of a side whose net is tuned, with the weights that it came with."""
        return self._elo(_plain_label(side, number))

    def gain_by_weights(self, side: str, number: int) -> Estimate:
        """Return how far a side is above itself with its old weights and the same book, in Elo."""
        return self._above(self._label(side, number), _plain_label(side, number))

    def gain(self, side: str, number: int) -> Estimate:
        """Return how far a side is above what it was before, in Elo, paired by opening."""
        return self._above(self._label(side, number), self._label(side, 0))

    def _elo(self, name: str) -> Estimate:
        if self.rated is None or name not in self.rated.players:
            return NOTHING
        return self.rated.elo[self.rated.players.index(name)]

    def _above(self, one: str, other: str) -> Estimate:
        if self.rated is None or not {one, other} <= set(self.rated.players) or one == other:
            return NOTHING
        return self.rated.difference(one, other)

    def _label(self, side: str, number: int) -> str:
        return f"{side}{number if side in self.settings.learners else 0}"

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON; scores are A's, Elo is the side's."""
        return {
            "settings": self.settings.as_dict(),
            "level": LEVEL,
            "learners": list(self.settings.learners),
            "rounds": [self._round_dict(one) for one in self.rounds],
            "virtual_games": 0 if self.rated is None else self.rated.virtual_draws,
        }

    def _tuned_dict(self, one: RoundFigures, side: str) -> dict[str, object]:
        """Return what is told of a side whose net is tuned; nothing of others."""
        if side not in self.settings.tuned:
            return {}
        tuned = one.tuned.get(side)
        return {
            "tuned": None if tuned is None else tuned.as_dict(),
            "elo_of_old_weights": self.elo_of_old_weights(side, one.number).as_list(),
            "gain_by_weights": self.gain_by_weights(side, one.number).as_list(),
        }

    def _round_dict(self, one: RoundFigures) -> dict[str, object]:
        sides: dict[str, object] = {}
        for side in SIDES:
            told = one.told[side]
            used = one.used.get(side)
            sides[side] = {
                "player": self.settings.names[side],
                "given": {
                    kind: {"lessons": count, "weight": weight}
                    for kind, (count, weight) in one.given.get(side, {}).items()
                },
                "book": {
                    "lessons": told.lessons,
                    "weight": told.weight,
                    "patterns": told.patterns,
                },
                "used": None if used is None else {**asdict(used), "share": used.share},
                "elo": self.elo(side, one.number).as_list(),
                "gain": self.gain(side, one.number).as_list(),
                **self._tuned_dict(one, side),
                "third": [
                    {"player": name, "score": third_score([match]).as_list()}
                    for name, match in zip(self.settings.third, one.third[side], strict=True)
                ],
            }
        won, lost, others = one.wins
        return {
            "round": one.number,
            "pairs": len(one.scores),
            "a_won": won,
            "b_won": lost,
            "without_winner": others,
            "score": one.score.as_list(),
            "elo": elo_estimate(one.score).as_list(),
            "median_length": one.median_length,
            "sides": sides,
        }


def _plain_label(side: str, number: int) -> str:
    return f"{side}{number} old"


def figures_of_run(settings: TeachSettings, rounds: Sequence[RoundFigures]) -> RunFigures:
    """Return the figures of the rounds that are done."""
    students = {
        f"{side}{one.number}": one.third[side]
        for one in rounds
        for side in SIDES
        if one.number == 0 or side in settings.learners
    }
    for one in rounds:
        students |= {_plain_label(side, one.number): found for side, found in one.plain.items()}
    return RunFigures(settings, tuple(rounds), rate_students(students))
