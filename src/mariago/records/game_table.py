"""The table of games: one row of ``games.parquet`` for each game that is kept."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.records.papers import Paper
from mariago.records.played import Played
from mariago.records.schema import GAME_SCHEMA, SPLITS
from mariago.records.spool import RULE_NAMES
from mariago.records.told import RESULT_KINDS, UNKNOWN_LEVEL

__all__ = ["games_table", "grouped"]


def games_table(
    numbers: NDArray[Any],
    rows: dict[str, NDArray[np.int64]],
    texts: pa.Table,
    start: int,
    papers: Sequence[Paper],
    played: Played,
) -> pa.Table:
    """Return the rows of games; ``numbers`` (G,) and ``texts`` are as spooled.

    ``rows`` says what became of their moves: ``samples`` and REMOVED, each (G,).

    ``start`` is the index of the first game, ``papers`` those of the sources, ``played`` what was
    played in the games.
    """
    rules = numbers["rules"].astype(np.int32)
    sources = texts.column("source").to_numpy()
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
        "winner": numbers["winner"],
        "score": pa.array(numbers["score"], from_pandas=True),
        "komi": pa.array(numbers["komi"], from_pandas=True),
        "rules": pa.DictionaryArray.from_arrays(
            pa.array(rules, mask=rules < 0), pa.array(RULE_NAMES)
        ),
        "handicap": numbers["handicap"],
        "black_level": _levels(numbers["black_level"]),
        "white_level": _levels(numbers["white_level"]),
        "played": _told(texts, "played"),
        "server": _told(texts, "server").dictionary_encode(),
        "result_kind": _words(numbers["result_kind"], RESULT_KINDS),
        "origin": _words(sources, [paper.origin for paper in papers]),
        "terms": _words(sources, [paper.terms for paper in papers]),
        "repairs": _repairs(texts),
        "move_list": _lists(played.first, played.moves),
        "color_list": _lists(played.first, played.colors),
        "setup_list": _lists(3 * played.setup_first, played.setup.reshape(-1)),
    }
    own |= rows
    columns: list[Any] = []
    for field in GAME_SCHEMA:
        value = own[field.name] if field.name in own else texts.column(field.name)
        if isinstance(value, np.ndarray):
            value = np.ascontiguousarray(value)
        columns.append(value if isinstance(value, pa.ChunkedArray) else pa.array(value, field.type))
    return pa.Table.from_arrays(columns, schema=GAME_SCHEMA)


def _levels(levels: NDArray[np.int8]) -> pa.Array:
    return pa.array(levels, mask=levels == UNKNOWN_LEVEL)


def _told(texts: pa.Table, name: str) -> pa.Array:
    """Return a column of texts; an empty one is null."""
    values = texts.column(name).to_pylist()
    return pa.array([value or None for value in values], pa.string())


def _repairs(texts: pa.Table) -> pa.Array:
    """Return the repairs of games, an empty list where nothing was repaired."""
    kind = GAME_SCHEMA.field("repairs").type
    names = [field.name for field in kind.value_type]
    held = [json.loads(text) if text else [] for text in texts.column("repairs").to_pylist()]
    told = [[dict(zip(names, repair, strict=True)) for repair in game] for game in held]
    return pa.array(told, kind)


def _lists(ends: NDArray[np.int64], values: NDArray[Any]) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(ends.astype(np.int32)), pa.array(values))


def _words(indices: NDArray[Any], words: Sequence[str]) -> pa.DictionaryArray:
    own = list(dict.fromkeys(words))  # each word once
    index_of = np.array([own.index(word) for word in words], np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(index_of[indices]), pa.array(own))


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
