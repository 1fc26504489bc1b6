"""The report of a match: one page that stands alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mariago.arena.limits import stands_at
from mariago.arena.match import MatchResult
from mariago.arena.outputs import percent, signed
from mariago.arena.pace import pace_of
from mariago.arena.records import ENDINGS, SHORT_ENDINGS, GameRecord, detail_in_words
from mariago.arena.report_games import game_blocks, names_by_color
from mariago.arena.report_limits import limits_section
from mariago.arena.report_openings import opening_section, source_in_words
from mariago.arena.report_second import second_section
from mariago.arena.report_sprt import sprt_blocks, sprt_verdict
from mariago.arena.settings import MatchSettings
from mariago.arena.statistics import PENTANOMIAL, Estimate
from mariago.arena.summary import LeadFigures, SideFigures, Summary
from mariago.reports import (
    Bar,
    Callout,
    Cards,
    Command,
    Definitions,
    Figures,
    Provenance,
    Section,
    Table,
    category_chart,
    histogram_chart,
    interval_chart,
    page,
    write_page,
)
from mariago.words import Texts, texts

__all__ = ["FILE_NAME", "RULES_IN_WORDS", "match_sections", "terms_in_words", "write_report"]

FILE_NAME = "report.html"
NO_BREAK = "\u00a0"

RULES_IN_WORDS = {
    "chinese": "Chinese rules",
    "japanese": "Japanese rules",
    "korean": "Korean rules",
    "ing": "Ing rules",
    "aga": "AGA rules",
    "new_zealand": "New Zealand rules",
    "tromp_taylor": "Tromp-Taylor rules",
}
"""Name of a rule set -> what the page calls it; the words have translations."""


def write_report(
    result: MatchResult,
    origin: Provenance,
    lang: str = "en",
    also_at: Sequence[int] | None = None,
) -> Path:
    """Write ``report.html`` into the match's folder and return its path.

    ``also_at``: move limits at which the games are counted too; ``None``: usual ones.
    """
    _ = texts(lang)
    settings = result.settings
    extra = {
        **origin.extra,
        **{f"Player {key.upper()}": _described(values) for key, values in result.players.items()},
        "Games": f"SHA-256 {_hash_of_games(result)}",
    }
    games = _.several(
        "{count} game on {size}", "{count} games on {size}", result.summary.played,
        size=settings.size,
    )  # fmt: skip
    html = page(
        f"{settings.player_a} – {settings.player_b}",
        match_sections(result, origin, lang, also_at),
        lang,
        replace(origin, extra=extra),
        subtitle=_(", ").join([games, *played_in_words(settings, _)]),
    )
    path = result.folder / FILE_NAME
    write_page(path, html)
    return path


def played_in_words(settings: MatchSettings, _: Texts) -> list[str]:
    """Return rules, komi and where games are stopped, for a title; no limit where there is none."""
    rules = _(RULES_IN_WORDS.get(settings.rules, settings.rules))
    said = [rules, f"{_.term('komi')} {settings.komi:g}"]
    if settings.move_limit is not None:
        said.append(_("stopped after {moves} moves", moves=settings.move_limit))
    return said


def _described(values: object) -> str:
    return json.dumps(values, ensure_ascii=False)


def _hash_of_games(result: MatchResult) -> str:
    """Return a hash of all moves, equal for equal matches."""
    moves = [list(game.moves) for game in result.games]
    return hashlib.sha256(json.dumps(moves).encode()).hexdigest()


def match_sections(
    result: MatchResult,
    origin: Provenance,
    lang: str = "en",
    also_at: Sequence[int] | None = None,
) -> list[Section]:
    """Return the sections of a match's report, for pages that hold more than the match."""
    _ = texts(lang)
    stands = stands_at(result.settings, result.games, also_at)
    return [
        _answer(result, _),
        _score_section(result, _),
        *limits_section(result, stands, _),
        _lead_section(result, _),
        *second_section(result, _),
        _conduct_section(result, _),
        opening_section(result, _),
        Section(_("Games"), *game_blocks(result, stands, _)),
        _settings_section(result, origin, _),
    ]


def _verdict(summary: Summary, _: Texts) -> str:
    """Return in one sentence who is stronger, as far as the games tell."""
    a, b, score = summary.a.name, summary.b.name, summary.score
    if score.value is None or score.low is None or score.high is None:
        return _("No pair of games is complete: the match says nothing yet.")
    if summary.sprt is not None and summary.sprt.decision:
        return sprt_verdict(summary, summary.sprt, _)
    if score.low > 0.5:
        return _("{a} is the stronger player here: the whole interval lies above one half.", a=a)
    if score.high < 0.5:
        return _("{b} is the stronger player here: the whole interval lies below one half.", b=b)
    unsure = _(
        "The games do not tell who is stronger: the interval of {a}'s score contains one half.",
        a=a,
    )
    told = summary.pairs_to_tell or 0
    if score.count >= told:
        return unsure
    few = _(
        "They are too few: with this spread about {pairs} pairs, {games} games, tell a score of "
        "55% from one of 50% four times in five.",
        pairs=told,
        games=2 * told,
    )
    return f"{unsure} {few}"


