"""What is thought of positions: the answer of an evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Evaluations", "joined", "mean_of"]

Array = npt.NDArray[Any]


class Evaluations(NamedTuple):
    """What is thought of B positions of one size, all for the side to move."""

    policy: Array
    """(B, rows * columns + 1), not negative, last is pass; illegal moves are taken out by the
    search."""
    value: Array
    """(B,) in [-1, 1]."""
    score: Array | None = None
    """(B,) lead in points, komi included."""
    ownership: Array | None = None
    """(B, rows, columns) in [-1, 1]."""

    def part(self, first: int, last: int) -> Evaluations:
        """Return those from ``first`` to before ``last``; a view."""
        return Evaluations(
            self.policy[first:last],
            self.value[first:last],
            None if self.score is None else self.score[first:last],
            None if self.ownership is None else self.ownership[first:last],
        )

    def copied(self) -> Evaluations:
        """Return a copy that shares no memory."""
        return joined([self])


def joined(parts: Sequence[Evaluations]) -> Evaluations:
    """Return one batch of several; what one of them lacks all lack."""
    return Evaluations(
        np.concatenate([part.policy for part in parts]),
        np.concatenate([part.value for part in parts]),
        _all_or_none([part.score for part in parts]),
        _all_or_none([part.ownership for part in parts]),
    )


def mean_of(parts: Sequence[Evaluations]) -> Evaluations:
    """Return the mean of several answers about one batch."""
    count, shares = len(parts[0].value), joined(parts)

    def mean(array: Array) -> Array:
        return array.reshape(len(parts), count, *array.shape[1:]).mean(axis=0)

    return Evaluations(
        mean(shares.policy),
        mean(shares.value),
        None if shares.score is None else mean(shares.score),
        None if shares.ownership is None else mean(shares.ownership),
    )


def _all_or_none(arrays: Sequence[Array | None]) -> Array | None:
    known = [array for array in arrays if array is not None]
    return np.concatenate(known) if len(known) == len(arrays) else None
