"""The report of a league: one page, and one of every pairing beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from mariago.arena.league import LeagueResult
from mariago.arena.league_outputs import report_of
from mariago.arena.outputs import percent, signed
from mariago.arena.report import played_in_words, terms_in_words
from mariago.arena.standings import PlayerLine, Standings
from mariago.arena.statistics import LEVEL
from mariago.reports import (
    Bar,
    Callout,
    Cards,
    Command,
    Definitions,
    Figures,
    Links,
    Provenance,
    Section,
    Table,
    interval_chart,
    page,
    write_page,
)
from mariago.words import Texts, texts

__all__ = ["FILE_NAME", "write_league_report"]

FILE_NAME = "report.html"


def write_league_report(result: LeagueResult, origin: Provenance, lang: str = "en") -> Path:
    """Write ``report.html`` into the league's folder and return its path."""
    _ = texts(lang)
    described = {
        name: json.dumps(values, ensure_ascii=False)
        for name, values in result.standings.descriptions.items()
    }
    html = page(
        _("League"),
        [
            _answer(result, _),
            _elo_section(result.standings, _),
            _cross_section(result.standings, _),
            _pairings_section(result, _),
            _settings_section(result, origin, _),
        ],
        lang,
        replace(origin, extra={**origin.extra, **described}),
        subtitle=_subtitle(result, _),
    )
    path = result.folder / FILE_NAME
    write_page(path, html)
    return path


def _subtitle(result: LeagueResult, _: Texts) -> str:
    terms = result.league.terms
    players = _.several("{count} player", "{count} players", len(result.standings.lines))
    games = _.several(
        "{count} game on {size}", "{count} games on {size}", _games(result), size=terms.size
    )
    return _(", ").join([players, games, *played_in_words(terms, _)])


def _games(result: LeagueResult) -> int:
    return sum(match.summary.played for match in result.matches)


def _sure_first(standings: Standings) -> bool:
    """Say whether the first of the table is stronger than the second by 95 of 100."""
    group = standings.ratings.groups[0] if standings.ratings.groups else None
    if group is None or len(group.players) < 2 or len(standings.ratings.groups) > 1:
        return False
    low = group.difference(group.players[0], group.players[1]).low
    return low is not None and low > 0


def _answer(result: LeagueResult, _: Texts) -> Section:
    standings = result.standings
    if not standings.ratings.groups:
        verdict, sure = _("No pair of games is complete: the match says nothing yet."), False
    elif _sure_first(standings):
        first, sure = standings.lines[0].name, True
        verdict = _("{player} is the strongest player here.", player=first)
    else:
        first, sure = standings.lines[0].name, False
        verdict = _("{player} comes first; the games do not tell it from the second.", player=first)
    missing = sum(len(match.summary.missing) for match in result.matches)
    faults = sum(line.illegal + line.faults for line in standings.lines)
    cards = Cards(
        (_("Players"), str(len(standings.lines)), ""),
        (_("Pairings"), str(len(result.matches)), ""),
        (_("Games"), str(_games(result)), _("missing: {games}", games=missing)),
        (_("Illegal moves and errors"), str(faults), ""),
    )
    notes = [Callout(note.said(_)) for note in standings.notes]
    return Section(_("Result"), Callout(verdict, "good" if sure else "note"), cards, *notes)


def _bars(standings: Standings, _: Texts) -> list[Bar]:
    bars: list[Bar] = []
    for line in standings.lines:
        value, low, high = line.elo.as_list()
        if value is not None and low is not None and high is not None:
            note = _.several("{count} pair", "{count} pairs", line.elo.count)
            bars.append(Bar(line.name, value, low, high, note))
    return bars


def _elo_section(standings: Standings, _: Texts) -> Section:
    chart = interval_chart(
        _bars(standings, _),
        title=_("Elo with {level} intervals", level=f"{100 * LEVEL:.0f}%"),
        percent=False,
        digits=0,
        reference=0.0,
        lang=_.lang,
    )
    columns = [
        *("", _("Player"), _("Elo"), _("Games"), _("Wins"), _("Draws"), _("Losses")),
        *(_("Wins without faults"), _("Illegal moves"), _("Errors"), _("Missing games")),
    ]
    rows = [_row(place, line) for place, line in enumerate(standings.lines, 1)]
    zero = standings.ratings.anchor
    said = _("{player} is 0.", player=zero) if zero else _("The mean is 0.")
    return Section(_("Standings"), Figures((chart, "")), Table(columns, rows, digits=0), said)


def _row(place: int, line: PlayerLine) -> list[object]:
    return [
        *(place, line.name, signed(line.elo, 0), line.games, line.wins, line.draws, line.losses),
        *(line.wins_without_faults, line.illegal, line.faults, line.missing),
    ]


def _cross_section(standings: Standings, _: Texts) -> Section:
    """Return points and games of everybody against everybody, numbered as in the standings."""
    table, names = standings.ratings.table, [line.name for line in standings.lines]
    index = {name: k for k, name in enumerate(table.players)}

    def cell(one: str, other: str) -> str:
        if one not in index or other not in index:
            return "–"
        i, j = index[one], index[other]
        games = int(table.games[i, j])
        return f"{table.points[i, j]:g}/{games}" if games else "–"

    rows = [
        [place, name, *("" if name == other else cell(name, other) for other in names)]
        for place, name in enumerate(names, 1)
    ]
    columns = ["", _("Player"), *map(str, range(1, len(names) + 1))]
    return Section(_("Cross table"), Table(columns, rows, caption=_("Points / games")))


def _pairings_section(result: LeagueResult, _: Texts) -> Section:
    rows: list[list[object]] = []
    links: list[tuple[str, str, str]] = []
    for index, match in enumerate(result.matches):
        s, settings = match.summary, match.settings
        rows.append(
            [
                *(settings.player_a, settings.player_b, s.played, s.a.wins, s.b.wins),
                *(percent(s.score), signed(s.elo, 0), s.duplicate_games),
            ]
        )
        name = f"{settings.player_a} – {settings.player_b}"
        links.append((name, report_of(result, index), ""))
    columns = [
        *(_("Player A"), _("Player B"), _("Games"), _("Wins of A"), _("Wins of B")),
        *(_("Score of A"), _("Elo"), _("Duplicate games")),
    ]
    return Section(
        _("Pairings"), Table(columns, rows), _("Reports with every game:"), Links(*links)
    )


def _settings_section(result: LeagueResult, origin: Provenance, _: Texts) -> Section:
    items = terms_in_words(result.league.terms, _)
    words = _(
        "Ratings are those that make the games likeliest. Every pairing has openings and seeds of "
        "its own, played twice with colours swapped; intervals take such pairs of games as "
        "independent. Two ratings whose intervals overlap may still differ."
    )
    rules = Callout(words, title=_("What the figures rest on"))
    return Section(_("Settings"), Definitions(*items), rules, Command(origin.command))
