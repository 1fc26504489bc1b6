"""The samples on which a net is most wrong; the net itself is handed in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.board.points import EMPTY
from mariago.features.rows import Rows
from mariago.records.load import rows_of_table

__all__ = ["Judge", "Judged", "judge_samples", "worst_of"]

ROWS_AT_ONCE = 512
CHOICES = 3

Judge = Callable[[Rows, "NDArray[np.bool_]"], "NDArray[Any]"]
"""Returns the probabilities (B, cells + 1) of the moves of B rows of one board size; the second
argument (B, cells + 1) says which moves are legal."""


@dataclass(frozen=True)
class Judged:
    """What a net says of one sample."""

    loss: float  # minus the logarithm of the probability of the move played
    played: float  # that probability
    choices: tuple[tuple[int, float], ...]  # its first moves with their probabilities


def judge_samples(table: pa.Table, judge: Judge) -> list[Judged]:
    """Return what the net says of each row of ``table``."""
    rows, targets = rows_of_table(table)
    found: list[Judged | None] = [None] * len(rows)
    shapes = rows.rows.astype(np.int64) * 32 + rows.columns
    for shape in np.unique(shapes):
        which = np.flatnonzero(shapes == shape)
        for start in range(0, len(which), ROWS_AT_ONCE):
            part = which[start : start + ROWS_AT_ONCE]
            policies = judge(rows.take(part), _legal(rows.take(part)))
            for i, policy in zip(part, policies, strict=True):
                found[i] = _judged(policy, int(targets.move[i]))
    return [judged for judged in found if judged is not None]


def _legal(rows: Rows) -> NDArray[np.bool_]:
    """Return the moves (B, cells + 1) to empty points but the ko; suicide is not looked for."""
    cells = int(rows.rows[0]) * int(rows.columns[0])
    legal = np.ones((len(rows), cells + 1), np.bool_)
    legal[:, :cells] = rows.board[:, :cells] == EMPTY
    has_ko = np.flatnonzero(rows.ko >= 0)
    legal[has_ko, rows.ko[has_ko]] = False
    return legal


def _judged(policy: NDArray[Any], move: int) -> Judged:
    order = np.argsort(-policy, kind="stable")[:CHOICES]
    played = float(policy[move])
    choices = tuple((int(choice), float(policy[choice])) for choice in order)
    return Judged(-float(np.log(max(played, 1e-12))), played, choices)


def worst_of(judged: list[Judged], n: int) -> list[int]:
    """Return the ``n`` with the largest loss, the worst first."""
    losses = np.array([one.loss for one in judged])
    return [int(i) for i in np.argsort(-losses, kind="stable")[:n]]
