"""KataGo's training files (``.npz``) read in pieces: what a file says of itself first, then rows.

A file is a zip of ``.npy`` members. Names, types and shapes are looked at before anything else is
unpacked; no more than some thousands of rows are unpacked at a time, so that a file of any size,
or one that is made to do harm, takes little memory.
"""

import hashlib
import os
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from math import prod
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from mariago.errors import BadInputError
from mariago.records.archives import DAMAGED
from mariago.records.katago_format import (
    ROWS_AT_ONCE,
    Head,
    array_problems,
    problems_of_rows,
    side_of,
)
from mariago.records.katago_ranges import first_impossible
from mariago.words.faults import one_line

__all__ = ["NEEDED", "KatagoFile"]

MOST_BYTES = 8 * 2**30  # of a file's arrays; KataGo's shuffler writes half a GiB
HEADER_BYTES = 16_384
NEEDED = ("binaryInputNCHWPacked", "globalInputNC", "policyTargetsNCMove", "globalTargetsNC")
_HINT = "written by KataGo with inputs version 7, or by mariago records export"
_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # as NumPy packs; others have no bound
_Arrays = dict[str, NDArray[Any]]


class _Member(NamedTuple):
    """An array of the file, and where in its member its numbers start."""

    info: zipfile.ZipInfo
    head: Head
    start: int

    @property
    def size_bytes(self) -> int:
        return prod(self.head.shape) * self.head.kind.itemsize


class KatagoFile:
    """An open training file, whose names, types, shapes and sizes are in order.

    ``rows`` is their number, ``sha256`` that of the file.

    Raises:
        BadInputError: at any call, when it is no training file with V7 inputs, or damaged; says
            which array.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise BadInputError(f"cannot be read ({one_line(error)})", where=path) from error
        try:
            self.sha256 = hashlib.file_digest(self._file, "sha256").hexdigest()
            self.size_bytes = os.fstat(self._file.fileno()).st_size
            self._zip = zipfile.ZipFile(self._file)
            self._members = self._looked_at()
        except DAMAGED as error:
            self._file.close()
            raise self._fault(f"cannot be read ({one_line(error)})") from error
        except BaseException:
            self._file.close()
            raise
        self.rows = self._members["globalInputNC"].head.shape[0]
        self.pad = side_of(self._members["policyTargetsNCMove"].head.shape)

    def __enter__(self) -> "KatagoFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def checked_parts(self) -> Iterator[_Arrays]:
        """Yield all arrays, some thousands of rows at a time, once they are found in order.

        Raises:
            BadInputError: also for a number that no game can have; says which row.
        """
        start = 0
        for arrays in self.parts(list(self._members)):
            rows = len(arrays["globalInputNC"])
            problems = problems_of_rows(arrays, self.pad) if rows else []
            if problems:
                raise self._fault(
                    f"no training file: {problems[0]} (rows {start} to {start + rows - 1})"
                )
            impossible = first_impossible(arrays, start)
            if impossible:
                raise self._fault(impossible)
            yield {name: arrays[name] for name in NEEDED}
            start += rows

    def parts(self, names: Sequence[str] = NEEDED) -> Iterator[_Arrays]:
        """Yield arrays, some thousands of rows at a time; at least one part, which may be empty."""
        members = {name: self._members[name] for name in names}
        streams = {name: self._opened(name, member) for name, member in members.items()}
        for start in range(0, max(self.rows, 1), ROWS_AT_ONCE):
            rows = min(ROWS_AT_ONCE, self.rows - start)
            arrays: _Arrays = {}
            for name, member in members.items():
                shape = (rows, *member.head.shape[1:])
                size = prod(shape) * member.head.kind.itemsize
                data = self._read(name, streams[name], size)
                if len(data) < size:
                    raise self._fault(f"array {name} is cut off")
                arrays[name] = np.frombuffer(data, member.head.kind).reshape(shape)
            if start + rows >= self.rows:
                for name, stream in streams.items():
                    self._read(name, stream, 1)  # its checksum is looked at behind its end
            yield arrays

    # -- what the file says of itself ------------------------------------------------------

    def _looked_at(self) -> dict[str, _Member]:
        """Return the members by the names of their arrays."""
        members: dict[str, _Member] = {}
        infos = self._zip.infolist()
        names = [info.filename.removesuffix(".npy") for info in infos]
        self._refuse(array_problems(names))
        for name, info in zip(names, infos, strict=True):
            members[name] = self._member(name, info)
        heads = {name: member.head for name, member in members.items()}
        self._refuse(array_problems(names, heads))
        total = sum(member.size_bytes for member in members.values())
        if total > MOST_BYTES:
            raise self._fault(
                f"its arrays take {total / 2**30:,.0f} GiB, more than {MOST_BYTES >> 30}"
            )
        for name, (info, _, start) in members.items():
            told = start + members[name].size_bytes
            if info.file_size != told:
                raise self._fault(
                    f"array {name} holds {info.file_size:,} bytes, by its header {told:,}"
                )
        return members

    def _member(self, name: str, info: zipfile.ZipInfo) -> _Member:
        if info.flag_bits & 1:
            raise self._fault(f"array {name} is encrypted")
        if info.compress_type not in _PACKINGS:
            raise self._fault(
                f"array {name} is packed by method {info.compress_type}, which NumPy does not use"
            )
        try:
            with self._zip.open(info) as stream:
                head = BytesIO(stream.read(HEADER_BYTES))
            shape, is_fortran, kind = _READERS[npy.read_magic(head)](head)
        except (*DAMAGED, KeyError, TypeError, SyntaxError, MemoryError) as error:
            raise self._fault(
                f"array {name} has no header of NumPy's ({one_line(error)})"
            ) from error
        if is_fortran:
            raise self._fault(f"array {name} is stored column by column")
        return _Member(info, Head(shape, kind), head.tell())

    def _refuse(self, problems: list[str]) -> None:
        if problems:
            raise self._fault(f"no training file: {problems[0]}")

    # -- bytes -----------------------------------------------------------------------------

    def _opened(self, name: str, member: _Member) -> IO[bytes]:
        try:
            stream = self._zip.open(member.info)
        except DAMAGED as error:
            raise self._fault(f"array {name} is damaged ({one_line(error)})") from error
        self._read(name, stream, member.start)
        return stream

    def _read(self, name: str, stream: IO[bytes], size: int) -> bytes:
        try:
            return stream.read(size)
        except DAMAGED as error:
            raise self._fault(f"array {name} is damaged ({one_line(error)})") from error

    def _fault(self, what: str) -> BadInputError:
        return BadInputError(what, where=self.path, hint=_HINT)
