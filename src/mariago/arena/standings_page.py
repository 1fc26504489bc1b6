"""Standings as a page that stands alone: ratings, who beat whom, and by how many points."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from mariago.arena.outputs import signed
from mariago.arena.report import RULES_IN_WORDS
from mariago.arena.standings import Standings
from mariago.arena.standings_leads import LeadLine, leads_over, usual_opponent
from mariago.arena.standings_outputs import points_against
from mariago.arena.statistics import LEVEL, Estimate
from mariago.board.points import Size
from mariago.reports import (
    Bar,
    Callout,
    Definitions,
    Figures,
    Provenance,
    Section,
    Table,
    Text,
    interval_chart,
    page,
)
from mariago.words import Texts, texts

__all__ = ["lead_chart", "standings_html"]


def standings_html(standings: Standings, origin: Provenance, lang: str = "en") -> str:
    """Return the page."""
    _ = texts(lang)
    described = {
        name: json.dumps(said, ensure_ascii=False) for name, said in standings.descriptions.items()
    }
    return page(
        _("Standings"),
        [
            Section(_("Standings"), *_elo_figures(standings, _), _line_table(standings, _)),
            Section(_("Who beat whom"), _cross_table(standings, _)),
            *_lead_sections(standings, _),
            Section(_("Settings"), *_terms(standings, _)),
        ],
        lang,
        replace(origin, extra={**origin.extra, **described}),
        subtitle=_.several("{count} match", "{count} matches", standings.matches),
    )


def _bar(name: str, estimate: Estimate) -> list[Bar]:
    value, low, high = estimate.as_list()
    if value is None or low is None or high is None:
        return []
    return [Bar(name, value, low, high)]


def _elo_figures(standings: Standings, _: Texts) -> list[Figures]:
    bars: list[Bar] = []
    for line in standings.lines:
        bars += _bar(line.name, line.elo)
    if not bars:
        return []
    zero = standings.ratings.anchor
    title = _("Elo with {level} intervals", level=f"{100 * LEVEL:.0f}%")
    rated = _("{player} is 0", player=zero) if zero else _("the mean is 0")
    chart = interval_chart(
        bars, title=title, x_label=rated, percent=False, digits=0, reference=0.0, lang=_.lang
    )
    return [Figures((chart, ""))]


def _line_table(standings: Standings, _: Texts) -> Table:
    columns = [
        *("", _("Player"), _("Elo"), _("Games"), _("Wins"), _("Draws"), _("Losses")),
        *(_("Wins without faults"), _("Illegal moves"), _("Errors"), _("Missing games")),
    ]
    rows = [
        [
            *(
                number,
                line.name,
                signed(line.elo, 0).replace(" ", "\u00a0"),
                line.games,
                line.wins,
                line.draws,
            ),
            *(line.losses, line.wins_without_faults, line.illegal, line.faults, line.missing),
        ]
        for number, line in enumerate(standings.lines, 1)
    ]
    return Table(columns, rows)


def _cross_table(standings: Standings, _: Texts) -> Table:
    names = [line.name for line in standings.lines]
    rows = [
        [
            *(number, name),
            *(
                "" if name == other else points_against(standings, name, other) or "–"
                for other in names
            ),
        ]
        for number, name in enumerate(names, 1)
    ]
    columns = ["", _("Player"), *map(str, range(1, len(names) + 1))]
    return Table(columns, rows, caption=_("Points of the row out of games against the column"))


def lead_chart(lines: Sequence[LeadLine], opponent: str, counting: str, lang: str = "en") -> str:
    """Return the chart of everybody's median lead over ``opponent``, "" where none is known."""
    _ = texts(lang)
    bars: list[Bar] = []
    for line in leads_over(lines, opponent):
        if line.counting == counting:
            bars += _bar(line.first, line.lead)
    if not bars:
        return ""
    return interval_chart(
        bars,
        title=_(
            "{found} ({meaning})",
            found=_("Median lead over {player}", player=opponent),
            meaning=_.term(f"{counting} scoring"),
        ),
        x_label=_("points"),
        percent=False,
        digits=1,
        reference=0.0,
        lang=lang,
    )


def _lead_sections(standings: Standings, _: Texts) -> list[Section]:
    lines = standings.leads
    if not lines:
        return []
    anchor = standings.ratings.anchor
    names = [line.name for line in standings.lines]
    opponent = anchor or usual_opponent(lines, names)
    ways = [way for way in ("territory", "area") if any(line.counting == way for line in lines)]
    charts = [lead_chart(lines, opponent, way, _.lang) for way in ways] if opponent else []
    figures = [Figures(*((chart, "") for chart in charts if chart))] if any(charts) else []
    rows = [
        [
            *(line.first, line.second, _.term(f"{line.counting} scoring")),
            *(signed(line.lead), line.lead.count, line.games),
        ]
        for line in lines
    ]
    columns = [
        *(_("Player"), _("Opponent"), _("Counted by"), _("Median lead")),
        *(_("Pairs"), _("Games")),
    ]
    said = _(
        "Points by which the player led where games were counted, with an interval that draws "
        "whole pairs; fewer than six pairs give none."
    )
    return [Section(_("Lead"), Text(said), *figures, Table(columns, rows))]


def _terms(standings: Standings, _: Texts) -> list[Definitions | Callout]:
    terms = standings.terms
    items: list[tuple[str, str]] = []
    if terms:
        size = Size(int(str(terms["rows"])), int(str(terms["columns"])))
        rules = str(terms["rules"])
        limit = terms["move_limit"]
        items = [
            (_("Board size"), str(size)),
            (_("Rules"), _(RULES_IN_WORDS.get(rules, rules))),
            (_("Komi"), f"{terms['komi']:g}"),
            (_("Move limit"), str(limit) if limit else _("none: to two passes")),
            (
                _("Count of a stopped game"),
                _("reference, {how}", how=_.term(f"{terms['scoring']} scoring")),
            ),
        ]
    blocks: list[Definitions | Callout] = [Definitions(*items)] if items else []
    return [*blocks, *(Callout(note.said(_)) for note in standings.notes)]
