"""The page of a run of lessons: charts round by round, in one file."""

from __future__ import annotations

from pathlib import Path

from mariago.arena.outputs import percent, signed
from mariago.arena.statistics import LEVEL, Estimate
from mariago.lessons import KINDS
from mariago.lessons.lesson import kind_in_words
from mariago.reports import (
    Callout,
    Command,
    Definitions,
    Figures,
    Provenance,
    Section,
    Series,
    Table,
    Text,
    line_chart,
    page,
    write_page,
)
from mariago.teaching.rounds_figures import RoundFigures, RunFigures
from mariago.teaching.rounds_tuned import tuned_section
from mariago.teaching.run_terms import how_taught, term_items
from mariago.teaching.side_books import SIDES
from mariago.teaching.third_parties import third_score
from mariago.words import Texts, texts

__all__ = ["FILE_NAME", "write_rounds_page"]

FILE_NAME = "teach.html"


def write_rounds_page(
    figures: RunFigures, folder: Path, origin: Provenance, lang: str = "en"
) -> Path:
    """Write ``teach.html`` into the folder and return its path."""
    _ = texts(lang)
    names = figures.settings.names
    tuned = tuned_section(figures, _)
    sections = [
        _answer(figures, _),
        _strength(figures, _),
        *([tuned] if tuned is not None else []),
        _score(figures, _),
        _lessons(figures, _),
        _used(figures, _),
        _terms(figures, origin, _),
    ]
    html = page(
        f"{names['a']} – {names['b']}",
        sections,
        lang,
        origin,
        subtitle=_.several(
            "cross lessons, {count} round",
            "cross lessons, {count} rounds",
            figures.settings.rounds,
        ),
    )
    path = folder / FILE_NAME
    write_page(path, html)
    return path


def _name(figures: RunFigures, side: str) -> str:
    name = figures.settings.names[side]
    return f"{side.upper()}: {name}"


def gain_in_words(name: str, gain: Estimate, _: Texts) -> tuple[str, bool]:
    """Return what a gain in Elo says, and whether it says something."""
    if gain.value is None or gain.low is None or gain.high is None:
        return _("{name}: no complete pair of games, nothing is known yet.", name=name), False
    said = signed(gain, 0)
    if gain.low > 0:
        return _("{name} gained: {elo} Elo, the whole interval above 0.", name=name, elo=said), True
    if gain.high < 0:
        return _("{name} lost: {elo} Elo, the whole interval below 0.", name=name, elo=said), True
    return _(
        "{name}: {elo} Elo. The games do not tell whether it gained: the interval contains 0.",
        name=name,
        elo=said,
    ), False


def _answer(figures: RunFigures, _: Texts) -> Section:
    blocks: list[Callout] = []
    for side in SIDES:
        if side not in figures.settings.learners:
            said = _("{name} uses no lessons: it only teaches.", name=_name(figures, side))
            blocks.append(Callout(said))
            continue
        gain = figures.gain(side, figures.rounds[-1].number)
        said, told = gain_in_words(_name(figures, side), gain, _)
        good = told and (gain.value or 0.0) > 0
        blocks.append(Callout(said, "good" if good else "note"))
    measure = _(
        "Measured against third parties, from the same openings before and after the lessons; "
        "differences are paired by opening, intervals hold {level}.",
        level=f"{100 * LEVEL:.0f}%",
    )
    return Section(_("Result"), *blocks, Text(measure))


def _band(name: str, points: list[tuple[int, Estimate]]) -> Series:
    kept = [
        (x, e.value, e.low, e.high)
        for x, e in points
        if e.value is not None and e.low is not None and e.high is not None
    ]
    return Series(
        name,
        [x for x, *_ in kept],
        [value for _, value, _, _ in kept],
        [low for _, _, low, _ in kept],
        [high for *_, high in kept],
    )


def _strength(figures: RunFigures, _: Texts) -> Section:
    rounds, third = figures.rounds, figures.settings.third
    series = [
        _band(_name(figures, side), [(r.number, figures.elo(side, r.number)) for r in rounds])
        for side in SIDES
    ]
    series += [
        _band(
            _old_weights(_name(figures, side), _),
            [(r.number, figures.elo_of_old_weights(side, r.number)) for r in rounds if r.plain],
        )
        for side in figures.settings.tuned
    ]
    chart = line_chart(
        series,
        title=_("Elo against third parties, after each round"),
        x_label=_("Round"),
        y_label=_("Elo"),
        lang=_.lang,
    )
    rows = [row for r in rounds for side in SIDES for row in _strength_rows(figures, r, side, _)]
    columns = [_("Round"), _("Player"), _("Elo"), _("Gain in Elo"), *third]
    zero = _("{player} is 0; round 0 is before any lesson", player=third[0])
    return Section(_("Strength"), Figures((chart, "")), Table(columns, rows, caption=zero))


