"""A stream of batches for training: planes, globals and targets, mixed, in bounded memory.

Planes come from the store beside the data set (``mariago records planes``) where there is one, else
they are made of the samples on the way, which takes several times as long.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.errors import BadInputError, RecordsError
from mariago.features.planes import PLANES, planes_of_rows
from mariago.records.katago_rows import field_moves
from mariago.records.load import rows_of_table
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.plan import EpochPlan, Pool
from mariago.records.plane_store import PLANES_FOLDER, PlaneStore, stored_rows
from mariago.records.spans import check_split, largest_side
from mariago.records.stored import open_shard
from mariago.records.turns import Turner
from mariago.records.unpack_kernels import turn_planes, unpack

__all__ = ["PlaneBatch", "SampleStream"]

STORE_BLOCK = 1_024  # rows that are read in one piece
STORE_POOL = 131_072  # rows mixed with each other: 150 MB of the file, as the system keeps it
PARQUET_POOL = 262_144  # about 200 bytes each
TWO_POOLS = 2  # threads may still be at one when others begin with the next


class PlaneBatch(NamedTuple):
    """B rows on a field of P x P, boards in the top left corner; all for the side to move."""

    planes: NDArray[np.uint8]  # (B, 22, P, P)
    globals: NDArray[np.float32]  # (B, 19)
    move: NDArray[np.int64]  # (B,) entry of a policy over the field, P * P is a pass
    winner: NDArray[np.float32]  # (B,) 1 won, -1 lost, 0 draw, NaN unknown
    score: NDArray[np.float32]  # (B,) points ahead, NaN unknown
    weight: NDArray[np.float32]  # (B,)
    tactical: NDArray[np.bool_]  # (B,)
    game: NDArray[np.int64]  # (B,) index in games.parquet
    move_number: NDArray[np.int64]  # (B,) from 1


class _Source(Protocol):
    """Where rows come from; blocks are numbered in the order of the split."""

    pad: int
    block_rows: tuple[int, ...]
    pool_rows: int

    def take(
        self, pool: Pool, chosen: NDArray[np.int64], turner: Turner, symmetries: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[Any], NDArray[np.int64]]:
        """Return planes, globals, rows (``plane_store.ROW``) and turns of rows of a pool."""
        ...


@dataclass
class SampleStream:
    """Batches of a split, epoch after epoch; the same seed gives the same batches.

    Iterating yields ``PlaneBatch`` from batch ``at`` of ``epoch`` on, to the end of that epoch;
    both then stand at the beginning of the next. Save ``state()`` beside a
    checkpoint, give it to ``resume`` to go on with the very next batch.

    Attributes:
        folder: the data set.
        batch_rows: rows of a batch. The last one of a pool may be shorter.
        is_mixed: else rows come in the order in which they are stored.
        symmetries: turn each row by one of the eight symmetries, drawn anew every epoch.
        rank, world: this process takes batches rank, rank + world, ... of the epoch. With
            ``world`` above 1 batches that would leave some rank without are left out.
        threads: batches prepared ahead by so many threads; 0 prepares each when it is asked for.
        use_store: True wants stored planes, False makes them, None takes them where they are.
        pool_rows: rows mixed with each other; 0 for the usual number.

    Raises:
        RecordsError: no whole data set, no such split, or no stored planes with ``use_store``.
        BadInputError: numbers that make no sense.
    """

    folder: "str | Path"
    split: str = "train"
    batch_rows: int = 1_024
    seed: int = 0
    is_mixed: bool = True
    symmetries: bool = True
    rank: int = 0
    world: int = 1
    threads: int = 0
    use_store: bool | None = None
    pool_rows: int = 0
    epoch: int = 0
    at: int = 0
    _source: "_Source | None" = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.batch_rows < 1 or self.threads < 0 or self.pool_rows < 0:
            raise BadInputError("rows and threads of a stream are positive numbers")
        if not 0 <= self.rank < self.world:
            raise BadInputError(f"rank {self.rank} of {self.world}", hint="ranks begin at 0")
        check_split(read_manifest(self.folder), self.split)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_source": None}  # maps of files stay in their process

    @property
    def source(self) -> "_Source":
        """The rows behind the stream, opened when first asked for."""
        if self._source is None:
            self._source = _open(Path(self.folder), self.split, self.use_store, self.pool_rows)
        return self._source

    @property
    def pad(self) -> int:
        """The side of the planes: the longest side of any board of the data set."""
        return self.source.pad

    def plan(self, epoch: int | None = None) -> EpochPlan:
        """Return the plan of an epoch, this one's without a number."""
        source = self.source
        return EpochPlan(
            source.block_rows,
            self.batch_rows,
            source.pool_rows,
            self.seed,
            self.epoch if epoch is None else epoch,
            self.is_mixed,
        )

    def __len__(self) -> int:
        """Return the batches of an epoch for this rank."""
        return self.plan().batches // self.world

    def state(self) -> dict[str, int]:
        """Return where the stream stands: the epoch, and the batch that comes next."""
        return {"epoch": self.epoch, "at": self.at, "seed": self.seed, "rows": self.batch_rows}

    def resume(self, state: "dict[str, int]") -> None:
        """Go on where a stream with this state stood.

        Raises:
            BadInputError: it had another seed or other batches.
        """
        if (state["seed"], state["rows"]) != (self.seed, self.batch_rows):
            raise BadInputError(
                "the state is of a stream with another seed or other batches",
                hint=f"seed {state['seed']}, batch_rows {state['rows']}",
            )
        self.epoch, self.at = state["epoch"], state["at"]

    def of_rank(self, rank: int, world: int) -> "SampleStream":
        """Return the same stream for another process."""
        return replace(self, rank=rank, world=world)

    def __iter__(self) -> Iterator[PlaneBatch]:
        for batch in self.part():
            self.step()
            yield batch

    def step(self) -> None:
        """Count one batch as taken."""
        self.at += 1
        if self.at >= len(self):
            self.epoch, self.at = self.epoch + 1, 0

    def part(self, first: int = 0, step: int = 1) -> Iterator[PlaneBatch]:
        """Yield every ``step``-th of the batches that are left of the epoch; count none as taken.

        Several processes that share the work of one rank take ``first`` 0 to ``step`` - 1.
        """
        maker = _Maker(self.source, self.plan(), self.symmetries)
        numbers = range(self.at + first, len(self), step)
        wanted = (number * self.world + self.rank for number in numbers)
        if self.threads == 0:
            yield from map(maker.batch, wanted)
            return
        with ThreadPoolExecutor(self.threads, "batches") as threads:
            waiting: deque[Future[PlaneBatch]] = deque()
            try:
                for number in wanted:
                    waiting.append(threads.submit(maker.batch, number))
                    if len(waiting) > 2 * self.threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for left in waiting:
                    left.cancel()


