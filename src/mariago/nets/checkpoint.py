"""What a training run leaves while it runs, so that it can be killed and resumed.

The run's folder stands beside the net's (``NET.training``): ``checkpoint.pt``, written whole or not
at all; ``metrics.jsonl``; ``tensorboard/``.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import torch

from mariago.board.files import write_whole
from mariago.errors import NetError

__all__ = ["Run"]

FORMAT = 1


class Run:
    """The folder of a training run.

    ``identity`` is what must be the same for a run to be resumed: recipe and data set. With
    ``writes`` false nothing on disk is touched: another process of the same training does that.
    """

    def __init__(self, net_folder: Path, identity: dict[str, Any], *, writes: bool = True) -> None:
        self.writes = writes
        self.folder = net_folder.with_name(net_folder.name + ".training")
        self.identity = json.loads(json.dumps(identity))
        self.checkpoint = self.folder / "checkpoint.pt"
        self.metrics = self.folder / "metrics.jsonl"
        self.rows: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Make the folder of a new run; an abandoned run of the same name is started over."""
        self.rows = []
        if self.writes:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.checkpoint.unlink(missing_ok=True)
            write_whole(self.metrics, "")

    def log(self, row: dict[str, Any]) -> None:
        """Add a row to ``metrics.jsonl``."""
        self.rows.append(row)
        if not self.writes:
            return
        with self.metrics.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def save(self, state: dict[str, Any]) -> None:
        """Write a checkpoint: ``state`` with the run's identity and the rows logged so far."""
        if not self.writes:
            return
        buffer = io.BytesIO()
        whole = {**state, "format": FORMAT, "identity": self.identity, "rows": self.rows}
        torch.save(whole, buffer)
        write_whole(self.checkpoint, buffer.getvalue())

    def resume(self) -> dict[str, Any]:
        """Read the checkpoint, and take ``metrics.jsonl`` back to the moment it was written.

        Raises:
            NetError: there is none, or it belongs to another recipe or data set.
        """
        if not self.checkpoint.is_file():
            raise NetError(
                "there is no checkpoint to go on from",
                where=self.folder,
                hint="start the training without --resume",
            )
        try:
            state: dict[str, Any] = torch.load(
                self.checkpoint, map_location="cpu", weights_only=True
            )
        except (RuntimeError, EOFError, ValueError) as error:
            raise NetError(f"cannot be read: {error}", where=self.checkpoint) from error
        found = state["identity"]
        for key in sorted(set(found) | set(self.identity)):
            if found.get(key) != self.identity.get(key):
                raise NetError(
                    f"the interrupted run had another {key}: {_difference(found, self, key)}",
                    where=self.folder,
                    hint="resume with the same recipe and data set, or start without --resume",
                )
        self.rows = state["rows"]
        if self.writes:
            write_whole(self.metrics, "".join(json.dumps(row) + "\n" for row in self.rows))
        return state


def _difference(found: dict[str, Any], run: Run, key: str) -> str:
    old, new = found.get(key), run.identity.get(key)
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(set(old) | set(new)):
            if old.get(name) != new.get(name):
                return f"{name} was {old.get(name)}, is {new.get(name)}"
    return f"{old}, now {new}"
