"""Tar archives as a stream of members: names as bytes, data in reading order.

Python's tarfile keeps every header it has met, reads extended headers of any length into memory,
takes an archive that was cut off between two members for a whole one, and spends half as long
again on a small file as its game takes to be judged. Formats: V7, ustar, GNU long names, pax
(POSIX.1-2001); sparse files are told apart and not read.
"""

import zlib
from collections.abc import Iterator
from typing import NamedTuple, Protocol

__all__ = ["TarError", "TarMember", "TarReader", "begins_tar"]

BLOCK = 512
MOST_EXTENDED = 2**20  # bytes of a long name or a pax header
_AHEAD = 2**20
_ADLER = 65521
_FILES = b"07\0"
_WITHOUT_DATA = b"123456"  # links, devices, folders and pipes


class TarError(Exception):
    """The stream is no tar archive, or is damaged."""


class Reader(Protocol):
    """A stream of the archive's bytes, unpacked."""

    def read(self, size: int, /) -> bytes: ...


class TarMember(NamedTuple):
    """A member: its name, its bytes, and whether it is a plain file or a folder."""

    name: bytes
    size: int
    is_file: bool
    is_folder: bool


class TarReader:
    """Yields the members; ``data`` reads the one met last, which is skipped otherwise.

    Raises:
        TarError: a damaged header, or an archive that is cut off.
    """

    def __init__(self, stream: Reader) -> None:
        self._stream = stream
        self._ahead = b""
        self._at = 0
        self._left = 0  # bytes of the member and its padding that have not been read

    def __iter__(self) -> Iterator[TarMember]:
        long_name: bytes | None = None
        pax: dict[bytes, bytes] = {}
        while True:
            self._skip(self._left)
            self._left = 0
            header = self._take(BLOCK)
            if header.count(0) == BLOCK:
                self._drain()
                return
            if not _has_checksum(header):
                raise TarError("a damaged header")
            kind = header[156:157]
            size = _number(header[124:136])
            if kind in (b"L", b"K", b"x", b"X", b"g"):
                if size > MOST_EXTENDED:
                    raise TarError(f"a header of {size} bytes")
                data = self._take(size)
                self._skip(-size % BLOCK)
                if kind == b"L":
                    long_name = data.split(b"\0", 1)[0]
                elif kind in b"xX":
                    pax = _pax_records(data)
                continue
            if b"size" in pax:
                size = _decimal(pax[b"size"])
            if kind == b"S":
                self._skip_sparse_map(header)
            name = pax.get(b"path") or long_name or _name(header)
            is_sparse = kind == b"S" or any(key.startswith(b"GNU.sparse.") for key in pax)
            is_folder = kind == b"5" or (kind == b"\0" and name.endswith(b"/"))
            is_file = kind in _FILES and not is_sparse and not is_folder
            has_data = kind not in _WITHOUT_DATA and not is_folder
            long_name, pax = None, {}
            self._left = size + -size % BLOCK if has_data else 0
            yield TarMember(name, size, is_file, is_folder)

    def data(self, member: TarMember) -> bytes:
        """Return the bytes of the member met last."""
        self._left -= member.size
        return self._take(member.size)

    def _take(self, size: int) -> bytes:
        end = self._at + size
        if end <= len(self._ahead):
            data = self._ahead[self._at : end]
            self._at = end
            return data
        parts = [self._ahead[self._at :]]
        have = len(parts[0])
        while have < size:
            part = self._stream.read(_AHEAD)
            if not part:
                raise TarError("cut off")
            parts.append(part)
            have += len(part)
        over = have - size
        self._ahead = parts[-1]
        self._at = len(self._ahead) - over
        return b"".join(parts)[:size]

    def _skip(self, size: int) -> None:
        while size > 0:
            size -= len(self._take(min(size, _AHEAD)))

    def _skip_sparse_map(self, header: bytes) -> None:
        more = header[482]
        while more:
            more = self._take(BLOCK)[504]

    def _drain(self) -> None:
        """Read to the end, so that a packed stream tells whether it is whole."""
        length = len(self._ahead) - self._at
        while part := self._stream.read(_AHEAD):
            length += len(part)
        if length % BLOCK:
            raise TarError("cut off")


def begins_tar(head: bytes) -> bool:
    """Say whether the first bytes of a stream are those of a tar archive."""
    return len(head) >= BLOCK and _has_checksum(head[:BLOCK])


def _has_checksum(header: bytes) -> bool:
    field = header[148:156]
    try:
        told = int(field.strip(b"\0 ").split(b"\0")[0] or b"0", 8)
    except ValueError:
        return False
    # The sum of the bytes with the field itself taken as spaces. The low half of Adler-32 is one
    # more than the sum, modulo 65521, and needs no loop in Python.
    rest = sum(field) - 8 * 32
    if (zlib.adler32(header) & 0xFFFF) == (1 + told + rest) % _ADLER:
        return True
    above = sum(byte > 127 for byte in header)  # old writers add signed bytes
    return bool(above) and sum(header) - rest - 256 * above == told


def _number(field: bytes) -> int:
    """Return a number field: octal digits, or base 256 where the highest bit is set."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    try:
        number = int(field.strip(b"\0 ") or b"0", 8)
    except ValueError:
        raise TarError("a damaged header") from None
    if number < 0:
        raise TarError("a damaged header")
    return number


def _decimal(value: bytes) -> int:
    if not value.isdigit() or len(value) > 18:
        raise TarError("a damaged header")
    return int(value)


def _name(header: bytes) -> bytes:
    name = header[:100].split(b"\0", 1)[0]
    if header[257:263] == b"ustar\0":
        prefix = header[345:500].split(b"\0", 1)[0]
        if prefix:
            return prefix + b"/" + name
    return name


def _pax_records(data: bytes) -> dict[bytes, bytes]:
    """Return the records ``LENGTH KEY=VALUE`` of an extended header."""
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(data) and data[at]:
        digits = data[at : at + 20].split(b" ", 1)[0]
        length = _decimal(digits)
        record = data[at + len(digits) + 1 : at + length]
        key, mark, value = record.partition(b"=")
        if length <= len(digits) or not mark or not record.endswith(b"\n"):
            raise TarError("a damaged header")
        found[key] = value[:-1]
        at += length
    return found