class _Maker:
    """Makes the batches of one epoch, in any order and from several threads."""

    def __init__(self, source: _Source, plan: EpochPlan, symmetries: bool) -> None:
        self.source = source
        self.plan = plan
        self.symmetries = symmetries
        self._mixed = lru_cache(maxsize=TWO_POOLS)(lambda number: plan.mixed(plan.pools[number]))

    def batch(self, number: int) -> PlaneBatch:
        place = self.plan.place(number)
        pool = place.pool
        chosen = self._mixed(pool.number)[place.start : place.stop]
        n = len(chosen)
        drawn = self.plan.symmetries(number, n) if self.symmetries else np.zeros(n, np.int64)
        turner = Turner(self.source.pad)
        planes, globals_in, rows, turns = self.source.take(pool, chosen, turner, drawn)
        moves = field_moves(rows["move"], rows["rows"], rows["columns"], self.source.pad)
        return PlaneBatch(
            planes=planes.reshape(n, PLANES, self.source.pad, self.source.pad),
            globals=globals_in,
            move=turner.moves(moves, turns),
            winner=np.ascontiguousarray(rows["winner"]),
            score=np.ascontiguousarray(rows["score"]),
            weight=np.ascontiguousarray(rows["weight"]),
            tactical=np.ascontiguousarray(rows["tactical"]),
            game=rows["game"].astype(np.int64),
            move_number=rows["move_number"].astype(np.int64),
        )


