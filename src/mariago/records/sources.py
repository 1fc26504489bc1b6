"""Where records come from: folders, archives and single files, read one file after another.

Nothing is unpacked to disk, and no more than one file is in memory at a time. Names may be any
bytes; those that are not UTF-8 are shown with escapes. Archives and packed records that lie in a
folder are read too, one level deep. Links are followed to files of the same folder alone. What is
wrong with one file of a folder is told of that file, and the rest is read; a source that is itself
damaged is an error, since a set made of the part of it that could be read would pass for one of
the whole.
"""

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import BufferedReader
from pathlib import Path
from typing import Any

from mariago.errors import BadInputError
from mariago.records import archives
from mariago.records.archives import DAMAGED, SourceFile
from mariago.records.names import shown
from mariago.records.tar_stream import TarError
from mariago.sgf.formats import format_of
from mariago.words.faults import one_line

__all__ = ["Source", "SourceFile", "open_source", "shown"]

_HEAD = 4_096  # bytes by which the kind of a record is told
_READ_ONLY = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass
class Source:
    """A place that records come from, and what was met there.

    ``sha256`` is that of the file; for a folder, of path, NUL and SHA-256 of each record file and
    archive in reading order, known once all have been read. ``skipped`` counts what was left out
    by reason.
    """

    path: Path
    kind: str
    sha256: str = ""
    size_bytes: int = 0
    files: int = 0
    skipped: Counter[str] = field(default_factory=Counter[str])

    def read(self) -> Iterator[SourceFile]:
        """Yield the record files: a folder's by sorted names, an archive's as they stand in it.

        Raises:
            BadInputError: the source is missing or damaged.
        """
        try:
            for file in self._folder() if self.kind == "folder" else self._opened():
                self.files += 1
                yield file
        except DAMAGED as error:
            raise BadInputError(
                f"damaged or unreadable after {self.files} files ({one_line(error)})",
                where=shown(os.fsencode(self.path)),
                hint="fetch it again, or leave it out",
            ) from error

    def _opened(self) -> Iterator[SourceFile]:
        with _regular(os.fsencode(self.path)) as file:
            name = os.fsencode(self.path.name)
            if archives.is_archive_name(name) and _is_no_archive(file, name):
                raise TarError("no archive")
            yield from self._records(name, file, self.size_bytes)

    def _records(self, path: bytes, file: BufferedReader, size_bytes: int) -> Iterator[SourceFile]:
        """Yield the records of an open file, whatever it is."""
        kind = archives.kind_of(file, path)
        if kind == "tar":
            yield from archives.read_tar(file, size_bytes, self.skipped)
        elif kind == "zip":
            yield from archives.read_zip(file, size_bytes, self.skipped)
        else:
            yield archives.packed_record(shown(path), file)

    def _folder(self) -> Iterator[SourceFile]:
        top = os.fsencode(self.path)
        inside = os.path.join(os.path.realpath(top), b"")
        digest = hashlib.sha256()
        faults: list[OSError] = []
        for folder, folders, names in os.walk(top, onerror=faults.append):
            yield from _told(faults, top)
            links = {name for name in folders if os.path.islink(os.path.join(folder, name))}
            hidden = {name for name in folders if name.startswith(b".")} - links
            self.skipped += Counter(link_or_device=len(links), hidden=len(hidden))
            folders[:] = sorted({*folders} - links - hidden)
            for name in sorted(names):
                full = os.path.join(folder, name)
                if os.path.islink(full) and not os.path.realpath(full).startswith(inside):
                    self.skipped["link_or_device"] += 1
                else:
                    yield from self._in_folder(full, top, digest)
        yield from _told(faults, top)
        self.sha256 = digest.hexdigest()

    def _in_folder(self, full: bytes, top: bytes, digest: Any) -> Iterator[SourceFile]:
        path = _within(full, top)
        unwanted = archives.why_not_wanted(path)
        if unwanted not in (None, "nested_archive"):
            self.skipped[unwanted] += 1
            return
        found = 0
        try:
            with _regular(full) as file:
                records = self._record if unwanted is None else self._nested
                for record in records(path, file, digest):
                    yield record
                    found += 1
        except DAMAGED as error:
            if isinstance(error, _NoPlainFileError) or _leads_nowhere(full):
                self.skipped["link_or_device"] += 1
                return
            after = f" after {found} files" if found else ""
            yield SourceFile(shown(path), None, f"cannot be read{after} ({one_line(error)})")

    def _record(self, path: bytes, file: BufferedReader, digest: Any) -> Iterator[SourceFile]:
        size = os.fstat(file.fileno()).st_size
        self.size_bytes += size
        most = archives.MAX_FILE_BYTES
        data = file.read(most + 1) if size <= most else None
        if data is None or len(data) > most:
            digest.update(path + b"\0" + hashlib.sha256().digest())
            yield SourceFile(shown(path), None, archives.too_large())
        else:
            digest.update(path + b"\0" + hashlib.sha256(data).digest())
            yield archives.member_record(shown(path), data)

    def _nested(self, path: bytes, file: BufferedReader, digest: Any) -> Iterator[SourceFile]:
        size = os.fstat(file.fileno()).st_size
        if size == 0 or archives.kind_of(file, path) == "file":
            raise TarError("no archive")
        self.size_bytes += size
        digest.update(path + b"\0" + hashlib.file_digest(file, "sha256").digest())
        file.seek(0)
        for record in self._records(path, file, size):
            yield replace(record, path=f"{shown(path)}/{record.path}")


