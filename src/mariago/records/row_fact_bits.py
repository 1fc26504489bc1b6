"""The column ``facts`` of samples: the facts of each move as bits, and how often each holds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.records.fact_row_kernels import read_rows
from mariago.tactics.deep_fact_kernels import DEEP_FACTS
from mariago.tactics.fact_bits import fact_bits
from mariago.tactics.fact_names import FACT_NAMES

__all__ = ["count_facts", "facts_of_rows"]

ROWS_AT_ONCE = 16_384


def facts_of_rows(
    columns: dict[str, NDArray[Any]], rows: NDArray[np.uint8], sides: NDArray[np.uint8]
) -> NDArray[np.uint64]:
    """Return the facts (R,) of rows with the columns of a shard before it is a table.

    ``rows`` and ``sides`` (R,) are the rows and columns of their boards.
    """
    n = len(rows)
    bits = np.empty(n, np.uint64)
    out = np.empty((min(n, ROWS_AT_ONCE), DEEP_FACTS), np.int32)
    for start in range(0, n, ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, n)
        part = slice(start, stop)
        read_rows(
            columns["board"],
            columns["board_end"][start : stop + 1],
            rows[part].astype(np.uint8),
            sides[part].astype(np.uint8),
            *(columns[name][part] for name in ("to_move", "ko", "move")),
            out[: stop - start],
        )
        bits[part] = fact_bits(out[: stop - start])
    return bits


def count_facts(bits: NDArray[np.uint64]) -> dict[str, int]:
    """Return in how many rows each fact holds, under ``facts.NAME``."""
    return {
        f"facts.{name}": int(np.count_nonzero(bits >> np.uint64(at) & np.uint64(1)))
        for at, name in enumerate(FACT_NAMES)
    }
