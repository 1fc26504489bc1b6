"""What the manifest tells of a build: its sources, and where every game and move went."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.records.order import shown_path
from mariago.records.papers import Paper
from mariago.records.repeat_kernels import GONE, LEAK, NOT_CHOSEN, NOT_WINNER, REPEAT
from mariago.records.schema import REASONS, REMOVED, SPLITS
from mariago.records.source_places import path_from_set
from mariago.records.sources import Source

__all__ = ["counts_of", "removed_of", "source_entry"]

ROWS_AT_ONCE = 4_000_000
_CODES = dict(zip(REMOVED, (NOT_WINNER, REPEAT, LEAK, NOT_CHOSEN), strict=True))


def source_entry(source: Source, paper: Paper, folder: Path) -> dict[str, Any]:
    """Return what the manifest of the set in ``folder`` holds of a source that has been read."""
    return {
        "path": shown_path(source),
        **path_from_set(source.path, folder),
        "kind": source.kind,
        "sha256": source.sha256,
        "size_bytes": source.size_bytes,
        "files": source.files,
        "skipped": {name: n for name, n in sorted(source.skipped.items()) if n},
        **paper.as_dict(),
    }


def counts_of(
    numbers: NDArray[Any],
    codes: NDArray[np.uint8],
    kept: NDArray[np.int64],
    dropped: "Counter[str]",
) -> dict[str, Any]:
    """Count games and moves; ``numbers`` and ``kept`` (G,) are of the games that stay."""
    by_code = np.zeros(GONE + 1, np.int64)
    for start in range(0, len(codes), ROWS_AT_ONCE):  # bincount takes eight bytes a row
        part = codes[start : start + ROWS_AT_ONCE]
        by_code += np.bincount(part, minlength=len(by_code))
    in_split = {name: numbers["split"] == split for split, name in enumerate(SPLITS)}
    return {
        "games_kept": len(numbers),
        "dropped": {reason: dropped[reason] for reason in REASONS},
        "moves": len(codes) - int(by_code[GONE]),
        **{name: int(by_code[code]) for name, code in _CODES.items()},
        "samples": {name: int(kept[held].sum()) for name, held in in_split.items()},
        "games": {name: int(held.sum()) for name, held in in_split.items()},
    }


def removed_of(
    codes: NDArray[np.uint8], first: NDArray[np.int64], lengths: NDArray[np.int64]
) -> dict[str, NDArray[np.int64]]:
    """Return how many of the rows of each game (G,) are gone, by the names of REMOVED.

    ``first`` (G,) says where the rows of a game begin in ``codes``, ``lengths`` (G,) how many.
    """
    starts = np.minimum(first, max(0, len(codes) - 1))
    found: dict[str, NDArray[np.int64]] = {}
    for name, code in _CODES.items():
        sums = np.add.reduceat(codes == code, starts, dtype=np.int64)
        found[name] = np.where(lengths > 0, sums, 0)
    return found
