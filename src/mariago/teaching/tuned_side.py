"""A side's net tuned on the lessons of its book, in a folder of the run.

``games`` holds the games that taught it, ``samples`` the data set of them in which lessons weigh
more, ``net`` the tuned net. Each appears whole, in this order, and what is there is not made again.

A tuning always begins with the net that the side came with, and takes the games of all rounds so
far: so it says by itself what the lessons changed, and no round is learnt twice as often.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mariago.board.points import Size
from mariago.errors import MissingExtraError
from mariago.lessons import Book
from mariago.players import resolve_name
from mariago.players.names import PlayerName, parse_name
from mariago.teaching.tune_settings import WHERE, TuneSettings

if TYPE_CHECKING:
    from mariago.records import BuildOptions, Manifest

__all__ = ["Tuned", "check_torch", "tune_side", "with_net"]

SHARE = 0.2  # of the games to stop by, and as many to measure on
SEEDS = 1000  # tried until no split is empty
ANSWERS = 4  # to a position; players answer alike more often than people do
HELD_OUT, VALIDATION = 2048, 512


Tell = Callable[[str], None]
"""Hears what a tuning is at."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tuned net, and what tuning changed. Shares are of the moves of games left out."""

    net: Path
    games: int
    """That taught; a fifth of them, about, is left out to stop by, and a fifth to measure on."""
    samples: int
    """That were learnt from."""
    lessons: int
    """Moves of the games that are lessons."""
    found: int
    """Those that have a row in the data set."""
    steps: int
    kept_step: int
    """Whose net was kept; 0: none was better than the net itself."""
    held_out: dict[str, Any]
    """As of :func:`mariago.nets.held_out.compare`, before and after."""
    verdict: str

    @property
    def is_changed(self) -> bool:
        """Whether the net is another one than before."""
        return self.kept_step > 0

    def moves_right(self, which: str) -> list[float | None]:
        """Return [value, low, high] of held-out moves that the net finds.

        Args:
            which: ``before``, ``after`` or ``change``.
        """
        top1 = self.held_out.get("top1") or {}
        return list(top1.get(which, (None, None, None)))

    def as_dict(self) -> dict[str, Any]:
        """Return plain values; the net by its place in the run."""
        return {**asdict(self), "net": "/".join(self.net.parts[-3:])}


def check_torch() -> None:
    """Check that nets can be tuned here.

    Raises:
        MissingExtraError: torch is not installed.
    """
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise MissingExtraError("train", where=WHERE)


def with_net(name: str, net: Path) -> str:
    """Return a player's name with another net."""
    known = parse_name(name)
    return resolve_name(str(PlayerName(known.kind, os.fspath(net), known.keys)))


def tune_side(
    player: str,
    book: Path,
    folder: Path,
    settings: TuneSettings,
    size: Size,
    seed: int,
    tell: Tell = lambda _: None,
) -> Tuned | None:
    """Tune the net of ``player`` on the lessons of its book, or go on with that.

    The result hangs on the book, the net and the settings alone: one thread computes.

    Args:
        folder: of this tuning; earlier ones of the side lie beside it.

    Returns:
        None where the book teaches nothing yet, or its games are too few to be shared out.

    Raises:
        NetError, RecordsError, LessonError: see the functions of these rooms.
    """
    if not (folder / "net").exists():
        if not _write_games(book, folder / "games"):
            return None
        tell("building the samples of a tuning")
        manifest = _samples_of(folder, settings, size, seed)
        if manifest is None:
            return None
        _tune(player, folder, settings, size, seed, tell)
    return _read(folder)


def _write_games(book: Path, folder: Path) -> bool:
    """Write the games that taught; return whether there are any."""
    from mariago.lessons.outputs import write_games

    if folder.exists():
        return True
    with Book.open(book) as opened:
        if next(opened.lessons(), None) is None:
            return False
        part = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)  # of a run that was killed
        write_games(opened, part)
    os.replace(part, folder)
    return True


