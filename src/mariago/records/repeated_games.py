"""Between the two passes of a build: games that repeat others go, and what openings weigh."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.records.disk_arrays import save_array
from mariago.records.duplicates import GameRepeats
from mariago.records.opening_kernels import openings
from mariago.records.played import played_in_spool
from mariago.records.spool import SpooledGames

__all__ = ["lines_of", "opening_weights", "rows_of", "settle_games"]

_PLACE = ("source", "path", "index_in_file")


def lines_of(folder: Path, repeats: GameRepeats) -> Iterator[dict[str, Any]]:
    """Yield a line of ``dropped.jsonl`` for each repeated game of a spool, in reading order."""
    places = _places(SpooledGames(folder), np.union1d(repeats.kept, repeats.repeating))
    pairs = zip(repeats.repeating.tolist(), repeats.kept.tolist(), strict=True)
    for i, (game, kept) in enumerate(pairs):
        yield {
            **places[game],
            "reason": "duplicate_game",
            "move_number": 0,
            "text": repeats.likeness.in_words(i),
            "same_as": places[kept],
        }


def _places(spool: SpooledGames, games: NDArray[np.int64]) -> dict[int, dict[str, Any]]:
    wanted = np.zeros(len(spool.numbers), np.bool_)
    wanted[games] = True
    found = (row for batch in spool.texts(wanted) for row in batch.select(_PLACE).to_pylist())
    return dict(zip(games.tolist(), found, strict=True))


def rows_of(games: NDArray[np.bool_], numbers: NDArray[Any]) -> "NDArray[np.bool_] | None":
    """Return which rows are of the ``games`` (G,), None where none is."""
    return np.repeat(games, numbers["length"]) if games.any() else None


def settle_games(
    folder: Path, numbers: NDArray[Any], gone: NDArray[np.bool_], opening_moves: int
) -> NDArray[Any]:
    """Return the numbers of the games that stay, weighed by their openings, and keep them so."""
    weights = np.ones(len(numbers), np.float32)
    if opening_moves:
        weights = opening_weights(folder, opening_moves, numbers["split"], gone)
    numbers = numbers.copy()
    numbers["opening_weight"] = weights
    numbers = numbers[~gone]
    save_array(folder / "numbers.npy", numbers)
    return numbers


def opening_weights(
    folder: Path, moves: int, splits: NDArray[np.uint8], gone: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return 1 / sqrt(n) for each game (G,), n the games of its split that open as it does.

    Games open alike when their first ``moves`` moves are the same under a symmetry of the board.
    """
    parts: list[NDArray[np.uint64]] = []
    for played in played_in_spool(SpooledGames(folder)):
        keys = np.empty(len(played), np.uint64)
        openings(*played.arrays, moves, keys)
        parts.append(keys)
    keys = np.concatenate(parts)
    weights = np.ones(len(keys), np.float32)
    for split in np.unique(splits):
        held = np.flatnonzero((splits == split) & ~gone)
        _, inverse, n = np.unique(keys[held], return_inverse=True, return_counts=True)
        weights[held] = 1 / np.sqrt(n)[inverse]
    return weights
