"""The two sides of a comparison: a data set, or records that no data set has been made of.

Both give the same: numbers of their games, the moves of some of them on demand, and the hashes of
their positions with move number and split, a batch at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.errors import BadInputError
from mariago.records.duplicate_kernels import KEYS
from mariago.records.duplicates import keys_of
from mariago.records.intake import take_in
from mariago.records.manifest import MANIFEST, Manifest, read_manifest
from mariago.records.played import Played, read_spooled
from mariago.records.schema import SPLITS
from mariago.records.sources import open_source
from mariago.records.spool import Spool, SpooledGames
from mariago.records.stored import open_games, open_shard
from mariago.records.workplace import append_whole

__all__ = ["Positions", "Side", "SideGames", "open_side"]

FILES_AT_ONCE = 512
_GAME_COLUMNS = ("game_id", "split", "rows", "columns", "moves", "move_list", "color_list")
_PLACE = ("source", "path", "index_in_file")
_NAMES = ("black", "white", "date", "result")


class Positions(NamedTuple):
    """Positions of n rows."""

    hashes: NDArray[np.uint64]  # (n,)
    move_number: NDArray[np.int64]  # (n,) from 1
    game: NDArray[np.int64]  # (n,)
    split: NDArray[np.uint8]  # (n,) index into ``Side.splits``


@dataclass(frozen=True)
class SideGames:
    """The games of a side."""

    identities: NDArray[np.uint64]  # (G,)
    split: NDArray[np.uint8]  # (G,) index into ``Side.splits``
    moves: NDArray[np.int64]  # (G,)
    cells: NDArray[np.int64]  # (G,) points of the board
    keys: NDArray[np.uint64]  # (G, 8), see ``duplicates.keys_of``; 0 where moves are not known
    take: Callable[[NDArray[np.int64]], Played]
    knows_moves: bool

    def __len__(self) -> int:
        return len(self.identities)


class Side(Protocol):
    """A data set, or records; ``splits`` are the names of its parts.

    ``kind`` is ``data set`` or ``records``. ``samples`` are the rows of each split, known for
    records once they have been read.
    """

    path: str
    kind: str
    splits: tuple[str, ...]
    samples: list[int]

    def games(self) -> SideGames:
        """Return the games; reads them where that has not been done."""
        ...

    def positions(self) -> Iterator[Positions]:
        """Yield all positions, row by row in a fixed order."""
        ...

    def places(self, games: NDArray[np.int64]) -> list[dict[str, Any]]:
        """Return where some games (sorted) stand, and who played them."""
        ...


def open_side(path: "str | Path", folder: Path) -> Side:
    """Open a data set, or records as ``sources.open_source`` takes them.

    Args:
        folder: where read records are kept for the time of the comparison.

    Raises:
        BadInputError: there is nothing of the kind at ``path``.
        RecordsError: a data set that is not whole, or whose schema is not known here.
    """
    place = Path(path)
    if (place / MANIFEST).is_file():
        return _DataSet(place)
    return _Records(place, folder)


class _DataSet:
    def __init__(self, place: Path) -> None:
        self.path, self.kind = str(place), "data set"
        self.splits: tuple[str, ...] = SPLITS
        self.manifest: Manifest = read_manifest(place)
        self.samples = [self.manifest.samples(split) for split in SPLITS]

    def games(self) -> SideGames:
        file = open_games(self.manifest)
        held = [name for name in (*_GAME_COLUMNS, "setup_list") if name in file.names]
        knows_moves = "setup_list" in held
        numbers: list[tuple[NDArray[Any], ...]] = []
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, held)
            known = np.zeros(len(table), np.bool_)
            keys = np.zeros((len(table), KEYS), np.uint64)
            if knows_moves:
                known = table.column("move_list").is_valid().to_numpy()
                keys = keys_of(_played_of(table))
            ids = [int(text, 16) for text in table.column("game_id").to_pylist()]
            split = table.column("split").cast(pa.string()).to_pylist()
            cells = table.column("rows").to_numpy().astype(np.int64)
            cells *= table.column("columns").to_numpy()
            moves = table.column("moves").to_numpy().astype(np.int64)
            codes = np.array([SPLITS.index(name) for name in split], np.uint8)
            numbers.append((np.array(ids, np.uint64), codes, moves, cells, keys, known))
        ids, splits, moves, cells, keys, known = (
            np.concatenate(parts) for parts in zip(*numbers, strict=True)
        )
        return SideGames(ids, splits, moves, cells, keys, self._take, bool(known.all()))

    def _take(self, games: NDArray[np.int64]) -> Played:
        held = open_games(self.manifest).names
        wanted = ("rows", "columns", "move_list", "color_list", "setup_list")
        return _played_of(self._rows(games, [name for name in wanted if name in held]))

    def _rows(self, games: NDArray[np.int64], columns: Sequence[str]) -> pa.Table:
        """Return the rows of some games (sorted), reading one row group at a time."""
        file = open_games(self.manifest)
        parts: list[pa.Table] = [file.schema.empty_table().select(columns)]
        start = 0
        for group in range(file.num_row_groups):
            stop = start + file.group_rows(group)
            a, b = np.searchsorted(games, [start, stop])
            if a < b:
                rows = file.read_row_group(group, list(columns))
                parts.append(rows.select(columns).take(games[a:b] - start))
            start = stop
        return pa.concat_tables(parts, promote_options="permissive")

    def positions(self) -> Iterator[Positions]:
        columns = ["position_hash", "move_number", "game"]
        for code, split in enumerate(SPLITS):
            for path in self.manifest.shard_paths(split):
                file = open_shard(self.manifest, path)
                for group in range(file.num_row_groups):
                    table = file.read_row_group(group, columns)
                    hashes, numbers, game = (table.column(name).to_numpy() for name in columns)
                    splits = np.full(len(hashes), code, np.uint8)
                    yield Positions(hashes, numbers.astype(np.int64), game.astype(np.int64), splits)

    def places(self, games: NDArray[np.int64]) -> list[dict[str, Any]]:
        found = self._rows(games, [*_PLACE, *_NAMES]).to_pylist()
        sources = [source["path"] for source in self.manifest.sources]
        return [place | {"source": sources[place["source"]]} for place in found]


class _Records:
    """Records are read once, into a spool; the hashes of their positions are kept beside it."""

    def __init__(self, place: Path, folder: Path) -> None:
        self.path, self.kind = str(place), "records"
        self.splits: tuple[str, ...] = ("records",)
        self.samples = [0]
        self._source = open_source(place)
        self._folder = folder
        self._is_read = False

    def _read(self) -> None:
        if self._is_read:
            return
        self._is_read = True
        self._folder.mkdir(parents=True, exist_ok=True)
        spool = Spool(self._folder)
        with (self._folder / "hashes.bin").open("wb", buffering=0) as file:
            files = self._source.read()
            while batch := list(islice(files, FILES_AT_ONCE)):
                intake = take_in(batch, None, False)
                append_whole(file, intake.hashes.data)
                spool.add(intake, np.zeros(len(intake.facts), np.uint8), [0] * len(intake.facts))
                self.samples[0] += len(intake.hashes)
        spool.close()
        if not self.samples[0]:
            raise BadInputError(
                "no data set, and no game that could be used",
                where=self.path,
                hint="name a data set made by mariago records build, or SGF records",
            )

    def games(self) -> SideGames:
        self._read()
        spool = SpooledGames(self._folder)
        numbers = np.array(spool.numbers)

        def take(games: NDArray[np.int64]) -> Played:
            return read_spooled(spool, games)

        starts = range(0, len(numbers), FILES_AT_ONCE)
        keys = [
            keys_of(take(np.arange(start, min(start + FILES_AT_ONCE, len(numbers)))))
            for start in starts
        ]
        return SideGames(
            identities=numbers["identity"],
            split=numbers["split"],
            moves=numbers["length"].astype(np.int64),
            cells=numbers["rows"].astype(np.int64) * numbers["columns"],
            keys=np.concatenate(keys),
            take=take,
            knows_moves=True,
        )

    def positions(self) -> Iterator[Positions]:
        self._read()
        numbers = np.array(SpooledGames(self._folder).numbers)
        with (self._folder / "hashes.bin").open("rb") as file:
            for start in range(0, len(numbers), FILES_AT_ONCE):
                lengths = numbers["length"][start : start + FILES_AT_ONCE].astype(np.int64)
                ends = np.cumsum(lengths, dtype=np.int64)
                total = int(ends[-1])
                hashes = np.fromfile(file, np.uint64, total)
                number = np.arange(total) - np.repeat(ends - lengths, lengths) + 1
                game = np.repeat(np.arange(start, start + len(lengths)), lengths)
                yield Positions(hashes, number, game, np.zeros(total, np.uint8))

    def places(self, games: NDArray[np.int64]) -> list[dict[str, Any]]:
        spool = SpooledGames(self._folder)
        wanted = np.zeros(len(spool.numbers), np.bool_)
        wanted[games] = True
        found: list[dict[str, Any]] = []
        for batch in spool.texts(wanted):
            found += batch.select([*_PLACE, *_NAMES]).to_pylist()
        return [place | {"source": self.path} for place in found]


def _played_of(table: pa.Table) -> Played:
    """Return the moves of rows of ``games.parquet``; a row without moves is a game without any."""
    first, moves = _flat(table, "move_list")
    _, colors = _flat(table, "color_list")
    setup_first, setup = _flat(table, "setup_list")
    return Played(
        rows=table.column("rows").to_numpy().astype(np.int64),
        columns=table.column("columns").to_numpy().astype(np.int64),
        first=first,
        colors=colors.astype(np.uint8),
        moves=moves.astype(np.int16),
        setup_first=setup_first // 3,
        setup=setup.astype(np.int16).reshape(-1, 3),
    )


def _flat(table: pa.Table, name: str) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return where the lists of a column start, (rows + 1,), and their values in one array.

    A column that is not there, in a data set of an earlier version, is one of empty lists.
    """
    if name not in table.column_names:
        return np.zeros(len(table) + 1, np.int64), np.empty(0, np.int64)
    lists: Any = table.column(name).combine_chunks()
    lengths = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return starts, lists.flatten().to_numpy()