class _NoPlainFileError(OSError):
    """A pipe, a socket or a device, whose reading might never end."""


@contextmanager
def _regular(path: bytes) -> Generator[BufferedReader]:
    """Open a plain file; what has turned into something else in between does not hang either.

    Some files of ``/proc`` are plain by their looks, have no size, and wait for what comes.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise _NoPlainFileError
    with open(os.open(path, _READ_ONLY), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _NoPlainFileError
        if os.fstat(file.fileno()).st_size == 0 and _has_bytes(file):
            raise _NoPlainFileError
        yield file


def _is_no_archive(file: BufferedReader, name: bytes) -> bool:
    """Say whether a file that is named as an archive is neither one nor a record."""
    if archives.kind_of(file, name) != "file":
        return False
    head = file.read(_HEAD)
    file.seek(0)
    is_other = archives.is_packed(head) or format_of(head) != "sgf"
    return not is_other and not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"(")


def _has_bytes(file: BufferedReader) -> bool:
    """Say whether a file without a size has bytes, or may have some later (EAGAIN: None)."""
    got: bytes | None = file.read(1)
    return got != b""


def _within(full: bytes, top: bytes) -> bytes:
    return os.path.relpath(full, top).replace(os.fsencode(os.sep), b"/")


def _leads_nowhere(path: bytes) -> bool:
    """Say whether a link has no end, or none that is there."""
    return os.path.islink(path) and not os.path.exists(path)


def _told(faults: list[OSError], top: bytes) -> Iterator[SourceFile]:
    """Yield the folders that cannot be listed, and forget them; the top one is an error."""
    while faults:
        fault = faults.pop(0)
        if fault.filename == top:
            raise fault
        path = shown(_within(os.fsencode(fault.filename), top)) + "/"
        yield SourceFile(path, None, f"cannot be read ({one_line(fault)})")


def open_source(path: "str | Path") -> Source:
    """Look at a source and take its checksum; nothing of it is read as records yet.

    Raises:
        BadInputError: there is nothing at ``path``, or it cannot be read.
    """
    place = Path(path)
    where = shown(os.fsencode(place))
    hint = "a source is a folder, tar, zip or record file"
    try:
        if place.is_dir():
            return Source(place, "folder")
        with _regular(os.fsencode(place)) as file:
            kind = archives.kind_of(file, os.fsencode(place.name))
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return Source(place, kind, digest, os.fstat(file.fileno()).st_size)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: NUL in the name
        raise BadInputError("no such file or folder", where=where, hint=hint) from None
    except _NoPlainFileError:
        raise BadInputError("a pipe, socket or device", where=where, hint=hint) from None
    except OSError as error:
        raise BadInputError(f"cannot be read ({one_line(error)})", where=where) from error