def _old_weights(name: str, _: Texts) -> str:
    return _("{player}, its book alone, old weights", player=name)


def _strength_rows(figures: RunFigures, r: RoundFigures, side: str, _: Texts) -> list[list[object]]:
    """Return the rows of a side after a round; of one with a tuned net two."""
    name = figures.settings.names[side]
    elo, gain = figures.elo(side, r.number), figures.gain(side, r.number)
    scores = [percent(third_score([match])) for match in r.third[side]]
    rows: list[list[object]] = [[r.number, name, signed(elo, 0), signed(gain, 0), *scores]]
    if side in r.plain:
        scores = [percent(third_score([match])) for match in r.plain[side]]
        elo = figures.elo_of_old_weights(side, r.number)
        rows.append([r.number, _old_weights(name, _), signed(elo, 0), "", *scores])
    return rows


def _score(figures: RunFigures, _: Texts) -> Section:
    played = [r for r in figures.rounds if r.number]
    chart = line_chart(
        [_band(_name(figures, "a"), [(r.number, r.score) for r in played])],
        title=_("Score of A against B"),
        x_label=_("Round"),
        percent=True,
        lang=_.lang,
    )
    rows = [[r.number, percent(r.score), *r.wins, r.median_length] for r in played]
    columns = [_("Round"), _("Score of A"), _("A won"), _("B won"), _("Without a winner")]
    table = Table([*columns, _("Median length")], rows, caption=_name(figures, "a"), digits=1)
    return Section(_("The players against each other"), Figures((chart, "")), table)


def _lessons(figures: RunFigures, _: Texts) -> Section:
    played = [r for r in figures.rounds if r.number]
    learners, names = figures.settings.learners, figures.settings.names
    series = [
        Series(
            _("to {player}", player=_name(figures, side)),
            [r.number for r in played],
            [r.lessons(side) for r in played],
        )
        for side in learners
    ]
    chart = line_chart(
        series,
        title=_("Lessons given in each round"),
        x_label=_("Round"),
        y_label=_("Lessons"),
        from_zero=True,
        lang=_.lang,
    )
    rows: list[list[object]] = []
    for r in played:
        for side in learners:
            counts = [r.given.get(side, {}).get(kind, (0, 0.0)) for kind in KINDS]
            weight = sum(part for _, part in counts)
            told = r.told[side]
            counted = [count for count, _ in counts]
            rows.append([r.number, names[side], told.givers, *counted, weight, told.patterns])
    columns = [_("Round"), _("Whose book"), _("Good moves of")]
    columns += [kind_in_words(kind, _) for kind in KINDS]
    table = Table([*columns, _("Weight"), _("Patterns known then")], rows, digits=1)
    taught = how_taught(figures.settings.teaching, _)
    return Section(_("Lessons"), Text(taught), Figures((chart, "")), table)


def _used(figures: RunFigures, _: Texts) -> Section:
    played = [r for r in figures.rounds if r.used]
    learners = [side for side in figures.settings.learners if any(side in r.used for r in played)]
    series = [
        Series(
            _name(figures, side),
            [r.number for r in played if side in r.used],
            [r.used[side].share for r in played if side in r.used],
        )
        for side in learners
    ]
    chart = line_chart(
        series,
        title=_("Moves that a lesson changed"),
        x_label=_("Round"),
        percent=True,
        from_zero=True,
        lang=_.lang,
    )
    rows: list[list[object]] = []
    for r in played:
        for side, used in r.used.items():
            name = figures.settings.names[side]
            rows.append(
                [r.number, name, used.games, used.moves, used.changed, f"{100 * used.share:.2f}%"]
            )
    columns = [
        *(_("Round"), _("Player"), _("Games looked at"), _("Moves"), _("Changed by a lesson")),
        _("Share"),
    ]
    note = _(
        "Moves against third parties, for which the player was asked again; changed are those "
        "that it would not have chosen without its lessons."
    )
    blocks = [Figures((chart, ""))] if series else []
    return Section(_("Lessons in use"), Text(note), *blocks, Table(columns, rows))


def _terms(figures: RunFigures, origin: Provenance, _: Texts) -> Section:
    settings = figures.settings
    items = [
        *term_items(settings.match, settings.third, _),
        (
            _("Games"),
            _(
                "{games} a round of A against B; {third} of each player against each third party",
                games=settings.match.games,
                third=settings.third_games,
            ),
        ),
    ]
    return Section(_("How it was played"), Definitions(*items), Command(origin.command))
