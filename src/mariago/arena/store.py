"""The store of a match: one SQLite file, a row for every finished game.

Each game is committed as it ends, so that a match that is killed loses only the games in hand.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import (
    JSON,
    URL,
    Engine,
    Float,
    Integer,
    String,
    Text,
    create_engine,
    event,
    inspect,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from mariago.arena.checks import game_fault
from mariago.arena.records import GameRecord
from mariago.arena.settings import MatchSettings, differences
from mariago.errors import MatchError, first_fault

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


RESUME_HINT = "the games kept so far are safe: free some space, and --resume goes on with them"
DAMAGE_HINT = "restore the file from a copy, or choose another --out and play the match again"


def _damaged(path: Path | str, what: str) -> MatchError:
    name = FILE_NAME if isinstance(path, Path) else "the store"
    return MatchError(f"{name} was changed or is damaged: {what}", where=path, hint=DAMAGE_HINT)


@contextmanager
def _told(path: Path | str) -> Generator[None]:
    """Turn what SQLite, or a value that is no JSON, says into one line."""
    try:
        yield
    except SQLAlchemyError as error:
        said = " ".join(str(getattr(error, "orig", None) or error).split())
        if "disk is full" in said or "disk I/O" in said:
            raise MatchError(f"cannot be written: {said}", where=path, hint=RESUME_HINT) from None
        if "no such column" in said or "has no column" in said:
            raise _damaged(path, said) from None
        raise MatchError(
            f"cannot be used as a store: {said}",
            where=path,
            hint="see that the file can be written and that no other program holds it; "
            "or choose another --out",
        ) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise _damaged(path, " ".join(f"{error}".split())[:200]) from None


def _refuse_other_tables(path: Path | str, engine: Engine) -> None:
    tables = set(inspect(engine).get_table_names())
    if not tables <= {"match", "game"}:
        raise _damaged(path, "it holds tables that no match has")
    if tables == {"match"}:  # the games' table is made first
        raise _damaged(path, "the table of games is missing")


def _durable(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _engine_of_file(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)))
    event.listen(engine, "connect", _durable)
    return engine


def _engine_of_url(text: str) -> tuple[Path | str, Engine]:
    """Return the place that a URL names, without its password, and the engine for it."""
    try:
        url = make_url(text)
        shown = url.render_as_string(hide_password=True)
        if url.get_backend_name() == "sqlite":
            path = Path(url.database or "")
            if not path.is_file():
                raise MatchError("no such file", where=shown)
            return path, _engine_of_file(path)
        return shown, create_engine(url)
    except (ArgumentError, NoSuchModuleError):
        hint = "a URL looks like postgresql://USER@HOST/NAME; a file needs no URL"
        kind = text.partition("://")[0]
        raise MatchError("not the URL of a database", where=f"{kind}://...", hint=hint) from None
    except ModuleNotFoundError as error:
        hint = f"install the database's driver: pip install {error.name}"
        raise MatchError(f"the driver {error.name} is missing", where="URL", hint=hint) from None


class MatchStore:
    """The games of one match, in ``match.sqlite`` of its folder."""

    def __init__(self, path: Path | str, engine: Engine) -> None:
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
                other settings or players. More games are no other match: openings and seeds
                of the first ones stay, and the store has the larger number from here on.
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
        store = cls._opened(path, _engine_of_file(path), make=True)
        plain = json.loads(json.dumps(players))
        try:
            if store._is_empty():
                store._keep(
                    _MatchRow(
                        id=1,
                        format=FORMAT,
                        settings=settings.model_dump(mode="json"),
                        players=plain,
                    )
                )
            else:
                store._check(settings, plain)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, place: Path | str) -> MatchStore:
        """Open the store of a match that was begun; nothing is written.

        Args:
            place: the folder of the match, its SQLite file, or a database's URL
                (``postgresql://USER@HOST/NAME``).

        Raises:
            MatchError: there is none, or it cannot be read.
        """
        if isinstance(place, str) and "://" in place:
            return cls._opened(*_engine_of_url(place), make=False)
        path = Path(place)
        if not path.is_file():
            path = path / FILE_NAME
        if not path.is_file():
            raise MatchError("no match here", where=place, hint=f"a match has a {FILE_NAME}")
        return cls._opened(path, _engine_of_file(path), make=False)

    @classmethod
    def _opened(cls, path: Path | str, engine: Engine, *, make: bool) -> MatchStore:
        """Return a store whose tables were looked at, and made where ``make`` is true."""
        store = cls(path, engine)
        try:
            with _told(path):
                _refuse_other_tables(path, engine)
                if make:
                    _Base.metadata.create_all(engine)
                elif not inspect(engine).has_table("match"):
                    raise MatchError("no match here", where=path, hint="is it another file?")
                with store._session() as session:
                    row = session.get(_MatchRow, 1)
                    if row is not None and row.format != FORMAT:
                        hint = "it was made by another version; choose another --out"
                        raise MatchError(
                            f"format {row.format}, not {FORMAT}", where=path, hint=hint
                        )
        except MatchError:
            store.close()
            raise
        return store

    def _session(self) -> Session:
        return Session(self._engine)

    def _keep(self, row: _Base) -> None:
        with _told(self.path), self._session() as session:
            session.merge(row)
            session.commit()

    def _is_empty(self) -> bool:
        """Say whether no match was begun here; games without a match are a damaged file."""
        with _told(self.path), self._session() as session:
            if session.scalars(select(_MatchRow.id)).first() is not None:
                return False
            games = session.scalars(select(_GameRow.number)).first() is not None
        if games:
            raise _damaged(self.path, "games without the match that they belong to")
        return True

    def _check(self, settings: MatchSettings, players: dict[str, dict[str, object]]) -> None:
        """Refuse what is another match; the same one with more games is begun anew as that."""
        before_settings = self.settings()
        more = settings.games > before_settings.games
        known = before_settings.model_dump() | ({"games": settings.games} if more else {})
        changed = differences(known, settings.model_dump())
        if not changed:
            before = self.players()
            if before.keys() != {"a", "b"}:
                raise _damaged(self.path, "the two players are not described")
            for player in ("a", "b"):
                lines = differences(before[player], players[player])
                changed += [f"Player {player.upper()}'s {line}" for line in lines]
        if changed:
            raise MatchError(
                "the match to be resumed has other settings: " + "; ".join(changed),
                where=Path(self.path).parent,
                hint="resume it with the settings it began with (--games may grow), "
                "or choose another --out",
            )
        if more:
            self._keep(
                _MatchRow(
                    id=1,
                    format=FORMAT,
                    settings=settings.model_dump(mode="json"),
                    players=players,
                )
            )

    def _match(self) -> _MatchRow:
        with _told(self.path), self._session() as session:
            row = session.get(_MatchRow, 1)
        if row is None:
            raise _damaged(self.path, "it holds no match")
        return row

    def settings(self) -> MatchSettings:
        """Return the settings of the match.

        Raises:
            MatchError: they are not there, or no match can have them.
        """
        try:
            return MatchSettings.model_validate(self._match().settings)
        except ValidationError as error:
            raise _damaged(self.path, f"settings: {first_fault(error)}") from None

    def players(self) -> dict[str, dict[str, object]]:
        """Return what ``"a"`` and ``"b"`` said of themselves when the match began."""
        found: object = self._match().players
        if not isinstance(found, dict) or not all(isinstance(v, dict) for v in found.values()):  # pyright: ignore
            raise _damaged(self.path, "the players are not described")
        return found  # pyright: ignore[reportUnknownVariableType]

    def add(self, game: GameRecord) -> None:
        """Keep a game; it is on disk when this returns.

        Raises:
            MatchError: it cannot be written, as when the disk is full.
        """
        self._keep(_row_of(game))

    def games(self) -> list[GameRecord]:
        """Return the games in the order of their numbers.

        Raises:
            MatchError: a game that this match cannot have.
        """
        settings = self.settings()
        with _told(self.path), self._session() as session:
            rows: Sequence[_GameRow] = session.scalars(
                select(_GameRow).order_by(_GameRow.number)
            ).all()
            records = [_record_of(row) for row in rows]
        for record in records:
            fault = game_fault(record, settings)
            if fault:
                raise _damaged(self.path, f"game {record.number}: {fault}")
        return records

    def damaged(self, what: str) -> MatchError:
        """Return the error that says how this file cannot be what a match left."""
        return _damaged(self.path, what)

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()
