"""Repeated positions among any number of rows, in bounded memory.

Pairs (hash, tag) are gathered up to a limit and then sorted into bucket files by bits of the hash;
at the end each bucket is decided on its own, since equal hashes share a bucket. For n rows the
memory is the gathered pairs (16 bytes each, up to the limit, and as much again while they are
sorted), one bucket with its table (about 50 bytes for each of n / 256 rows) and one byte a row of
the result: 200 million rows take about 0.4 GB. Where several answers to a position stay, they take
two bytes a row more.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mariago.records.answer_kernels import resolve_answers
from mariago.records.repeat_kernels import (
    GONE,
    NOT_WINNER,
    ROW_BITS,
    count_buckets,
    fill_buckets,
    make_tags,
    resolve,
)

__all__ = ["LATE_AFTER", "Repeats"]

BUCKET_BITS = 8
GATHERED_MOST = 4 * 2**20  # pairs, 64 MiB
LATE_AFTER = 30  # a position shared between splits after this many moves is a leak


_ROWS = np.uint64((1 << ROW_BITS) - 1)


class Repeats:
    """Gathers the positions of games in order, then says for each row whether it stays."""

    def __init__(self, folder: Path, most: int = GATHERED_MOST) -> None:
        self.folder = folder
        self.most = most
        self.rows = 0
        self._hashes: list[NDArray[np.uint64]] = []
        self._tags: list[NDArray[np.uint64]] = []
        self._gathered = 0
        self._on_disk = False

    def add(
        self,
        hashes: NDArray[np.uint64],
        splits: NDArray[np.uint8],
        first: NDArray[np.int64],
        wanted: "NDArray[np.bool_] | None" = None,
    ) -> None:
        """Take the rows of some games: their hashes (M,), splits (G,) and starts (G + 1,).

        Rows where ``wanted`` (M,) is false take no part and get the code NOT_WINNER.
        """
        tags = np.empty(len(hashes), np.uint64)
        make_tags(splits, first, LATE_AFTER, self.rows, tags)
        self.rows += len(hashes)
        if wanted is not None:
            hashes, tags = hashes[wanted], tags[wanted]
        self._hashes.append(hashes)
        self._tags.append(tags)
        self._gathered += len(tags)
        if self._gathered >= self.most:
            self._spill()

    def codes(
        self,
        gone: "NDArray[np.bool_] | None" = None,
        answers: "NDArray[np.uint16] | None" = None,
        most: int = 1,
    ) -> NDArray[np.uint8]:
        """End the gathering; return for each row KEEP, REPEAT, LEAK, NOT_WINNER or GONE, (rows,).

        Args:
            gone: rows (rows,) of games that are not used after all; they take no part.
            answers: (rows,) with it, the ``most`` commonest answers to a position stay, each with
                its first row; without it, the first row of each position.
        """
        codes = np.full(self.rows, NOT_WINNER, np.uint8)
        if gone is not None:
            codes[gone] = GONE
        records, ends = self._sorted()
        for bucket, end in enumerate(ends):
            part = records[ends[bucket - 1] if bucket else 0 : end]
            if self._on_disk and self._file(bucket).exists():
                earlier = np.fromfile(self._file(bucket), np.uint64).reshape(-1, 2)
                part = np.concatenate([earlier, part])
                self._file(bucket).unlink()
            if gone is not None and len(part):
                part = part[codes[part[:, 1] & _ROWS] != GONE]
            if len(part):
                _decide(part, answers, most, codes)
        return codes

    def _file(self, bucket: int) -> Path:
        return self.folder / f"bucket-{bucket:03d}"

    def _sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return what is gathered as records (n, 2) by bucket, and where the buckets end."""
        hashes = np.concatenate([np.empty(0, np.uint64), *self._hashes])
        tags = np.concatenate([np.empty(0, np.uint64), *self._tags])
        self._hashes, self._tags, self._gathered = [], [], 0
        ends = np.zeros(1 << BUCKET_BITS, np.int64)
        count_buckets(hashes, BUCKET_BITS, ends)
        records = np.empty((len(hashes), 2), np.uint64)
        fill_buckets(hashes, tags, BUCKET_BITS, ends, records)
        return records, ends

    def _spill(self) -> None:
        records, ends = self._sorted()
        self._on_disk = True
        for bucket, end in enumerate(ends):
            part = records[ends[bucket - 1] if bucket else 0 : end]
            if len(part):
                with self._file(bucket).open("ab") as file:
                    part.tofile(file)


def _decide(
    part: NDArray[np.uint64],
    answers: "NDArray[np.uint16] | None",
    most: int,
    codes: NDArray[np.uint8],
) -> None:
    """Write the codes of one bucket's rows."""
    room = 1 << (2 * len(part) - 1).bit_length()
    if answers is None:
        resolve(part, np.empty(room, np.uint64), np.empty(room, np.uint8), codes)
        return
    table, list_of = (np.empty((2, n), np.int32) for n in (room, len(part)))
    resolve_answers(part, answers, most, *table, *list_of, codes)
