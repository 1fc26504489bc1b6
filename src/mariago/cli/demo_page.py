"""The report of ``mariago demo``: samples, training, matches, and what to do next, on one page."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mariago.arena.match import MatchResult
from mariago.arena.outputs import percent, signed
from mariago.arena.report_games import game_blocks
from mariago.arena.statistics import Estimate
from mariago.nets.training import TrainingResult
from mariago.records.manifest import Manifest
from mariago.records.sheet import draw_samples, sample_picture
from mariago.reports import (
    Bar,
    BoardGrid,
    Cards,
    Command,
    Definitions,
    Figures,
    Provenance,
    Section,
    Series,
    Table,
    histogram_chart,
    interval_chart,
    line_chart,
    page,
    write_page,
)
from mariago.words import Texts, counted, texts

__all__ = ["Outcome", "next_steps", "summary_lines", "write_demo_page"]

FILE_NAME = "report.html"
SHOWN_SAMPLES = 20


@dataclass(frozen=True, slots=True)
class Examination:
    """How the net answers the games of the test split, which nothing was chosen by."""

    games: int
    positions: int
    found: Estimate
    """Share of the moves played that are its first choice; positions taken as independent."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the demo made."""

    folder: Path
    manifest: Manifest
    training: TrainingResult
    examination: Examination
    matches: dict[str, MatchResult]
    """By opponent."""
    lang: str
    seed: int


def write_demo_page(outcome: Outcome, origin: Provenance) -> Path:
    """Write ``report.html`` into the demo's folder and return its path."""
    _ = texts(outcome.lang)
    sections = [
        _result(outcome, _),
        _samples(outcome, _),
        _training(outcome, _),
        *(_match(name, match, outcome.lang, _) for name, match in outcome.matches.items()),
        _next(outcome, _),
    ]
    html = page(_("From records to a player"), sections, outcome.lang, origin)
    path = outcome.folder / FILE_NAME
    write_page(path, html)
    return path


def summary_lines(outcome: Outcome) -> list[str]:
    """Return the results as lines for the terminal."""
    samples = outcome.manifest.counts["samples"]
    facts, exam = outcome.training.info.training, outcome.examination
    sizes = ", ".join(outcome.training.info.sizes)
    lines = [
        f"samples: {sum(samples.values()):,} of {_games(outcome)} games; "
        f"the net learnt from the {facts['samples_known']:,} of {sizes} in the train split",
        f"net: its first choice is the move played in {percent(exam.found)} of "
        f"{counted(exam.positions, 'position')} from {counted(exam.games, 'test game')} "
        "it never saw",
    ]
    for name, match in outcome.matches.items():
        s = match.summary
        leads = [f", median lead {signed(lead.median)} ({lead.counting})" for lead in s.leads]
        lines.append(
            f"against {name}: score {percent(s.score)} over {counted(s.played, 'game')} on "
            f"{match.settings.size}{''.join(leads)}"
        )
    return lines


def next_steps(outcome: Outcome) -> list[str]:
    """Return what a newcomer can type next."""
    return ["next:", *(f"  {line}" for line in _commands(outcome))]


def _commands(outcome: Outcome) -> list[str]:
    def inside(name: str) -> str:
        return shlex.quote(str(outcome.folder / name))

    size = next(iter(outcome.matches.values())).settings.size
    activate = [] if shutil.which("mariago") else [_activation()]
    return [
        *activate,
        "mariago records build MY_GAMES --size any --origin me --terms mine --out my-samples",
        "mariago records sheet my-samples",
        f"mariago net info {inside('net')}",
        "mariago net train my-samples --recipe small --out my-net",
        f"mariago match net:my-net net:{inside('net')} --size {size} --games 100 --out my-match",
        "mariago players",
    ]


def _activation() -> str:
    """Return the line that puts this environment's commands on the path."""
    if os.name == "nt":
        return str(Path(sys.prefix) / "Scripts" / "activate")
    return f". {shlex.quote(os.path.relpath(Path(sys.prefix) / 'bin' / 'activate'))}"


def _validation(outcome: Outcome) -> list[dict[str, Any]]:
    return [row for row in outcome.training.rows if row["kind"] == "validation"]


def _result(outcome: Outcome, _: Texts) -> Section:
    exam, facts = outcome.examination, outcome.training.info.training
    samples, kept = (outcome.manifest.counts[name] for name in ("samples", "games_kept"))
    sizes = ", ".join(outcome.training.info.sizes)
    share, _space, interval = percent(exam.found).partition(" ")
    cards = Cards(
        (
            _("Samples"),
            f"{sum(samples.values()):,}",
            _.several("from {count} game", "from {count} games", kept),
        ),
        (_("Learnt from"), f"{facts['samples_known']:,}", _("samples of {sizes}", sizes=sizes)),
        (
            _("Move found"),
            share,
            _(
                "{interval} of {positions} in {games}",
                interval=interval,
                positions=_.several("{count} position", "{count} positions", exam.positions),
                games=_.several("{count} test game", "{count} test games", exam.games),
            ),
        ),
        *(_score_card(name, match, _) for name, match in outcome.matches.items()),
    )
    bars = [
        Bar(
            name, value, low, high, _.several("{count} game", "{count} games", match.summary.played)
        )
        for name, match in outcome.matches.items()
        for value, low, high in [_bounds(match)]
        if value is not None and low is not None and high is not None
    ]
    chart = interval_chart(
        bars,
        title=_("Score of the net, with 95% intervals"),
        x_label=_("Score"),
        reference=0.5,
        lang=_.lang,
    )
    return Section(_("Result"), cards, Figures((chart, "")))


