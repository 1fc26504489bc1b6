"""How far a second referee agrees with the match's own: figures and their lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from mariago.arena.records import GameRecord
from mariago.arena.recounts import Recount
from mariago.arena.statistics import Estimate, median_lead, pair_score, wilson_interval
from mariago.arena.stopping import complete_pairs

__all__ = ["SecondFigures", "is_counted", "second_figures", "second_lead"]


@dataclass(frozen=True, slots=True)
class SecondFigures:
    """What a second referee makes of a match; leads and scores are Player A's."""

    referee: str
    described: dict[str, object]
    """What it says of itself."""
    asked: int
    """Games that the match's own referee counted."""
    counted: int
    """Of those, games that this one counted too."""
    differing: tuple[int, ...]
    """Numbers of the games, from 0, in which the two name different winners."""
    rate: Estimate
    """Their share of the games counted by both, with Wilson's interval."""
    not_counted: tuple[int, ...]
    """Numbers of the games that it could not count; :attr:`recounts` says why."""
    difference: Estimate
    """Median of its lead less the first one's."""
    score: Estimate
    """The score by its winners; games without a count count by their results, pairs with a game
    that it could not count are left out."""
    recounts: Mapping[int, Recount] = field(default_factory=dict[int, Recount])
    """By the games' numbers."""

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON; games by their numbers from 0, margins Black's."""
        values = asdict(self)
        values["recounts"] = [asdict(self.recounts[number]) for number in sorted(self.recounts)]
        return values


def is_counted(game: GameRecord) -> bool:
    """Say whether the match's own referee counted a game: by no resignation, clock or fault."""
    return game.margin is not None


def second_lead(game: GameRecord, recounts: Mapping[int, Recount], player: str) -> float | None:
    """Return a player's lead by the second referee; None where it has none."""
    found = recounts.get(game.number)
    if found is None or found.margin is None:
        return None
    return found.margin if game.black == player else 0.0 - found.margin


def second_figures(
    games: Sequence[GameRecord],
    recounts: Mapping[int, Recount],
    referee: str,
    described: dict[str, object],
) -> SecondFigures:
    """Return the figures of the games that count."""
    asked = [game for game in games if is_counted(game)]
    both = [game for game in asked if _winner(game, recounts) is not None]
    differing = tuple(game.number for game in both if _winner(game, recounts) != game.winner)
    gaps: dict[int, list[float]] = {}
    for game in both:
        theirs, ours = second_lead(game, recounts, "a"), game.lead_of("a")
        assert theirs is not None
        assert ours is not None
        gaps.setdefault(game.pair, []).append(theirs - ours)
    scores = [_points(pair, recounts) for pair in complete_pairs(games).values()]
    return SecondFigures(
        referee=referee,
        described=described,
        asked=len(asked),
        counted=len(both),
        differing=differing,
        rate=wilson_interval(len(differing), len(both)),
        not_counted=tuple(
            game.number
            for game in asked
            if game.number in recounts and _winner(game, recounts) is None
        ),
        difference=median_lead(list(gaps.values())),
        score=pair_score([score for score in scores if score is not None]),
        recounts={game.number: recounts[game.number] for game in asked if game.number in recounts},
    )


def _winner(game: GameRecord, recounts: Mapping[int, Recount]) -> int | None:
    found = recounts.get(game.number)
    return None if found is None else found.winner


def _points(pair: Sequence[GameRecord], recounts: Mapping[int, Recount]) -> float | None:
    """Return A's score of a pair by the second referee; None where a game lacks its count."""
    points: list[float] = []
    for game in pair:
        winner = _winner(game, recounts) if is_counted(game) else game.winner
        if winner is None:
            return None
        points.append(0.5 if winner == 0 else float(winner == game.color_of("a")))
    return sum(points) / len(points)
