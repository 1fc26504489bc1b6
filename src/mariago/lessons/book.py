"""The book of lessons: what was taught, by whom, to whom, and in which game.

A game is one transaction: it is in the book with all its lessons or not at all, whenever a process
is killed. The same game of the same match is learnt once. Several processes may write one book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from pydantic import ValidationError
from sqlalchemy import ColumnElement, Engine, and_, delete, func, select, true
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from mariago.errors import LessonError
from mariago.lessons.book_file import (
    check_file,
    check_tables,
    damaged,
    forget_if_empty,
    look_at,
    make_tables,
    open_engine,
)
from mariago.lessons.book_file import told as _told
from mariago.lessons.extraction import lessons_of_game
from mariago.lessons.games import PlayedGame
from mariago.lessons.lesson import Lesson, Teaching
from mariago.lessons.schema import BookRow, GameRow, LessonRow
from mariago.lessons.stored import game_of_row, row_of_game, row_of_lesson, signed, unsigned
from mariago.lessons.table import LessonTable, table_of

__all__ = ["Book", "Given", "Known", "Pattern"]


@dataclass(frozen=True, slots=True)
class Given:
    """Lessons of one kind that one player gave another."""

    kind: str
    giver: str
    receiver: str
    lessons: int
    weight: float
    stones: int


@dataclass(frozen=True, slots=True)
class Known:
    """A lesson with the game that taught it."""

    id: int
    kind: str
    giver: str
    receiver: str
    color: int
    move_number: int
    move: int
    points: int
    weight: float
    pattern: int
    position: int
    game: int
    """Number of the game in the book; the rest says where it comes from."""
    match: str
    number: int
    black: str
    white: str
    winner: int
    played: str
    learnt: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a pattern has taught."""

    pattern: int
    lessons: int
    weight: float
    first: int
    """Number of its first lesson."""


