"""Parquet shards of samples: the second pass, run in workers, one shard a job."""

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mariago.board.points import BLACK
from mariago.records.lesson_rows import factors_of
from mariago.records.repeat_kernels import KEEP, NOT_CHOSEN
from mariago.records.row_fact_bits import count_facts, facts_of_rows
from mariago.records.sample_kernels import emit
from mariago.records.schema import LAST_MOVES, SAMPLE_SCHEMA, SPLITS, TACTICAL_COLUMNS
from mariago.records.spool import RULE_NAMES, SpooledGames
from mariago.records.weights import RowWeights

__all__ = ["Shard", "ShardJob", "close_spool", "plan_shards", "write_shard"]

ROW_GROUP_ROWS = 65_536
MOVES_AT_ONCE = 2_000_000
FLAG_NAMES = (*TACTICAL_COLUMNS, "in_atari")
_SIDES = ("rows", "columns")

PARQUET_SETTINGS: dict[str, Any] = {
    "compression": "zstd",
    "compression_level": 1,
    "row_group_size": ROW_GROUP_ROWS,
    "use_dictionary": ["game_id", "rules", "split"],
    "write_statistics": ["game", "move_number", "rows", "position_hash"],
}


@dataclass(frozen=True)
class ShardJob:
    """A shard to write: from kept row ``skip`` on, ``rows`` kept rows of some games of a split."""

    spool: str
    target: str
    split: int
    games: NDArray[np.int64]
    skip: int
    rows: int
    weights: RowWeights
    facts: bool = False  # whether the column ``facts`` is filled


@dataclass(frozen=True)
class Shard:
    """A written shard, as the manifest lists it."""

    file: str
    split: str
    rows: int
    size_bytes: int
    sha256: str
    flagged: dict[str, int]  # rows whose flag is not 0, and rows with each fact, where there are


def plan_shards(
    spool: Path,
    target: Path,
    splits: NDArray[np.uint8],
    kept: NDArray[np.int64],
    shard_rows: int,
    weights: RowWeights,
    facts: bool = False,
) -> list[ShardJob]:
    """Return the shards of all splits; ``splits`` (G,), ``kept`` (G,) rows that stay of each game.

    What a shard holds follows from these alone, so that the number of workers changes nothing.
    """
    jobs: list[ShardJob] = []
    for split, name in enumerate(SPLITS):
        games = np.flatnonzero((splits == split) & (kept > 0))
        ends = np.cumsum(kept[games], dtype=np.int64)
        total = int(ends[-1]) if len(ends) else 0
        for number, start in enumerate(range(0, total, shard_rows)):
            stop = min(start + shard_rows, total)
            a = int(np.searchsorted(ends, start, "right"))
            b = int(np.searchsorted(ends, stop, "left")) + 1
            before = int(ends[a - 1]) if a else 0
            file = target / f"{name}-{number:05d}.parquet"
            jobs.append(
                ShardJob(
                    str(spool), str(file), split, games[a:b], start - before, stop - start,
                    weights, facts,
                )
            )  # fmt: skip
    return jobs


@lru_cache(maxsize=1)
def _open(spool: str) -> SpooledGames:
    return SpooledGames(Path(spool))


def close_spool() -> None:
    """Let go of the spool that this process has open; the next one may have the same name."""
    _open.cache_clear()


def write_shard(job: ShardJob) -> Shard:
    """Replay the games of a job and write its rows as one Parquet file."""
    spool = _open(job.spool)
    columns = _columns(spool, job)
    numbers = spool.numbers[job.games]
    if job.facts:
        sides = (np.ascontiguousarray(numbers[name])[columns["game"]] for name in _SIDES)
        columns["facts"] = facts_of_rows(columns, *sides)
    rows = numbers["first"][columns["game"]] + columns["move_number"] - 1
    columns["factor"] = factors_of(spool.lesson_rows, rows)
    table = _table(columns, numbers, job)
    path = Path(job.target)
    pq.write_table(table, path, **PARQUET_SETTINGS)
    with path.open("rb+") as file:
        os.fsync(file.fileno())
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    flagged = {
        name: int(np.count_nonzero(columns["flags"][:, k])) for k, name in enumerate(FLAG_NAMES)
    }
    if job.facts:
        flagged |= count_facts(columns["facts"])
    return Shard(path.name, SPLITS[job.split], job.rows, path.stat().st_size, digest, flagged)


