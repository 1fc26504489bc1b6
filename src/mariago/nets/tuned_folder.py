"""The folder of a tuned net: its papers, its card and what it reached."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

import mariago
from mariago.nets.architecture import GoNet
from mariago.nets.base_net import BaseNet
from mariago.nets.config import parameter_count
from mariago.nets.folder import NetInfo, write_net
from mariago.nets.held_out import verdict
from mariago.nets.tuned_samples import TuningSamples
from mariago.nets.tuner import Tuner, arrays_of, learning_count

__all__ = ["Outcome", "held_out_rows", "write_tuned"]

WAYS = {
    "all": "all layers",
    "head": "the heads alone, on a trunk left as it was",
    "low-rank": "low-rank adapters on all convolutions, merged",
}
COLUMNS = ("figure", "before", "after", "change", "95% interval of the change")
_ROWS = (
    ("top1", "moves right", ".1%", "+.1%"),
    ("policy_loss", "policy loss (nats)", ".3f", "+.3f"),
    ("value_loss", "value loss (nats)", ".3f", "+.3f"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tuning found."""

    net: GoNet
    step: int
    """The step whose net was kept; 0 is the base net."""
    figures: dict[str, Any]
    """Of that net on the validation split."""
    held_out: dict[str, Any]
    """``own`` and ``others``, as of :func:`mariago.nets.held_out.compare`."""
    rows: list[dict[str, Any]]
    seconds: float


def held_out_rows(found: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of a table of ``compare``'s figures, as :data:`COLUMNS` names them."""
    for name, word, form, signed in _ROWS:
        before, after, change = (found[name][key] for key in ("before", "after", "change"))
        if change[0] is None:
            yield word, "-", "-", "-", "-"
            continue
        interval = (
            "-"
            if change[1] is None
            else f"{format(change[1], signed)} to {format(change[2], signed)}"
        )
        yield (
            word,
            format(before[0], form),
            format(after[0], form),
            format(change[0], signed),
            interval,
        )


def write_tuned(
    out: Path,
    base: BaseNet,
    samples: TuningSamples,
    tuner: Tuner,
    identity: dict[str, Any],
    outcome: Outcome,
) -> NetInfo:
    """Write the net folder of a tuning and return its info."""
    plan, data = tuner.plan, identity["data"]
    whose = f"the moves of {plan.player.strip()} in " if plan.player.strip() else ""
    tuning = {
        "base": base.papers,
        "terms": f"base net: {base.terms}; records: {data['terms']}",
        "plan": identity["plan"],
        "rate": plan.rate_used,
        "way": WAYS[plan.what],
        "numbers_that_learnt": learning_count(tuner.net),
        "kept_step": outcome.step,
        "held_out": outcome.held_out,
        "verdict": _verdict(outcome),
    }
    info = NetInfo(
        config=base.config,
        sizes=tuple(str(size) for size in samples.train.sizes()),
        origin=f"{base.origin}; tuned on {whose}{data['origin']}",
        training={
            "steps": tuner.steps_done,
            "steps_planned": plan.steps,
            "samples_seen": tuner.steps_done * min(plan.batch, len(samples.train)),
            "samples_known": len(samples.train),
            "data": data,
            "precision": tuner.precision,
            "device": tuner.device.type,
            "threads": torch.get_num_threads(),
            "seconds": round(outcome.seconds, 1),
            "validation": outcome.figures,
            "tuning": tuning,
        },
        versions={
            "mariago": mariago.__version__,
            "torch": torch.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    )
    metrics = "".join(json.dumps(row) + "\n" for row in outcome.rows)
    weights = arrays_of(outcome.net.state_dict())
    return write_net(out, info, weights, card=_card(out.name, info), metrics=metrics)


def _verdict(outcome: Outcome) -> str:
    if outcome.step == 0:
        return "no step answered the validation games better: this is the base net"
    own = outcome.held_out.get("own")
    return verdict(own if own is not None else {"games": 0})


def _card(name: str, info: NetInfo) -> str:
    """Return ``card.md`` of a tuned net."""
    training = info.training
    tuning: dict[str, Any] = training["tuning"]
    base, plan = tuning["base"], tuning["plan"]
    whose = plan["player"].strip() or "everybody"
    lines = [
        f"# {name}",
        "",
        f"A net for the game of Go: {info.config}, {parameter_count(info.config):,} numbers, tuned",
        f"on {', '.join(info.sizes)} from the net `{base['name']}` (SHA-256 `{base['sha256']}`).",
        "",
        f"- Knowledge: {info.origin}",
        f"- Terms: {tuning['terms']}",
        f"- Tuned: {tuning['way']}; moves of {whose}; {training['samples_known']:,} samples known",
        f"- Steps: {training['steps']:,} of at most {training['steps_planned']:,}, the net of step "
        f"{tuning['kept_step']:,} kept",
        f"- Use, from the folder that holds this one: `mariago match net:{name} random`; "
        "`mariago net export` writes it for KataGo",
        "",
    ]
    titles = {"own": f"moves of {whose}", "others": "moves of the opponents in the same games"}
    for key, found in tuning["held_out"].items():
        lines += [
            f"On {found['games']:,} games left out, {found['samples']:,} {titles[key]}:",
            "",
            f"| {' | '.join(COLUMNS)} |",
            "|---|---|---|---|---|",
            *(f"| {' | '.join(row)} |" for row in held_out_rows(found)),
            "",
        ]
    lines += [
        f"{tuning['verdict'][0].upper()}{tuning['verdict'][1:]}.",
        "A move counts as right when it is the one that was played, among all moves of the board.",
        "Intervals are of a bootstrap over games.",
    ]
    return "\n".join(lines) + "\n"
