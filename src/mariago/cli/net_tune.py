"""``mariago net tune``: a net tuned on the games of a person."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from mariago.cli.options import (
    JobsOption,
    JsonOption,
    NetArgument,
    Number,
    OutOption,
    ResumeOption,
    at_most_64_bits,
    worker_count,
)
from mariago.cli.progress import kept, say, say_if_beginning, track
from mariago.cli.terminal import tell
from mariago.errors import MissingExtraError
from mariago.words import counted

__all__ = ["say_where", "show_tuning", "tune"]


def tune(
    net: NetArgument,
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A data set that mariago records build wrote.")
    ],
    out: OutOption,
    player: Annotated[
        str,
        typer.Option(
            "--player", metavar="NAME", help="Learn this person's moves alone; the whole name."
        ),
    ] = "",
    what: Annotated[
        Literal["all", "head", "low-rank"],
        typer.Option(
            "--what",
            help="What learns: all layers; head: the last layers alone, which choose the move, the "
            "blocks before them stay as they are; low-rank: small matrices beside each "
            "convolution, merged in at the end.",
        ),
    ] = "all",
    steps: Annotated[
        int, typer.Option("--steps", min=0, max=10**9, help="At most; it stops when it is best.")
    ] = 800,
    rate: Annotated[
        Number | None,
        typer.Option(
            "--rate",
            metavar="RATE",
            help="Peak learning rate; unless told 0.0001 (all), 0.0005 (head), 0.001 (low-rank).",
        ),
    ] = None,
    batch: Annotated[
        int, typer.Option("--batch", min=2, max=2**20, help="Samples of a step.")
    ] = 64,
    rank: Annotated[
        int, typer.Option("--rank", min=1, max=1024, help="Rank of the adapters of low-rank.")
    ] = 8,
    value: Annotated[
        Literal["keep", "results"],
        typer.Option(
            "--value",
            help="keep: win, score and territory stay what NET says; results: learn who won, too.",
        ),
    ] = "keep",
    norms: Annotated[
        Literal["frozen", "running"],
        typer.Option(
            "--norms",
            help="Statistics of the batch norms: frozen, as they are in NET, or running, as in a "
            "training from nothing, which harms imported nets.",
        ),
    ] = "frozen",
    size: Annotated[
        str,
        typer.Option(
            "--size", metavar="SIZES", help="Boards, 19 or 9,13; without it those of NET."
        ),
    ] = "",
    validation_samples: Annotated[
        int,
        typer.Option(
            "--validation-samples",
            metavar="N",
            min=1,
            help="Moves of the validation split by which it chooses the best net, at most.",
        ),
    ] = 1024,
    held_out: Annotated[
        int,
        typer.Option(
            "--held-out", metavar="N", min=1, help="Moves of the test split to measure on, at most."
        ),
    ] = 10_000,
    seed: Annotated[
        int,
        typer.Option("--seed", min=0, callback=at_most_64_bits, help="Same seed: same net."),
    ] = 1,
    origin: Annotated[
        str, typer.Option("--origin", metavar="TEXT", help="Of a network file: where it is from.")
    ] = "",
    terms: Annotated[
        str, typer.Option("--terms", metavar="TEXT", help="Of a network file: its terms of use.")
    ] = "",
    device: Annotated[
        str, typer.Option("--device", help="auto, cpu or cuda; auto takes a GPU if there is one.")
    ] = "auto",
    jobs: JobsOption = 0,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tune NET on the games in DATA, and measure before and after on games left out.

    For example, to make KataGo's small network guess your own moves:

      mariago records build my-games --origin "my games" --terms "my own" --test 0.2 --out samples
      mariago net tune g170-b6c96.bin.gz samples --player NAME --out nets/mine

    It learns from the train split, stops by the validation split and keeps the best net; both nets
    then answer the test split, game by game. While it runs, --out.training holds a checkpoint; a
    run that was interrupted goes on with --resume. The result is an ordinary net: play it, or
    export it for KataGo.
    """
    try:
        from mariago.nets.checkpoint import is_begun
        from mariago.nets.tuning import TuningSettings, tune_net
        from mariago.nets.tuning_plan import plan_of
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("torch"):
            raise
        raise MissingExtraError("train", where="mariago net tune") from error

    plan = plan_of(
        what=what,
        player=player,
        steps=steps,
        rate=rate,
        batch=batch,
        rank=rank,
        value=value,
        norms=norms,
        sizes=size,
        validation_samples=validation_samples,
        held_out_samples=held_out,
        seed=seed,
    )
    settings = TuningSettings(
        resume=resume, threads=worker_count(jobs), device=device, origin=origin, terms=terms
    )
    say_if_beginning(resume, is_begun(out))
    with (
        kept("the steps done so far are", lambda: is_begun(out)),
        track(plan.steps, "tuning") as progress,
    ):
        result = tune_net(net, data, out, plan, settings, progress)
    if result.stood_there:
        say("this tuning was finished already; nothing was done")
    if as_json:
        print(json.dumps(result.info.model_dump(mode="json"), indent=2, ensure_ascii=False))
        return
    show_tuning(result.info.training)
    say_where(out)


def say_where(net: Path) -> None:
    """Say where a net lies that was made just now, and what can be done with it."""
    from mariago.players.names import PlayerName

    player = shlex.quote(str(PlayerName("net", str(net))))
    say(f"net: {net}; a match with it: mariago match {player} heuristic")


def show_tuning(training: dict[str, Any]) -> None:
    """Print what a tuning changed; nothing of a net that was not tuned."""
    from mariago.nets.tuned_folder import COLUMNS, held_out_rows

    tuning = training["tuning"]
    tell(
        f"tuned {tuning['base']['name']}: {tuning['way']}; {training['steps']:,} steps, the net of "
        f"step {tuning['kept_step']:,} kept"
    )
    player = tuning["plan"]["player"].strip()
    titles = {"own": f"moves of {player}" if player else "moves", "others": "of the opponents"}
    for key, found in tuning["held_out"].items():
        tell()
        tell(f"{counted(found['games'], 'game')} left out, {found['samples']:,} {titles[key]}")
        rows = [COLUMNS, *held_out_rows(found)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            tell("  ".join(cells).rstrip())
    tell()
    tell(tuning["verdict"])
