"""``mariago net quantise``: a faster graph of a net, in eight-bit integers, checked first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mariago.cli.options import JsonOption, NetArgument, Number
from mariago.cli.progress import track
from mariago.cli.terminal import tell

__all__ = ["quantise"]


def quantise(
    net: NetArgument,
    least_top1: Annotated[
        Number,
        typer.Option("--least-top1", min=0, max=1, help="Share of equal best moves to reach."),
    ] = 0.85,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Leave NET as it is and make a copy of it with the graph."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a graph of NET that computes its blocks in eight-bit integers.

    Its answers are compared with float32's on positions of packaged games, 9x9, 13x13 and 19x19, or
    those of them that NET was trained on. Where they differ too much nothing is written. NET, or
    the copy in --out, gets model.int8.onnx and int8.json; players use it with precision=int8. The
    packaged net is never written to: give it --out.
    """
    from mariago.nets.int8 import Bounds, Int8Place
    from mariago.nets.quantising import quantise_net, steps_of

    with track(steps_of(net), "batches of positions") as progress:
        report = quantise_net(
            net, Bounds(least_top1=least_top1), out=out, advance=lambda: progress.advance()
        )
    if as_json:
        print(report.model_dump_json(indent=2))
        return
    for size, found in report.checked.items():
        tell(
            f"{size:<12} the same best move in {found.top1:.1%} of {found.positions} positions; "
            f"policy {found.policy_kl:.4f} nats, value {found.value:.4f}, lead {found.lead:.2f} "
            "points apart"
        )
    tell(f"{'written':<12} {Int8Place.of(out or net).model}")
