"""The report of a rating: one page that stands alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from mariago.arena.outputs import percent, signed
from mariago.arena.rating.figures import Figures as PartFigures
from mariago.arena.rating.outputs import milliseconds, percent_points, points
from mariago.arena.rating.page_boards import boards_section, short_names
from mariago.arena.rating.rate import Rating
from mariago.arena.rating.seen import SEEN_IN_WORDS, Seen
from mariago.arena.rating.slices import PlayerFigures
from mariago.arena.records import ILLEGAL_IN_WORDS
from mariago.arena.statistics import Estimate
from mariago.reports import (
    Bar,
    Callout,
    Command,
    Definitions,
    Figures,
    Provenance,
    Section,
    Table,
    interval_chart,
    page,
    write_page,
)
from mariago.reports.sections import Block
from mariago.words import Texts, texts

__all__ = ["FILE_NAME", "write_page_of"]

FILE_NAME = "report.html"
MOST_TOLD = 20  # of a player's illegal moves and errors


def write_page_of(
    rating: Rating, figures: Sequence[PlayerFigures], origin: Provenance, lang: str = "en"
) -> Path:
    """Write ``report.html`` into the rating's folder and return its path."""
    _ = texts(lang)
    described = {
        one.player.name: json.dumps(one.player.describes, ensure_ascii=False) for one in figures
    }
    extra = {**origin.extra, **described, "Positions": f"SHA-256 {rating.positions.sha256}"}
    games = len({spot.game for spot in rating.positions.spots})
    html = page(
        _("Rating of players"),
        [
            _table_section(rating, figures, _),
            _moves_section(rating, figures, _),
            _parts_section(rating, figures, _),
            _conduct_section(rating, figures, _),
            *boards_section(rating, _),
            _rest_section(rating, figures, origin, _),
        ],
        lang,
        replace(origin, extra=extra),
        subtitle=_(
            "{positions} of {games}",
            positions=_.several("{count} position", "{count} positions", len(rating.positions)),
            games=_.several("{count} game", "{count} games", games),
        ),
    )
    path = rating.folder / FILE_NAME
    write_page(path, html)
    return path


def _table_section(rating: Rating, figures: Sequence[PlayerFigures], _: Texts) -> Section:
    judged = rating.teacher is not None
    names = short_names(rating)
    columns = [
        *(_("Player"), _("Move of the record")),
        *([_("Teacher's best move")] if judged else []),
        *([_("Points lost a move"), _("Win rate lost, %")] if judged else []),
    ]
    rows = [
        [
            *(names[one.player.name], percent(one.whole.record)),
            *([percent(one.whole.teacher)] if judged else []),
            *(_losses(one.whole) if judged else []),
        ]
        for one in figures
    ]
    notes = [
        Callout(
            f"{names[one.player.name]}: {_(SEEN_IN_WORDS[one.player.seen])}", _tone(one.player.seen)
        )
        for one in figures
        if one.player.seen
    ]
    chart = interval_chart(
        [bar for one in figures if (bar := _bar(names[one.player.name], one.whole.record))],
        title=_("Moves of the record found"),
        lang=_.lang,
    )
    ahead = [
        [
            names[one.player.name],
            _points(one.ahead),
            *([_points(one.ahead_teacher)] if judged else []),
        ]
        for one in figures[1:]
    ]
    blocks: list[Block] = [Table(columns, rows), *notes, Figures((chart, ""))]
    if ahead:
        heads = [_("Player"), _("Move of the record"), _("Teacher's best move")]
        caption = _(
            "Percentage points ahead of {player}, on the same positions",
            player=names[figures[0].player.name],
        )
        blocks.append(Table(heads[: 2 + judged], ahead, caption=caption))
    return Section(_("Result"), *blocks)


def _losses(whole: PartFigures) -> list[str]:
    return [points(whole.lead_loss), percent_points(whole.win_loss)]


def _tone(seen: Seen) -> Literal["note", "warning"]:
    return "note" if seen == "held_out" else "warning"


def _points(estimate: Estimate) -> str:
    scaled = [None if value is None else 100 * value for value in estimate.as_list()]
    return signed(Estimate(scaled[0], scaled[1], scaled[2], estimate.count))


def _bar(name: str, estimate: Estimate, note: str = "") -> Bar | None:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    return Bar(name, estimate.value, estimate.low, estimate.high, note)


