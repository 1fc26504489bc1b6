"""Symmetries of whole batches: one table of points for each symmetry and board size in them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.board.points import Size
from mariago.features.symmetries import policy_gather

__all__ = ["Turner"]


class Turner:
    """Turns planes and moves of boards of any size on a field of ``pad`` x ``pad``.

    A board stays in the top left corner: only the board itself is turned.
    """

    def __init__(self, pad: int) -> None:
        self.pad = pad
        self._place: dict[tuple[int, int, int], int] = {}
        self._after: list[NDArray[np.int64]] = []  # entry k of the turned policy is entry after[k]
        self.tables = np.zeros((0, pad * pad), np.int16)
        self._back = np.zeros((0, pad * pad + 1), np.int64)

    def turns(
        self, rows: NDArray[Any], columns: NDArray[Any], symmetries: NDArray[Any]
    ) -> NDArray[np.int64]:
        """Return the table (B,) of each board, -1 where the symmetry is 0."""
        keys = (rows.astype(np.int64) * 64 + columns) * 8 + symmetries
        places = np.full(len(keys), -1, np.int64)
        for key in np.unique(keys[symmetries != 0]).tolist():
            place = self._place_of(key // 512, key // 8 % 64, key % 8)
            places[keys == key] = place
        return places

    def moves(self, moves: NDArray[Any], turns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return moves of the field (pad * pad is a pass) after the turns."""
        turned = moves.astype(np.int64)
        which = turns >= 0
        turned[which] = self._back[turns[which], turned[which]]
        return turned

    def _place_of(self, rows: int, columns: int, symmetry: int) -> int:
        key = rows, columns, symmetry
        if key not in self._place:
            self._place[key] = len(self._after)
            self._after.append(policy_gather(symmetry, Size(rows, columns), self.pad))
            after = np.stack(self._after)
            self.tables = np.ascontiguousarray(after[:, :-1], np.int16)
            self._back = np.argsort(after, axis=1)
        return self._place[key]
