"""Archives read as streams: nothing is unpacked to disk, one file at a time is in memory.

Guards against archives that are made to do harm: a member that is larger than a record may be is
not read, whatever it says of its size; an archive that unpacks to more than 500 times its size, and
over a gibibyte, is refused; headers have a largest length. Names are never used as paths, so
absolute ones and ``..`` are text.
"""

import bz2
import gzip
import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any, cast

from mariago.records.names import shown
from mariago.records.tar_stream import BLOCK, TarError, TarReader, begins_tar
from mariago.words.faults import one_line

__all__ = [
    "DAMAGED",
    "MAX_FILE_BYTES",
    "RECORD_SUFFIXES",
    "SourceFile",
    "is_archive_name",
    "is_packed",
    "kind_of",
    "member_record",
    "packed_record",
    "read_tar",
    "read_zip",
    "too_large",
    "why_not_wanted",
]

MAX_FILE_BYTES = 64 * 2**20
MOST_TIMES_LARGER = 500
LARGE_BYTES = 2**30
RECORD_SUFFIXES = (b".sgf", b".gib", b".ngf", b".ugf", b".ugi")
PACKED_SUFFIXES = (b".gz", b".bz2", b".xz")
_TAR_SUFFIXES = (
    *(b".tar", b".tgz", b".tbz2", b".txz"),
    *(b".tar" + packed for packed in PACKED_SUFFIXES),
)
ARCHIVE_SUFFIXES = (b".zip", *_TAR_SUFFIXES)

DAMAGED = (
    TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # zipfile: encrypted
    ValueError,  # a name or a number in a header that means nothing
    NotImplementedError,  # a way of packing that zipfile does not know
)
_UNPACK: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_WITH_PREFIX = (b".zip", b".exe")  # a zip may begin with a program that unpacks it
# How much of a member is asked for at a time. zipfile bounds what it unpacks by that for deflate
# alone. Of the others it unpacks as many packed bytes whole: 4 KiB of lzma are at most some tens of
# MiB; those of bzip2 can be gigabytes, so that it is not read.
_ZIP_PIECES = {
    zipfile.ZIP_STORED: MAX_FILE_BYTES,
    zipfile.ZIP_DEFLATED: MAX_FILE_BYTES,
    zipfile.ZIP_LZMA: 4_096,
}


@dataclass(frozen=True)
class SourceFile:
    """One record file: its path within the source, and its bytes; None with the reason why not."""

    path: str
    data: bytes | None
    why: str = ""


def too_large() -> str:
    """Return why a file that is larger than a record may be is not read."""
    return f"larger than {MAX_FILE_BYTES / 2**20:g} MiB"


def why_not_wanted(name: bytes) -> str | None:
    """Return under which name a file that is no record is counted, None for a record."""
    *folders, base = name.split(b"/")
    is_in_hidden = any(part.startswith(b".") and part not in (b".", b"..") for part in folders)
    if base.startswith(b".") or is_in_hidden or b"__MACOSX" in folders:
        return "hidden"
    lower = base.lower()
    if lower.endswith(RECORD_SUFFIXES) or _unpacked_name(lower).endswith(RECORD_SUFFIXES):
        return None
    return "nested_archive" if is_archive_name(lower) else "not_sgf"


def _unpacked_name(name: bytes) -> bytes:
    suffix = next((end for end in PACKED_SUFFIXES if name.endswith(end)), b"")
    return name[: len(name) - len(suffix)]


def kind_of(file: IO[bytes], name: bytes = b"") -> str:
    """Return ``zip``, ``tar`` or ``file`` by the content of an open file, which is rewound.

    The ``name`` counts where the content may be either: a tar without a member is zeros, and a zip
    may stand behind a program that unpacks it. A packed file whose beginning cannot be unpacked
    counts as a tar, whose reader tells why.
    """
    head = file.read(BLOCK)
    file.seek(0)
    if head.startswith(_ZIP_MARKS):
        return "zip"
    if is_packed(head):
        try:
            head = _unpacked(file).read(BLOCK)
        except DAMAGED:
            return "tar"
        finally:
            file.seek(0)
    lower = name.lower()
    if begins_tar(head) or (head.count(0) == BLOCK and lower.endswith(_TAR_SUFFIXES)):
        return "tar"
    if lower.endswith(_WITH_PREFIX) and not head.lstrip().startswith(b"("):
        is_zip = zipfile.is_zipfile(file)
        file.seek(0)
        return "zip" if is_zip else "file"
    return "file"


def is_packed(head: bytes) -> bool:
    """Say whether a file that begins so is packed by gzip, bzip2 or xz."""
    return head.startswith(tuple(_UNPACK))


def is_archive_name(name: bytes) -> bool:
    """Say whether a name is that of an archive."""
    return name.lower().endswith(ARCHIVE_SUFFIXES)