def _answer(result: MatchResult, _: Texts) -> Section:
    s = result.summary
    decisive = s.tells if s.sprt is None else s.sprt.decision is not None
    lost = (s.a.wins, s.b.wins, s.draws + s.no_result)
    pairs = _.several("{count} pair", "{count} pairs", s.score.count)
    cards = Cards(
        _card(_("Score of A"), percent(s.score), pairs),
        (_("Wins"), f"{lost[0]} – {lost[1]}", _("{count} without a winner", count=lost[2])),
        *_lead_card(s, _),
        (_("Games"), f"{s.played} / {s.planned}", _missing_note(s, _)),
    )
    return Section(_("Result"), Callout(_verdict(s, _), "good" if decisive else "note"), cards)


def _lead_card(s: Summary, _: Texts) -> list[tuple[str, str, str]]:
    if s.lead is None:
        return []
    note = _(", ").join([_("points"), _.term(f"{s.lead.counting} scoring")])
    return [_card(_("Median lead of A"), signed(s.lead.median), note)]


def _card(name: str, estimate: str, note: str) -> tuple[str, str, str]:
    """Return a card with the figure in large and its interval before the note."""
    value, _, interval = estimate.partition(" ")
    return name, value, f"{interval.replace(' ', NO_BREAK)} · {note}" if interval else note


def _missing_note(summary: Summary, _: Texts) -> str:
    if not summary.missing:
        return _("none missing")
    return _("missing: {games}", games=", ".join(str(n + 1) for n in summary.missing))


def _bar(name: str, estimate: Estimate, note: str) -> Bar | None:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    return Bar(name, estimate.value, estimate.low, estimate.high, note)


def _score_section(result: MatchResult, _: Texts) -> Section:
    s = result.summary
    level = f"{100 * s.level:.0f}%"
    bars = [
        _bar(_("by pairs"), s.score, _.several("{count} pair", "{count} pairs", s.score.count)),
        _bar(_("by draws of pairs"), s.bootstrap, _("bootstrap")),
        _bar(_("Wilson"), s.wilson, _("as if games were independent")),
    ]
    shown = [bar for bar in bars if bar is not None]
    chart = interval_chart(
        shown,
        title=_("Score of {player} with {level} intervals", player=s.a.name, level=level),
        reference=0.5,
        lang=_.lang,
    )
    pairs = Table(
        [_("Points of A in a pair"), *(f"{2 * score:g}" for score in PENTANOMIAL)],
        [[_("Pairs"), *s.pentanomial]],
    )
    colors = Table(
        [
            *(_("Player"), _("Wins"), _("Wins without faults"), _("Black"), _("White")),
            *(_("Score"), _("Elo")),
        ],
        [
            _color_row(s.a, percent(s.score), signed(s.elo, 0)),
            _color_row(s.b, percent(_mirrored(s.score)), signed(_negated(s.elo), 0)),
        ],
        caption=_("Wins by colour; Black won {won} of {all} games", won=s.black_wins, all=s.played),
    )
    test = [] if s.sprt is None else sprt_blocks(s, s.sprt, _)
    return Section(_("Wins"), *test, Figures((chart, ""), (_color_chart(s, _), "")), colors, pairs)


def _color_chart(s: Summary, _: Texts) -> str:
    bars = [
        _bar(
            s.a.name + _(", ") + name,
            share,
            _.several("{count} game", "{count} games", share.count),
        )
        for name, share in ((_("Black"), s.a.as_black), (_("White"), s.a.as_white))
    ]
    return interval_chart(
        [bar for bar in bars if bar is not None],
        title=_("Score by colour, Wilson's intervals"),
        reference=0.5,
        lang=_.lang,
    )


def _color_row(side: SideFigures, score: str, elo: str) -> list[object]:
    return [
        side.name,
        side.wins,
        side.wins_without_faults,
        f"{side.wins_as_black} / {side.games_as_black}",
        f"{side.wins_as_white} / {side.games_as_white}",
        score,
        elo,
    ]


def _mirrored(score: Estimate) -> Estimate:
    if score.value is None or score.low is None or score.high is None:
        return score
    return Estimate(1 - score.value, 1 - score.high, 1 - score.low, score.count)


def _negated(estimate: Estimate) -> Estimate:
    value, low, high = (None if x is None else 0.0 - x for x in estimate.as_list())
    return Estimate(value, high, low, estimate.count)


