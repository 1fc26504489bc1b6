"""The one way by which the files of a data set are opened: checked, and errors in one line.

A file is compared with the checksum in the manifest once in a process, and again when it changes.
What its columns must be, and the numbers that become places in arrays, are checked too.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mariago.board.points import MAX_SIZE
from mariago.errors import RecordsError
from mariago.records.manifest import GAMES, Manifest
from mariago.records.schema import GAME_SCHEMA, LAST_MOVES, SAMPLE_SCHEMA, packed_length

__all__ = ["StoredFile", "open_games", "open_shard", "read_games"]

AGAIN = "build the data set again"
_SAMPLE_COLUMNS = [field.name for field in SAMPLE_SCHEMA if field.name != "facts"]  # of version 1
# Later columns of games.parquet, which a data set of an earlier version may lack.
_GAME_COLUMNS = GAME_SCHEMA.names[: GAME_SCHEMA.names.index("event") + 1]
_UNREADABLE = (pa.ArrowException, OSError, ValueError, KeyError, TypeError, IndexError)


class StoredFile:
    """An open Parquet file of a data set.

    Raises:
        RecordsError: at any call, when the file is damaged or holds what no game can have.
    """

    def __init__(self, path: Path, schema: pa.Schema, needed: Sequence[str]) -> None:
        self.path = path
        self._expected: list[str] = schema.names
        try:
            self._file: Any = pq.ParquetFile(path)
            self.names: list[str] = self._file.schema_arrow.names
        except _UNREADABLE as error:
            raise self._fault("cannot be read as Parquet") from error
        self.schema: pa.Schema = self._file.schema_arrow
        self.num_rows: int = self._file.metadata.num_rows
        self.num_row_groups: int = self._file.num_row_groups
        for name in needed:
            if name not in self.names:
                raise self._fault(f"has no column {name!r}")
        for field in schema:
            if field.name in self.names:
                held = self.schema.field(field.name).type
                if _kind(held) != _kind(field.type):
                    raise self._fault(f"column {field.name!r} is {held}, not {field.type}")

    def group_rows(self, group: int) -> int:
        """Return the number of rows of a row group."""
        return self._file.metadata.row_group(group).num_rows

    def least_and_most(self, group: int) -> tuple[int, int] | None:
        """Return what the first column lies between in a row group, None where it is not noted."""
        held = self._file.metadata.row_group(group).column(0).statistics
        return None if held is None or not held.has_min_max else (int(held.min), int(held.max))

    def read_row_group(self, group: int, columns: "Sequence[str] | None" = None) -> pa.Table:
        """Return a row group, or some columns of it."""
        try:
            table = self._file.read_row_group(group, self._present(columns))
        except _UNREADABLE as error:
            raise self._fault("cannot be read as Parquet") from error
        return self._filled(self._checked(table), columns)

    def read(self, columns: "Sequence[str] | None" = None) -> pa.Table:
        """Return the whole table, or some columns of it."""
        try:
            table = self._file.read(self._present(columns))
        except _UNREADABLE as error:
            raise self._fault("cannot be read as Parquet") from error
        return self._filled(self._checked(table), columns)

    def iter_batches(self, rows: int) -> Iterator[pa.Table]:
        """Yield tables of so many rows."""
        batches = self._file.iter_batches(rows)
        while True:
            try:
                batch = next(batches, None)
            except _UNREADABLE as error:
                raise self._fault("cannot be read as Parquet") from error
            if batch is None:
                return
            yield self._filled(self._checked(pa.Table.from_batches([batch])), None)

    def _present(self, columns: "Sequence[str] | None") -> "list[str] | None":
        """Return those of the columns that the file has; None for all."""
        if columns is None or "facts" in self.names:
            return None if columns is None else list(columns)
        return [name for name in columns if name != "facts"]

    def _filled(self, table: pa.Table, columns: "Sequence[str] | None") -> pa.Table:
        """Add the column ``facts``, where it was asked for and the file is too old to have it."""
        wanted = self._expected if columns is None else list(columns)
        if "facts" in self.names or "facts" not in wanted:
            return table
        at = wanted.index("facts")
        field = SAMPLE_SCHEMA.field("facts")
        return table.add_column(at, field, pa.nulls(table.num_rows, field.type))

    def _checked(self, table: pa.Table) -> pa.Table:
        fault = _fault_of(table)
        if fault:
            raise self._fault(fault)
        return table

    def _fault(self, what: str) -> RecordsError:
        return RecordsError(what, where=self.path, hint=AGAIN)


def open_shard(manifest: Manifest, path: Path) -> StoredFile:
    """Open a shard of a data set, one of ``manifest.shard_paths``.

    Raises:
        RecordsError: it differs from what the manifest says.
    """
    entry = next(shard for shard in manifest.shards if shard["file"] == path.name)
    return _opened(path, entry, SAMPLE_SCHEMA, _SAMPLE_COLUMNS)


def open_games(manifest: Manifest) -> StoredFile:
    """Open the table of games of a data set.

    Raises:
        RecordsError: it is missing, or differs from what the manifest says.
    """
    return _opened(manifest.folder / GAMES, manifest.games_file, GAME_SCHEMA, _GAME_COLUMNS)


def read_games(manifest: Manifest, columns: "Sequence[str] | None" = None) -> pa.Table:
    """Return the table of games, or some columns of it; see :func:`open_games`."""
    return open_games(manifest).read(columns)


def _opened(
    path: Path, entry: dict[str, Any], schema: pa.Schema, needed: Sequence[str]
) -> StoredFile:
    try:
        held = path.stat()
        digest = _digest(path, held.st_size, held.st_mtime_ns)
    except OSError as error:
        raise RecordsError(f"cannot be read ({error.strerror})", where=path, hint=AGAIN) from error
    if digest != entry.get("sha256", digest):
        raise RecordsError("differs from what the manifest says", where=path, hint=AGAIN)
    file = StoredFile(path, schema, needed)
    if file.num_rows != entry.get("rows", file.num_rows):
        raise RecordsError(
            f"has {file.num_rows:,} rows, and {entry['rows']:,} by the manifest",
            where=path,
            hint=AGAIN,
        )
    return file


@lru_cache(maxsize=65_536)
def _digest(path: Path, size_bytes: int, changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _kind(kind: Any) -> object:
    """Return a type such that two which read alike are equal."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_fixed_size_list(kind):
        return "list", kind.list_size, _kind(kind.value_type)
    if pa.types.is_list(kind):
        return "list", _kind(kind.value_type)
    if pa.types.is_struct(kind):
        return "struct", tuple((field.name, _kind(field.type)) for field in kind)
    return kind


