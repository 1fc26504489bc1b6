"""The one way by which the files of a data set are opened: checked, and errors in one line.

A file is compared with the checksum in the manifest once in a process, and again when it changes.
What its columns must be, and what they may hold, is checked too (``stored_values``).
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mariago.errors import RecordsError
from mariago.records.manifest import GAMES, Manifest
from mariago.records.schema import GAME_SCHEMA, LATER_COLUMNS, SAMPLE_SCHEMA
from mariago.records.stored_values import Limits, fault_of_columns, fault_of_values

__all__ = ["StoredFile", "open_games", "open_shard", "read_games"]

AGAIN = "build the data set again"
_SAMPLE_COLUMNS = [field.name for field in SAMPLE_SCHEMA if field.name not in LATER_COLUMNS]
# Later columns of games.parquet, which a data set of an earlier version may lack.
_GAME_COLUMNS = GAME_SCHEMA.names[: GAME_SCHEMA.names.index("event") + 1]
_UNREADABLE = (pa.ArrowException, OSError, ValueError, KeyError, TypeError, IndexError)


class StoredFile:
    """An open Parquet file of a data set.

    Raises:
        RecordsError: at any call, when the file is damaged or holds what no game can have.
    """

    def __init__(
        self, path: Path, schema: pa.Schema, needed: Sequence[str], limits: Limits
    ) -> None:
        self.path = path
        self._form, self._limits = schema, limits
        self._expected: list[str] = schema.names
        try:
            self._file: Any = pq.ParquetFile(path)
            self.names: list[str] = self._file.schema_arrow.names
        except _UNREADABLE as error:
            raise self._fault("cannot be read as Parquet") from error
        self.schema: pa.Schema = self._file.schema_arrow
        self.num_rows: int = self._file.metadata.num_rows
        self.num_row_groups: int = self._file.num_row_groups
        fault = fault_of_columns(self.schema, schema, needed)
        if fault:
            raise self._fault(fault)

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
        start = sum(self.group_rows(before) for before in range(group))
        return self._filled(self._checked(table, start), columns)

    def read(self, columns: "Sequence[str] | None" = None) -> pa.Table:
        """Return the whole table, or some columns of it."""
        try:
            table = self._file.read(self._present(columns))
        except _UNREADABLE as error:
            raise self._fault("cannot be read as Parquet") from error
        return self._filled(self._checked(table), columns)

    def iter_batches(self, rows: int) -> Iterator[pa.Table]:
        """Yield tables of so many rows."""
        batches, start = self._file.iter_batches(rows), 0
        while True:
            try:
                batch = next(batches, None)
            except _UNREADABLE as error:
                raise self._fault("cannot be read as Parquet") from error
            if batch is None:
                return
            table = self._checked(pa.Table.from_batches([batch]), start)
            start += table.num_rows
            yield self._filled(table, None)

    def _present(self, columns: "Sequence[str] | None") -> "list[str] | None":
        """Return those of the columns that the file has; None for all."""
        if columns is None:
            return None
        lacking = set(LATER_COLUMNS) - set(self.names)
        return [name for name in columns if name not in lacking]

    def _filled(self, table: pa.Table, columns: "Sequence[str] | None") -> pa.Table:
        """Add the later columns that were asked for and that the file is too old to have."""
        wanted = self._expected if columns is None else list(columns)
        for at, name in enumerate(wanted):
            if name in LATER_COLUMNS and name not in self.names:
                field = SAMPLE_SCHEMA.field(name)
                table = table.add_column(at, field, pa.nulls(table.num_rows, field.type))
        return table

    def _checked(self, table: pa.Table, start: int = 0) -> pa.Table:
        try:
            fault = fault_of_values(table, self._form, self._limits, start)
        except _UNREADABLE as error:
            raise self._fault("holds what cannot be read") from error
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
    return _opened(path, entry, SAMPLE_SCHEMA, _SAMPLE_COLUMNS, _limits(manifest, False))


def open_games(manifest: Manifest) -> StoredFile:
    """Open the table of games of a data set.

    Raises:
        RecordsError: it is missing, or differs from what the manifest says.
    """
    limits = _limits(manifest, True)
    return _opened(manifest.folder / GAMES, manifest.games_file, GAME_SCHEMA, _GAME_COLUMNS, limits)


def _limits(manifest: Manifest, is_games: bool) -> Limits:
    """Return what the tables of a data set count on; an early manifest does not tell the games."""
    games = manifest.games_file.get("rows")
    if games is None:
        try:
            games = pq.read_metadata(manifest.folder / GAMES).num_rows
        except _UNREADABLE as error:
            raise RecordsError(
                "cannot be read as Parquet", where=manifest.folder / GAMES, hint=AGAIN
            ) from error
    return Limits(is_games, int(games), len(manifest.sources))


def read_games(manifest: Manifest, columns: "Sequence[str] | None" = None) -> pa.Table:
    """Return the table of games, or some columns of it; see :func:`open_games`."""
    return open_games(manifest).read(columns)


def _opened(
    path: Path, entry: dict[str, Any], schema: pa.Schema, needed: Sequence[str], limits: Limits
) -> StoredFile:
    try:
        held = path.stat()
        digest = _digest(path, held.st_size, held.st_mtime_ns)
    except OSError as error:
        raise RecordsError(f"cannot be read ({error.strerror})", where=path, hint=AGAIN) from error
    if digest != entry.get("sha256", digest):
        raise RecordsError("differs from what the manifest says", where=path, hint=AGAIN)
    file = StoredFile(path, schema, needed, limits)
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
