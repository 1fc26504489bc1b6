"""The games that are not used, as ``dropped.jsonl`` lists them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mariago.records.manifest import Manifest

__all__ = ["Losses", "gather_losses", "lost_games"]


@dataclass
class Losses:
    """How many games were lost for one reason, and the first few of them.

    An example is a line of ``dropped.jsonl``: source, path, index_in_file, move_number, text; of a
    repeated game also ``same_as``, the place of the one that stays.
    """

    games: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def lost_games(manifest: Manifest) -> Iterator[dict[str, Any]]:
    """Yield the lines of ``dropped.jsonl``; a set without that file has lost none."""
    path = manifest.folder / "dropped.jsonl"
    if path.is_file():
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def gather_losses(manifest: Manifest, examples: int = 5) -> dict[str, Losses]:
    """Return the losses by reason, with at most ``examples`` of each."""
    found: dict[str, Losses] = {}
    for line in lost_games(manifest):
        losses = found.setdefault(line["reason"], Losses())
        losses.games += 1
        if len(losses.examples) < examples:
            losses.examples.append({name: line[name] for name in line if name != "reason"})
    return found