def _fault_of(table: pa.Table) -> str:
    """Return what is wrong with the values of those columns that are there, "" for nothing."""
    names = set(table.column_names)
    schema = GAME_SCHEMA if "path" in names or "first_move" in names else SAMPLE_SCHEMA
    for name in sorted(names & set(schema.names)):
        if not schema.field(name).nullable and table.column(name).null_count:
            return f"column {name!r} has holes"
    if not {"rows", "columns"} <= names:
        return ""
    sides = [table.column(name).to_numpy().astype(np.int64) for name in ("rows", "columns")]
    if any(len(side) and not 1 <= side.min() <= side.max() <= MAX_SIZE for side in sides):
        return "holds a board of a size that cannot be"
    cells = sides[0] * sides[1]
    for name, least in (("move", 0), ("ko", -1), ("first_move", -1)):
        if name in names:
            values = table.column(name).to_numpy()
            if ((values < least) | (values > cells)).any():
                return f"column {name!r} holds a move off the board"
    if "last_moves" in names:
        last = table.column("last_moves").combine_chunks().flatten().to_numpy()
        last = last.reshape(-1, LAST_MOVES)
        if ((last < -1) | (last > cells[:, None])).any():
            return "column 'last_moves' holds a move off the board"
    if "board" in names and len(cells):
        lengths = pc.call_function("binary_length", [table.column("board")]).to_numpy()
        if (lengths != packed_length(cells)).any():
            return "column 'board' holds boards of a wrong length"
    return ""
