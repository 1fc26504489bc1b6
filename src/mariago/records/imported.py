"""Rows and games of a foreign data set as the tables of ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.features.rows import RULE_NAMES
from mariago.records.katago_rows_back import NO_RULES, FoundRows
from mariago.records.papers import Paper
from mariago.records.schema import GAME_SCHEMA, LAST_MOVES, SAMPLE_SCHEMA, SPLITS, packed_length
from mariago.rules.result import Result

__all__ = ["ImportedGame", "games_of", "samples_table"]

FLAG_NAMES = ("captures", "saves", "gives_atari", "self_atari", "in_atari")


@dataclass
class ImportedGame:
    """What the rows of one game say of it."""

    identity: int
    source: int
    path: str
    row: int  # of the file, its first
    rows: int
    columns: int
    winner: int
    score: float  # Black's view, NaN unknown
    komi: float
    rules: int
    handicap: int
    first_move: int
    moves: int = 0
    split: int = 0

    @classmethod
    def of_row(cls, found: FoundRows, row: int, source: int, path: str) -> "ImportedGame":
        """Return the game of a row; its first move is a pass until a row tells it."""
        rows, columns = int(found.rows[row]), int(found.columns[row])
        return cls(
            identity=int(found.game[row]),
            source=source,
            path=path,
            row=row,
            rows=rows,
            columns=columns,
            winner=int(found.winner[row]),
            score=float(found.score[row]),
            komi=float(found.komi[row]),
            rules=int(found.rules[row]),
            handicap=int(found.handicap[row]),
            first_move=rows * columns,
        )

    @property
    def result(self) -> Result:
        """The result, by resignation where the margin is not known."""
        if self.winner in (1, 2):
            if np.isnan(self.score):
                return Result.by_resignation(3 - self.winner)
            return Result(self.winner, abs(self.score), "score")
        return Result.by_score(0) if self.winner == 0 else Result.unknown()


def games_of(
    games: Sequence[ImportedGame], rows: dict[str, NDArray[np.int64]], papers: Sequence[Paper]
) -> pa.Table:
    """Return ``games.parquet``; what the rows cannot tell is empty or null.

    ``rows`` says what became of the rows of the games: ``samples`` and REMOVED, each (G,).
    """
    told: dict[str, list[Any]] = {
        "game": list(range(len(games))),
        "game_id": [f"{game.identity:016x}" for game in games],
        "split": [SPLITS[game.split] for game in games],
        "source": [game.source for game in games],
        "path": [game.path for game in games],
        "index_in_file": [game.row for game in games],
        "moves": [min(game.moves, 65_535) for game in games],
        **{name: held.tolist() for name, held in rows.items()},
        "score": [None if np.isnan(game.score) else game.score for game in games],
        "result": [str(game.result) for game in games],
        "rules": [_rules_name(game.rules) for game in games],
        "result_kind": [game.result.how for game in games],
        "origin": [papers[game.source].origin for game in games],
        "terms": [papers[game.source].terms for game in games],
    }
    for name in ("rows", "columns", "first_move", "winner", "komi", "handicap"):
        told[name] = [getattr(game, name) for game in games]
    columns: list[pa.Array] = []
    for field in GAME_SCHEMA:
        values = told.get(field.name)
        if values is None:
            values = [None if field.nullable else ""] * len(games)
        columns.append(pa.array(values, field.type))
    return pa.Table.from_arrays(columns, schema=GAME_SCHEMA)


def samples_table(
    found: FoundRows,
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
    games: Sequence[ImportedGame],
    split: str,
) -> pa.Table:
    """Return the ``rows`` of a file in the schema; ``places`` are those of their games."""
    n = len(rows)
    board, ends = _packed(found.board[rows], found.rows[rows], found.columns[rows])
    held, where = np.unique(places, return_inverse=True)
    values: dict[str, Any] = {
        "game": places.astype(np.uint32),
        "game_id": _words(where, [f"{games[place].identity:016x}" for place in held.tolist()]),
        "move_number": np.minimum(found.turn[rows] + 1, 32_767).astype(np.int16),
        "rows": found.rows[rows],
        "columns": found.columns[rows],
        "board": pa.Array.from_buffers(
            pa.binary(), n, [None, pa.py_buffer(ends), pa.py_buffer(board)]
        ),
        "to_move": found.to_move[rows],
        "ko": found.ko[rows],
        "superko_banned": _lists(found.banned, rows),
        "last_moves": pa.FixedSizeListArray.from_arrays(
            pa.array(found.last_moves[rows].reshape(-1)), LAST_MOVES
        ),
        "taken_1": _lists(found.taken[0], rows),
        "taken_2": _lists(found.taken[1], rows),
        "move": found.move[rows],
        "winner": found.winner[rows],
        "score": pa.array(found.score[rows], from_pandas=True),
        "komi": pa.array(found.komi[rows], from_pandas=True),
        "rules": _words(found.rules[rows], list(RULE_NAMES)),
        "handicap": found.handicap[rows],
        "handicap_bonus": np.zeros(n, np.uint8),
        "stone_lead": np.zeros(n, np.int16),  # a part of komi in such a file
        **{name: found.flags[rows, k] for k, name in enumerate(FLAG_NAMES)},
        "facts": pa.nulls(n, pa.uint64()),
        "weight": found.weight[rows],
        "position_hash": found.hashes[rows],
        "split": _words(np.zeros(n, np.int32), [split]),
    }
    arrays = [
        values[field.name]
        if isinstance(values[field.name], pa.Array)
        else pa.array(np.ascontiguousarray(values[field.name]), field.type)
        for field in SAMPLE_SCHEMA
    ]
    return pa.Table.from_arrays(arrays, schema=SAMPLE_SCHEMA)


def _rules_name(place: int) -> str | None:
    return None if place == NO_RULES else RULE_NAMES[place]


def _words(indices: NDArray[Any], words: list[str]) -> pa.DictionaryArray:
    """Return words by index; a negative index is null."""
    held = indices.astype(np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(held, mask=held < 0), pa.array(words))


def _lists(lists: list[list[int]], rows: NDArray[np.int64]) -> pa.ListArray:
    return pa.array([lists[at] for at in rows.tolist()], pa.list_(pa.int16()))


def _packed(
    board: NDArray[np.uint8], rows: NDArray[np.uint8], columns: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return boards with 2 bits a point, behind each other, and where each of them starts."""
    cells = rows.astype(np.int64) * columns
    wide = np.zeros((len(board), 4 * packed_length(board.shape[1])), np.uint8)
    wide[:, : board.shape[1]] = board
    quads = wide.reshape(len(board), -1, 4)
    bytes_ = quads[..., 0] | quads[..., 1] << 2 | quads[..., 2] << 4 | quads[..., 3] << 6
    lengths = (cells + 3) // 4
    ends = np.zeros(len(board) + 1, np.int32)
    np.cumsum(lengths, out=ends[1:])
    return bytes_[np.arange(bytes_.shape[1]) < lengths[:, None]].astype(np.uint8), ends