def _score_card(name: str, match: MatchResult, _: Texts) -> tuple[str, str, str]:
    value, _space, interval = percent(match.summary.score).partition(" ")
    return _("Score against {player}", player=name), value, f"{interval} {_('by pairs')}"


def _games(outcome: Outcome) -> str:
    return f"{outcome.manifest.counts['games_kept']:,}"


def _bounds(match: MatchResult) -> tuple[float | None, float | None, float | None]:
    score = match.summary.score
    return score.value, score.low, score.high


def _samples(outcome: Outcome, _: Texts) -> Section:
    manifest = outcome.manifest
    counts = manifest.counts
    rows = [
        [name, counts["games"][split], counts["samples"][split]]
        for split, name in (
            ("train", _("Training")),
            ("validation", _("Validation")),
            ("test", _("Test")),
        )
    ]
    source = manifest.sources[0]
    dropped = sum(counts["dropped"].values())
    facts = Definitions(
        (_("Origin"), str(source["origin"])),
        (_("Terms"), str(source["terms"])),
        (_("Games read"), f"{counts['games_read']:,}"),
        (_("Games dropped"), f"{dropped:,}"),
        (_("Repeated positions removed"), f"{counts['repeats']:,}"),
        (_("Positions shared with held-out games removed"), f"{counts['leaks']:,}"),
    )
    drawn = draw_samples(manifest, SHOWN_SAMPLES, outcome.seed)
    pictures = [sample_picture(sample, outcome.lang) for sample in drawn]
    return Section(
        _("Samples"),
        facts,
        Table([_("Split"), _("Games"), _("Samples")], rows),
        _("Ring in a stone: last move. Orange ring: the answer, in the mover's colour."),
        BoardGrid(pictures, width_rem=15),
    )


def _training(outcome: Outcome, _: Texts) -> Section:
    rows = _validation(outcome)
    learnt = [row for row in outcome.training.rows if row["kind"] == "train"]
    steps = [row["step"] for row in rows]
    loss = line_chart(
        [
            Series(_("Training"), [r["step"] for r in learnt], [r["policy_loss"] for r in learnt]),
            Series(_("Validation"), steps, [row["policy_loss"] for row in rows]),
        ],
        title=_("Loss of the policy"),
        x_label=_("Step"),
        y_label=_("nats"),
        lang=_.lang,
    )
    right = line_chart(
        [
            Series(_("First choice"), steps, [row["top1"] for row in rows]),
            Series(_("Among the first five"), steps, [row["top5"] for row in rows]),
            Series(_("First choice, tactical"), steps, [row["tactical"]["top1"] for row in rows]),
        ],
        title=_("Moves found in held-out games"),
        x_label=_("Step"),
        y_label=_("Share"),
        percent=True,
        lang=_.lang,
    )
    config, facts = outcome.training.info.config, outcome.training.info.training
    words = _(
        "A net of {blocks} blocks and {channels} channels learnt from {known} samples of {sizes}, "
        "and saw {seen} in all, each time turned or mirrored at random.",
        blocks=len(config.blocks),
        channels=config.channels,
        known=f"{facts['samples_known']:,}",
        sizes=", ".join(outcome.training.info.sizes),
        seen=f"{facts['samples_seen']:,}",
    )
    return Section(_("Training"), words, Figures((loss, ""), (right, "")))


def _match(name: str, match: MatchResult, lang: str, _: Texts) -> Section:
    s = match.summary
    facts = Definitions(
        (_("Board"), str(match.settings.size)),
        (_("Move limit"), str(match.settings.move_limit)),
        (_("Komi"), f"{match.settings.komi:g}"),
        (_("Wins"), f"{s.a.wins} – {s.b.wins}"),
        (_("Score of A"), percent(s.score)),
        *(
            (f"{_('Median lead of A')}, {_.term(f'{lead.counting} scoring')}", signed(lead.median))
            for lead in s.leads
        ),
        (_("Illegal moves"), f"{s.a.illegal} – {s.b.illegal}"),
        (_("Missing games"), str(len(s.missing))),
        (_("Duplicate games"), str(s.duplicate_games)),
        (
            _("Seconds a move"),
            f"{s.a.seconds_a_move or 0:.4f} – {s.b.seconds_a_move or 0:.4f}",
        ),
    )
    leads = [
        (
            histogram_chart(
                lead.games,
                title=f"{_('Lead of {player}', player=_('the net'))}: "
                f"{_.term(f'{lead.counting} scoring')}",
                x_label=_("points; right of 0 {player} leads", player=_("the net")),
                y_label=_("Number of games"),
                lang=lang,
            ),
            "",
        )
        for lead in s.leads
    ]
    games = game_blocks(match, (), _)
    more = _("Every game: {path}", path=os.fspath(Path(match.folder.name) / FILE_NAME))
    return Section(_("The net against {player}", player=name), facts, Figures(*leads), *games, more)


def _next(outcome: Outcome, _: Texts) -> Section:
    return Section(_("What to do next"), Command("\n".join(_commands(outcome))))
