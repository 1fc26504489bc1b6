"""During a build: which kept rows are lessons.

A lesson names a row by its game and the number of its move. Where that row goes because another
game has the same position with the same answer, under any symmetry and with colours swapped, the
row that stays in its place is the lesson; where its whole game repeats another one, likewise.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mariago.board.points import move_to_vertex
from mariago.errors import BadInputError
from mariago.records.disk_arrays import save_array
from mariago.records.duplicates import GameRepeats
from mariago.records.intake import GameFacts, Intake
from mariago.records.lesson_weights import LessonWeights
from mariago.records.repeat_kernels import KEEP
from mariago.records.spool import LESSON_ROWS
from mariago.records.workplace import append_whole

__all__ = ["LESSON_ROWS", "LessonRows", "factors_of"]

HASHES = "hashes.bin"
ROWS_AT_ONCE = 4_000_000
ROW = np.dtype([("row", "<i8"), ("factor", "<f4")])
HINT = "give the records that mariago lessons games wrote together with it"


class _Lesson(NamedTuple):
    game: int
    position: int
    answer: int
    factor: float


class LessonRows:
    """Finds the lessons among the games as they come in, and their rows among those that stay."""

    def __init__(self, lessons: LessonWeights, spool: Path) -> None:
        self._lessons = lessons
        self._spool = spool
        self._found: list[_Lesson] = []
        self._seen: Counter[str] = Counter()
        self._games = 0
        self._kept_as: dict[int, int] = {}
        self.counts: dict[str, int] = {}
        """``moves`` that are lessons, ``found`` of them, in ``rows``."""
        (spool / HASHES).unlink(missing_ok=True)

    def add(self, intake: Intake) -> None:
        """Take the games of an intake that was made with ``want_answers``.

        Raises:
            BadInputError: a game is not the one that the lessons tell of.
        """
        with (self._spool / HASHES).open("ab", buffering=0) as file:
            append_whole(file, intake.hashes.tobytes())
        for drop in intake.drops:
            if drop.index_in_file == 0:
                self._seen[_name(drop.path)] += 1
        for at, facts in enumerate(intake.facts):
            if facts.index_in_file == 0:
                self._take(intake, at, facts)
        self._games += len(intake.facts)

    def _take(self, intake: Intake, at: int, facts: GameFacts) -> None:
        name = _name(facts.path)
        self._seen[name] += 1
        start, stop = int(intake.first[at]), int(intake.first[at + 1])
        for number, taught in self._lessons.games.get(name, {}).items():
            row = start + number - 1
            where = f"{self._lessons.path}, line {taught.line}"
            if row >= stop:
                said = f"move {number} of {name:.80}, which has {stop - start} moves"
                raise BadInputError(said, where=where, hint=HINT)
            if int(intake.moves[row]) != taught.move:
                played = move_to_vertex(int(intake.moves[row]), facts.size)
                said = f"move {number} of {name:.80} is {played}, not that of the lesson"
                raise BadInputError(said, where=where, hint=HINT)
            self._found.append(
                _Lesson(
                    self._games + at,
                    int(intake.hashes[row]),
                    int(intake.answers[row]),
                    self._lessons.factor * taught.weight,
                )
            )

    def close(self, repeats: GameRepeats) -> None:
        """End the gathering; ``repeats`` says which games go because others are the same.

        Raises:
            BadInputError: a game of the lessons was not among the records, or two were.
        """
        for name in self._lessons.games:
            if self._seen[name] != 1:
                there = "is not among the records" if not self._seen[name] else "is there twice"
                said = f"its game {name:.80} {there}"
                raise BadInputError(said, where=self._lessons.path, hint=HINT)
        pairs = zip(repeats.repeating.tolist(), repeats.kept.tolist(), strict=True)
        self._kept_as = dict(pairs)

    def settle(self, numbers: NDArray[Any], codes: NDArray[np.uint8]) -> None:
        """Write which rows are lessons, for the second pass.

        Args:
            numbers: of all games that were read.
            codes: (rows,) what became of each row.
        """
        splits, first = numbers["split"], numbers["first"]
        wanted: dict[tuple[int, int, int], list[float]] = {}
        for one in self._found:
            split = int(splits[self._kept_as.get(one.game, one.game)])
            wanted.setdefault((one.position, one.answer, split), []).append(one.factor)
        hashes = np.memmap(self._spool / HASHES, np.uint64, "r")  # a set without moves is refused
        answers = np.memmap(self._spool / "answers.bin", np.uint16, "r")
        positions = np.unique(np.array([position for position, _, _ in wanted], np.uint64))
        rows: list[tuple[int, float]] = []
        found = 0
        for start in range(0, len(codes), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            here = np.isin(hashes[part], positions) & (codes[part] == KEEP)
            for row in (np.flatnonzero(here) + start).tolist():
                split = int(splits[np.searchsorted(first, row, "right") - 1])
                factors = wanted.get((int(hashes[row]), int(answers[row]), split))
                if factors is not None:
                    rows.append((row, max(factors)))
                    found += len(factors)
        save_array(self._spool / LESSON_ROWS, np.array(rows, ROW))
        self.counts = {"moves": self._lessons.moves, "found": found, "rows": len(rows)}


def factors_of(table: NDArray[Any] | None, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return what lessons make of rows (R,): their factor, or 1; ``table`` as it was written."""
    factors = np.ones(len(rows), np.float32)
    if table is None or not len(table):
        return factors
    at = np.minimum(np.searchsorted(table["row"], rows), len(table) - 1)
    held = table["row"][at] == rows
    factors[held] = table["factor"][at[held]]
    return factors


def _name(path: str) -> str:
    return path.rpartition("/")[2]
