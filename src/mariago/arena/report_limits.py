"""A match at other move limits, in its report: a chart with intervals and the table behind it."""

from __future__ import annotations

from collections.abc import Sequence

from mariago.arena.limits import Stand
from mariago.arena.match import MatchResult
from mariago.arena.outputs import percent, signed
from mariago.reports import Bar, Figures, Section, Table, Text, interval_chart
from mariago.words import Texts

__all__ = ["limits_section", "stop_name"]


def stop_name(limit: int | None, _: Texts) -> str:
    """Return what the page calls a move limit."""
    if limit is None:
        return _("at the end")
    return _.several("after {count} move", "after {count} moves", limit)


def limits_section(result: MatchResult, stands: Sequence[Stand], _: Texts) -> list[Section]:
    """Return the section; none where the match has no earlier limit to look at."""
    if len(stands) < 2 or not result.games:
        return []
    return [
        Section(
            _("Score by move limit"),
            Text(_said(result, _)),
            *([Figures((_chart(result, stands, _), ""))] if _bars(stands, _) else []),
            _table(stands, _),
        )
    ]


def _said(result: MatchResult, _: Texts) -> str:
    return _(
        "The same games, counted as they stood after so many moves (reference, {how}); games that "
        "were over by then count by their end. Nothing was played again: players who know of a "
        "limit might have played otherwise.",
        how=_.term(f"{result.settings.scoring} scoring"),
    )


def _bars(stands: Sequence[Stand], _: Texts) -> list[Bar]:
    found: list[Bar] = []
    for stand in stands:
        value, low, high = stand.score.as_list()
        if value is None or low is None or high is None:
            continue
        note = (
            _.several("{count} game stopped", "{count} games stopped", stand.reached)
            if stand.limit
            else _.several("{count} game", "{count} games", stand.games)
        )
        found.append(Bar(stop_name(stand.limit, _), value, low, high, note))
    return found


def _chart(result: MatchResult, stands: Sequence[Stand], _: Texts) -> str:
    level = f"{100 * result.summary.level:.0f}%"
    return interval_chart(
        _bars(stands, _),
        title=_(
            "Score of {player} by move limit with {level} intervals",
            player=result.summary.a.name,
            level=level,
        ),
        reference=0.5,
        lang=_.lang,
    )


def _table(stands: Sequence[Stand], _: Texts) -> Table:
    ways = [way for way in ("territory", "area") if any(way in stand.leads for stand in stands)]
    leads = [
        _(
            "{found} ({meaning})",
            found=_("Median lead of A"),
            meaning=_.term(f"{way} scoring"),
        )
        for way in ways
    ]
    columns = [_("Counted"), _("Games stopped"), _("Score of A"), *_with_games(leads, _)]
    rows: list[list[object]] = []
    for stand in stands:
        row: list[object] = [
            _unbroken(stop_name(stand.limit, _)),
            stand.reached,
            _unbroken(percent(stand.score)),
        ]
        for way in ways:
            lead = stand.leads.get(way)
            row += [None if lead is None else _unbroken(signed(lead)), stand.lead_games.get(way, 0)]
        rows.append(row)
    return Table(columns, rows, caption=_("Intervals rest on pairs of games"))


def _unbroken(text: str) -> str:
    return text.replace(" ", "\u00a0")


def _with_games(leads: Sequence[str], _: Texts) -> list[str]:
    return [name for lead in leads for name in (lead, _("Games"))]
