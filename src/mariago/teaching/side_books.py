"""Each side's own book of lessons, and the player that has got it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mariago.arena.records import GameRecord
from mariago.arena.schedule import start_position
from mariago.arena.standings import StoredMatch
from mariago.errors import BadInputError
from mariago.lessons import Book, Given, Teaching, game_of_record
from mariago.lessons.extraction import GoodMove, good_moves, handed_over
from mariago.players import resolve_name
from mariago.players.lesson_reader import LessonOptions, label_of
from mariago.players.names import PlayerName, parse_name
from mariago.players.registry import kinds

__all__ = [
    "SIDES",
    "Side",
    "Told",
    "can_learn",
    "check_student",
    "given_since",
    "grow_book",
    "told_by",
    "with_book",
]

Side = Literal["a", "b"]
SIDES: tuple[Side, ...] = ("a", "b")


def can_learn(name: str) -> bool:
    """Say whether players of this kind can use a book."""
    kind = parse_name(name).kind
    return any(k.name == kind and issubclass(k.options, LessonOptions) for k in kinds())


def check_student(name: str) -> None:
    """Check that a player comes without a book of its own.

    Raises:
        BadInputError: its name has keys of lessons that say which book.
    """
    taken = [key for key in ("book", "lesson_for", "lesson_shuffle", "lesson_placebo")
             if key in parse_name(name).keys]  # fmt: skip
    if taken:
        raise BadInputError(
            f"a player that is to be taught comes without {taken[0]}=",
            where=name,
            hint="the command gives it its book; a match with books of your own is mariago match",
        )


def with_book(name: str, book: Path, **keys: object) -> str:
    """Return a player's name with a book and other keys of lessons."""
    known = parse_name(name)
    more = {"book": os.fspath(book), **{key: str(value) for key, value in keys.items()}}
    return resolve_name(str(PlayerName(known.kind, known.target, {**known.keys, **more})))


def grow_book(
    path: Path,
    matches: Sequence[tuple[Path, StoredMatch]],
    side: Side,
    teaching: Teaching,
    *,
    before: Path | None = None,
    names: Mapping[str, str] | None = None,
    known: dict[tuple[str, int], list[GoodMove]] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Make a book: what ``before`` holds, and what the matches hand to one side.

    A book that is there is left alone: books appear whole or not at all.

    Args:
        matches: (folder, match) of which the side was player ``side``.
        names: by what names lessons are handed to players ``"a"`` and ``"b"``, where those of the
            matches are of nets that were tuned since.
        known: (folder, number) of a game -> its good moves. Those that are looked for are kept in
            it, for the next book of the same games.
        tell: called before each game is read, with what is being done.

    Raises:
        LessonError: a book cannot be read or written.
    """
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
        left.unlink(missing_ok=True)  # of a run that was killed
    if before is not None:
        Book.open(before).close()  # a damaged one is told in words
        with closing(sqlite3.connect(before)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
    with Book.open(part, write=True, teaching=teaching) as book:
        for folder, match in matches:
            for count, record in enumerate(match.games, 1):
                tell(f"lessons for {path.name}, game {count} of {len(match.games)}")
                _learn(book, folder, match, record, side, names, {} if known is None else known)
    with closing(sqlite3.connect(part)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    os.replace(part, path)


def _learn(
    book: Book,
    folder: Path,
    match: StoredMatch,
    record: GameRecord,
    side: Side,
    names: Mapping[str, str] | None,
    known: dict[tuple[str, int], list[GoodMove]],
) -> None:
    if names is None:
        names = {"a": label_of(match.settings.player_a), "b": label_of(match.settings.player_b)}
    place = os.path.abspath(folder)
    game = game_of_record(
        record,
        match.settings,
        names=names,
        match=place,
        start=start_position(match.settings, record.start),
    )
    color = record.color_of(side)
    key = place, record.number
    if key not in known:
        known[key] = good_moves(game)
    taught = handed_over(known[key], game.winner, book.teaching)
    book.add(game, [lesson for lesson in taught if lesson.to == color])


@dataclass(frozen=True, slots=True)
class Told:
    """What a side's book holds."""

    lessons: int
    weight: float
    patterns: int
    given: tuple[Given, ...]
    """By kind; of all rounds so far."""

    @property
    def givers(self) -> str:
        """The players whose good moves it holds; empty where there are none."""
        return ", ".join(dict.fromkeys(one.giver for one in self.given))


def told_by(path: Path) -> Told:
    """Return what is in a book; nothing where there is none yet."""
    if not path.exists():
        return Told(0, 0.0, 0, ())
    with Book.open(path) as book:
        given = tuple(book.given())
        return Told(
            sum(one.lessons for one in given),
            sum(one.weight for one in given),
            len(book.table()),
            given,
        )


def given_since(before: Told, now: Told) -> dict[str, tuple[int, float]]:
    """Return, by kind of lesson, how many came between two books, and what they count."""
    kinds_of = dict.fromkeys(one.kind for one in now.given)
    found: dict[str, tuple[int, float]] = {}
    for kind in kinds_of:
        counts = [
            (
                sum(one.lessons for one in told.given if one.kind == kind),
                sum(one.weight for one in told.given if one.kind == kind),
            )
            for told in (before, now)
        ]
        found[kind] = (counts[1][0] - counts[0][0], counts[1][1] - counts[0][1])
    return found
