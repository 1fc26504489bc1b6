"""A game as steps, each of which changes the board."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mariago.board.points import EMPTY, Size
from mariago.records.change_kernels import board_changes

__all__ = ["Step", "replayed"]


class Step(NamedTuple):
    """What one move, or the set-up before the first, changes: ``changes`` are (point, colour).

    The first step has colour 0 and move -1 and holds the stones set up before the first move.
    Stones set up later belong to the step of the move after them.
    """

    color: int
    move: int
    changes: tuple[tuple[int, int], ...]


def replayed(
    size: Size,
    moves: Sequence[tuple[int, int]],
    setup: Sequence[tuple[int, int, int]],
    stop: int | None = None,
) -> list[Step]:
    """Return one step for the start and one for each move, up to ``stop`` moves.

    ``moves`` and ``setup`` are as in ``ReadGame``. The moves are taken as they are; of a game that
    is not legal, stop before the move that is not.
    """
    played = np.array(moves[:stop], np.int64).reshape(-1, 2)
    stones = np.array(sorted(setup, key=lambda stone: stone[0]), np.int64).reshape(-1, 3)
    out = np.empty((2 * (len(played) + len(stones)) + 1, 3), np.int64)
    colors, points = (np.ascontiguousarray(column) for column in played.T)
    n = board_changes(size.rows, size.columns, colors, points, stones, out)
    changes: list[list[tuple[int, int]]] = [[] for _ in range(len(played) + 1)]
    for step, point, color in out[:n].tolist():
        changes[step].append((point, color))
    pairs = [(EMPTY, -1), *zip(colors.tolist(), points.tolist(), strict=True)]
    return [
        Step(color, move, tuple(held)) for (color, move), held in zip(pairs, changes, strict=True)
    ]
