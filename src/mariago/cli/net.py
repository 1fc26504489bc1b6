"""``mariago net``: train a net on samples, look at one, take one from KataGo or to it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mariago.cli.net_quantise import quantise
from mariago.cli.net_tune import say_where, tune
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

if TYPE_CHECKING:
    from mariago.nets import NetInfo, Recipe

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Train a net, look at it, bring it from or to KataGo.")
app.command()(tune)
app.command()(quantise)


@app.command()
def train(
    data: Annotated[
        Path, typer.Argument(metavar="DIR", help="A data set that mariago records build wrote.")
    ],
    recipe: Annotated[
        str,
        typer.Option(
            "--recipe", metavar="FILE", help="A TOML file, or a packaged recipe: demo or small."
        ),
    ],
    out: OutOption,
    resume: ResumeOption = False,
    steps: Annotated[
        int | None,
        typer.Option("--steps", min=1, max=10**9, help="Steps, in place of the recipe's."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, callback=at_most_64_bits, help="Seed, in place of the recipe's."
        ),
    ] = None,
    max_minutes: Annotated[
        Number | None,
        typer.Option("--max-minutes", min=0, help="Stop early and keep the net as it stands."),
    ] = None,
    device: Annotated[
        str, typer.Option("--device", help="auto, cpu or cuda; auto takes a GPU if there is one.")
    ] = "auto",
    jobs: JobsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Train a net on the samples in DIR and write its folder --out.

    While it runs, --out.training holds checkpoints, metrics.jsonl and TensorBoard's files; a run
    that was interrupted goes on with --resume.
    """
    from mariago.nets import read_recipe

    wanted = _changed(read_recipe(recipe), steps, seed)
    try:
        from mariago.nets import Settings, train_net
        from mariago.nets.checkpoint import is_begun
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith(("torch", "tensorboard")):
            raise
        raise MissingExtraError("train", where="mariago net train") from error

    # torchrun numbers the processes that train together; the first one speaks for all.
    place = int(os.environ.get("RANK", "0"))
    together = 1 if jobs else int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    settings = Settings(
        resume=resume,
        threads=max(1, worker_count(jobs) // together),
        device=device,
        max_minutes=max_minutes,
    )
    if place > 0:
        train_net(data, wanted, out, settings)
        return
    say_if_beginning(resume, is_begun(out))
    with (
        kept("the steps done so far are", lambda: is_begun(out)),
        track(wanted.training.steps, "training") as progress,
    ):
        result = train_net(data, wanted, out, settings, progress)
    if result.stood_there:
        say("this training was finished already; nothing was done")
    if not result.finished:
        say(
            f"stopped after {result.info.training['steps']} of {wanted.training.steps} steps; "
            "the same command with --resume goes on"
        )
    _show(out, result.info, as_json)
    say_where(out)


@app.command()
def info(
    net: NetArgument,
    as_json: JsonOption = False,
) -> None:
    """Show what a net is, what it was trained on, and what it reached.

    Weights and graph are checked against the hashes that were written with them.
    """
    from mariago.nets import read_info
    from mariago.nets.folder import MODEL, check_parts
    from mariago.nets.int8 import int8_report

    if net.is_file():
        _show_file(net, as_json)
        return
    found = read_info(net)
    _show(net, found, as_json)
    check_parts(net, found)
    report = int8_report(net, found.files.get(MODEL, ""))
    if report is not None and not as_json:
        agreed = ", ".join(
            f"{agreement.top1:.1%} on {s}" for s, agreement in report.checked.items()
        )
        tell(f"{'int8':<14} model.int8.onnx; the same best move as float32: {agreed}")


@app.command(name="import")
def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A network file of KataGo, .bin.gz or .txt.gz.")
    ],
    out: OutOption,
    origin: Annotated[
        str, typer.Option("--origin", metavar="TEXT", help="Where the file comes from.")
    ],
    terms: Annotated[
        str, typer.Option("--terms", metavar="TEXT", help="Under which terms it may be used.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Make a net folder of a KataGo network file.

    The folder plays as any other net and can be exported again, to the same numbers.
    """
    from mariago.nets.katago_folder import import_katago_net

    _show(out, import_katago_net(file, out, origin=origin, terms=terms), as_json)
    say_where(out)


@app.command()
def export(
    net: NetArgument,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="The file: NAME.bin.gz, or NAME.txt.gz."),
    ],
) -> None:
    """Write a net as a network file that KataGo can play with (format version 8)."""
    from mariago.nets import read_weights, write_katago

    if net.is_file():
        from mariago.errors import NetError

        hint = "name a net folder; mariago net import makes one of a network file"
        raise NetError("is a file already, no net folder", where=net, hint=hint)
    info, weights = read_weights(net)
    write_katago(out, info.config, weights, name=net.resolve().name)
    say(f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB), a net of {info.config}")


def _changed(recipe: Recipe, steps: int | None, seed: int | None) -> Recipe:
    changes = {"steps": steps, "seed": seed}
    return recipe.with_training(**{k: v for k, v in changes.items() if v is not None})


def _show(folder: Path, info: NetInfo, as_json: bool) -> None:
    from mariago.nets import parameter_count

    size_bytes = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    if as_json:
        whole = info.model_dump(mode="json")
        whole |= {"parameters": parameter_count(info.config), "size_bytes": size_bytes}
        print(json.dumps(whole, indent=2, ensure_ascii=False))
        return
    for name, text in _lines(info, size_bytes):
        tell(f"{name:<14} {text}")


def _show_file(path: Path, as_json: bool) -> None:
    """Show a network file of KataGo, of any version that is read here."""
    from mariago.nets.katago_layers import read_file
    from mariago.nets.katago_net import describe_file

    found = describe_file(read_file(path))
    if as_json:
        found["size_bytes"] = path.stat().st_size
        print(json.dumps(found, indent=2, ensure_ascii=False))
        return
    blocks = ", ".join(f"{count} {kind}" for kind, count in found["blocks"].items())
    for name, text in (
        ("name", found["name"]),
        ("size", f"{found['size']} ({blocks})"),
        ("activations", ", ".join(found["activations"])),
        ("parameters", f"{found['parameters']:,} ({path.stat().st_size / 1e6:.1f} MB on disk)"),
        ("format", f"KataGo, version {found['format_version']}"),
    ):
        tell(f"{name:<12} {text}")


def _lines(info: NetInfo, size_bytes: int) -> list[tuple[str, str]]:
    from mariago.nets import parameter_count

    pooling = sum(kind == "gpool" for kind in info.config.blocks)
    lines = [
        ("size", f"{info.config} ({pooling} with global pooling)"),
        ("parameters", f"{parameter_count(info.config):,} ({size_bytes / 1e6:.1f} MB on disk)"),
        ("boards", ", ".join(sorted(info.sizes, key=_by_size)) or "not stated"),
        ("origin", info.origin or "not stated"),
    ]
    if info.imported:
        told = (str(info.imported.get(key, "unknown")) for key in ("name", "file", "sha256"))
        lines.append(("imported", "{} from {} ({:.16}...)".format(*told)))
    training = info.training
    tuning = _part(training.get("tuning"))
    if tuning:
        way, step = str(tuning.get("way")), _told(tuning.get("kept_step"))
        lines += [
            ("tuned from", str(_part(tuning.get("base")).get("name"))),
            ("tuned", f"{way}; the net of step {step} kept"),
            ("games left out", str(tuning.get("verdict"))),
        ]
    if training:
        steps, planned = training.get("steps"), training.get("steps_planned")
        early = f" of {_told(planned)} planned" if steps != planned else ""
        seen, known = training.get("samples_seen"), training.get("samples_known")
        lines.append(
            (
                "training",
                f"{_told(steps)} steps{early}, {_told(seen)} samples seen of {_told(known)} known, "
                f"{training.get('precision', 'unknown')} on {training.get('device', 'unknown')}",
            )
        )
        teacher = _part(_part(training.get("data")).get("teacher"))
        if teacher:
            lines.append(("teacher", str(teacher.get("about") or teacher.get("name"))))
        found = _part(training.get("validation"))
        parts = [("held out", found), ("tactical", _part(found.get("tactical")))]
        parts += [(f"moves {band}", _part(p)) for band, p in _part(found.get("bands")).items()]
        lines += [(name, _figures(part)) for name, part in parts if part.get("samples")]
    lines.append(("sha256", info.files.get("weights.safetensors", "not stated")))
    return lines


def _figures(part: dict[str, Any]) -> str:
    text = (
        f"{_told(part.get('top1'), '.1%')} of the moves right, "
        f"{_told(part.get('top5'), '.1%')} among five, "
        f"loss {_told(part.get('policy_loss'), '.3f')} ({_told(part.get('samples'))} samples)"
    )
    if part.get("value_right") is not None:
        text += f"; winner favoured in {_told(part['value_right'], '.1%')}"
    if part.get("teacher_top1") is not None:
        text += f"; teacher's best move in {_told(part['teacher_top1'], '.1%')}"
    return text


def _by_size(board: str) -> tuple[int, ...]:
    """Return what sorts board sizes as numbers; what is none comes first."""
    return tuple(int(side) for side in board.split("x") if side.isdecimal())


def _told(figure: object, form: str = ",") -> str:
    """Return a figure of a net folder as text; the folder may have been made by other hands."""
    return format(figure, form) if isinstance(figure, int | float) else "unknown"


def _part(found: object) -> dict[str, Any]:
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
