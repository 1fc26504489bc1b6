"""What a book says of the moves of a position: counts by the patterns round them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["BONUS_CAP", "BONUS_OF_A_COUNT", "LessonTable", "table_of"]

BONUS_OF_A_COUNT = 35.0
BONUS_CAP = 1400.0
"""What a count adds to a move's score of the rule-based player, and the most that all add."""


@dataclass(frozen=True, slots=True)
class LessonTable:
    """Counts of lessons by pattern, in memory."""

    keys: npt.NDArray[np.uint64]  # (n,) sorted, none twice
    counts: npt.NDArray[np.float32]  # (n,) the sum of the lessons' weights

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def digest(self) -> str:
        """SHA-256 of keys and counts."""
        told = hashlib.sha256(self.keys.astype("<u8").tobytes())
        told.update(self.counts.astype("<f4").tobytes())
        return told.hexdigest()

    def counts_of(self, position: Position) -> npt.NDArray[np.float32]:
        """Return what lessons count for each move: (cells + 1,) float32.

        0 for moves that no lesson knows, for illegal ones and for a pass.
        """
        from mariago.lessons.key_kernels import counts_of, pattern_keys

        cells = position.size.cells
        out = np.zeros(cells + 1, np.float32)
        if not len(self.keys):
            return out
        keys = np.empty(cells, np.uint64)
        pattern_keys(position.state, position.legal_mask().view(np.uint8), keys)
        counts_of(keys, self.keys, self.counts, out)
        return out

    def bonus_of(
        self, position: Position, per_count: float = BONUS_OF_A_COUNT, cap: float = BONUS_CAP
    ) -> npt.NDArray[np.float32]:
        """Return each move's bonus, (cells + 1,) float32: ``per_count`` a count, up to ``cap``."""
        return np.minimum(self.counts_of(position) * np.float32(per_count), np.float32(cap))

    def shuffled(self, seed: int) -> LessonTable:
        """Return a table with the same keys and the same counts, dealt out by chance."""
        order = np.random.default_rng(seed).permutation(len(self.counts))
        return LessonTable(self.keys, self.counts[order])


def table_of(taught: Iterable[tuple[int, float]]) -> LessonTable:
    """Return the table of pairs (pattern key, weight); equal keys are added up."""
    pairs = list(taught)
    keys = np.array([key for key, _ in pairs], np.uint64)
    weights = np.array([weight for _, weight in pairs], np.float64)
    known, place = np.unique(keys, return_inverse=True)
    counts = np.bincount(place, weights, minlength=len(known)).astype(np.float32)
    some = counts > 0
    return LessonTable(known[some], counts[some])
