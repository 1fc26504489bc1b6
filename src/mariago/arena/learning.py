"""A book learns from the games of a match."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from mariago.arena.schedule import start_position
from mariago.arena.store import FILE_NAME, MatchStore
from mariago.errors import MatchError
from mariago.lessons import Book, game_of_record
from mariago.players.lesson_reader import label_of

__all__ = ["Learnt", "learn_match"]


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of it."""

    games: int
    """Learnt from now."""
    known: int
    """That the book had learnt from before."""
    lessons: int

    def as_dict(self) -> dict[str, int]:
        """Return plain values."""
        return asdict(self)


def learn_match(book: Book, folder: Path, *, on_game: Callable[[], None] | None = None) -> Learnt:
    """Learn from all games of a match that the book does not know yet.

    A match that is still played, or was stopped, may be learnt from again when there are more.
    Lessons are handed to the players by their names without the keys of lessons, so that a player
    that has got a book is the player it was before.

    Raises:
        MatchError: there is no match in ``folder``, or its store is damaged.
        LessonError: the book cannot be written.
    """
    store = MatchStore.open(folder)
    try:
        settings, records = store.settings(), store.games()
    finally:
        store.close()
    if settings.handicap:
        raise MatchError("lessons are not drawn from handicap games", where=folder)
    names = {"a": label_of(settings.player_a), "b": label_of(settings.player_b)}
    written = datetime.fromtimestamp((folder / FILE_NAME).stat().st_mtime, UTC)
    games = known = lessons = 0
    for record in records:
        game = game_of_record(
            record,
            settings,
            names=names,
            match=os.path.abspath(folder),
            played=written.strftime("%Y-%m-%d"),
            start=start_position(settings, record.start),
        )
        taught = book.add(game)
        games, known = games + (taught is not None), known + (taught is None)
        lessons += taught or 0
        if on_game is not None:
            on_game()
    return Learnt(games, known, lessons)
