"""What the rows of a data set show when all are read once: flags by move number, openings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.board.geometry import SYMMETRIES, symmetric_size, turned
from mariago.board.points import Size
from mariago.records.heat_kernels import REACH, flush, lay_out
from mariago.records.manifest import Manifest
from mariago.records.schema import LAST_MOVES, SPLITS, TACTICAL_COLUMNS, packed_length
from mariago.records.stored import open_shard

__all__ = ["FLAGS", "LIMITS", "Heat", "RowFacts", "folded", "gather_rows"]

FLAGS = (*TACTICAL_COLUMNS, "in_atari")
LIMITS = (10, 20, 50)  # moves of an opening heat map
MOVES_A_STEP = 10
MOST_STEPS = 1000  # a game has at most 10,000 moves
HEAT_GAMES = 100_000  # more games change no picture


@dataclass(frozen=True)
class Heat:
    """In how many of ``games`` games each point (rows, columns) is played in the first moves."""

    counts: NDArray[np.float64]
    games: int

    @property
    def shares(self) -> NDArray[np.float64]:
        """Return the counts as shares of the games; the mean over the symmetries where folded."""
        return self.counts / max(1, self.games)


@dataclass(frozen=True)
class RowFacts:
    """``by_move`` (S, 1 + flags): the samples of each ten moves, and those with each of FLAGS."""

    by_move: NDArray[np.int64]
    openings: dict[int, Heat]  # by LIMITS


def gather_rows(manifest: Manifest, size: Size, is_wanted: NDArray[np.bool_]) -> RowFacts:
    """Read all rows once.

    Args:
        size: the board of the opening heat maps.
        is_wanted: (G,) games that count for them.
    """
    by_move = np.zeros((MOST_STEPS, 1 + len(FLAGS)), np.int64)
    openings = _Openings(size)
    wanted = is_wanted & (np.cumsum(is_wanted) <= HEAT_GAMES)
    for group in _groups(manifest, openings, wanted):
        step = (_array(group, "move_number") - 1) // MOVES_A_STEP
        by_move[:, 0] += np.bincount(step, minlength=MOST_STEPS)
        for at, name in enumerate(FLAGS, 1):
            by_move[:, at] += np.bincount(step[_array(group, name) > 0], minlength=MOST_STEPS)
    filled = np.flatnonzero(by_move[:, 0])
    last = int(filled[-1]) + 1 if len(filled) else 0
    return RowFacts(by_move[:last], openings.heats())


def _groups(
    manifest: Manifest, openings: "_Openings", wanted: NDArray[np.bool_]
) -> Iterator[pa.Table]:
    """Yield the row groups without their boards; those of openings go to ``openings`` first."""
    light = ["game", "move_number", *FLAGS]
    heavy = [*light, "rows", "columns", "move", "last_moves", "board"]
    for split in SPLITS:
        for path in manifest.shard_paths(split):
            file = open_shard(manifest, path)
            for at in range(file.num_row_groups):
                games = _array(file.read_row_group(at, ["game"]), "game")
                group = file.read_row_group(at, heavy if wanted[games].any() else light)
                if "board" in group.column_names:
                    openings.take(group, wanted[games])
                yield group


def _array(table: pa.Table, name: str) -> NDArray[Any]:
    return table.column(name).combine_chunks().to_numpy(zero_copy_only=False)


class _Openings:
    """Heat maps in the making."""

    def __init__(self, size: Size) -> None:
        self.size = size
        shape = len(LIMITS), size.cells
        self.heat = np.zeros(shape)
        self.games = np.zeros(len(LIMITS), np.int64)
        self._kept = (
            np.array([-1, 0]),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int16),
            np.zeros(shape),
            np.zeros(len(LIMITS), np.int64),
            np.zeros(len(LIMITS), np.bool_),
        )

    def take(self, group: pa.Table, is_wanted: NDArray[np.bool_]) -> None:
        rows, columns = (_array(group, name) for name in ("rows", "columns"))
        is_early = _array(group, "move_number") < 2 * max(LIMITS) + REACH
        is_size = (rows == self.size.rows) & (columns == self.size.columns)
        part = group.filter(pa.array(is_wanted & is_early & is_size))
        if not part.num_rows:
            return
        last = part.column("last_moves").combine_chunks().flatten().to_numpy()
        boards = np.frombuffer(b"".join(part.column("board").to_pylist()), np.uint8)
        lay_out(
            *(_array(part, name) for name in ("game", "move_number", "move")),
            last.reshape(-1, LAST_MOVES),
            boards.reshape(-1, packed_length(self.size.cells)),
            np.array(LIMITS, np.int64),
            *self._kept,
            self.heat,
            self.games,
        )

    def heats(self) -> dict[int, Heat]:
        state, _, points, weights, filled, is_known = self._kept
        flush(state, points, weights, filled, is_known, self.heat, self.games)
        return {
            limit: Heat(self.heat[k].reshape(self.size), int(self.games[k]))
            for k, limit in enumerate(LIMITS)
        }


def folded(heat: Heat) -> Heat:
    """Return the mean of a heat map over the symmetries that keep the board's shape."""
    size = Size(*heat.counts.shape)
    kept = [k for k in SYMMETRIES if symmetric_size(size, k) == size]
    turns = [turned(heat.counts, k).astype(np.float64) for k in kept]
    return Heat(np.mean(turns, axis=0), heat.games)
