"""A league's results: tables for people, files for programs."""

from __future__ import annotations

import csv
import io
import json

from mariago.arena.league import LeagueResult
from mariago.arena.match import MatchResult
from mariago.arena.outputs import percent
from mariago.arena.standings_outputs import standings_csv, standings_dict, standings_text
from mariago.board.files import write_whole
from mariago.reports import Provenance
from mariago.words import counted

__all__ = ["league_dict", "league_text", "report_of", "write_league"]


def report_of(result: LeagueResult, index: int) -> str:
    """Return the path of a pairing's report from the league's folder."""
    return (result.matches[index].folder.relative_to(result.folder) / "report.html").as_posix()


def _pairing(result: LeagueResult, index: int) -> dict[str, object]:
    match = result.matches[index]
    return {
        "number": result.numbers[index],
        "report": report_of(result, index),
        "settings": match.settings.model_dump(mode="json"),
        "summary": match.summary.as_dict(),
    }


def league_dict(result: LeagueResult, origin: Provenance) -> dict[str, object]:
    """Return all but the games as plain values; the pairings' ``results.json`` have these."""
    return {
        "settings": result.league.terms.model_dump(
            mode="json", exclude={"player_a", "player_b", "sprt"}
        ),
        "pool": list(result.league.pool),
        "new": list(result.league.new),
        "standings": standings_dict(result.standings),
        "pairings": [_pairing(result, index) for index in range(len(result.matches))],
        "provenance": origin.as_dict(),
    }


_COLUMNS = (
    *("number", "player_a", "player_b", "games", "planned", "wins_a", "wins_b", "draws"),
    *("no_result", "score_a", "score_low", "score_high", "elo_a", "elo_low", "elo_high"),
    *("illegal_a", "illegal_b", "faults_a", "faults_b", "missing", "duplicate_games", "report"),
)


def _pairings_csv(result: LeagueResult) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for index, match in enumerate(result.matches):
        s = match.summary
        figures = [*s.score.as_list(), *s.elo.as_list()]
        writer.writerow(
            [
                *(result.numbers[index], match.settings.player_a, match.settings.player_b),
                *(s.played, s.planned, s.a.wins, s.b.wins, s.draws, s.no_result),
                *("" if x is None else round(x, 4) for x in figures),
                *(s.a.illegal, s.b.illegal, s.a.faults, s.b.faults),
                *(len(s.missing), s.duplicate_games, report_of(result, index)),
            ]
        )
    return out.getvalue()


def write_league(result: LeagueResult, origin: Provenance) -> None:
    """Write ``league.json``, ``standings.csv`` and ``pairings.csv`` into the folder."""
    text = json.dumps(league_dict(result, origin), ensure_ascii=False, indent=1) + "\n"
    write_whole(result.folder / "league.json", text)
    write_whole(result.folder / "standings.csv", standings_csv(result.standings))
    write_whole(result.folder / "pairings.csv", _pairings_csv(result))


def _pairing_line(match: MatchResult) -> tuple[str, str]:
    s = match.summary
    names = f"{match.settings.player_a} – {match.settings.player_b}"
    rest = [f"{s.played} of {s.planned} games", f"{s.a.wins}–{s.b.wins}"]
    if s.duplicate_games:
        rest.append(f"{counted(s.duplicate_games, 'game')} alike")
    return names, f"{percent(s.score)}  {', '.join(rest)}"


def league_text(result: LeagueResult) -> str:
    """Return the tables that the command line shows: standings, points, then every pairing."""
    lines = [_pairing_line(match) for match in result.matches]
    width = max((len(name) for name, _ in lines), default=0)
    pairings = [f"{name:<{width}}  {text}" for name, text in lines]
    return "\n".join(
        [standings_text(result.standings), "", "Pairings, the first's score:", *pairings]
    )
