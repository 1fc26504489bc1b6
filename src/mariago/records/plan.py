"""The order in which a stream brings the rows of a split: the same for the same seed and epoch.

The split is cut into blocks of neighbouring rows. Each epoch deals the blocks out anew to pools, so
many rows each, and mixes the rows of a pool: so the memory is that of one pool, however large the
data set is. Batch b of an epoch is found without reading the batches before it.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["BatchPlace", "EpochPlan", "Pool"]


@dataclass(frozen=True)
class Pool:
    """Blocks that are mixed with each other; ``first`` is the number of its first batch."""

    blocks: NDArray[np.int64]  # in the order in which the epoch deals them
    rows: int
    first: int
    batches: int
    number: int


@dataclass(frozen=True)
class BatchPlace:
    """Where batch b of an epoch is: in which pool, and which of its mixed rows."""

    pool: Pool
    start: int
    stop: int


@dataclass(frozen=True)
class EpochPlan:
    """The batches of one epoch.

    Attributes:
        block_rows: rows of each block, in the order of the split.
        batch_rows: rows of a batch; the last one of each pool may be shorter.
        pool_rows: a pool is closed when it has so many rows.
        is_mixed: else rows come as they are stored.
    """

    block_rows: tuple[int, ...]
    batch_rows: int
    pool_rows: int
    seed: int
    epoch: int
    is_mixed: bool = True

    @cached_property
    def pools(self) -> list[Pool]:
        """The pools of the epoch, in order."""
        order = np.arange(len(self.block_rows))
        if self.is_mixed:
            order = self._rng(0).permutation(order)
        sizes = np.array(self.block_rows, np.int64)[order]
        # A pool of whole batches loses none; what is over goes to the next pool's blocks.
        pools: list[Pool] = []
        start, first = 0, 0
        ends = np.cumsum(sizes)
        taken = 0
        while start < len(order):
            stop = int(np.searchsorted(ends, taken + self.pool_rows)) + 1
            stop = min(stop, len(order))
            rows = int(ends[stop - 1]) - taken
            batches = -(-rows // self.batch_rows)
            pools.append(Pool(order[start:stop], rows, first, batches, len(pools)))
            first += batches
            taken += rows
            start = stop
        return pools

    @property
    def batches(self) -> int:
        """The number of batches of the epoch."""
        last = self.pools[-1]
        return last.first + last.batches

    def place(self, batch: int) -> BatchPlace:
        """Return where a batch is."""
        firsts = [pool.first for pool in self.pools]
        pool = self.pools[int(np.searchsorted(firsts, batch, "right")) - 1]
        start = (batch - pool.first) * self.batch_rows
        return BatchPlace(pool, start, min(start + self.batch_rows, pool.rows))

    def mixed(self, pool: Pool) -> NDArray[np.int64]:
        """Return the order (rows,) in which the rows of a pool come."""
        if not self.is_mixed:
            return np.arange(pool.rows)
        return self._rng(1, pool.number).permutation(pool.rows)

    def symmetries(self, batch: int, rows: int) -> NDArray[np.int64]:
        """Return a symmetry (rows,) for each row of a batch."""
        return self._rng(2, batch).integers(0, 8, rows)

    def _rng(self, *use: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.epoch, *use])
