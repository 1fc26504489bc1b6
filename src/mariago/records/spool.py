"""Judged games on disk between the two passes: two bytes a move instead of a hundred a sample.

The second pass replays them; that is cheaper than keeping finished samples, and memory stays flat.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.records.disk_arrays import save_array
from mariago.records.intake import GameFacts, Intake
from mariago.records.told import RESULT_KINDS, level_of
from mariago.records.workplace import append_whole
from mariago.rules.rule_sets import RULE_SETS

__all__ = ["LESSON_ROWS", "NUMBERS", "RULE_NAMES", "TEXT_NAMES", "Spool", "SpooledGames"]

RULE_NAMES = tuple(RULE_SETS)
_RULE_CODES = {name: code for code, name in enumerate(RULE_NAMES)}
UNKNOWN_RULES = -1
LESSON_ROWS = "lesson_rows.npy"
_KIND_CODES = {name: code for code, name in enumerate(RESULT_KINDS)}

# What is kept of a game as text, in the order of ``GameFacts.texts``.
TEXT_NAMES = (
    "result", "black", "white", "black_rank", "white_rank", "date", "event", "played", "server",
    "repairs",
)  # fmt: skip

# What the second pass needs of each game, beside its moves.
NUMBERS = np.dtype(
    [
        ("first", "<i8"),
        ("setup_first", "<i8"),
        ("length", "<i4"),
        ("setup_length", "<i4"),
        ("first_move", "<i2"),
        ("identity", "<u8"),
        ("rows", "u1"),
        ("columns", "u1"),
        ("split", "u1"),
        ("winner", "i1"),
        ("score", "<f4"),
        ("komi", "<f4"),
        ("rules", "i1"),
        ("handicap", "u1"),
        ("handicap_bonus", "u1"),
        ("black_level", "i1"),
        ("white_level", "i1"),
        ("result_kind", "u1"),
        ("opening_weight", "<f4"),
    ]
)
_TEXTS = pa.schema(
    [
        ("source", pa.uint16()),
        ("path", pa.string()),
        ("index_in_file", pa.uint32()),
        *[(name, pa.string()) for name in TEXT_NAMES],
    ]
)
_ARRAYS: dict[str, Any] = {
    "colors": np.uint8,
    "moves": np.int16,
    "setup": np.int16,
    "tactical": np.uint8,
    "answers": np.uint16,
}


class Spool:
    """Takes judged games in order; ``close`` makes them readable by ``SpooledGames``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.numbers: list[NDArray[Any]] = []
        self.games = 0
        self._moves = self._setup = 0
        self._files = {name: (folder / f"{name}.bin").open("wb", buffering=0) for name in _ARRAYS}
        self._texts = pa.ipc.new_stream(
            str(folder / "texts.arrows"), _TEXTS, options=pa.ipc.IpcWriteOptions(compression="lz4")
        )

    def add(self, intake: Intake, splits: NDArray[np.uint8], sources: list[int]) -> None:
        """Append games; ``splits`` (G,), ``sources`` the index of each game's source."""
        if not intake.facts:
            return
        for name, file in self._files.items():
            append_whole(file, getattr(intake, name).tobytes())
        self.numbers.append(self._numbers_of(intake, splits))
        self._moves += len(intake.moves)
        self._setup += len(intake.setup)
        self.games += len(intake.facts)
        self._texts.write_batch(_texts_of(intake.facts, sources))

    def _numbers_of(self, intake: Intake, splits: NDArray[np.uint8]) -> NDArray[Any]:
        facts = intake.facts
        numbers = np.empty(len(facts), NUMBERS)
        numbers["first"] = intake.first[:-1] + self._moves
        numbers["setup_first"] = intake.setup_first[:-1] + self._setup
        numbers["length"] = np.diff(intake.first)
        numbers["setup_length"] = np.diff(intake.setup_first)
        numbers["first_move"] = intake.moves[intake.first[:-1]]
        numbers["identity"] = intake.identities
        numbers["rows"], numbers["columns"] = intake.rows, intake.columns
        numbers["split"] = splits
        nan = float("nan")
        numbers["winner"] = [game.winner for game in facts]
        numbers["score"] = [nan if game.score is None else game.score for game in facts]
        numbers["komi"] = [nan if game.komi is None else game.komi for game in facts]
        numbers["rules"] = [
            UNKNOWN_RULES if game.rules is None else _RULE_CODES[game.rules] for game in facts
        ]
        numbers["handicap"] = [game.handicap for game in facts]
        numbers["handicap_bonus"] = [game.handicap_bonus for game in facts]
        for side in ("black", "white"):
            at = TEXT_NAMES.index(f"{side}_rank")
            numbers[f"{side}_level"] = [level_of(game.texts[at]) for game in facts]
        numbers["opening_weight"] = 1
        numbers["result_kind"] = [_KIND_CODES[game.result_kind] for game in facts]
        return numbers

    def close(self) -> NDArray[Any]:
        """Finish the files; return the numbers of all games."""
        self._texts.close()
        for file in self._files.values():
            file.close()
        numbers = np.concatenate([np.empty(0, NUMBERS), *self.numbers])
        save_array(self.folder / "numbers.npy", numbers)
        return numbers


