"""The page of an ablation: what lessons are worth, in one file."""

from __future__ import annotations

from pathlib import Path

from mariago.arena.outputs import percent, signed
from mariago.arena.statistics import LEVEL, Estimate
from mariago.reports import (
    Bar,
    Callout,
    Command,
    Definitions,
    Figures,
    Provenance,
    Section,
    Table,
    Text,
    interval_chart,
    page,
    write_page,
)
from mariago.teaching.ablation_figures import BAR_ELO, AblationFigures, verdict_of
from mariago.teaching.run_terms import term_items
from mariago.teaching.third_parties import third_score
from mariago.words import Texts, texts

__all__ = ["FILE_NAME", "write_ablation_page"]

FILE_NAME = "ablation.html"


def write_ablation_page(
    figures: AblationFigures, folder: Path, origin: Provenance, lang: str = "en"
) -> Path:
    """Write ``ablation.html`` into the folder and return its path."""
    _ = texts(lang)
    sections = [
        _answer(figures, _),
        _differences(figures, _),
        _scores(figures, _),
        _books(figures, _),
        _terms(figures, origin, _),
    ]
    html = page(
        _("What lessons are worth"),
        sections,
        lang,
        origin,
        subtitle=_.several(
            "{student}, {count} game in each cell",
            "{student}, {count} games in each cell",
            figures.settings.games,
            student=figures.settings.names["a"],
        ),
    )
    path = folder / FILE_NAME
    write_page(path, html)
    return path


def cell_in_words(cell: str, _: Texts) -> str:
    """Return what a cell's student has learnt."""
    return {
        "none": _("no lessons"),
        "own": _("own good moves"),
        "cross": _("the other side's good moves"),
        "double": _("the other side's, a winner's doubled"),
        "shuffled": _("placebo: the same, counts shuffled"),
        "chance": _("placebo: moves that chance chose"),
    }[cell]


def _verdict(figures: AblationFigures, cell: str, other: str, _: Texts) -> Callout:
    difference = figures.elo_difference(cell, other)
    values = {
        "cell": cell_in_words(cell, _),
        "other": cell_in_words(other, _),
        "elo": signed(difference, 0),
    }
    verdict = verdict_of(difference)
    if verdict == "gain":
        return Callout(_("“{cell}” is better than “{other}”: {elo} Elo.", **values), "good")
    if verdict == "loss":
        return Callout(_("“{cell}” is worse than “{other}”: {elo} Elo.", **values), "warning")
    if verdict == "nil":
        said = _(
            "“{cell}” gains nothing over “{other}”: {elo} Elo, less than {bar} either way.",
            bar=f"{BAR_ELO:g}",
            **values,
        )
        return Callout(said)
    if difference.value is None:
        return Callout(_("“{cell}” and “{other}”: no complete pair of games to compare.", **values))
    return Callout(_("The games do not tell “{cell}” from “{other}”: {elo} Elo.", **values))


def _answer(figures: AblationFigures, _: Texts) -> Section:
    placebo = figures.settings.placebo
    blocks: list[Callout | Text] = [
        _verdict(figures, one.cell, "none", _) for one in figures.cells if one.cell != "none"
    ]
    if placebo is not None:
        kept = [c.cell for c in figures.cells if c.cell in ("own", "cross", "double")]
        blocks += [_verdict(figures, cell, placebo, _) for cell in kept]
    told = _(
        "Cells differ in the student's book alone: same third parties, same openings, same seeds. "
        "Differences are paired by opening; each interval holds {level} by itself, so that of "
        "twenty about one misses.",
        level=f"{100 * LEVEL:.0f}%",
    )
    return Section(_("Result"), *blocks, Text(told))


def _bar(name: str, estimate: Estimate, note: str = "") -> list[Bar]:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return []
    return [Bar(name, estimate.value, estimate.low, estimate.high, note)]


def _differences(figures: AblationFigures, _: Texts) -> Section:
    charts: list[tuple[str, str]] = []
    titles = {"none": _("Elo above none"), figures.settings.placebo: _("Elo above the placebo")}
    for other, title in titles.items():
        bars = [
            bar
            for one in figures.cells
            for bar in _bar(cell_in_words(one.cell, _), figures.elo_difference(one.cell, other))
        ]
        if bars:
            chart = interval_chart(
                bars, title=title, percent=False, digits=0, reference=0.0, lang=_.lang
            )
            charts.append((chart, ""))
    return Section(_("Differences"), Figures(*charts))


def _scores(figures: AblationFigures, _: Texts) -> Section:
    bars = [
        bar
        for one in figures.cells
        for bar in _bar(
            cell_in_words(one.cell, _),
            one.score,
            _.several("{count} pair", "{count} pairs", one.score.count),
        )
    ]
    chart = interval_chart(bars, title=_("Score against third parties"), reference=0.5, lang=_.lang)
    placebo = figures.settings.placebo
    rows: list[list[object]] = [
        [
            cell_in_words(one.cell, _),
            percent(one.score),
            signed(figures.elo(one.cell), 0),
            signed(figures.elo_difference(one.cell, "none"), 0),
            signed(figures.elo_difference(one.cell, placebo), 0),
            _points(figures.score_difference(one.cell, "none")),
            *(percent(third_score([match])) for match in one.matches),
        ]
        for one in figures.cells
    ]
    columns = [
        *(_("Cell"), _("Score"), _("Elo"), _("Elo above none"), _("Elo above the placebo")),
        _("Score above none, by opening"),
        *figures.settings.third,
    ]
    zero = _("{player} is 0 Elo", player=figures.settings.third[0])
    return Section(_("Scores"), Figures((chart, "")), Table(columns, rows, caption=zero))


def _points(difference: Estimate) -> str:
    """Return a difference of scores in percent, with its sign."""
    value, low, high = (None if x is None else 100 * x for x in difference.as_list())
    return signed(Estimate(value, low, high, difference.count))


def _books(figures: AblationFigures, _: Texts) -> Section:
    rows: list[list[object]] = [
        [
            cell_in_words(one.cell, _),
            *(one.told.lessons, one.told.weight, one.told.patterns),
            *(one.used.moves, one.used.changed, f"{100 * one.used.share:.2f}%"),
        ]
        for one in figures.cells
        if one.cell != "none"
    ]
    columns = [
        *(_("Cell"), _("Lessons"), _("Weight"), _("Patterns known then"), _("Moves")),
        *(_("Changed by a lesson"), _("Share")),
    ]
    note = _(
        "Moves against third parties, for which the player was asked again; changed are those "
        "that it would not have chosen without its lessons."
    )
    return Section(_("Lessons in use"), Text(note), Table(columns, rows, digits=0))


def _terms(figures: AblationFigures, origin: Provenance, _: Texts) -> Section:
    settings = figures.settings
    items = [
        *term_items(settings.match, settings.third, _),
        (
            _("Games"),
            _(
                "{games} of A against B taught; {each} in each cell",
                games=settings.match.games,
                each=settings.games,
            ),
        ),
    ]
    return Section(_("How it was played"), Definitions(*items), Command(origin.command))
