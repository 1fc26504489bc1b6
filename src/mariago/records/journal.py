"""What a build has finished, kept beside its spool so that a killed run can go on.

``order.json`` says what is being built. ``judged.bin`` holds the judged games of each batch of
files behind a header: a digest of the batch's names and bytes, the length of what follows and its
CRC-32. ``shards.jsonl`` has a line for each finished shard with a digest of all that decides it.
What is cut off or does not match its checksum is done again; so is a batch whose files changed.
"""

import hashlib
import json
import os
import pickle
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from io import BytesIO
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from mariago import __version__
from mariago.board.files import write_whole
from mariago.records.intake import Intake
from mariago.records.names import shown
from mariago.records.options import BuildOptions
from mariago.records.pool import Workers
from mariago.records.schema import SCHEMA_VERSION
from mariago.records.shards import Shard, ShardJob, write_shard
from mariago.records.sources import Source, SourceFile
from mariago.records.workplace import Workplace, append_whole
from mariago.words import BEGINNING

__all__ = ["Journal", "Judged", "batch_digest", "judged", "order_of"]

ORDER, JUDGED, SHARDS = "order.json", "judged.bin", "shards.jsonl"

_HEADER = struct.Struct("<16sQI")  # digest, length, CRC-32
Batch = tuple[int, list[SourceFile]]  # of the source with this index
_SAFE = ("mariago.records.", "mariago.board.points", "numpy")


def order_of(sources: Sequence[Source], options: BuildOptions) -> dict[str, Any]:
    """Return what decides the samples, as far as it is known before the sources are read."""
    return {
        "version": __version__,
        "schema_version": SCHEMA_VERSION,
        "options": options.as_dict(),
        "sources": [
            {
                # From another folder the same source is given by another path.
                "path": shown(os.fsencode(os.path.realpath(source.path))),
                "kind": source.kind,
                "size_bytes": source.size_bytes,
                "sha256": source.sha256,
            }
            for source in sources
        ],
    }


def what_changed(before: Any, now: dict[str, Any]) -> str | None:
    """Return in words what differs between two orders, "" without an old one, None if nothing."""
    if before == now:
        return None
    if not isinstance(before, dict):
        return ""
    names = {"sources": "the sources", "options": "the options"}
    changed = [names.get(key, "MariaGO") for key in now if before.get(key) != now[key]]
    return f"{' and '.join(dict.fromkeys(changed))} changed"


def batch_digest(files: Sequence[SourceFile]) -> bytes:
    """Return 16 bytes that stand for the names and the contents of some files."""
    digest = hashlib.sha256()
    for file in files:
        name, data = file.path.encode("utf-8", "surrogatepass"), file.data
        length = -1 if data is None else len(data)
        digest.update(struct.pack("<qq", len(name), length) + name + (data or b""))
    return digest.digest()[:16]


def pack_intake(intake: Intake) -> bytes:
    """Return the bytes of judged games, for the journal and for the way between processes."""
    return pickle.dumps(intake, protocol=5)


def unpack_intake(data: bytes) -> Intake:
    """Read what ``pack_intake`` wrote. No code but that of this package's records is run."""
    return _Unpickler(BytesIO(data)).load()


class _Unpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> Any:
        found = super().find_class(module_name, global_name) if _is_safe(module_name) else None
        is_array = module_name.startswith("numpy") and global_name in (
            "_frombuffer",
            "_reconstruct",
            "scalar",
        )
        if isinstance(found, type) or is_array:
            return found
        raise pickle.UnpicklingError(f"{module_name}.{global_name} has no place here")


def _is_safe(module_name: str) -> bool:
    return module_name.startswith(_SAFE)


class Judged(NamedTuple):
    """The judged games of a batch of files of one source, packed."""

    source: int
    digest: bytes
    data: bytes


def judged(source: int, files: Sequence[SourceFile], intake: Intake) -> Judged:
    """Return what a worker hands back of a batch."""
    return Judged(source, batch_digest(files), pack_intake(intake))


