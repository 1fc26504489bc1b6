"""What the manifest tells of a build: its sources, and where every game and move went."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.records.order import shown_path
from mariago.records.papers import Paper
from mariago.records.repeat_kernels import GONE, LEAK, NOT_CHOSEN, NOT_WINNER, REPEAT
from mariago.records.schema import REASONS, SPLITS
from mariago.records.sources import Source

__all__ = ["counts_of", "source_entry"]

ROWS_AT_ONCE = 4_000_000


def source_entry(source: Source, paper: Paper) -> dict[str, Any]:
    """Return what the manifest holds of a source that has been read."""
    return {
        "path": shown_path(source),
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
        "not_winner": int(by_code[NOT_WINNER]),
        "repeats": int(by_code[REPEAT]),
        "leaks": int(by_code[LEAK]),
        "not_chosen": int(by_code[NOT_CHOSEN]),
        "samples": {name: int(kept[held].sum()) for name, held in in_split.items()},
        "games": {name: int(held.sum()) for name, held in in_split.items()},
    }
