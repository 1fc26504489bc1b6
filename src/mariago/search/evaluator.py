"""What a search asks: an evaluator is any function from positions to Evaluations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from mariago.board.points import Size
from mariago.errors import BadInputError
from mariago.features import planes_of_positions
from mariago.features.symmetries import apply_symmetry, turned_back
from mariago.rules import Position
from mariago.search.evaluations import Evaluations, mean_of
from mariago.search.remembered import Remembered

__all__ = ["Evaluations", "Evaluator", "PlaneEvaluator"]

Array = npt.NDArray[Any]
Evaluator = Callable[[Sequence[Position]], Evaluations]


class _Said(Protocol):
    @property
    def policy(self) -> Array: ...
    @property
    def value(self) -> Array: ...
    @property
    def score(self) -> Array: ...
    @property
    def ownership(self) -> Array: ...


class AsksPlanes(Protocol):
    """A net, as far as the search knows it: :class:`mariago.nets.Net` is one."""

    def evaluate(self, planes: Array, global_inputs: Array) -> _Said:
        """Evaluate planes (B, 22, H, W) and globals (B, 19)."""
        ...


class PlaneEvaluator:
    """Asks a net about positions.

    Args:
        net: what is asked.
        symmetries: 1 asks once, the board as it lies; 8 (4 on a rectangle) is the mean over the
            board's symmetries; 0 asks once, under a symmetry drawn for each batch.
        rng: draws the symmetries.
        remembered: positions that it knows are not asked about again; not with drawn symmetries.

    Raises:
        BadInputError: another number of symmetries, or drawn ones that would be remembered.
    """

    def __init__(
        self,
        net: AsksPlanes,
        symmetries: int = 1,
        rng: np.random.Generator | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        if symmetries not in (0, 1, 8):
            raise BadInputError(f"{symmetries} symmetries", hint="0, 1 or 8")
        if symmetries == 0 and remembered is not None:
            raise BadInputError("drawn symmetries cannot be remembered", hint="1 or 8 symmetries")
        self.net = net
        self.symmetries = symmetries
        self.rng = np.random.default_rng(0) if rng is None else rng
        self.remembered = remembered

    def __call__(self, positions: Sequence[Position]) -> Evaluations:
        """Return what the net says; see the class."""
        size = positions[0].size
        planes, values = planes_of_positions(positions, max(size))
        board = planes[:, :, : size.rows, : size.columns]
        if self.remembered is None:
            return self._asked(board, values)
        return self.remembered.answer(board, values, self._asked)

    def _asked(self, board: Array, values: Array) -> Evaluations:
        rows, columns = board.shape[2:]
        turns = 8 if rows == columns else 4
        if self.symmetries == 1:
            return self._under(0, board, values)
        if self.symmetries == 0:
            return self._under(int(self.rng.integers(turns)), board, values)
        return mean_of([self._under(symmetry, board, values) for symmetry in range(turns)])

    def _under(self, symmetry: int, board: Array, values: Array) -> Evaluations:
        said = self.net.evaluate(apply_symmetry(symmetry, board) if symmetry else board, values)
        if not symmetry:
            return Evaluations(said.policy, said.value, said.score, said.ownership)
        size = Size(*board.shape[2:])
        policy, owned = turned_back(symmetry, said.policy, said.ownership, size)
        return Evaluations(policy, said.value, said.score, owned)