class Journal:
    """The finished parts of one build, in the folder of its spool.

    Args:
        resume: go on where a run of the same order stopped; else, and where the order has
            changed, the room is cleared.
        say: hears what a person should know, a line at a time.
    """

    def __init__(
        self,
        workplace: Workplace,
        order: dict[str, Any],
        resume: bool,
        say: Callable[[str], None],
    ) -> None:
        folder = workplace.spool
        self._say = say
        self._shards_path = folder / SHARDS
        before = _order_in(folder) if resume else ""
        changed = what_changed(before, order)
        if changed is None:
            workplace.begin()
            say("going on where the last run stopped")
        else:
            if changed:
                say(f"{changed} since the last run stopped: starting again")
            elif resume:
                say(BEGINNING)
            workplace.clear()
            write_whole(folder / ORDER, json.dumps(order))
        for entry in folder.iterdir():
            if entry.name not in (ORDER, JUDGED, SHARDS):
                entry.unlink()
        self._judged = (folder / JUDGED).open("a+b", buffering=0)
        self._judged.seek(0)
        self._shards = dict(_lines(self._shards_path))
        self._decides = b""

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._judged.close()

    # -- judged batches --------------------------------------------------------------------

    def judged_in_order(
        self,
        workers: Workers,
        judge: "Callable[[Batch], Judged]",
        batches: "Iterable[Batch]",
    ) -> Iterator[tuple[int, Intake]]:
        """Yield source and games of each batch, from the journal as far as it goes."""
        rest = iter(batches)
        for batch in rest:
            intake = self._next_judged(batch)
            if intake is None:
                rest = chain([batch], rest)
                break
            yield batch[0], intake
        for result in workers.in_order(judge, rest):
            head = _HEADER.pack(result.digest, len(result.data), zlib.crc32(result.data))
            append_whole(self._judged, head + result.data)
            yield result.source, unpack_intake(result.data)

    def _next_judged(self, batch: "Batch") -> Intake | None:
        """Return the games of a batch; None where the journal ends, which is written on there."""
        start = self._judged.tell()
        header = self._judged.read(_HEADER.size)
        if len(header) == _HEADER.size:
            held, length, checksum = _HEADER.unpack(header)
            if held != batch_digest(batch[1]):
                name = batch[1][0].path
                self._say(f"files from {name} on changed since the last run: reading them again")
            else:
                data = self._judged.read(length)
                if len(data) == length and zlib.crc32(data) == checksum:
                    return unpack_intake(data)
        self._judged.seek(start)
        self._judged.truncate()
        return None

    # -- finished shards -------------------------------------------------------------------

    def decide_shards_by(self, paths: Sequence[Path]) -> None:
        """Name the files that decide, with a job, what is in its shard."""
        digest = hashlib.sha256()
        for path in paths:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        self._decides = digest.digest()

    def shards_in_order(self, workers: Workers, jobs: Sequence[ShardJob]) -> Iterator[Shard]:
        """Yield the shard of each job; those that stand finished are not written again."""
        found = {i: shard for i, job in enumerate(jobs) if (shard := self._finished(job))}
        missing = [job for i, job in enumerate(jobs) if i not in found]
        written = workers.in_order(write_shard, missing)
        for i, job in enumerate(jobs):
            if i in found:
                yield found[i]
                continue
            shard = next(written)
            line = json.dumps({"key": self._key(job), "shard": asdict(shard)})
            with self._shards_path.open("ab", buffering=0) as file:
                append_whole(file, line.encode() + b"\n")
            yield shard

    def _finished(self, job: ShardJob) -> Shard | None:
        """Return the shard of a job where it stands whole, as it was written."""
        entry = self._shards.get(self._key(job))
        try:
            shard = Shard(**entry) if entry is not None else None
            with Path(job.target).open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, TypeError):
            return None
        return shard if shard is not None and digest == shard.sha256 else None

    def _key(self, job: ShardJob) -> str:
        digest = hashlib.sha256(self._decides)
        for field in fields(job):
            if field.name not in ("spool", "target"):
                value = getattr(job, field.name)
                told = value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
                digest.update(told + b"\0")
        return digest.hexdigest() + Path(job.target).name


def _order_in(folder: Path) -> Any:
    """Return the order that stands in a spool, "" where there is none."""
    try:
        return json.loads((folder / ORDER).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return ""


def _lines(path: Path) -> "list[tuple[str, dict[str, Any]]]":
    """Return key and shard of each whole line; the last one may be cut off."""
    if not path.exists():
        return []
    found: list[tuple[str, dict[str, Any]]] = []
    for line in path.read_text("utf-8", "replace").splitlines():
        try:
            entry = json.loads(line)
            found.append((entry["key"], entry["shard"]))
        except (ValueError, KeyError, TypeError):
            continue
    return found