def _samples_of(folder: Path, settings: TuneSettings, size: Size, seed: int) -> Manifest | None:
    """Build the data set of the games; None where they are too few."""
    from mariago.lessons.outputs import POSITIONS_FILE
    from mariago.records import BuildOptions, build_records, read_manifest
    from mariago.records.lesson_weights import read_lessons

    games = folder / "games"
    chosen = _split_seed(folder, size, seed)
    if chosen is None:
        return None
    options = BuildOptions(
        size=str(size),
        seed=chosen,
        max_per_position=ANSWERS,
        validation=SHARE,
        test=SHARE,
        lessons=read_lessons(games / POSITIONS_FILE, settings.factor),
    )
    build_records(
        [games],
        origin="games that taught a player, by mariago teach",
        terms="own",
        out=folder / "samples",
        options=options,
        resume=True,
    )
    manifest = read_manifest(folder / "samples")
    return manifest if all(manifest.counts["samples"].values()) else None


def _split_seed(folder: Path, size: Size, seed: int) -> int | None:
    """Return a seed by which no split is without games: that of an earlier tuning, so that games
    left out stay so, or the first that does it."""
    from mariago.records import BuildOptions, read_manifest

    side = folder.name.partition("-")[0]
    for earlier in sorted(folder.parent.glob(f"{side}-*")):
        if earlier.name < folder.name and (earlier / "net").exists():
            return int(read_manifest(earlier / "samples").options["seed"])
    options = BuildOptions(size=str(size), validation=SHARE, test=SHARE)
    return _first_seed(folder / "games", options, seed)


def _first_seed(games: Path, options: BuildOptions, seed: int) -> int | None:
    from dataclasses import replace

    from mariago.records.archives import SourceFile
    from mariago.records.intake import take_in
    from mariago.records.schema import SPLITS
    from mariago.records.splits import split_of

    files = [SourceFile(path.name, path.read_bytes()) for path in sorted(games.glob("*.sgf"))]
    identities = take_in(files, None, False).identities
    for tried in range(seed % 2**32, seed % 2**32 + SEEDS):
        if len(set(split_of(identities, replace(options, seed=tried)).tolist())) == len(SPLITS):
            return tried
    return None


class _Progress:
    """Says at which step a tuning is; see :class:`mariago.nets.training.Progress`."""

    def __init__(self, steps: int, tell: Tell) -> None:
        self.steps, self.tell = steps, tell
        self.done, self.text = 0, "tuning"

    def advance(self, n: int = 1, text: str | None = None) -> None:
        """Count ``n`` more steps as done."""
        self.done += n
        self.text = text or self.text
        self.tell(f"{self.text}, step {self.done} of {self.steps}")


def _tune(
    player: str, folder: Path, settings: TuneSettings, size: Size, seed: int, tell: Tell
) -> None:
    from mariago.nets import named_net
    from mariago.nets.tuning import TuningSettings, tune_net
    from mariago.nets.tuning_plan import plan_of

    steps = settings.steps
    plan = plan_of(
        what=settings.what,
        steps=steps,
        rate=settings.rate,
        batch=settings.batch,
        sizes=str(size),
        seed=seed,
        warmup_steps=steps // 10,
        validate_every=max(1, steps // 5),
        checkpoint_every=max(1, min(25, steps // 5)),
        validation_samples=VALIDATION,
        held_out_samples=HELD_OUT,
    )
    base = named_net(parse_name(player).target)
    tune_net(
        base,
        folder / "samples",
        folder / "net",
        plan,
        TuningSettings(resume=True, threads=1),
        _Progress(steps, tell),
    )
    shutil.rmtree(folder / "net.training", ignore_errors=True)  # of no use any more


def _read(folder: Path) -> Tuned:
    """Return what a finished tuning says, its net being whole."""
    from mariago.nets import read_info
    from mariago.nets.folder import check_parts
    from mariago.records import read_manifest

    info = read_info(folder / "net")
    check_parts(folder / "net", info)
    training = info.training
    counts = read_manifest(folder / "samples").counts
    tuning = training["tuning"]
    return Tuned(
        net=folder / "net",
        games=sum(counts["games"].values()),
        samples=training["samples_known"],
        lessons=counts["lessons"]["moves"],
        found=counts["lessons"]["found"],
        steps=training["steps"],
        kept_step=tuning["kept_step"],
        held_out=tuning["held_out"].get("own") or {},
        verdict=tuning["verdict"],
    )