def _open(folder: Path, split: str, use_store: bool | None, pool_rows: int) -> _Source:
    manifest = read_manifest(folder)
    if use_store is not False:
        try:
            return _Stored(PlaneStore(folder), split, pool_rows)
        except RecordsError:
            if use_store or (folder / PLANES_FOLDER).exists():
                raise
    return _Made(manifest, split, pool_rows)


class _Stored:
    """Rows of the store of planes, block by block wherever they lie."""

    def __init__(self, store: PlaneStore, split: str, pool_rows: int) -> None:
        self.pad = store.pad
        self.pool_rows = pool_rows or STORE_POOL
        self._shards = [store.arrays(shard) for shard in store.shards(split)]
        blocks = [
            (shard, start, min(start + STORE_BLOCK, len(arrays[2])))
            for shard, arrays in enumerate(self._shards)
            for start in range(0, len(arrays[2]), STORE_BLOCK)
        ]
        self._blocks = np.array(blocks, np.int64).reshape(-1, 3)
        self.block_rows = tuple((self._blocks[:, 2] - self._blocks[:, 1]).tolist())

    def take(
        self, pool: Pool, chosen: NDArray[np.int64], turner: Turner, symmetries: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[Any], NDArray[np.int64]]:
        """Read the chosen rows where they lie; see ``_Source``."""
        blocks = self._blocks[pool.blocks]
        ends = np.cumsum(blocks[:, 2] - blocks[:, 1])
        of = np.searchsorted(ends, chosen, "right")
        starts = ends - (blocks[:, 2] - blocks[:, 1])
        shards, within = blocks[of, 0], chosen - starts[of] + blocks[of, 1]
        n = len(chosen)
        globals_in = np.empty((n, self._shards[0][1].shape[1]), np.float32)
        rows = np.empty(n, self._shards[0][2].dtype)
        for shard in np.unique(shards).tolist():
            members = np.flatnonzero(shards == shard)
            _, shard_globals, shard_rows = self._shards[shard]
            globals_in[members] = shard_globals[within[members]]
            rows[members] = shard_rows[within[members]]
        turns = turner.turns(rows["rows"], rows["columns"], symmetries)
        planes = np.empty((n, PLANES, self.pad * self.pad), np.uint8)
        for shard in np.unique(shards).tolist():
            members = np.flatnonzero(shards == shard)
            packed = self._shards[shard][0]
            if len(members) == n:
                unpack(packed, within, turns, turner.tables, planes)
            else:
                part = np.empty((len(members), *planes.shape[1:]), np.uint8)
                unpack(packed, within[members], turns[members], turner.tables, part)
                planes[members] = part
        return planes, globals_in, rows, turns


class _Made:
    """Rows of the Parquet shards, planes made of them; a block is a row group."""

    def __init__(self, manifest: Manifest, split: str, pool_rows: int) -> None:
        self.pad = largest_side(manifest)
        self.pool_rows = pool_rows or PARQUET_POOL
        files = [open_shard(manifest, path) for path in manifest.shard_paths(split)]
        self._groups = [(file, group) for file in files for group in range(file.num_row_groups)]
        self.block_rows = tuple(file.group_rows(group) for file, group in self._groups)
        self._held: OrderedDict[bytes, pa.Table] = OrderedDict()
        self._lock = threading.Lock()

    def take(
        self, pool: Pool, chosen: NDArray[np.int64], turner: Turner, symmetries: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[Any], NDArray[np.int64]]:
        """Make the planes of the chosen rows; see ``_Source``."""
        rows, targets = rows_of_table(self._table(pool).take(pa.array(chosen)))
        turns = turner.turns(rows.rows, rows.columns, symmetries)
        made, globals_in = planes_of_rows(rows, self.pad)
        planes = made.reshape(len(rows), PLANES, -1)
        turn_planes(planes, turns, turner.tables)
        return planes, globals_in, stored_rows(rows.rows, rows.columns, targets), turns

    def _table(self, pool: Pool) -> pa.Table:
        key = pool.blocks.tobytes()
        with self._lock:
            if key not in self._held:
                while len(self._held) >= TWO_POOLS:
                    self._held.popitem(last=False)
                parts = [self._groups[block] for block in pool.blocks.tolist()]
                tables = [file.read_row_group(group) for file, group in parts]
                joined = pa.concat_tables(tables).unify_dictionaries()
                self._held[key] = joined.combine_chunks()
            return self._held[key]