class Book:
    """A book of lessons in one file. Use it in a ``with`` statement, or close it."""

    def __init__(self, path: Path, engine: Engine, *, write: bool) -> None:
        self.path = path
        self._engine = engine
        self._write = write

    # -- opening ---------------------------------------------------------------------------

    @classmethod
    def open(
        cls, path: str | Path, *, write: bool = False, teaching: Teaching | None = None
    ) -> Book:
        """Open a book; for writing, one that is not there is made.

        Args:
            teaching: what a new book is taught by; an old one must have been taught so.

        Raises:
            LessonError: there is no book, or it cannot be used: see ``.hint``.
        """
        place = Path(path)
        check_file(place, may_be_new=write)
        is_new = write and not place.exists()
        if write and not is_new:
            look_at(place)
        book = cls(place, open_engine(place, write=write), write=write)
        try:
            with _told(place), book._engine.begin() as connection:
                if not check_tables(place, connection):
                    if not write:
                        raise damaged(place, "it is empty")
                    make_tables(connection, (teaching or Teaching()).model_dump())
            if teaching is not None and teaching != book.teaching:
                raise LessonError(
                    f"is taught by {book.teaching}, not by {teaching}",
                    where=place,
                    hint="one book, one way of teaching: choose another book",
                )
        except BaseException:
            book.close()
            if is_new:
                forget_if_empty(place)
            raise
        return book

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def teaching(self) -> Teaching:
        """To whom moves are handed, and what the winner's count."""
        with _told(self.path), Session(self._engine) as session:
            row = session.get_one(BookRow, 1)
            try:
                return Teaching.model_validate(row.teaching)
            except ValidationError:
                raise damaged(self.path, "how it is taught cannot be read") from None

    # -- learning --------------------------------------------------------------------------

    def add(self, game: PlayedGame, lessons: Sequence[Lesson] | None = None) -> int | None:
        """Keep a game with its lessons and return how many; None where it was there already.

        It is on disk when this returns.

        Args:
            lessons: those of :func:`lessons_of_game` by the book's teaching, where None.

        Raises:
            IllegalMoveError: the rules forbid a move of the game.
            LessonError: the file cannot be written.
        """
        if self.has(game):
            return None
        taught = lessons_of_game(game, self.teaching) if lessons is None else lessons
        row = row_of_game(game, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"))
        with _told(self.path), Session(self._engine) as session:
            session.add(row)
            try:
                session.flush()
            except IntegrityError as error:
                if "game.key" in str(error.orig):
                    return None  # another process was quicker
                raise
            session.add_all([row_of_lesson(lesson, game, row.id) for lesson in taught])
            session.commit()
        return len(taught)

    def has(self, game: PlayedGame) -> bool:
        """Say whether the book has learnt from a game."""
        with _told(self.path), Session(self._engine) as session:
            return session.scalar(select(GameRow.id).where(GameRow.key == game.key)) is not None

    # -- taking back -----------------------------------------------------------------------

    def undo(
        self, *, game: int | None = None, match: str | None = None, since: str | None = None
    ) -> tuple[int, int]:
        """Take games and their lessons back and return how many; conditions are joined.

        Args:
            game: its number in the book.
            match: as :attr:`Known.match` says.
            since: games learnt then or later, ``2025-01-31`` or ``2025-01-31T09:30``, UTC.

        Raises:
            LessonError: no condition, or no game that fits.
        """
        wanted: list[ColumnElement[bool]] = []
        if game is not None:
            wanted.append(GameRow.id == game)
        if match is not None:
            wanted.append(GameRow.match == match)
        if since is not None:
            wanted.append(GameRow.learnt >= since)
        if not wanted:
            raise LessonError("nothing is named to be taken back", where=self.path)
        games, lessons = self._take_back(and_(*wanted))
        if not games:
            hint = f"mariago lessons export {self.path} --out FILE.csv shows which games are there"
            raise LessonError("no such game is in the book", where=self.path, hint=hint)
        return games, lessons

    def reset(self) -> tuple[int, int]:
        """Empty the book and return how many games and lessons it had."""
        return self._take_back(true())

    def _take_back(self, wanted: ColumnElement[bool]) -> tuple[int, int]:
        with _told(self.path), Session(self._engine) as session:
            chosen = select(GameRow.id).where(wanted)
            those = LessonRow.game_id.in_(chosen)
            lessons = session.scalar(select(func.count(LessonRow.id)).where(those)) or 0
            games = session.scalar(select(func.count(GameRow.id)).where(wanted)) or 0
            session.execute(delete(LessonRow).where(those))
            session.execute(delete(GameRow).where(wanted))
            session.commit()
        return games, lessons

    # -- what it knows ---------------------------------------------------------------------

    def sides(self) -> list[str]:
        """Return the names of all who played a game of the book."""
        with _told(self.path), Session(self._engine) as session:
            names = [
                *session.scalars(select(GameRow.black)),
                *session.scalars(select(GameRow.white)),
            ]
        return sorted(set(names))

    def table(
        self,
        side: str | None = None,
        *,
        shuffle_seed: int | None = None,
        placebo_seed: int | None = None,
    ) -> LessonTable:
        """Return what lessons count, by pattern.

        Args:
            side: lessons handed to this player alone; None takes all.
            shuffle_seed: deal the counts out by chance among the same patterns.
            placebo_seed: as many lessons of the same weights from the same positions, each about
                another legal move that chance chose: bonuses that teach nothing.
        """
        if placebo_seed is not None:
            return table_of(self._placebo(side, placebo_seed))
        query = select(LessonRow.pattern, LessonRow.weight)
        if side is not None:
            query = query.where(LessonRow.receiver == side)
        with _told(self.path), Session(self._engine) as session:
            rows = session.execute(query.order_by(LessonRow.id)).all()
        table = table_of((unsigned(pattern), weight) for pattern, weight in rows)
        return table if shuffle_seed is None else table.shuffled(shuffle_seed)

    def _placebo(self, side: str | None, seed: int) -> Iterator[tuple[int, float]]:
        from mariago.lessons.key_kernels import pattern_of

        rng = np.random.default_rng(seed)
        by_game: dict[int, dict[int, list[float]]] = {}
        for known in self.lessons(side=side):
            by_game.setdefault(known.game, {}).setdefault(known.move_number, []).append(
                known.weight
            )
        for number, game in self.games():
            taught = by_game.get(number, {})
            for at, (position, move) in enumerate(game.positions() if taught else (), 1):
                others = [m for m in position.legal_moves()[:-1] if m != move]
                if at in taught and others:
                    key = int(pattern_of(position.state, int(rng.choice(others))))
                    yield from ((key, weight) for weight in taught[at])

    def given(self) -> list[Given]:
        """Return who gave whom how many lessons of each kind."""
        groups = (LessonRow.kind, LessonRow.giver, LessonRow.receiver)
        query = select(
            *groups,
            func.count(LessonRow.id),
            func.sum(LessonRow.weight),
            func.sum(LessonRow.points),
        )
        with _told(self.path), Session(self._engine) as session:
            rows = session.execute(query.group_by(*groups).order_by(*groups)).all()
        return [Given(*row) for row in rows]

    def game_count(self) -> int:
        """Return how many games the book has learnt from."""
        with _told(self.path), Session(self._engine) as session:
            return session.scalar(select(func.count(GameRow.id))) or 0

    def patterns(self, side: str | None = None, limit: int | None = None) -> list[Pattern]:
        """Return the patterns that taught most, the heaviest first."""
        weight = func.sum(LessonRow.weight)
        query = select(
            LessonRow.pattern, func.count(LessonRow.id), weight, func.min(LessonRow.id)
        ).group_by(LessonRow.pattern)
        if side is not None:
            query = query.where(LessonRow.receiver == side)
        query = query.order_by(weight.desc(), func.min(LessonRow.id)).limit(limit)
        with _told(self.path), Session(self._engine) as session:
            rows = session.execute(query).all()
        return [Pattern(unsigned(key), n, total, first) for key, n, total, first in rows]

    def lessons(
        self,
        *,
        side: str | None = None,
        pattern: int | None = None,
        number: int | None = None,
    ) -> Iterator[Known]:
        """Yield lessons with their games, in the order in which they were learnt."""
        query = select(LessonRow, GameRow).join(GameRow, GameRow.id == LessonRow.game_id)
        if side is not None:
            query = query.where(LessonRow.receiver == side)
        if pattern is not None:
            query = query.where(LessonRow.pattern == signed(pattern))
        if number is not None:
            query = query.where(LessonRow.id == number)
        with _told(self.path), Session(self._engine) as session:
            for lesson, game in session.execute(query.order_by(LessonRow.id)):
                yield _known(lesson, game)

    def games(self) -> Iterator[tuple[int, PlayedGame]]:
        """Yield (number in the book, game).

        Raises:
            LessonError: a game that cannot be read.
        """
        with _told(self.path), Session(self._engine) as session:
            for row in session.scalars(select(GameRow).order_by(GameRow.id)):
                yield row.id, game_of_row(row)

    def game(self, number: int) -> PlayedGame:
        """Return the game with this number in the book.

        Raises:
            LessonError: there is none.
        """
        with _told(self.path), Session(self._engine) as session:
            row = session.get(GameRow, number)
            if row is not None:
                return game_of_row(row)
        raise LessonError(f"there is no game {number} in the book", where=self.path)


def _known(lesson: LessonRow, game: GameRow) -> Known:
    return Known(
        id=lesson.id,
        kind=lesson.kind,
        giver=lesson.giver,
        receiver=lesson.receiver,
        color=lesson.color,
        move_number=lesson.move_number,
        move=lesson.move,
        points=lesson.points,
        weight=lesson.weight,
        pattern=unsigned(lesson.pattern),
        position=unsigned(lesson.position),
        game=game.id,
        match=game.match,
        number=game.number,
        black=game.black,
        white=game.white,
        winner=game.winner,
        played=game.played,
        learnt=game.learnt,
    )
