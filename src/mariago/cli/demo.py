"""``mariago demo``: the main job from one end to the other, on records that come along."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import (
    JobsOption,
    LangOption,
    ResumeOption,
    SeedOption,
    SizeOption,
    worker_count,
)
from mariago.cli.progress import say, say_if_beginning, track
from mariago.cli.terminal import tell
from mariago.words import counted

if TYPE_CHECKING:
    from mariago.arena.match import MatchResult
    from mariago.cli.demo_page import Examination
    from mariago.nets.training import TrainingResult
    from mariago.records.manifest import Manifest

DEFAULT_OUT = "mariago-demo"
OPPONENTS = ("random", "heuristic")
DEFAULT_SIZE = "9"
KOMI_POINTS = 6.5
MOVE_LIMIT = 150
STEPS = 5


def demo(
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help=f"A new folder; by default {DEFAULT_OUT}."),
    ] = None,
    seed: SeedOption = 1,
    jobs: JobsOption = 0,
    resume: ResumeOption = False,
    lang: LangOption = "en",
    games: Annotated[
        int, typer.Option("--games", min=2, help="Games against each opponent; an even number.")
    ] = 100,
    size: SizeOption = DEFAULT_SIZE,
    recipe: Annotated[
        str, typer.Option("--recipe", metavar="FILE", help="Recipe of the net; a name or a file.")
    ] = "demo",
) -> None:
    """Make samples of packaged records, train a small net, play it, and write one report.

    Takes some minutes on two cores. DIR gets samples/, net/, match-random/, match-heuristic/ and
    report.html. A demo that was interrupted goes on with --resume --out DIR.
    """

    from importlib.util import find_spec

    from mariago.arena.settings import settings_of
    from mariago.board.jit import warm_all
    from mariago.errors import MissingExtraError
    from mariago.reports import provenance

    if find_spec("torch") is None:
        raise MissingExtraError("train", where="mariago demo")
    settings_of(player_a="random", player_b="random", games=games, size=size)  # refused early

    from mariago.cli.demo_page import Outcome, next_steps, summary_lines, write_demo_page

    place = _place(out, resume)
    workers = worker_count(jobs)
    say(f"demo in {place}, {counted(workers, 'core')}")
    warm_all(lambda name: say(f"compiling {name} (kept for next time)"))
    with _step(1, "records to samples"):
        manifest = _build(place / "samples", seed, workers, resume)
    with _step(2, "a sheet of samples to look at"):
        _draw(place, seed, lang)
    with _step(3, "training a net"), _tells_how_to_go_on(place):
        training = _train(place, recipe, size, seed, workers, resume)
        examination = _examine(place, size)
    with _step(4, "matches"), _tells_how_to_go_on(place):
        matches = {
            name: _play(place, name, games, size, training, seed, workers, resume, lang)
            for name in OPPONENTS
        }
    with _step(5, "the report"):
        origin = provenance(command_line(), seed)
        outcome = Outcome(place, manifest, training, examination, matches, lang, seed)
        report = write_demo_page(outcome, origin)
    for line in summary_lines(outcome):
        tell(line)
    tell(f"report: {report}")
    for line in next_steps(outcome):
        tell(line)


def _place(out: Path | None, resume: bool) -> Path:
    """Return the folder to work in: a new one, unless the call goes on with an old one."""
    from mariago.errors import BadInputError

    place = out or Path(DEFAULT_OUT)
    if out is None and not resume:
        number = 2
        while place.exists():
            place = Path(f"{DEFAULT_OUT}-{number}")
            number += 1
    if place.exists() and not place.is_dir():
        raise BadInputError("is a file", where=str(place), hint="name a folder with --out")
    if place.exists() and any(place.iterdir()) and not resume:
        raise BadInputError(
            "holds something already",
            where=str(place),
            hint="go on with --resume, or name another --out",
        )
    say_if_beginning(resume, place.exists() and any(place.iterdir()))
    place.mkdir(parents=True, exist_ok=True)
    return place


@contextmanager
def _step(number: int, text: str) -> Generator[None]:
    import time

    started_s = time.monotonic()
    say(f"[{number}/{STEPS}] {text}")
    yield
    say(f"[{number}/{STEPS}] {text}: done in {time.monotonic() - started_s:.0f} s")


@contextmanager
def _tells_how_to_go_on(place: Path) -> Generator[None]:
    try:
        yield
    except KeyboardInterrupt:
        say(f"what is done is kept; the same command with --resume --out {place} goes on")
        raise


def _build(folder: Path, seed: int, jobs: int, resume: bool) -> Manifest:
    from mariago.cli.records_progress import BuildProgress
    from mariago.records.build import build_records
    from mariago.records.bundled import BUNDLED_ORIGIN, BUNDLED_TERMS, bundled_records
    from mariago.records.options import BuildOptions

    options = BuildOptions(size="any", seed=seed, validation=0.15, test=0.15)
    with BuildProgress() as progress:
        return build_records(
            [bundled_records()],
            origin=BUNDLED_ORIGIN,
            terms=BUNDLED_TERMS,
            out=folder,
            options=options,
            jobs=jobs,
            resume=resume,
            command=command_line(),
            tell=progress.tell,
        )


def _draw(place: Path, seed: int, lang: str) -> None:
    from mariago.records.sheet import write_sheet

    write_sheet(place / "samples", n=20, seed=seed, out=place, lang=lang)


def _train(
    place: Path, recipe: str, size: str, seed: int, jobs: int, resume: bool
) -> TrainingResult:
    from mariago.nets.recipe import read_recipe
    from mariago.nets.training import Settings, train_net

    plan = read_recipe(recipe).with_training(seed=seed, sizes=[size])
    net = place / "net"
    settings = Settings(resume=resume, threads=jobs)
    with track(plan.training.steps, "training") as progress:
        return train_net(place / "samples", plan, net, settings, progress)


def _examine(place: Path, size: str) -> Examination:
    """Ask the net about the games that nothing was chosen by: those of the test split."""
    import numpy as np

    from mariago.arena.statistics import wilson_interval
    from mariago.board.points import size_of
    from mariago.cli.demo_page import Examination
    from mariago.features import planes_of_rows
    from mariago.nets import load_net
    from mariago.records import load_rows

    board = size_of(size)
    rows, targets = load_rows(place / "samples", "test")
    wanted = np.flatnonzero((rows.rows == board.rows) & (rows.columns == board.columns))
    rows, targets = rows.take(wanted), targets.take(wanted)
    net = load_net(place / "net")
    found = 0
    for start in range(0, len(wanted), 128):
        part = np.arange(start, min(start + 128, len(wanted)))
        planes, global_inputs = planes_of_rows(rows.take(part), max(board))
        answers = net.evaluate(planes[:, :, : board.rows, : board.columns], global_inputs)
        found += int((answers.policy.argmax(1) == targets.move[part]).sum())
    games = len(np.unique(targets.game))
    return Examination(games, len(wanted), wilson_interval(found, len(wanted)))


def _play(
    place: Path,
    opponent: str,
    games: int,
    size: str,
    training: TrainingResult,
    seed: int,
    jobs: int,
    resume: bool,
    lang: str,
) -> MatchResult:
    from mariago.arena.match import play_match
    from mariago.arena.outputs import write_results
    from mariago.arena.report import write_report
    from mariago.arena.settings import settings_of
    from mariago.reports import provenance

    settings = settings_of(
        player_a=f'net:"{training.folder}"',
        player_b=opponent,
        games=games,
        size=size,
        komi=KOMI_POINTS,
        move_limit=MOVE_LIMIT,
        seed=seed,
    )
    folder = place / f"match-{opponent}"
    with track(games, f"against {opponent}") as progress:
        result = play_match(
            settings, folder, jobs=jobs, resume=resume, on_game=lambda game: progress.advance()
        )
    origin = provenance(command_line(), seed)
    write_results(result, origin)
    write_report(result, origin, lang)
    return result
