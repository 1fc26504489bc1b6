"""The figures of a match as rows of CSV, the same that ``results.json`` holds."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from mariago.arena.limits import Stand
from mariago.arena.match import MatchResult
from mariago.arena.opening_figures import figures_of_openings
from mariago.arena.pace import pace_of
from mariago.arena.statistics import Estimate

__all__ = ["FILE_NAME", "figures_csv"]

FILE_NAME = "figures.csv"
COLUMNS = ("figure", "of", "at_move", "counting", "value", "low", "high", "count")
Row = tuple[object, ...]


def figures_csv(result: MatchResult, stands: Sequence[Stand]) -> str:
    """Return a row a figure: scores and leads are Player A's, an empty cell is no figure.

    ``at_move`` is a move limit, or ``end``; ``count`` is what the figure's interval rests on.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(result, stands))
    return out.getvalue()


def _estimate(name: str, of: str, found: Estimate, at: object = "end", way: str = "") -> Row:
    return (name, of, at, way, *found.as_list(), found.count)


def _rows(result: MatchResult, stands: Sequence[Stand]) -> list[Row]:
    s = result.summary
    a = s.a.name
    openings = figures_of_openings(result)
    rows: list[Row] = [
        _estimate("score", a, s.score),
        _estimate("score, bootstrap", a, s.bootstrap),
        _estimate("score, Wilson", a, s.wilson),
        _estimate("Elo", a, s.elo),
        *(_estimate("median lead", a, lead.median, "end", lead.counting) for lead in s.leads),
    ]
    if result.second is not None:
        second = result.second
        rows += [
            _estimate("other winner by the second referee, Wilson", second.referee, second.rate),
            _estimate("median lead, second less first", a, second.difference),
            _estimate("score by the second referee", a, second.score),
            _plain("games counted by the second referee", second.referee, second.counted),
            _plain(
                "games not counted by the second referee", second.referee, len(second.not_counted)
            ),
        ]
    for stand in stands:
        if stand.limit is not None:
            rows.append(_estimate("score", a, stand.score, stand.limit))
            rows.append(_plain("games counted there", "", stand.reached, stand.limit))
            rows += [
                _estimate("median lead", a, lead, stand.limit, way)
                for way, lead in stand.leads.items()
            ]
    for key, side in (("a", s.a), ("b", s.b)):
        pace = pace_of(result.games, key)
        rows += [
            _plain("wins", side.name, side.wins),
            _plain("wins without faults", side.name, side.wins_without_faults),
            _estimate("score as Black, Wilson", side.name, side.as_black),
            _estimate("score as White, Wilson", side.name, side.as_white),
            _plain("illegal moves", side.name, side.illegal),
            _plain("errors", side.name, side.faults),
            _plain("resigned", side.name, side.resigned),
            _plain("moves asked", side.name, side.turns),
            _plain("seconds a move, mean", side.name, pace.mean_s),
            _plain("seconds a move, median of games", side.name, pace.median_s),
            _plain("seconds a move, 95% of games at most", side.name, pace.most_s),
        ]
    counts = {
        "games": s.played,
        "draws": s.draws,
        "no result": s.no_result,
        "missing games": len(s.missing),
        "Black's wins": s.black_wins,
        "median length": s.median_length,
        "distinct openings": openings.distinct,
        "openings drawn": openings.tried,
        "least chance of Black after an opening": openings.least,
        "most chance of Black after an opening": openings.most,
        "duplicate games": s.duplicate_games,
        "duplicate boards at move 20": s.duplicates_at_move_20,
    }
    return [
        *rows,
        *(_plain(name, "", value) for name, value in counts.items() if value is not None),
    ]


def _plain(name: str, of: str, value: object, at: object = "end") -> Row:
    return (name, of, at, "", value, "", "", "")
