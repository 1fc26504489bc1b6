"""Where records come from: folders, archives and single files, read one file after another.

Nothing is unpacked to disk, and no more than one file is in memory at a time. Names may be any
bytes; those that are not UTF-8 are shown with escapes.
"""

import bz2
import gzip
import hashlib
import lzma
import os
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from mariago.errors import BadInputError

__all__ = ["MAX_FILE_BYTES", "Source", "SourceFile", "open_source"]

MAX_FILE_BYTES = 64 * 2**20
_DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,  # a way of packing that zipfile does not know
)
_PACKED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_BLOCK = 2**18
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257


@dataclass(frozen=True)
class SourceFile:
    """One record file: its path within the source, and its bytes (None: larger than is read)."""

    path: str
    data: bytes | None


@dataclass
class Source:
    """A place that records come from, and what was met there.

    ``sha256`` is that of the file; for a folder, of path, NUL and SHA-256 of each record file in
    reading order, known once all have been read. ``skipped`` counts what was left out by reason.
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
        walks = {"folder": self._folder, "tar": self._tar, "zip": self._zip, "file": self._file}
        try:
            for file in walks[self.kind]():
                self.files += 1
                yield file
        except _DAMAGED as error:
            raise BadInputError(
                f"damaged or unreadable after {self.files} files ({_first_line(error)})",
                where=shown(os.fsencode(self.path)),
                hint="fetch it again, or leave it out",
            ) from error

    def _folder(self) -> Iterator[SourceFile]:
        top = os.fsencode(self.path)
        digest = hashlib.sha256()
        for folder, folders, names in os.walk(top, onerror=_raise):
            self.skipped["hidden"] += sum(name.startswith(b".") for name in folders)
            folders[:] = sorted(name for name in folders if not name.startswith(b"."))
            for name in sorted(names):
                full = os.path.join(folder, name)
                if not self._is_wanted(name) or not os.path.isfile(full):
                    continue
                path = os.path.relpath(full, top).replace(os.fsencode(os.sep), b"/")
                size = os.path.getsize(full)
                data = None
                if size <= MAX_FILE_BYTES:
                    with open(full, "rb") as file:
                        data = file.read()
                self.size_bytes += size
                digest.update(path + b"\0" + hashlib.sha256(data or b"").digest())
                yield SourceFile(shown(path), data)
        self.sha256 = digest.hexdigest()

    def _is_wanted(self, name: bytes) -> bool:
        base = name.rsplit(b"/", 1)[-1]
        if base.startswith(b".") or b"/." in name or name.startswith(b"__MACOSX/"):
            self.skipped["hidden"] += 1
        elif not base.lower().endswith(b".sgf"):
            self.skipped["not_sgf"] += 1
        else:
            return True
        return False

    def _tar(self) -> Iterator[SourceFile]:
        # tarfile's own unpacking takes a cut-off archive for a whole one; these openers do not.
        with (
            _opener(self.path)(self.path, "rb") as raw,
            tarfile.open(
                fileobj=raw, mode="r|", errors="surrogateescape", encoding="utf-8", bufsize=_BLOCK
            ) as tar,
        ):
            while (member := tar.next()) is not None:
                # A stream keeps every header it has seen, which a million files would feel.
                cast(Any, tar).members = []
                name = member.name.encode("utf-8", "surrogateescape").removeprefix(b"./")
                if not member.isfile():
                    self.skipped["link_or_device"] += not member.isdir()
                    continue
                if not self._is_wanted(name):
                    continue
                if member.size > MAX_FILE_BYTES:
                    yield SourceFile(shown(name), None)
                    continue
                file = tar.extractfile(member)
                yield SourceFile(shown(name), file.read() if file is not None else b"")
            while raw.read(_BLOCK):
                pass
            if raw.tell() % tarfile.BLOCKSIZE:
                raise tarfile.ReadError("cut off")

    def _zip(self) -> Iterator[SourceFile]:
        with zipfile.ZipFile(self.path) as archive:
            for member in archive.infolist():
                name = _zip_name(member)
                if member.is_dir() or not self._is_wanted(name):
                    continue
                if member.file_size > MAX_FILE_BYTES:
                    yield SourceFile(shown(name), None)
                    continue
                if member.flag_bits & 1:
                    self.skipped["encrypted"] += 1
                    continue
                yield SourceFile(shown(name), archive.read(member))

    def _file(self) -> Iterator[SourceFile]:
        name = shown(os.fsencode(self.path.name))
        yield SourceFile(
            name, self.path.read_bytes() if self.size_bytes <= MAX_FILE_BYTES else None
        )


def open_source(path: "str | Path") -> Source:
    """Look at a source and take its checksum; nothing of it is read as records yet.

    Raises:
        BadInputError: there is nothing at ``path``, or it cannot be read.
    """
    place = Path(path)
    where = shown(os.fsencode(place))
    if place.is_dir():
        return Source(place, "folder")
    if not place.is_file():
        raise BadInputError(
            "no such file or folder", where=where, hint="a source is a folder, tar, zip or SGF file"
        )
    try:
        with place.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Source(place, _kind_of(place), digest, place.stat().st_size)
    except OSError as error:
        raise BadInputError(f"cannot be read ({error.strerror})", where=where) from error


def _kind_of(place: Path) -> str:
    with place.open("rb") as file:
        head = file.read(_TAR_MARK_AT + len(_TAR_MARK))
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(tuple(_PACKED)) or place.suffix.lower() == ".tar":
        return "tar"
    return "tar" if head[_TAR_MARK_AT:] == _TAR_MARK else "file"


def _opener(place: Path) -> Any:
    with place.open("rb") as file:
        head = file.read(8)
    return next((opener for mark, opener in _PACKED.items() if head.startswith(mark)), open)


def _zip_name(member: zipfile.ZipInfo) -> bytes:
    """Return the name as it stands in the archive; zipfile decodes it as cp437 without a flag."""
    return member.filename.encode("utf-8" if member.flag_bits & 0x800 else "cp437", "replace")


def shown(name: bytes) -> str:
    """Return a name as text that any file can hold: UTF-8, with escapes where it is not."""
    return name.decode("utf-8", "backslashreplace")


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _raise(error: OSError) -> None:
    raise error
