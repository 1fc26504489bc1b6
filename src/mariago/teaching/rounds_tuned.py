"""What tuning the nets of a run came to: lines for a terminal, a section of the page."""

from __future__ import annotations

from collections.abc import Iterator

from mariago.arena.outputs import signed
from mariago.reports import Figures, Section, Series, Table, Text, line_chart
from mariago.teaching.rounds_figures import RunFigures
from mariago.teaching.tune_settings import TuneSettings
from mariago.teaching.tuned_side import Tuned
from mariago.words import Texts, counted, texts

__all__ = ["how_tuned", "tuned_lines", "tuned_section"]

WAYS = {"head": "the heads alone", "all": "all layers", "low-rank": "low-rank adapters"}


def how_tuned(tune: TuneSettings, _: Texts) -> str:
    """Return what of the nets learnt, how long and how fast."""
    from mariago.nets.tuning_plan import RATES

    return _(
        "What learns: {what}, at most {steps} steps at a rate of {rate}; a lesson counts {factor} "
        "times its weight, every other move of its game 1.",
        what=_(WAYS[tune.what]),
        steps=f"{tune.steps:,}",
        rate=f"{RATES[tune.what] if tune.rate is None else tune.rate:g}",
        factor=f"{tune.factor:g}",
    )


def _share(values: list[float | None], sign: str = "") -> str:
    value, low, high = values
    if value is None:
        return "-"
    if low is None or high is None:
        return f"{value:{sign}.1%}"
    return f"{value:{sign}.1%} [{low:{sign}.1%}, {high:{sign}.1%}]"


def _tunings(figures: RunFigures) -> Iterator[tuple[int, str, Tuned]]:
    for one in figures.rounds:
        for side, tuned in one.tuned.items():
            yield one.number, side, tuned


def tuned_lines(figures: RunFigures, lang: str = "en") -> list[str]:
    """Return a line for how nets were tuned, and one for each tuned net and for each left alone."""
    tune, _ = figures.settings.tune, texts(lang)
    if tune is None:
        return []
    lines = [how_tuned(tune, _)]
    for number, side, tuned in _tunings(figures):
        by_weights = signed(figures.gain_by_weights(side, number), 0)
        kept = f"step {tuned.kept_step}" if tuned.is_changed else "the net as it was"
        lines.append(
            f"{side.upper()} after round {number}: {kept} kept; {counted(tuned.found, 'lesson')} "
            f"in {counted(tuned.samples, 'sample')}; held-out moves right "
            f"{_share(tuned.moves_right('before'))} -> {_share(tuned.moves_right('after'))}, "
            f"change {_share(tuned.moves_right('change'), '+')}; by its weights {by_weights} Elo. "
            f"{tuned.verdict[0].upper()}{tuned.verdict[1:]}."
        )
    done = {(side, number) for number, side, _ in _tunings(figures)}
    for one in figures.rounds[1:]:
        for side in figures.settings.tuned if one.number % tune.every == 0 else ():
            if (side, one.number) not in done:
                lines.append(
                    f"{side.upper()} after round {one.number}: not tuned, its book teaches nothing "
                    "yet or from too few games"
                )
    return lines


def tuned_section(figures: RunFigures, _: Texts) -> Section | None:
    """Return the section about tuned nets; None for a run without."""
    from mariago.nets.held_out import FEW_GAMES

    settings = figures.settings
    if settings.tune is None:
        return None
    names = ", ".join(f"{side.upper()}: {settings.names[side]}" for side in settings.tuned)
    said = [
        _("Nets whose weights learn: {names}.", names=names) + " " + how_tuned(settings.tune, _),
        _(
            "Each tuning begins with the net that the side came with, whose folder stays as it is, "
            "and learns from the games of all rounds so far. The moves of games left out say "
            "whether it still plays as well elsewhere: shares of moves found, with intervals over "
            "games."
        ),
    ]
    series = [_agreement(figures, side) for side in settings.tuned]
    chart = line_chart(
        [one for one in series if one.x],
        title=_("Held-out moves found, change by tuning"),
        x_label=_("Round"),
        percent=True,
        lang=_.lang,
    )
    rows: list[list[object]] = [
        [
            *(number, settings.names[side], tuned.samples, f"{tuned.found} / {tuned.lessons}"),
            tuned.kept_step if tuned.is_changed else _("none, the net as it was"),
            _share(tuned.moves_right("before")),
            _share(tuned.moves_right("after")),
            _share(tuned.moves_right("change"), "+"),
            signed(figures.gain_by_weights(side, number), 0),
        ]
        for number, side, tuned in _tunings(figures)
    ]
    columns = [
        *(_("Round"), _("Player"), _("Samples"), _("Lessons with a row"), _("Step kept")),
        *(_("Found before"), _("Found after"), _("Change"), _("Elo by its weights")),
    ]
    fewest = min((tuned.held_out.get("games", 0) for _n, _s, tuned in _tunings(figures)), default=0)
    if rows and fewest < FEW_GAMES:
        said.append(
            _(
                "Fewer than {games} games were left out of a tuning: its interval is too narrow to "
                "be leant on.",
                games=FEW_GAMES,
            )
        )
    blocks = [Figures((chart, ""))] if any(one.x for one in series) else []
    return Section(_("Tuned nets"), *map(Text, said), *blocks, Table(columns, rows))


def _agreement(figures: RunFigures, side: str) -> Series:
    points = [
        (number, tuned.moves_right("change"))
        for number, of, tuned in _tunings(figures)
        if of == side
    ]
    known = [
        (x, value, low, high)
        for x, (value, low, high) in points
        if value is not None and low is not None and high is not None
    ]
    columns = [list(column) for column in zip(*known, strict=True)] or [[], [], [], []]
    return Series(f"{side.upper()}: {figures.settings.names[side]}", *columns)
