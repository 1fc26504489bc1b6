"""What an ablation of lessons came to, and what may be said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from mariago.arena.standings import StoredMatch
from mariago.arena.statistics import LEVEL, Estimate, RatedGroup
from mariago.arena.statistics.differences import paired_difference
from mariago.teaching.cross_settings import AblationSettings, Cell
from mariago.teaching.lessons_used import Used
from mariago.teaching.side_books import Told
from mariago.teaching.third_parties import pair_scores, rate_students, third_score

__all__ = ["BAR_ELO", "AblationFigures", "CellFigures", "Verdict", "figures_of_cells", "verdict_of"]

BAR_ELO = 22.0
"""What 1,000 games of a cell tell, either way: gains under this are called none."""
NOTHING = Estimate(None, None, None, 0)

Verdict = Literal["gain", "loss", "nil", "unknown"]


@dataclass(frozen=True, slots=True)
class CellFigures:
    """One cell: a student and its games."""

    cell: Cell
    told: Told
    """What its book holds."""
    used: Used
    matches: tuple[StoredMatch, ...]
    """With each third party, as player A."""

    @property
    def score(self) -> Estimate:
        """Return its score against all third parties."""
        return third_score(self.matches)

    def by_opening(self) -> dict[tuple[int, int], float]:
        """Return its score in each pair, by (third party, pair)."""
        return {
            (k, pair): score
            for k, match in enumerate(self.matches)
            for pair, score in pair_scores(match).items()
        }


def verdict_of(difference: Estimate) -> Verdict:
    """Return what an Elo difference says: only a whole interval says anything."""
    if difference.value is None or difference.low is None or difference.high is None:
        return "unknown"
    if difference.low > 0:
        return "gain"
    if difference.high < 0:
        return "loss"
    if difference.low > -BAR_ELO and difference.high < BAR_ELO:
        return "nil"
    return "unknown"


@dataclass(frozen=True, slots=True)
class AblationFigures:
    """All cells, and how far apart they are."""

    settings: AblationSettings
    cells: tuple[CellFigures, ...]
    rated: RatedGroup | None
    """The cells by their names; the first third party is 0."""

    def cell(self, name: str) -> CellFigures:
        """Return a cell by its name."""
        return next(one for one in self.cells if one.cell == name)

    def elo(self, cell: str) -> Estimate:
        """Return a cell's Elo; the first third party is 0."""
        if self.rated is None or cell not in self.rated.players:
            return NOTHING
        return self.rated.elo[self.rated.players.index(cell)]

    def elo_difference(self, cell: str, other: str | None) -> Estimate:
        """Return how far a cell is above another one in Elo, paired by opening."""
        if other is None or cell == other or self.rated is None:
            return NOTHING
        if not {cell, other} <= set(self.rated.players):
            return NOTHING
        return self.rated.difference(cell, other)

    def score_difference(self, cell: str, other: str | None) -> Estimate:
        """Return how far a cell's score is above another one's, opening by opening."""
        if other is None or cell == other:
            return NOTHING
        first, second = self.cell(cell).by_opening(), self.cell(other).by_opening()
        both = sorted(first.keys() & second.keys())
        return paired_difference([first[k] for k in both], [second[k] for k in both])

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        placebo = self.settings.placebo
        cells: list[dict[str, object]] = []
        for one in self.cells:
            to_none = self.elo_difference(one.cell, "none")
            to_placebo = self.elo_difference(one.cell, placebo)
            cells.append(
                {
                    "cell": one.cell,
                    "lessons": one.told.lessons,
                    "weight": one.told.weight,
                    "patterns": one.told.patterns,
                    "used": {**asdict(one.used), "share": one.used.share},
                    "games": sum(len(match.games) for match in one.matches),
                    "score": one.score.as_list(),
                    "third": [
                        {"player": name, "score": third_score([match]).as_list()}
                        for name, match in zip(self.settings.third, one.matches, strict=True)
                    ],
                    "elo": self.elo(one.cell).as_list(),
                    "elo_to_none": to_none.as_list(),
                    "elo_to_placebo": to_placebo.as_list(),
                    "score_to_none": self.score_difference(one.cell, "none").as_list(),
                    "score_to_placebo": self.score_difference(one.cell, placebo).as_list(),
                    "verdict": "" if one.cell == "none" else verdict_of(to_none),
                }
            )
        return {
            "settings": self.settings.model_dump(mode="json"),
            "level": LEVEL,
            "bar_elo": BAR_ELO,
            "placebo": placebo,
            "cells": cells,
            "virtual_games": 0 if self.rated is None else self.rated.virtual_draws,
        }


def figures_of_cells(settings: AblationSettings, cells: Sequence[CellFigures]) -> AblationFigures:
    """Return the figures of an ablation whose games are played."""
    rated = rate_students({one.cell: one.matches for one in cells})
    return AblationFigures(settings, tuple(cells), rated)
