"""Where a run of labels keeps its finished parts, so that one that is killed goes on.

``DIR/.labels-NAME.partial`` holds the order of the run, a lock that ends with its process, and one
Parquet file for each part of a shard. A shard whose parts are all there becomes a file of labels.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from mariago.board.files import write_whole
from mariago.errors import RecordsError
from mariago.records.labels import about_labels, are_whole, labels_path
from mariago.records.manifest import Manifest
from mariago.records.workplace import lock

__all__ = ["Part", "WorkFolder", "read_part", "write_part"]

ORDER = "order.json"
_UNREADABLE = (OSError, pa.ArrowException, ValueError, KeyError)
BEGIN_AGAIN = "--overwrite begins again, --name NAME writes others beside them"


@dataclass(frozen=True)
class Part:
    """Some rows of a shard that are labelled together, and where their labels are kept."""

    shard: str
    rows: npt.NDArray[np.uint32]  # rising numbers of rows in the shard
    path: Path

    @property
    def is_done(self) -> bool:
        """Whether its labels are there, whole: they are read."""
        try:
            held = _read(self.path).column("row").to_numpy()
        except _UNREADABLE:
            return False
        return bool(np.array_equal(held, self.rows))


def write_part(part: Part, table: pa.Table) -> None:
    """Write the labels of a part whole."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
    write_whole(part.path, sink.getvalue().to_pybytes())


def read_part(part: Part) -> pa.Table:
    """Return the labels of a part.

    Raises:
        RecordsError: they have gone, or were damaged, while the run was at work.
    """
    try:
        return _read(part.path)
    except _UNREADABLE as error:
        hint = "the same command with --resume makes them again"
        raise RecordsError("these labels are gone", where=part.path, hint=hint) from error


def _read(path: Path) -> pa.Table:
    return pq.read_table(path, page_checksum_verification=True)


class WorkFolder:
    """The hidden folder of one run; to be used with ``with``.

    Args:
        about: what the labels say of their teacher, and of the choice of rows.
        shards: those that are labelled.
        order: what else decides what the labels are, by what it is called in an error.
        resume: go on with what stands there.
        overwrite: begin again, and replace finished labels of this name.

    Raises:
        RecordsError: another run is at work, or labels of this name stand there, begun or
            finished, and neither ``resume`` nor ``overwrite`` says what to do with them; or with
            ``resume`` they are of other settings.
    """

    def __init__(
        self,
        manifest: Manifest,
        name: str,
        about: str,
        shards: list[str],
        order: dict[str, Any],
        *,
        resume: bool = False,
        overwrite: bool = False,
    ) -> None:
        self.folder = manifest.folder / f".labels-{name}.partial"
        self._manifest, self._name, self._about = manifest, name, about
        self._shards, self._order = shards, order
        self._resume, self._overwrite = resume, overwrite
        self._lock: int | None = None

    def __enter__(self) -> WorkFolder:
        was_there = self.folder.exists()
        self.folder.mkdir(exist_ok=True)
        self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        if not lock(self._lock):
            self._let_go()
            raise RecordsError(
                f"another run is making labels by {self._name}",
                where=self._manifest.folder,
                hint="wait for it, or give these another --name",
            )
        try:
            self._begin(was_there)
        except BaseException:
            if not was_there:
                self.leave()
            self._let_go()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None and not any(self.folder.glob("[!.]*.parquet")):
            self.leave()  # nothing is lost with it
        self._let_go()

    def is_finished(self, shard: str, rows: npt.NDArray[np.uint32]) -> bool:
        """Tell whether a shard has its labels of this very order, of all ``rows``; they are read.

        Damaged ones are not finished: they are made again.
        """
        if self._overwrite or self._told(shard) != self._about:
            return False
        return are_whole(self._manifest.folder, shard, self._name, rows)

    def leave(self) -> None:
        """Take the folder away."""
        if os.name != "posix":  # an open file cannot be removed there
            self._let_go()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _begin(self, was_there: bool) -> None:
        begun = self._order_there() if was_there else None
        for shard in self._shards:
            path = labels_path(self._manifest.folder, shard, self._name)
            if path.is_dir():
                raise RecordsError(
                    "is a folder where labels would stand", where=path, hint="move it away"
                )
        if self._overwrite:
            self._clear()
        elif begun is not None:
            self._check_begun(begun)
        else:
            self._check_finished()
        for left in self.folder.glob(".*.part"):
            left.unlink()  # of a run that was killed while writing
        write_whole(self.folder / ORDER, json.dumps(self._order, indent=2) + "\n")

    def _check_begun(self, begun: dict[str, Any]) -> None:
        changed = [name for name in self._order if begun.get(name) != self._order[name]]
        what = f"labels by {self._name} are begun there"
        if changed:
            raise RecordsError(
                f"{what} with another {changed[0]}", where=self._manifest.folder, hint=BEGIN_AGAIN
            )
        if not self._resume:
            raise RecordsError(
                what,
                where=self._manifest.folder,
                hint="--resume goes on with them, --overwrite begins again",
            )

    def _check_finished(self) -> None:
        for shard in self._shards:
            path = labels_path(self._manifest.folder, shard, self._name)
            if self._resume and path.exists() and self._told(shard) is None:
                raise RecordsError(
                    f"labels by {self._name} stand there that are damaged, or of another build",
                    where=path,
                    hint=BEGIN_AGAIN,
                )
            if path.exists() and not (self._resume and self._told(shard) == self._about):
                said = " of other settings" if self._resume else ""
                raise RecordsError(
                    f"labels{said} by {self._name} stand there", where=path, hint=BEGIN_AGAIN
                )

    def _told(self, shard: str) -> str | None:
        return about_labels(self._manifest.folder, shard, self._name)

    def _order_there(self) -> dict[str, Any] | None:
        try:
            return dict(json.loads((self.folder / ORDER).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def _clear(self) -> None:
        for entry in self.folder.iterdir():
            if entry.name != "lock":
                entry.unlink()

    def _let_go(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
