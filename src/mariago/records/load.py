"""Samples back from a data set: all at once, or batch by batch for sets larger than memory."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.board.points import WHITE
from mariago.errors import RecordsError
from mariago.features.rows import RULE_NAMES, Rows
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.schema import (
    LAST_MOVES,
    SPLITS,
    TACTICAL_COLUMNS,
    UNKNOWN_WINNER,
    packed_length,
)
from mariago.records.stored import open_shard
from mariago.sgf.conversion import DEFAULT_RULES

__all__ = ["Batch", "Targets", "iter_batches", "load_rows", "read_table", "rows_of_table"]

MIXED_ROWS = 524_288  # rows that iter_batches mixes at a time

# Each byte of a packed board as four colours.
_POINTS = np.stack([np.arange(256, dtype=np.uint8) >> 2 * k & 3 for k in range(4)], axis=1)


@dataclass(frozen=True)
class Targets:
    """What is to be learnt from B rows; values and scores are for the side to move."""

    move: NDArray[np.int16]  # (B,) the move played, rows * columns for a pass
    winner: NDArray[np.float32]  # (B,) 1 won, -1 lost, 0 draw, NaN unknown
    score: NDArray[np.float32]  # (B,) points ahead at the end, NaN unknown
    weight: NDArray[np.float32]  # (B,)
    tactical: NDArray[np.bool_]  # (B,) the move takes, saves, gives atari or walks into it
    game: NDArray[np.uint32]  # (B,) index in games.parquet
    move_number: NDArray[np.int16]  # (B,) from 1

    def __len__(self) -> int:
        return len(self.move)

    def take(self, indices: "NDArray[Any]") -> "Targets":
        """Return the targets at ``indices``, in that order."""
        return Targets(**{f.name: getattr(self, f.name)[indices] for f in fields(self)})


class Batch(NamedTuple):
    """Positions and what is to be learnt from them."""

    rows: Rows
    targets: Targets


def load_rows(
    folder: "str | Path",
    split: str = "train",
    limit: int | None = None,
    rng: "np.random.Generator | None" = None,
) -> Batch:
    """Return the samples of a split as (rows, targets), unpacked in memory (about 500 bytes each).

    Args:
        limit: at most so many: with ``rng`` chosen at random, else the first.
        rng: also mixes their order.

    Raises:
        RecordsError: no whole data set, or no such split.
    """
    return rows_of_table(read_table(folder, split, limit=limit, rng=rng))


def read_table(
    folder: "str | Path",
    split: str = "train",
    columns: "list[str] | None" = None,
    limit: int | None = None,
    rng: "np.random.Generator | None" = None,
) -> pa.Table:
    """Return the stored columns of a split; ``limit`` and ``rng`` as in ``load_rows``."""
    manifest = read_manifest(folder)
    total = _total(manifest, split)
    wanted = total if limit is None else min(limit, total)
    chosen = np.arange(wanted)
    if rng is not None:
        chosen = np.sort(rng.choice(total, wanted, replace=False))
    parts: list[pa.Table] = []
    start = 0
    for path in manifest.shard_paths(split):
        file = open_shard(manifest, path)
        for group in range(file.num_row_groups):
            stop = start + file.group_rows(group)
            a, b = np.searchsorted(chosen, [start, stop])
            if a < b:
                parts.append(file.read_row_group(group, columns).take(chosen[a:b] - start))
            start = stop
    table = pa.concat_tables(parts)
    return table if rng is None else table.take(rng.permutation(wanted))


def iter_batches(
    folder: "str | Path",
    split: str = "train",
    batch_rows: int = 1024,
    rng: "np.random.Generator | None" = None,
    mixed_rows: int = MIXED_ROWS,
) -> Iterator[Batch]:
    """Yield the samples of a split once, ``batch_rows`` at a time; the last batch may be shorter.

    With ``rng`` row groups come in random order and ``mixed_rows`` rows at a time are mixed while
    they are packed, about 200 bytes each.
    """
    manifest = read_manifest(folder)
    _total(manifest, split)
    files = [open_shard(manifest, path) for path in manifest.shard_paths(split)]
    groups = [(file, group) for file in files for group in range(file.num_row_groups)]
    order = np.arange(len(groups)) if rng is None else rng.permutation(len(groups))
    waiting: list[pa.Table] = []
    n_waiting = 0
    for at in order:
        file, group = groups[at]
        waiting.append(file.read_row_group(group))
        n_waiting += waiting[-1].num_rows
        if n_waiting >= (mixed_rows if rng is not None else batch_rows):
            table = pa.concat_tables(waiting)
            # Without mixing a batch may go on into the next group; with it, too.
            end = n_waiting - n_waiting % batch_rows
            if rng is not None:
                table = table.take(rng.permutation(n_waiting))
            yield from _batches(table.slice(0, end), batch_rows)
            waiting, n_waiting = [table.slice(end)], n_waiting - end
    table = pa.concat_tables(waiting)
    if rng is not None:
        table = table.take(rng.permutation(n_waiting))
    yield from _batches(table, batch_rows)


def _batches(table: pa.Table, batch_rows: int) -> Iterator[Batch]:
    for start in range(0, table.num_rows, batch_rows):
        yield rows_of_table(table.slice(start, batch_rows))


def _total(manifest: Manifest, split: str) -> int:
    total = manifest.samples(split)
    if split not in SPLITS or total == 0:
        held = ", ".join(f"{name} {manifest.samples(name)}" for name in SPLITS)
        raise RecordsError(
            f"no samples in split {split!r}", where=manifest.folder, hint=f"there are: {held}"
        )
    return total


def rows_of_table(table: pa.Table) -> Batch:
    """Return stored samples as rows and targets; unknown rules become Chinese, as for games."""
    numbers = {
        name: _numbers(table, name)
        for name in ("rows", "columns", "to_move", "ko", "move", "handicap_bonus", "winner")
    }
    banned, banned_offsets = _lists(table, "superko_banned")
    taken1, taken1_offsets = _lists(table, "taken_1")
    taken2, taken2_offsets = _lists(table, "taken_2")
    rows = Rows(
        board=_boards(table, numbers["rows"], numbers["columns"]),
        rows=numbers["rows"],
        columns=numbers["columns"],
        to_move=numbers["to_move"],
        ko=numbers["ko"],
        banned_offsets=banned_offsets,
        banned=banned,
        last_moves=_flat(table, "last_moves").reshape(-1, LAST_MOVES),
        taken1_offsets=taken1_offsets,
        taken1=taken1,
        taken2_offsets=taken2_offsets,
        taken2=taken2,
        komi=_floats(table, "komi"),
        handicap_bonus=numbers["handicap_bonus"],
        stone_lead=_stone_leads(table, numbers["to_move"]),
        rules=_rules(table),
    )
    return Batch(rows, _targets(table, numbers))


def _targets(table: pa.Table, numbers: dict[str, NDArray[Any]]) -> Targets:
    winner, to_move = numbers["winner"], numbers["to_move"]
    sign = np.where(to_move == 1, np.float32(1), np.float32(-1))
    value = np.where(winner == to_move, np.float32(1), np.float32(-1))
    value[winner == 0] = 0
    value[winner == UNKNOWN_WINNER] = np.nan
    tactical = np.zeros(len(winner), np.bool_)
    for name in TACTICAL_COLUMNS:
        tactical |= _numbers(table, name) > 0
    return Targets(
        move=numbers["move"],
        winner=value,
        score=_floats(table, "score") * sign,
        weight=_numbers(table, "weight"),
        tactical=tactical,
        game=_numbers(table, "game"),
        move_number=_numbers(table, "move_number"),
    )


def _numbers(table: pa.Table, name: str) -> NDArray[Any]:
    return table.column(name).combine_chunks().to_numpy(zero_copy_only=False)


def _floats(table: pa.Table, name: str) -> NDArray[np.float32]:
    """Return a column whose nulls become NaN."""
    return _numbers(table, name).astype(np.float32, copy=False)


def _stone_leads(table: pa.Table, to_move: NDArray[Any]) -> NDArray[np.int16]:
    """Return the column; where an old data set lacks it, what it is if nobody ever passed."""
    told = _floats(table, "stone_lead")
    handicap = _numbers(table, "handicap").astype(np.int16)
    white_to_move = to_move == WHITE
    usual = np.where(handicap >= 2, handicap + white_to_move - 1, white_to_move)
    return np.where(np.isnan(told), usual, told).astype(np.int16)


def _flat(table: pa.Table, name: str) -> NDArray[Any]:
    return table.column(name).combine_chunks().flatten().to_numpy(zero_copy_only=False)


def _lists(table: pa.Table, name: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the values of a column of lists behind each other, and where each list starts."""
    column = table.column(name).combine_chunks()
    offsets = column.offsets.to_numpy().astype(np.int64)
    return column.flatten().to_numpy(), offsets - offsets[0]


def _rules(table: pa.Table) -> NDArray[np.uint8]:
    column = table.column("rules").combine_chunks()
    names = column.dictionary.to_pylist()
    code_of = [RULE_NAMES.index(name) for name in names]
    codes = np.array([*code_of, RULE_NAMES.index(DEFAULT_RULES)], np.uint8)
    return codes[column.indices.fill_null(len(names)).to_numpy()]


def _boards(
    table: pa.Table, rows: NDArray[np.uint8], columns: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return the boards (B, cells of the largest), short ones filled up with zeros."""
    cells = rows.astype(np.int64) * columns
    width = int(cells.max(initial=0))
    boards = np.zeros((len(cells), width), np.uint8)
    column = table.column("board").combine_chunks()
    packed = np.frombuffer(column.buffers()[2] or b"", np.uint8)
    ends = np.frombuffer(column.buffers()[1], np.int32)[column.offset :][: len(cells) + 1]
    for count in np.unique(cells):
        which = np.flatnonzero(cells == count)
        length = packed_length(int(count))
        at = ends[which].astype(np.int64)[:, None] + np.arange(length)
        boards[which, :count] = _POINTS[packed[at]].reshape(len(which), -1)[:, :count]
    return boards