def _lead_section(result: MatchResult, _: Texts) -> Section:
    s = result.summary
    figures = [(_lead_chart(s, lead, _), "") for lead in s.leads]
    if len(set(s.lengths)) > 1:
        figures.append((_lengths(s, _), ""))
    words = [
        _(
            "Median lead {lead} points, from {counted} counted games ({counting}).",
            lead=signed(lead.median),
            counted=len(lead.games),
            counting=_.term(f"{lead.counting} scoring"),
        )
        for lead in s.leads
    ]
    words.append(_("Games took {median} moves in the median.", median=f"{s.median_length or 0:g}"))
    return Section(_("Lead"), *words, Figures(*figures))


def _lead_chart(s: Summary, lead: LeadFigures, _: Texts) -> str:
    way = _.term(f"{lead.counting} scoring")
    median = lead.median.value
    return histogram_chart(
        lead.games,
        title=_("{found} ({meaning})", found=_("Lead of {player}", player=s.a.name), meaning=way),
        x_label=_("points; right of 0 {player} leads", player=s.a.name),
        y_label=_("Number of games"),
        lines=[] if median is None else [(_("Median lead"), median)],
        lang=_.lang,
    )


def _lengths(s: Summary, _: Texts) -> str:
    title = _("Length of the games")
    return histogram_chart(
        s.lengths, title=title, x_label=_("moves"), y_label=_("Number of games"), lang=_.lang
    )


def _conduct_section(result: MatchResult, _: Texts) -> Section:
    s = result.summary
    table = Table(
        [_("Player"), _("Illegal moves"), _("Errors"), _("Resigned")],
        [[side.name, side.illegal, side.faults, side.resigned] for side in (s.a, s.b)],
    )
    endings = category_chart(
        [(_(SHORT_ENDINGS[name]), count) for name, count in s.endings.items()],
        title=_("How the games ended"),
        lang=_.lang,
    )
    duplicates = Definitions(
        (_("Draws"), str(s.draws)),
        (_("No result"), str(s.no_result)),
        (_("Missing games"), _missing_note(s, _)),
        (_("Duplicate games"), str(s.duplicate_games)),
        (_("Equal boards at move 20"), str(s.duplicates_at_move_20)),
    )
    named = [_fault_row(game, result, _) for game in result.games if game.detail]
    blocks: list[Table | Figures | Definitions] = [
        *(table, duplicates, Figures((endings, "")), _pace_table(result, _)),
    ]
    if named:
        columns = [_("Game"), _("Player"), _("What happened"), _("Answer")]
        blocks.append(Table(columns, named, caption=_("Illegal moves and errors")))
    return Section(_("Conduct of the games"), *blocks)


def _pace_table(result: MatchResult, _: Texts) -> Table:
    rows: list[list[object]] = []
    for player, side in (("a", result.summary.a), ("b", result.summary.b)):
        pace = pace_of(result.games, player)
        rows.append([side.name, side.turns, pace.mean_s, pace.median_s, pace.most_s])
    columns = [
        *(_("Player"), _("Moves asked"), _("All moves")),
        *(_("Median of the games"), _("95% of the games at most")),
    ]
    return Table(columns, rows, caption=_("Seconds a move"), digits=4)


def _fault_row(game: GameRecord, result: MatchResult, _: Texts) -> list[object]:
    loser = names_by_color(game, result)[3 - game.winner]
    return [game.number + 1, loser, _(ENDINGS[game.ending]), detail_in_words(game, _)]


def terms_in_words(settings: MatchSettings, _: Texts) -> list[tuple[str, str]]:
    """Return (name, value) pairs of what the games of a match or a league have in common."""
    limit = str(settings.move_limit) if settings.move_limit else _("none: to two passes")
    return [
        (_("Board size"), str(settings.size)),
        (_("Rules"), _(RULES_IN_WORDS.get(settings.rules, settings.rules))),
        (_("Komi"), f"{settings.komi:g}"),
        (_("Handicap stones"), str(settings.handicap)),
        (_("Openings"), source_in_words(settings, _)),
        (_("Move limit"), limit),
        (_("Time"), _("no clock") if settings.time is None else str(settings.time)),
        (
            _("Count of a stopped game"),
            _("reference, {how}", how=_.term(f"{settings.scoring} scoring")),
        ),
        (_("Seed"), str(settings.seed)),
    ]


def _settings_section(result: MatchResult, origin: Provenance, _: Texts) -> Section:
    settings = result.settings
    items = [
        (_("Player A"), settings.player_a),
        (_("Player B"), settings.player_b),
        *terms_in_words(settings, _),
    ]
    return Section(
        _("Settings"),
        Definitions(*items),
        Callout(
            " ".join(_(rule) for rule in result.summary.rules), title=_("What the figures rest on")
        ),
        Command(origin.command),
    )
