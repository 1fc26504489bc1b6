"""What a training run leaves while it runs, so that it can be killed and resumed.

The run's folder stands beside the net's (``NET.training``): ``checkpoint.pt``, written whole or not
at all; ``metrics.jsonl``; ``tensorboard/``; ``lock``, held while a process trains.

``checkpoint.pt`` is one line, ``mariago checkpoint FORMAT SHA256``, and what ``torch.save`` wrote,
of which that is the hash.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import torch

from mariago.board.files import write_whole
from mariago.errors import NetError

__all__ = ["Run", "is_begun"]

FORMAT = 2
TITLE = b"mariago checkpoint "
# What a checkpoint holds, and of which kind each part is.
PARTS: dict[str, type | tuple[type, ...]] = {
    "identity": dict,
    "rows": list,
    "seconds": (int, float),
    "step": int,
    "net": dict,
    "optimizer": dict,
    "sums": torch.Tensor,
    "steps_summed": int,
}


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

    @property
    def is_begun(self) -> bool:
        """Whether there is a checkpoint to go on from."""
        return self.checkpoint.is_file()

    @contextmanager
    def held(self) -> Generator[None]:
        """Hold the run for this process alone; the hold ends with the process at the latest.

        Raises:
            NetError: another process trains into the same folder.
        """
        if not self.writes:
            yield
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if not _lock(handle):
                raise NetError(
                    "another training is at work in this folder",
                    where=self.folder,
                    hint="wait for it, or name another --out",
                )
            yield
        finally:
            os.close(handle)

    def refuse_to_begin_over(self) -> None:
        """Keep an interrupted run from being lost.

        Raises:
            NetError: there is a checkpoint.
        """
        if self.writes and self.checkpoint.exists():
            raise NetError(
                "holds the checkpoint of an earlier training",
                where=self.folder,
                hint="--resume goes on with it, or name another --out",
            )

    def begin(self) -> None:
        """Make the folder of a new run.

        Raises:
            NetError: there is a checkpoint.
        """
        self.refuse_to_begin_over()
        self.rows = []
        if self.writes:
            self.folder.mkdir(parents=True, exist_ok=True)
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
        torch.save({**state, "identity": self.identity, "rows": self.rows}, buffer)
        data = buffer.getvalue()
        title = TITLE + f"{FORMAT} {hashlib.sha256(data).hexdigest()}\n".encode("ascii")
        write_whole(self.checkpoint, title + data)

    def resume(self) -> dict[str, Any]:
        """Read the checkpoint, and take ``metrics.jsonl`` back to the moment it was written.

        Raises:
            NetError: it is damaged, or it belongs to another recipe or data set.
        """
        state = self._read()
        found = state["identity"]
        for key in sorted(set(found) | set(self.identity)):
            was, now = found.get(key), self.identity.get(key)
            if was != now:
                raise NetError(
                    f"the interrupted run had another {key}: {difference(was, now)}",
                    where=self.folder,
                    hint="resume with the same recipe and data set, or name another --out",
                )
        self.rows = state["rows"]
        if self.writes:
            write_whole(self.metrics, "".join(json.dumps(row) + "\n" for row in self.rows))
        return state

    def damaged(self) -> NetError:
        """Return the error of a checkpoint that is not what was written."""
        return NetError(
            "the checkpoint is damaged",
            where=self.checkpoint,
            hint=f"delete {self.folder} and start again",
        )

    def _read(self) -> dict[str, Any]:
        title, _, data = self.checkpoint.read_bytes().partition(b"\n")
        words = title.removeprefix(TITLE).split(b" ")
        if not title.startswith(TITLE) or len(words) != 2:
            raise self.damaged()
        if words[0] != str(FORMAT).encode("ascii"):
            raise NetError(
                f"is of format {words[0].decode('ascii', 'replace'):.20}, "
                f"this version reads format {FORMAT}",
                where=self.checkpoint,
                hint="resume with the version of mariago that wrote it, or name another --out",
            )
        if words[1] != hashlib.sha256(data).hexdigest().encode("ascii"):
            raise self.damaged()
        try:
            found = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
        except Exception as error:  # pickle, zip and torch each have errors of their own
            raise self.damaged() from error
        if not isinstance(found, dict):
            raise self.damaged()
        state = cast("dict[str, Any]", found)
        if not all(isinstance(state.get(name), kind) for name, kind in PARTS.items()):
            raise self.damaged()
        if not all(_is_row(row) for row in state["rows"]):
            raise self.damaged()
        return state


def is_begun(net_folder: Path) -> bool:
    """Tell whether a net stands in ``net_folder``, or a run that can be gone on with beside it."""
    return net_folder.exists() or Run(net_folder, {}).is_begun


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and "kind" in row and "step" in row


def difference(old: object, new: object) -> str:
    """Say where two parts of an identity differ, by the innermost name."""
    if isinstance(old, dict) and isinstance(new, dict):
        was, now = cast("dict[str, object]", old), cast("dict[str, object]", new)
        for name in sorted(set(was) | set(now)):
            if was.get(name) != now.get(name):
                inner = was.get(name), now.get(name)
                deeper = all(isinstance(part, dict) for part in inner)
                return (
                    f"{name}: {difference(*inner)}" if deeper else f"{name} was %s, is %s" % inner
                )
    return f"{old}, now {new}"


def _lock(handle: int) -> bool:
    """Lock an open file until it is closed; return False where another one holds it."""
    try:
        import fcntl
    except ImportError:  # systems without it do not let an open file be replaced
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
