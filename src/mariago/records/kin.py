"""Where else a position or a game of a data set comes up."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mariago.board.points import EMPTY, Size
from mariago.records.game_view import GameView, place_of
from mariago.records.hashing import position_hash
from mariago.records.lost_games import lost_games
from mariago.records.manifest import Manifest
from mariago.records.replayed import Step
from mariago.records.schema import SPLITS
from mariago.records.stored import open_shard

__all__ = ["Before", "board_before", "same_games", "same_positions"]


@dataclass
class Before:
    """The board before a step: stones (rows, columns), the ko point or -1, and the last move."""

    stones: "np.ndarray[Any, np.dtype[np.uint8]]"
    ko: int = -1
    last: int = -1
    to_move: int = EMPTY
    hash: int = field(default=0)


def board_before(view: GameView, step: int) -> Before:
    """Return the board before the step with this index (1 is the first move)."""
    stones = np.zeros(view.size.cells, np.uint8)
    for held in view.steps[:step]:
        for point, color in held.changes:
            stones[point] = color
    before = Before(stones.reshape(view.size), to_move=view.steps[step].color)
    if step > 1:
        before.last = view.steps[step - 1].move
        before.ko = _ko(view.steps[step - 1], stones, view.size)
    before.hash = position_hash(before.stones, before.to_move, before.ko)
    return before


def _ko(last: Step, stones: "np.ndarray[Any, Any]", size: Size) -> int:
    """Return the point that may not be taken back: a lone stone took one, and stands in atari."""
    taken = [point for point, color in last.changes if color == EMPTY]
    if last.move >= size.cells or len(taken) != 1:
        return -1
    row, column = divmod(last.move, size.columns)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    near = [r * size.columns + c for r, c in steps if 0 <= r < size.rows and 0 <= c < size.columns]
    free = [point for point in near if stones[point] == EMPTY]
    is_alone = all(stones[point] != last.color for point in near)
    return taken[0] if is_alone and free == taken else -1


def same_positions(manifest: Manifest, position: int) -> list[dict[str, Any]]:
    """Return split, game, move_number and move of the samples with this position hash."""
    found: list[dict[str, Any]] = []
    for split in SPLITS:
        for path in manifest.shard_paths(split):
            file = open_shard(manifest, path)
            for at in range(file.num_row_groups):
                hashes = file.read_row_group(at, ["position_hash"]).column(0).to_numpy()
                rows = np.flatnonzero(hashes == np.uint64(position))
                if len(rows):
                    names = ["game", "move_number", "move"]
                    part = file.read_row_group(at, names).take(rows).to_pylist()
                    found += [{"split": split, **row} for row in part]
    return found


def same_games(manifest: Manifest, entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the places of the records that repeat a game and were left out, with what they say."""
    place = dict(zip(("source", "path", "index_in_file"), place_of(entry), strict=True))
    return [
        {name: line[name] for name in (*place, "text")}
        for line in lost_games(manifest)
        if line.get("same_as") == place
    ]
