"""What became of the moves of each game of a data set."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.records.manifest import Manifest
from mariago.records.schema import REMOVED
from mariago.records.stored import open_games

__all__ = ["table_of_removed"]


def table_of_removed(manifest: Manifest) -> dict[str, NDArray[np.int64]]:
    """Return for each game (G,) its ``samples`` and, by the names of REMOVED, what is no sample.

    A set of an earlier version tells the sums alone. They are shared out among its games in
    proportion to their moves that are no samples, so that they still add up.
    """
    file = open_games(manifest)
    names = ["moves", "samples", *(name for name in REMOVED if name in file.names)]
    games = file.read(names)
    held = {
        name: games.column(name).to_numpy().astype(np.int64)
        for name in names
        if games.column(name).null_count == 0
    }
    if all(name in held for name in REMOVED):
        return held
    if manifest.counts["moves"] != int(held["moves"].sum()):  # rows of a foreign set
        gone = sum(manifest.counts[name] for name in REMOVED)
        lost = _shared_out(gone, held["moves"])
    else:
        lost = np.maximum(held["moves"] - held["samples"], 0)
    return {"samples": held["samples"], **_by_reason(manifest.counts, lost)}


def _by_reason(counts: dict[str, Any], lost: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Share out the sums of REMOVED; the last one that is not 0 takes what is left of a game."""
    found: dict[str, NDArray[np.int64]] = {}
    left, sums = lost.copy(), {name: int(counts[name]) for name in REMOVED}
    for name in REMOVED:
        rest = sum(sums.values())
        found[name] = left.copy() if sums[name] == rest else left * sums[name] // max(1, rest)
        left -= found[name]
        sums[name] = 0
    return found


def _shared_out(n: int, weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return whole numbers (G,) in proportion to ``weights`` whose sum is ``n``."""
    ends = np.cumsum(weights.astype(np.float64))
    return np.diff(np.round(n * ends / max(1.0, ends[-1])).astype(np.int64), prepend=0)
