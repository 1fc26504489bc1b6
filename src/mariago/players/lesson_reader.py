"""A player's book of lessons: the keys that name it, and the counts it gives.

A book is read when a game begins, where it has changed since; a table of it stays in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from mariago.board.points import move_to_vertex
from mariago.players.names import PlayerName, parse_name
from mariago.players.registry import Options, kinds

if TYPE_CHECKING:
    from mariago.lessons import LessonTable
    from mariago.rules import Position

__all__ = [
    "LessonOptions",
    "LessonReader",
    "checking",
    "label_of",
    "reader_of",
    "said_of",
    "what_changed",
]

EVERYBODY = "all"


class LessonOptions(Options):
    """Keys of players that use lessons."""

    book: str = Field("", description="a book of lessons; see mariago lessons")
    lesson_for: str = Field(
        "", description="whose lessons: a player's name, or all; empty: this player's own"
    )
    lesson_shuffle: int = Field(
        -1, ge=-1, description="for tests: deals the counts out by chance; -1: as learnt"
    )
    lesson_placebo: int = Field(
        -1, ge=-1, description="for tests: lessons about moves that chance chose; -1: as learnt"
    )

    def described(self) -> dict[str, object]:
        """Return the keys as players describe themselves; without a book none is of lessons."""
        keys = self.model_dump()
        if self.book:
            return keys
        return {k: v for k, v in keys.items() if k != "book" and not k.startswith("lesson_")}


def label_of(name: str) -> str:
    """Return by what name lessons are handed to a player: its own, without the keys of lessons."""
    known = parse_name(name)
    kept = {
        key: value
        for key, value in known.keys.items()
        if key != "book" and not key.startswith("lesson_")
    }
    return str(PlayerName(known.kind, known.target, kept))


@dataclass
class LessonReader:
    """Holds the table of a player's book."""

    path: Path
    side: str
    """A player's name, or ``all``."""
    shuffle: int = -1
    placebo: int = -1

    def __post_init__(self) -> None:
        self._seen: object = None
        self.refresh()

    def refresh(self) -> LessonTable:
        """Read the book again if it has changed, and return its table.

        Raises:
            LessonError: it cannot be read, or knows no player of that name.
        """
        from mariago.lessons.book_file import signature

        now = signature(self.path)
        if self._seen != now:
            self.table = self._read()
            self._seen = now
        return self.table

    def _read(self) -> LessonTable:
        from mariago.errors import LessonError
        from mariago.lessons import Book
        from mariago.lessons.lesson import cut, listed

        with Book.open(self.path) as book:
            sides = book.sides()
            if self.side != EVERYBODY and sides and self.side not in sides:
                raise LessonError(
                    f"the book has no lessons for {cut(self.side)!r}",
                    where=self.path,
                    hint=f"lesson_for=NAME names a player of the book: {listed(sides)}; or all",
                )
            return book.table(
                None if self.side == EVERYBODY else self.side,
                shuffle_seed=None if self.shuffle < 0 else self.shuffle,
                placebo_seed=None if self.placebo < 0 else self.placebo,
            )

    def describe(self) -> dict[str, object]:
        """Return whose lessons are read, how many patterns they know, and their hash."""
        return {"side": self.side, "patterns": len(self.table), "sha256": self.table.digest}


def reader_of(name: str, options: LessonOptions) -> LessonReader | None:
    """Return the reader of a player's book; None where it has none.

    Raises:
        PlayerError: keys of lessons without a book.
        LessonError: the book cannot be read.
    """
    from mariago.errors import PlayerError

    if not options.book:
        given = [key for key in parse_name(name).keys if key.startswith("lesson_")]
        if given:
            raise PlayerError(f"{given[0]} without a book", where=name, hint="add book=FILE")
        return None
    side = options.lesson_for or label_of(name)
    return LessonReader(
        Path(options.book),
        side,
        options.lesson_shuffle,
        options.lesson_placebo,
    )


def what_changed(
    position: Position, move: int, plain: npt.NDArray[Any], counts: npt.NDArray[np.float32]
) -> dict[str, object]:
    """Return, as facts of a decision, the lesson that made ``move`` the best one.

    Nothing where ``plain`` (cells + 1,), what the player thinks without lessons, says the same.
    """
    best = int(plain.argmax())
    if not counts[move] or plain[move] >= plain[best]:
        return {}
    return said_of(position, move, best, counts)


def said_of(
    position: Position, move: int, other: int, counts: npt.NDArray[np.float32]
) -> dict[str, object]:
    """Return the facts of a decision that would have been ``other`` without lessons."""
    told = {"count": float(counts[move]), "instead_of": move_to_vertex(other, position.size)}
    return {"lesson": told}


def checking(name: str) -> str:
    """Return a player's name such that it says of each move whether lessons changed it.

    Players that go by scores or a policy alone say so anyway; a search has to look twice.
    """
    known = parse_name(name)
    kind = next((kind for kind in kinds() if kind.name == known.kind), None)
    if kind is None or "lesson_check" not in kind.options.model_fields or "book" not in known.keys:
        return name
    return str(PlayerName(known.kind, known.target, {**known.keys, "lesson_check": "true"}))