def packed_record(path: str, file: IO[bytes]) -> SourceFile:
    """Read a record that may be packed by gzip, bzip2 or xz."""
    data = _unpacked(file).read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        return SourceFile(path, None, too_large())
    return SourceFile(path, data)


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    head = file.read(8)
    file.seek(0)
    opener = next((opener for mark, opener in _UNPACK.items() if head.startswith(mark)), None)
    return file if opener is None else opener(file, "rb")


class _Bounded:
    """A stream that ends with an error where it grows out of all proportion."""

    def __init__(self, stream: IO[bytes], packed_bytes: int) -> None:
        self._stream = stream
        self._most = max(LARGE_BYTES, MOST_TIMES_LARGER * packed_bytes)

    def read(self, size: int, /) -> bytes:
        data = self._stream.read(size)
        self._most -= len(data)
        if self._most < 0:
            raise TarError(_BOMB)
        return data


_BOMB = f"unpacks to more than {MOST_TIMES_LARGER} times its size, as an archive made to do harm"


def read_tar(file: IO[bytes], size_bytes: int, skipped: "Counter[str]") -> Iterator[SourceFile]:
    """Yield the records of a tar, packed or not, in its own order; count what is left out.

    Raises:
        one of DAMAGED: the archive is damaged, cut off, or out of all proportion.
    """
    reader = TarReader(_Bounded(_unpacked(file), size_bytes))
    for member in reader:
        name = member.name.removeprefix(b"./")
        if not member.is_file:
            if not member.is_folder:
                skipped["link_or_device"] += 1
            continue
        unwanted = why_not_wanted(name)
        if unwanted is not None:
            skipped[unwanted] += 1
        elif member.size > MAX_FILE_BYTES:
            yield SourceFile(shown(name), None, too_large())
        else:
            yield member_record(shown(name), reader.data(member))


def read_zip(file: IO[bytes], size_bytes: int, skipped: "Counter[str]") -> Iterator[SourceFile]:
    """Yield the records of a zip in the order of its directory; count what is left out.

    A member that is damaged or encrypted comes without its bytes: the others can be read.

    Raises:
        one of DAMAGED: the archive is damaged, or out of all proportion.
    """
    with zipfile.ZipFile(cast("IO[bytes]", _WithRawNames(file))) as archive:
        members = archive.infolist()
        total = sum(member.file_size for member in members)
        if total > max(LARGE_BYTES, MOST_TIMES_LARGER * size_bytes):
            raise zipfile.BadZipFile(_BOMB)
        for member in members:
            name = _zip_name(member)
            unwanted = None if member.is_dir() else why_not_wanted(name)
            if member.is_dir() or unwanted is not None:
                skipped.update([unwanted] if unwanted else [])
            elif member.file_size > MAX_FILE_BYTES:
                yield SourceFile(shown(name), None, too_large())
            elif member.flag_bits & 1:
                yield SourceFile(shown(name), None, "encrypted")
            else:
                yield _zip_member(archive, member, shown(name))


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str) -> SourceFile:
    if member.compress_type not in _ZIP_PIECES:
        how = "bzip2" if member.compress_type == zipfile.ZIP_BZIP2 else "a way that has no bound"
        return SourceFile(path, None, f"packed by {how} within a zip")
    try:
        return member_record(path, _zip_data(archive, member))
    except DAMAGED as error:
        return SourceFile(path, None, f"damaged ({one_line(error)})")


def _zip_data(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a member, unpacking no more than the directory says there are."""
    parts: list[bytes] = []
    left = member.file_size + 1  # one more than there are, behind which the checksum is looked at
    with archive.open(member) as stream:
        while left > 0 and (part := stream.read(min(left, _ZIP_PIECES[member.compress_type]))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)


def member_record(path: str, data: bytes) -> SourceFile:
    """Return a record from the bytes of a file, unpacked where they are packed."""
    opener = next((opener for mark, opener in _UNPACK.items() if data.startswith(mark)), None)
    if opener is None:
        return SourceFile(path, data)
    try:
        return packed_record(path, BytesIO(data))
    except DAMAGED as error:
        return SourceFile(path, None, f"damaged ({one_line(error)})")


class _WithRawNames:
    """A zip whose names zipfile takes for cp437, which any bytes are; it dies of broken UTF-8.

    The flag of UTF-8 is cleared in the directory and in the headers, each of which is read by
    one call.
    """

    _HEADER, _ENTRY = b"PK\x03\x04", b"PK\x01\x02"

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        if size == 30 and data.startswith(self._HEADER):
            return data[:7] + bytes([data[7] & 0xF7]) + data[8:]
        if not data.startswith(self._ENTRY):
            return data
        entries, at = bytearray(data), 0
        while at + 46 <= len(entries) and entries.startswith(self._ENTRY, at):
            entries[at + 9] &= 0xF7
            at += 46 + sum(struct.unpack_from("<HHH", entries, at + 28))
        return bytes(entries)


def _zip_name(member: zipfile.ZipInfo) -> bytes:
    """Return the name as it stands in the archive."""
    return member.orig_filename.encode("cp437", "replace").split(b"\0", 1)[0]
