"""The store of a match: one SQLite file, a row for every finished game.

Each game is committed as it ends, so that a match that is killed loses only the games in hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, URL, Engine, Float, Integer, String, Text, create_engine, event, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from mariago.arena.records import GameRecord
from mariago.arena.settings import MatchSettings, differences
from mariago.errors import MatchError

__all__ = ["FILE_NAME", "FORMAT", "MatchStore"]

FILE_NAME = "match.sqlite"
FORMAT = 1  # rises when old files cannot be read any more


class _Base(DeclarativeBase):
    pass


class _MatchRow(_Base):
    __tablename__ = "match"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    format: Mapped[int] = mapped_column(Integer)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    players: Mapped[dict[str, Any]] = mapped_column(JSON)


class _GameRow(_Base):
    __tablename__ = "game"

    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    black: Mapped[str] = mapped_column(String(1))
    opening: Mapped[list[int]] = mapped_column(JSON)
    moves: Mapped[list[int]] = mapped_column(JSON)
    winner: Mapped[int] = mapped_column(Integer)
    margin: Mapped[float | None] = mapped_column(Float)
    ending: Mapped[str] = mapped_column(String(16))
    detail: Mapped[str] = mapped_column(Text)
    counting: Mapped[str] = mapped_column(String(16))
    seconds: Mapped[dict[str, float]] = mapped_column(JSON)
    turns: Mapped[dict[str, int]] = mapped_column(JSON)
    sgf: Mapped[str] = mapped_column(Text)


_COLUMNS = [column.key for column in _GameRow.__table__.columns]


def _row_of(game: GameRecord) -> _GameRow:
    values = {name: getattr(game, name) for name in _COLUMNS}
    return _GameRow(**{**values, "opening": list(game.opening), "moves": list(game.moves)})


def _record_of(row: _GameRow) -> GameRecord:
    values: dict[str, Any] = {name: getattr(row, name) for name in _COLUMNS}
    values["opening"], values["moves"] = tuple(row.opening), tuple(row.moves)
    return GameRecord(**values)


def _durable(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


class MatchStore:
    """The games of one match, in ``match.sqlite`` of its folder."""

    def __init__(self, path: Path, engine: Engine) -> None:
        self.path = path
        self._engine = engine

    @classmethod
    def begin(
        cls,
        folder: Path,
        settings: MatchSettings,
        players: Mapping[str, Mapping[str, object]],
        *,
        resume: bool = False,
    ) -> MatchStore:
        """Open the store of ``folder`` for a match, or make it.

        Raises:
            MatchError: the folder has a match already and ``resume`` is false, or its match has
                other settings or players.
        """
        path = folder / FILE_NAME
        exists = path.exists()
        if exists and not resume:
            hint = "--resume goes on with it; or choose another --out"
            raise MatchError("the folder holds a match already", where=folder, hint=hint)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MatchError(f"cannot be a folder: {error.strerror}", where=folder) from None
        store = cls._opened(path)
        plain = json.loads(json.dumps(players))
        with store._session() as session:
            row = session.get(_MatchRow, 1)
            if row is None:
                values = settings.model_dump(mode="json")
                session.add(_MatchRow(id=1, format=FORMAT, settings=values, players=plain))
                session.commit()
                return store
        store._check(settings, plain)
        return store

    @classmethod
    def open(cls, folder: Path) -> MatchStore:
        """Open the store of a match that was begun.

        Raises:
            MatchError: there is none, or it cannot be read.
        """
        path = folder / FILE_NAME
        if not path.is_file():
            raise MatchError("no match here", where=folder, hint=f"a match has a {FILE_NAME}")
        return cls._opened(path)

    @classmethod
    def _opened(cls, path: Path) -> MatchStore:
        engine = create_engine(URL.create("sqlite", database=str(path)))
        event.listen(engine, "connect", _durable)
        store = cls(path, engine)
        try:
            _Base.metadata.create_all(engine)
            with store._session() as session:
                row = session.get(_MatchRow, 1)
                if row is not None and row.format != FORMAT:
                    raise MatchError(f"format {row.format}, not {FORMAT}", where=path)
        except DBAPIError as error:
            raise MatchError(f"cannot be used as a store: {error.orig}", where=path) from None
        return store

    def _session(self) -> Session:
        return Session(self._engine)

    def _check(self, settings: MatchSettings, players: dict[str, dict[str, object]]) -> None:
        changed = differences(self.settings().model_dump(), settings.model_dump())
        if not changed:
            before = self.players()
            for player in ("a", "b"):
                lines = differences(before[player], players[player])
                changed += [f"Player {player.upper()}'s {line}" for line in lines]
        if changed:
            raise MatchError(
                "the match to be resumed has other settings: " + "; ".join(changed),
                where=self.path.parent,
                hint="resume it with the settings it began with, or choose another --out",
            )

    def _match(self) -> _MatchRow:
        with self._session() as session:
            row = session.get(_MatchRow, 1)
        if row is None:
            raise MatchError("the store holds no match", where=self.path)
        return row

    def settings(self) -> MatchSettings:
        """Return the settings of the match."""
        return MatchSettings.model_validate(self._match().settings)

    def players(self) -> dict[str, dict[str, object]]:
        """Return what ``"a"`` and ``"b"`` said of themselves when the match began."""
        return self._match().players

    def add(self, game: GameRecord) -> None:
        """Keep a game; it is on disk when this returns."""
        with self._session() as session:
            session.merge(_row_of(game))
            session.commit()

    def games(self) -> list[GameRecord]:
        """Return the games in the order of their numbers."""
        with self._session() as session:
            rows: Sequence[_GameRow] = session.scalars(
                select(_GameRow).order_by(_GameRow.number)
            ).all()
            return [_record_of(row) for row in rows]

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()