def _texts_of(facts: list[GameFacts], sources: list[int]) -> pa.RecordBatch:
    columns = list(zip(*(game.texts for game in facts), strict=True))
    return pa.record_batch(
        [
            pa.array(sources, pa.uint16()),
            pa.array([game.path for game in facts], pa.string()),
            pa.array([game.index_in_file for game in facts], pa.uint32()),
            *[pa.array(column, pa.string()) for column in columns],
        ],
        schema=_TEXTS,
    )


class SpooledGames:
    """The spooled games as arrays on disk; a worker opens them by the folder's name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.numbers: NDArray[Any] = np.load(folder / "numbers.npy", mmap_mode="r")
        self.colors = self._mapped("colors")
        self.moves = self._mapped("moves")
        self.setup = self._mapped("setup").reshape(-1, 3)

    def _mapped(self, name: str) -> NDArray[Any]:
        return _map(self.folder / f"{name}.bin", _ARRAYS[name])

    def texts(self, wanted: "NDArray[np.bool_] | None" = None) -> "Iterator[pa.RecordBatch]":
        """Yield the texts of the games, or of those that are ``wanted`` (G,), batch by batch."""
        start = 0
        with pa.ipc.open_stream(str(self.folder / "texts.arrows")) as stream:
            for batch in stream:
                stop = start + batch.num_rows
                part = None if wanted is None else wanted[start:stop]
                yield batch if part is None or part.all() else batch.filter(pa.array(part))
                start = stop

    @cached_property
    def codes(self) -> NDArray[np.uint8]:
        """What became of each move, once that is decided."""
        return _map(self.folder / "codes.bin", np.uint8)

    @cached_property
    def lesson_rows(self) -> "NDArray[Any] | None":
        """Which rows are lessons, once that is decided; None where nobody asked."""
        path = self.folder / LESSON_ROWS
        return np.load(path) if path.exists() else None

    def gather(self, games: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return the arrays of some games as ``judge`` takes them, and the codes of their moves."""
        return self.played(games) | {"codes": self.codes[self._moves_of(games)]}

    def _moves_of(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        numbers = self.numbers[games]
        return _slices(numbers["first"], numbers["length"])

    def played(self, games: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return the arrays of some games laid out as ``replay_kernels.judge`` takes them."""
        numbers = self.numbers[games]
        moves = self._moves_of(games)
        setup = _slices(numbers["setup_first"], numbers["setup_length"])
        return {
            "rows": numbers["rows"].astype(np.int64),
            "columns": numbers["columns"].astype(np.int64),
            "first": _ends(numbers["length"]),
            "colors": self.colors[moves],
            "moves": self.moves[moves],
            "setup_first": _ends(numbers["setup_length"]),
            "setup": self.setup[setup],
        }


def _map(path: Path, kind: Any) -> NDArray[Any]:
    """Return the file as an array on disk; an empty file cannot be mapped."""
    if path.stat().st_size == 0:
        return np.empty(0, kind)
    return np.memmap(path, kind, "r")


def _ends(lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _slices(first: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the indices of the slices that start at ``first``, one slice behind the other."""
    ends = _ends(lengths)
    return np.arange(ends[-1]) + np.repeat(first - ends[:-1], lengths)