def _columns(spool: SpooledGames, job: ShardJob) -> dict[str, NDArray[Any]]:
    """Return the columns of all rows of a job, replaying a few thousand games at a time."""
    lengths = spool.numbers["length"][job.games]
    cuts = np.flatnonzero(np.diff(np.cumsum(lengths, dtype=np.int64) // MOVES_AT_ONCE)) + 1
    parts: list[dict[str, NDArray[Any]]] = []
    skip, left, start = job.skip, job.rows, 0
    for games in np.split(job.games, cuts):
        arrays = spool.gather(games)
        kept = np.flatnonzero(arrays["codes"] == KEEP)
        arrays["codes"][kept[:skip]] = NOT_CHOSEN
        arrays["codes"][kept[skip + left :]] = NOT_CHOSEN
        n = max(0, min(len(kept) - skip, left))
        part = _emit(arrays, n)
        part["game"] += np.uint32(start)
        parts.append(part)
        skip, left, start = max(0, skip - len(kept)), left - n, start + len(games)
    if len(parts) == 1:
        return parts[0]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for name in ("board", "taken_1", "taken_2"):
        ends = [np.diff(part[f"{name}_end"]) for part in parts]
        joined[f"{name}_end"] = np.concatenate([[0], np.cumsum(np.concatenate(ends))])
        joined[f"{name}_end"] = joined[f"{name}_end"].astype(np.int32)
    return joined


def _emit(arrays: dict[str, NDArray[Any]], n: int) -> dict[str, NDArray[Any]]:
    cells = arrays["rows"] * arrays["columns"]
    stones = len(arrays["moves"]) + len(arrays["setup"])
    out: dict[str, NDArray[Any]] = {
        "game": np.empty(n, np.uint32),
        "move_number": np.empty(n, np.int16),
        "to_move": np.empty(n, np.uint8),
        "ko": np.empty(n, np.int16),
        "move": np.empty(n, np.int16),
        "stone_lead": np.empty(n, np.int16),
        "last_moves": np.empty((n, LAST_MOVES), np.int16),
        "flags": np.empty((n, len(FLAG_NAMES)), np.uint16),
        "position_hash": np.empty(n, np.uint64),
        "board": np.empty(n * int((cells.max(initial=0) + 3) // 4), np.uint8),
        "board_end": np.zeros(n + 1, np.int32),
        "taken_1": np.empty(stones, np.int16),
        "taken_1_end": np.zeros(n + 1, np.int32),
        "taken_2": np.empty(stones, np.int16),
        "taken_2_end": np.zeros(n + 1, np.int32),
    }
    _, end_1, end_2 = emit(*arrays.values(), *out.values())
    out["board"] = out["board"][: out["board_end"][-1]]
    out["taken_1"], out["taken_2"] = out["taken_1"][:end_1], out["taken_2"][:end_2]
    return out


def _table(columns: dict[str, NDArray[Any]], games: NDArray[Any], job: ShardJob) -> pa.Table:
    """Return the rows of a shard in the schema; ``games`` are the numbers of the job's games."""
    at = columns["game"]
    n = len(at)
    of_game = {
        name: np.ascontiguousarray(games[name])[at]
        for name in (
            "rows",
            "columns",
            "winner",
            "score",
            "komi",
            "rules",
            "handicap",
            "handicap_bonus",
            "result_kind",
            "black_level",
            "white_level",
            "opening_weight",
        )
    }
    to_move = columns["to_move"]
    ids = [f"{identity:016x}" for identity in games["identity"].tolist()]
    flags = columns["flags"]
    empty_lists = pa.ListArray.from_arrays(
        pa.array(np.zeros(n + 1, np.int32)), pa.array([], pa.int16())
    )
    values = {
        "game": pa.array(job.games[at].astype(np.uint32)),
        "game_id": _dictionary(at.astype(np.int32), ids),
        "move_number": columns["move_number"],
        "rows": of_game["rows"],
        "columns": of_game["columns"],
        "board": pa.Array.from_buffers(
            pa.binary(),
            n,
            [None, pa.py_buffer(columns["board_end"]), pa.py_buffer(columns["board"])],
        ),
        "to_move": columns["to_move"],
        "ko": columns["ko"],
        "superko_banned": empty_lists,
        "last_moves": pa.FixedSizeListArray.from_arrays(
            pa.array(columns["last_moves"].reshape(-1)), LAST_MOVES
        ),
        "taken_1": _lists(columns, "taken_1"),
        "taken_2": _lists(columns, "taken_2"),
        "move": columns["move"],
        "winner": of_game["winner"],
        "score": pa.array(of_game["score"], from_pandas=True),
        "komi": pa.array(of_game["komi"], from_pandas=True),
        "rules": _dictionary(of_game["rules"].astype(np.int32), list(RULE_NAMES)),
        "handicap": of_game["handicap"],
        "handicap_bonus": of_game["handicap_bonus"],
        "stone_lead": columns["stone_lead"],
        **{name: np.ascontiguousarray(flags[:, k]) for k, name in enumerate(FLAG_NAMES)},
        "facts": pa.array(columns["facts"]) if job.facts else pa.nulls(n, pa.uint64()),
        "weight": job.weights.of_rows(
            of_game["winner"],
            to_move,
            of_game["result_kind"],
            np.where(to_move == BLACK, of_game["black_level"], of_game["white_level"]),
            np.any(flags[:, : len(TACTICAL_COLUMNS)], axis=1, keepdims=True)[:, 0],
            columns.get("facts"),
        )
        * of_game["opening_weight"]
        * columns["factor"],
        "position_hash": columns["position_hash"],
        "split": _dictionary(np.zeros(n, np.int32), [SPLITS[job.split]]),
    }
    arrays = [
        value if isinstance(value, pa.Array) else pa.array(np.ascontiguousarray(value))
        for value in values.values()
    ]
    return pa.Table.from_arrays(arrays, schema=SAMPLE_SCHEMA)


def _lists(columns: dict[str, NDArray[Any]], name: str) -> pa.ListArray:
    ends = pa.array(columns[f"{name}_end"])
    return pa.ListArray.from_arrays(ends, pa.array(columns[name]))


def _dictionary(indices: NDArray[np.int32], words: list[str]) -> pa.DictionaryArray:
    """Return words by index; a negative index is null."""
    return pa.DictionaryArray.from_arrays(pa.array(indices, mask=indices < 0), pa.array(words))
