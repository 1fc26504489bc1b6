"""Move sequences and boards under the board's symmetries, to tell games that are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from mariago.board.points import Size

__all__ = ["board_key", "game_key", "move_maps", "moves_key", "repeats_among"]


@cache
def move_maps(size: Size) -> npt.NDArray[np.int32]:
    """Return (8, cells + 1) move indices: each row a symmetry, pass stays pass.

    A rectangle has the four symmetries that keep its sides: (4, cells + 1).
    """
    grid = np.arange(size.cells, dtype=np.int32).reshape(size)
    turns = range(4) if size.rows == size.columns else (0, 2)
    seen = [image for turn in turns for image in (np.rot90(grid, turn), np.rot90(grid, turn).T)]
    if size.rows != size.columns:
        half = np.rot90(grid, 2)
        seen = [grid, half, grid[::-1], half[::-1]]
    maps = np.empty((len(seen), size.cells + 1), np.int32)
    for row, image in enumerate(seen):
        maps[row, image.ravel()] = np.arange(size.cells)
        maps[row, size.cells] = size.cells
    maps.setflags(write=False)
    return maps


def moves_key(moves: Sequence[int], size: Size) -> bytes:
    """Return one key for a sequence of moves and all its mirror images."""
    images = move_maps(size)[:, np.asarray(moves, dtype=np.int64)].astype(np.int16)
    return min(image.tobytes() for image in images)


def board_key(stones: npt.NDArray[np.uint8], to_move: int) -> bytes:
    """Return one key for a board (rows, columns), its side to move, and its mirror images."""
    rows, columns = stones.shape
    maps = move_maps(Size(rows, columns))[:, :-1]
    flat = np.ascontiguousarray(stones, np.uint8).ravel()
    return bytes([to_move]) + min(flat[image].tobytes() for image in maps)


def game_key(start: npt.NDArray[np.uint8], moves: Sequence[int]) -> bytes:
    """Return one key for a board (rows, columns), the moves from it, and their mirror images."""
    rows, columns = start.shape
    maps = move_maps(Size(rows, columns))
    played = maps[:, np.asarray(moves, dtype=np.int64)].astype(np.int16)
    boards = np.empty((len(maps), start.size), np.uint8)
    for row, image in enumerate(maps[:, :-1]):
        boards[row, image] = np.asarray(start, np.uint8).ravel()
    return min(b.tobytes() + m.tobytes() for b, m in zip(boards, played, strict=True))


def repeats_among(keys: Iterable[Hashable]) -> int:
    """Return how many of ``keys`` have come before."""
    counts = Counter(keys)
    return sum(counts.values()) - len(counts)