def _moves_section(rating: Rating, figures: Sequence[PlayerFigures], _: Texts) -> Section:
    """Return a chart for each part of the game, the players under one another."""
    parts, names = list(figures[0].by_move), short_names(rating)
    charts = [
        interval_chart(
            [
                bar
                for one in figures
                if (bar := _bar(names[one.player.name], one.by_move[part].record))
            ],
            title=_.several(
                "Moves {numbers}: {count} position",
                "Moves {numbers}: {count} positions",
                figures[0].by_move[part].positions,
                numbers=part,
            ),
            lang=_.lang,
        )
        for part in parts
    ]
    return Section(
        _("By the number of the move"),
        _("Share of the moves of the record that were found, with 95% intervals."),
        Figures(*((chart, "") for chart in charts)),
    )


def _parts_section(rating: Rating, figures: Sequence[PlayerFigures], _: Texts) -> Section:
    judged, names = rating.teacher is not None, short_names(rating)
    words = {"move": _("Move number"), "size": _("Board size"), "rank": _("Rank of the mover")}
    tables: list[Table] = []
    for kind, title in words.items():
        if not figures[0].parts[kind]:
            continue
        columns = [
            *(_("Player"), title, _("Positions"), _("Move of the record")),
            *([_("Teacher's best move"), _("Points lost a move")] if judged else []),
        ]
        rows = [
            [
                *(names[one.player.name], name, part.positions, percent(part.record)),
                *([percent(part.teacher), points(part.lead_loss)] if judged else []),
            ]
            for one in figures
            for name, part in one.parts[kind].items()
        ]
        tables.append(Table(columns, rows))
    return Section(_("In parts"), *tables)


def _conduct_section(rating: Rating, figures: Sequence[PlayerFigures], _: Texts) -> Section:
    names = short_names(rating)
    columns = [
        *(_("Player"), _("Illegal moves"), _("Errors"), _("Resigned")),
        *(_("ms of the processor"), _("ms by the clock")),
    ]
    rows = [
        [
            *(names[one.player.name], percent(one.whole.illegal)),
            *(one.whole.faults, one.whole.resigned),
            *(milliseconds(one.whole.cpu_s), milliseconds(one.whole.wall_s)),
        ]
        for one in figures
    ]
    caption = _("Times are medians of a move.")
    told = [
        [names[answer.player], answer.at, _in_words(answer.detail, _)]
        for one in figures
        for answer in [a for a in one.player.answers if a.detail][:MOST_TOLD]
    ]
    blocks = [Table(columns, rows, caption=caption)]
    if told:
        heads = [_("Player"), _("Position"), _("What happened")]
        blocks.append(Table(heads, told, caption=_("Illegal moves and errors")))
    return Section(_("Conduct of the players"), *blocks)


def _in_words(detail: str, _: Texts) -> str:
    """Return what was wrong with an answer, the meaning of a reason code beside it."""
    reason = detail.rpartition(": ")[2]
    if reason not in ILLEGAL_IN_WORDS:
        return detail
    return _("{found} ({meaning})", found=detail, meaning=_(ILLEGAL_IN_WORDS[reason]))


def _rest_section(
    rating: Rating, figures: Sequence[PlayerFigures], origin: Provenance, _: Texts
) -> Section:
    teacher = rating.teacher
    items = [
        (_("Positions"), rating.positions.name),
        (_("Origin"), rating.positions.origin),
        (_("Terms"), rating.positions.terms),
        (_("Teacher"), _("none") if teacher is None else teacher.name),
        (_("Seed"), str(rating.seed)),
    ]
    words = [
        _(
            "The move of the record is what was played in the game, by whoever played it: it may "
            "be an engine, and it need not be the best."
        ),
        _(
            "Moves that a symmetry of the position makes equal count as one. Illegal answers, "
            "errors and resignations find no move."
        ),
        _(
            "Positions of one game are not independent: the 95% intervals draw whole games with "
            "replacement. Where all games say the same, and for fewer than ten games, they are "
            "Wilson's with games as trials."
        ),
    ]
    if teacher is not None:
        words.append(
            _(
                "What a move loses is the difference of the teacher's judgement after its own best "
                "move and after this one, for the side that moved; one of a net without search "
                "errs, so a move may lose less than nothing."
            )
        )
    blocks: list[Block] = [
        Definitions(*items),
        Callout(" ".join(words), title=_("What the figures rest on")),
    ]
    tens = [
        [short_names(rating)[one.player.name], percent(one.whole.first_ten)]
        for one in figures
        if one.whole.first_ten.value is not None
    ]
    if tens:
        caption = _(
            "No measure of a player: a small net that found 32% of the teacher's best moves "
            "had 94% of its moves among the first ten."
        )
        blocks.append(
            Table([_("Player"), _("Among the teacher's first ten")], tens, caption=caption)
        )
    return Section(_("What was asked"), *blocks, Command(origin.command))
