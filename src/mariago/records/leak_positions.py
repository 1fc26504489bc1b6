"""Positions that two sides have in common, counted in bounded memory.

The hashes of both sides are gathered in the same buckets, and the buckets are compared one by one.
A position in common is placed by the earlier of its move numbers on the two sides: an opening that
one game reaches at move 29 and another at move 31 is an opening.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mariago.records.buckets import Buckets
from mariago.records.leak_sides import Side

__all__ = ["Bands", "PositionLeaks", "common_positions"]

_ROW_BITS = np.uint64(44)
_NUMBER_BITS = np.uint64(16)
_ROW = np.uint64((1 << 44) - 1)
_NUMBER = np.uint64((1 << 16) - 1)


@dataclass(frozen=True)
class Bands:
    """Ranges of move numbers: up to ``ends[0]``, then up to ``ends[1]``, ..., then the rest."""

    ends: tuple[int, ...]

    @classmethod
    def around(cls, after: int) -> "Bands":
        """Return the usual bands, with a border behind move ``after``."""
        return cls(tuple(sorted({10, after, 60, 100, 150} - {0})))

    def names(self) -> list[str]:
        """Return the bands in words, such as ``11-30``."""
        starts = [1, *(end + 1 for end in self.ends)]
        closed = [f"{a}-{b}" for a, b in zip(starts, self.ends, strict=False)]
        return [*closed, f"{starts[-1]} on"]

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the band of each move number."""
        return np.searchsorted(self.ends, numbers, "left")


@dataclass
class PositionLeaks:
    """What the positions of B have in common with A.

    Attributes:
        rows: rows of B by (split of B, split of A, band) whose position that split of A holds.
        totals: rows of B by (split of B, band of the row's own move number).
        distinct: positions, each once, that both hold, by band.
        first_number: the earlier move number of each row of B whose position is held by those
            splits of A that were asked for, 0 of the others; (rows of B,).
    """

    rows: NDArray[np.int64]
    totals: NDArray[np.int64]
    distinct: NDArray[np.int64]
    first_number: NDArray[np.uint16]


def common_positions(
    a: Side, b: Side, bands: Bands, asked: Sequence[int], scratch: Path, is_one_set: bool = False
) -> PositionLeaks:
    """Compare the positions of all rows of B with those of A.

    Args:
        asked: the splits of A that ``first_number`` is about.
        scratch: a folder for the buckets.
        is_one_set: A and B are one; rows are compared with those of other splits alone.
    """
    of_a, n = _gathered(a, scratch, "a")
    of_b, n = (None, n) if is_one_set else _gathered(b, scratch, "b")
    width = len(bands.ends) + 1
    found = PositionLeaks(
        rows=np.zeros((len(b.splits), len(a.splits), width), np.int64),
        totals=np.zeros((len(b.splits), width), np.int64),
        distinct=np.zeros(width, np.int64),
        first_number=np.zeros(n, np.uint16),
    )
    if of_b is None:
        pairs = ((part, part) for part in of_a.parts())
    else:
        pairs = zip(of_a.parts(), of_b.parts(), strict=True)
    for part_a, part_b in pairs:
        _compare(part_a, part_b, found, bands, asked, is_one_set)
    return found


def _compare(
    part_a: NDArray[np.uint64],
    part_b: NDArray[np.uint64],
    found: PositionLeaks,
    bands: Bands,
    asked: Sequence[int],
    is_one_set: bool,
) -> None:
    """Add what one bucket of each side has in common."""
    hashes = part_b[:, 0]
    rows, numbers, splits = _untagged(part_b[:, 1])
    width = len(bands.ends) + 1
    found.totals += _counted(splits * width + bands.of(numbers), found.totals.shape)
    _, numbers_a, splits_a = _untagged(part_a[:, 1])
    earliest: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
    for split_a in range(found.rows.shape[1]):
        held = splits_a == split_a
        known, first = _earliest(part_a[held, 0], numbers_a[held])
        at = np.searchsorted(known, hashes)
        at[at == len(known)] = 0
        is_held = known[at] == hashes if len(known) else np.zeros(len(hashes), np.bool_)
        if is_one_set:
            is_held &= splits != split_a
        number = np.minimum(first[at[is_held]], numbers[is_held])
        cells = splits[is_held] * width + bands.of(number)
        found.rows[:, split_a] += _counted(cells, found.totals.shape)
        held_hashes = hashes[is_held]
        earliest.append((held_hashes, number))
        if split_a in asked:
            own = found.first_number[rows[is_held]]
            found.first_number[rows[is_held]] = np.where(own == 0, number, np.minimum(own, number))
    joined = (np.concatenate(columns) for columns in zip(*earliest, strict=True))
    _, number = _earliest(*joined)
    found.distinct += np.bincount(bands.of(number), minlength=width)


def _earliest(
    hashes: NDArray[np.uint64], numbers: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return each hash once, sorted, with the earliest of its move numbers."""
    order = np.lexsort((numbers, hashes))
    known, first = np.unique(hashes[order], return_index=True)
    return known, numbers[order][first]


def _untagged(
    tags: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return rows, move numbers and splits."""
    rows, numbers = tags & _ROW, tags >> _ROW_BITS & _NUMBER
    splits = tags >> (_ROW_BITS + _NUMBER_BITS)
    return rows.astype(np.int64), numbers.astype(np.int64), splits.astype(np.int64)


def _counted(cells: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.int64]:
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)


def _gathered(side: Side, scratch: Path, name: str) -> tuple[Buckets, int]:
    buckets, rows = Buckets(scratch, name=name), 0
    for batch in side.positions():
        row = np.arange(rows, rows + len(batch.hashes), dtype=np.uint64)
        numbers = np.minimum(batch.move_number, int(_NUMBER)).astype(np.uint64)
        tags = batch.split.astype(np.uint64) << (_ROW_BITS + _NUMBER_BITS)
        buckets.add(batch.hashes, tags | numbers << _ROW_BITS | row)
        rows += len(row)
    return buckets, rows
