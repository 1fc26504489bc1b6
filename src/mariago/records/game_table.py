"""The table of games: one row of ``games.parquet`` for each game that is kept."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.records.schema import GAME_SCHEMA, SPLITS
from mariago.records.spool import RULE_NAMES

__all__ = ["games_table", "grouped"]


def games_table(
    numbers: NDArray[Any], kept: NDArray[np.int64], texts: pa.Table, start: int
) -> pa.Table:
    rules = numbers["rules"].astype(np.int32)
    own = {
        "game": np.arange(start, start + len(numbers), dtype=np.uint32),
        "game_id": [f"{identity:016x}" for identity in numbers["identity"].tolist()],
        "split": pa.DictionaryArray.from_arrays(
            pa.array(numbers["split"].astype(np.int32)), pa.array(SPLITS)
        ),
        "rows": numbers["rows"],
        "columns": numbers["columns"],
        "moves": numbers["length"].astype(np.uint16),
        "first_move": numbers["first_move"],
        "samples": kept.astype(np.uint32),
        "winner": numbers["winner"],
        "score": pa.array(numbers["score"], from_pandas=True),
        "komi": pa.array(numbers["komi"], from_pandas=True),
        "rules": pa.DictionaryArray.from_arrays(
            pa.array(rules, mask=rules < 0), pa.array(RULE_NAMES)
        ),
        "handicap": numbers["handicap"],
    }
    columns: list[Any] = []
    for field in GAME_SCHEMA:
        value = own[field.name] if field.name in own else texts.column(field.name)
        if isinstance(value, np.ndarray):
            value = np.ascontiguousarray(value)
        columns.append(value if isinstance(value, pa.ChunkedArray) else pa.array(value, field.type))
    return pa.Table.from_arrays(columns, schema=GAME_SCHEMA)


def grouped(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.Table]:
    """Join small batches, so that the row groups of the file are not small too."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(part.num_rows for part in waiting) >= rows:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)
