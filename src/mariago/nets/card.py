"""The card of a net: what a person needs to know before using it."""

from __future__ import annotations

from typing import Any

from mariago.nets.config import parameter_count
from mariago.nets.folder import NetInfo

__all__ = ["card_text"]


def card_text(name: str, info: NetInfo) -> str:
    """Return ``card.md`` of a net that was trained here."""
    training, config = info.training, info.config
    found: dict[str, Any] = training.get("validation", {})
    stopped = training["steps"] < training["steps_planned"]
    lines = [
        f"# {name}",
        "",
        f"A net for the game of Go: {config}, {parameter_count(config):,} numbers. It plays every",
        f"board size and was trained on {', '.join(info.sizes)}.",
        "",
        f"- Knowledge: {info.origin or 'not stated'}",
        f"- Terms of the records: {training.get('data', {}).get('terms') or 'not stated'}",
        *_teacher(training),
        f"- Training: {training['steps']:,} steps, {training['samples_seen']:,} samples seen of "
        f"{training['samples_known']:,} known, each turned at random",
        f"- Use, from the folder that holds this one: `mariago match net:{name} random`",
        "",
        "On samples of other games, not trained on:",
        "",
        "| samples | number | move right | among five | loss (nats) |",
        "|---|---|---|---|---|",
        _table_row("all", found),
        _table_row("tactical", found.get("tactical", {})),
        *(
            _table_row(f"moves {band}", part)
            for band, part in found.get("bands", {}).items()
            if part["samples"]
        ),
        "",
        "A move counts as right when it is the one that was played, among all moves of the board.",
    ]
    if found.get("value_right") is not None:
        lines.append(f"The winner was favoured in {found['value_right']:.1%} of the positions.")
    if found.get("teacher_top1") is not None:
        lines.append(f"The teacher's best move was the net's in {found['teacher_top1']:.1%}.")
    if stopped:
        lines += ["", f"Stopped early: {training['steps_planned']:,} steps were planned."]
    return "\n".join(lines) + "\n"


def _teacher(training: dict[str, Any]) -> list[str]:
    found = training.get("data", {}).get("teacher")
    share = training.get("recipe", {}).get("teacher", {})
    if not found:
        return []
    return [
        f"- Teacher: {found['about'] or found['name']}; {share['policy']:.0%} of the policy that "
        f"was learnt is his, {share['value']:.0%} of the value, the rest the records'"
    ]


def _table_row(name: str, part: dict[str, Any]) -> str:
    if not part.get("samples"):
        return f"| {name} | 0 | - | - | - |"
    return (
        f"| {name} | {part['samples']:,} | {part['top1']:.1%} | {part['top5']:.1%} "
        f"| {part['policy_loss']:.3f} |"
    )
