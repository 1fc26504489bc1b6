"""``mariago net quantise``: a faster graph of a net, in eight-bit integers, checked first."""

from __future__ import annotations

from typing import Annotated

import typer

from mariago.cli.options import JsonOption, NetArgument, Number
from mariago.cli.progress import say
from mariago.cli.terminal import tell

__all__ = ["quantise"]


def quantise(
    net: NetArgument,
    least_top1: Annotated[
        Number,
        typer.Option("--least-top1", min=0, max=1, help="Share of equal best moves to reach."),
    ] = 0.85,
    as_json: JsonOption = False,
) -> None:
    """Make a graph of NET that computes its blocks in eight-bit integers.

    Its answers are compared with float32's on positions of packaged games, 9x9, 13x13 and 19x19, or
    those of them that NET was trained on. Where they differ too much nothing is written. NET gets
    model.int8.onnx and int8.json; players use it with precision=int8.
    """
    from mariago.nets.int8 import Bounds, Int8Place
    from mariago.nets.quantising import quantise_net

    say("measuring ranges and comparing answers; about half a minute for a small net")
    report = quantise_net(net, Bounds(least_top1=least_top1))
    if as_json:
        print(report.model_dump_json(indent=2))
        return
    for size, found in report.checked.items():
        tell(
            f"{size:<12} the same best move in {found.top1:.1%} of {found.positions} positions; "
            f"policy {found.policy_kl:.4f} nats, value {found.value:.4f}, lead {found.lead:.2f} "
            "points apart"
        )
    tell(f"{'written':<12} {Int8Place.of(net).model}")
