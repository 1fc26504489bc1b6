"""Pairs (hash, tag) in any number, given back bucket by bucket so that equal hashes come together.

Pairs are gathered up to a limit and then sorted into bucket files by bits of the hash. The memory
is the gathered pairs (16 bytes each, and as much again while they are sorted) and one bucket.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mariago.records.repeat_kernels import count_buckets, fill_buckets
from mariago.records.workplace import append_whole

__all__ = ["BUCKETS", "Buckets"]

BUCKET_BITS = 8
BUCKETS = 1 << BUCKET_BITS
GATHERED_MOST = 4 * 2**20  # pairs, 64 MiB


class Buckets:
    """Gathers pairs; ``parts`` gives them back once."""

    def __init__(self, folder: Path, most: int = GATHERED_MOST, name: str = "bucket") -> None:
        self.folder = folder
        self.most = most
        self.name = name
        self._hashes: list[NDArray[np.uint64]] = []
        self._tags: list[NDArray[np.uint64]] = []
        self._gathered = 0
        self._on_disk = False
        for stale in folder.glob(f"{name}-*"):  # of a run that was killed
            stale.unlink()

    def add(self, hashes: NDArray[np.uint64], tags: NDArray[np.uint64]) -> None:
        """Take pairs; both (n,)."""
        self._hashes.append(hashes)
        self._tags.append(tags)
        self._gathered += len(tags)
        if self._gathered >= self.most:
            self._spill()

    def parts(self) -> Iterator[NDArray[np.uint64]]:
        """Yield the pairs (n, 2) of each of the BUCKETS buckets, in the order they were added."""
        records, ends = self._sorted()
        for bucket, end in enumerate(ends):
            part = records[ends[bucket - 1] if bucket else 0 : end]
            if self._on_disk and self._file(bucket).exists():
                earlier = np.fromfile(self._file(bucket), np.uint64).reshape(-1, 2)
                part = np.concatenate([earlier, part])
                self._file(bucket).unlink()
            yield part

    def _file(self, bucket: int) -> Path:
        return self.folder / f"{self.name}-{bucket:03d}"

    def _sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return what is gathered as records (n, 2) by bucket, and where the buckets end."""
        hashes = np.concatenate([np.empty(0, np.uint64), *self._hashes])
        tags = np.concatenate([np.empty(0, np.uint64), *self._tags])
        self._hashes, self._tags, self._gathered = [], [], 0
        ends = np.zeros(BUCKETS, np.int64)
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
                with self._file(bucket).open("ab", buffering=0) as file:
                    append_whole(file, part.data)
