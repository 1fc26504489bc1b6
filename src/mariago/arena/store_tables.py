"""The tables of a store of matches, and the databases that hold them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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
    null,
)
from sqlalchemy.exc import (
    ArgumentError,
    IntegrityError,
    NoSuchModuleError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.pool import StaticPool

from mariago.arena.records import GameRecord
from mariago.arena.start import Start
from mariago.errors import MatchError

__all__ = [
    "FORMAT",
    "Base",
    "ClaimRow",
    "GameRow",
    "MatchRow",
    "OpeningRow",
    "RecountRow",
    "check_not_emptied",
    "copy_in_memory",
    "damaged",
    "engine_of_file",
    "engine_of_url",
    "leave_wal",
    "make_tables",
    "numbered",
    "record_of",
    "refuse_other_tables",
    "row_of",
    "told",
    "upgrade",
]

FORMAT = 2  # rises when old files cannot be read any more; format 1 held one match and is upgraded
MAKE_TRIES = 5
BUSY_S = 60.0  # how long a writer waits for another one


class Base(DeclarativeBase):
    """The tables of a store."""


class MatchRow(Base):
    """A match; one alone in its file has the number 1."""

    __tablename__ = "match"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    format: Mapped[int] = mapped_column(Integer)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    players: Mapped[dict[str, Any]] = mapped_column(JSON)
    key: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of what makes a match in a database that holds many: see ``store.key_of``."""


class GameRow(Base):
    """A finished game."""

    __tablename__ = "game"

    match_id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
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
    left: Mapped[list[list[float]] | None] = mapped_column(JSON)
    """What clocks showed; NULL without a clock."""
    sgf: Mapped[str] = mapped_column(Text)
    start: Mapped[list[Any] | None] = mapped_column(JSON)
    """Stones that the opening put up; NULL for none."""


class OpeningRow(Base):
    """How the games of a pair begin, where that does not hang on the seed alone."""

    __tablename__ = "opening"

    match_id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    start: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    moves: Mapped[list[int]] = mapped_column(JSON)
    name: Mapped[str] = mapped_column(Text)
    black_wins: Mapped[float | None] = mapped_column(Float)
    tried: Mapped[int] = mapped_column(Integer)


class RecountRow(Base):
    """What another referee, by the hash of what it says of itself, makes of a game."""

    __tablename__ = "recount"

    match_id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    referee: Mapped[str] = mapped_column(String(64), primary_key=True)
    margin: Mapped[float | None] = mapped_column(Float)
    detail: Mapped[str] = mapped_column(Text)


class ClaimRow(Base):
    """A game that a process plays, or played; see :mod:`mariago.arena.claims`."""

    __tablename__ = "claim"

    match_id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    holder: Mapped[str] = mapped_column(String(200))
    until_s: Mapped[float] = mapped_column(Float)


_COLUMNS = [column.key for column in GameRow.__table__.columns if column.key != "match_id"]


def row_of(game: GameRecord, match_id: int) -> GameRow:
    """Return a game as it is stored."""
    values = {name: getattr(game, name) for name in _COLUMNS}
    values |= {"opening": list(game.opening), "moves": list(game.moves)}
    values["left"] = [list(one) for one in game.left] or null()
    values["start"] = null() if game.start is None else game.start.as_list()
    return GameRow(match_id=match_id, **values)


def record_of(row: GameRow) -> GameRecord:
    """Return a game from its row, whatever somebody may have written there."""
    values: dict[str, Any] = {name: getattr(row, name) for name in _COLUMNS}
    values["opening"], values["moves"] = tuple(row.opening), tuple(row.moves)
    values["left"] = tuple((one[0], one[1]) for one in row.left or ())
    values["start"] = None if row.start is None else Start.from_list(row.start)
    return GameRecord(**values)


RESUME_HINT = "the games kept so far are safe: free some space, and --resume goes on with them"
DAMAGE = ("no such column", "has no column", "disk image is malformed", "malformed database")
DAMAGE_HINT = "restore the file from a copy, or choose another --out and play the match again"
GAMES_BESIDE = ("games/*.sgf", "pairings/*/games/*.sgf")  # what a match and a league write


def damaged(path: Path | str, what: str) -> MatchError:
    """Return the error that says how a store cannot be what a match left."""
    name = path.name if isinstance(path, Path) else "the store"
    return MatchError(f"{name} was changed or is damaged: {what}", where=path, hint=DAMAGE_HINT)


@contextmanager
def told(path: Path | str) -> Generator[None]:
    """Turn what a database, or a value that is no JSON, says into one line."""
    try:
        yield
    except SQLAlchemyError as error:
        said = " ".join(str(getattr(error, "orig", None) or error).split())[:300]
        if "disk is full" in said or "disk I/O" in said:
            raise MatchError(f"cannot be written: {said}", where=path, hint=RESUME_HINT) from None
        if "file is not a database" in said:
            hint = "name a match.sqlite, or the --out of mariago match; or choose another --out"
            what = "cannot be used as a store: it is no store of matches"
            raise MatchError(what, where=path, hint=hint) from None
        if any(sign in said for sign in DAMAGE):
            raise damaged(path, said) from None
        raise MatchError(
            f"cannot be used as a store: {said}",
            where=path,
            hint="see that it can be written and reached and that no other program holds it; "
            "or choose another --out",
        ) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise damaged(path, " ".join(f"{error}".split())[:200]) from None


def refuse_other_tables(path: Path | str, engine: Engine) -> None:
    """Refuse a file that no match left; a database that is reached by URL may hold other tables.

    Raises:
        MatchError: see above.
    """
    tables = set(inspect(engine).get_table_names())
    if isinstance(path, Path) and not tables <= {"match", "game", "claim", "opening", "recount"}:
        raise damaged(path, "it holds tables that no match has")
    if tables & {"match", "claim"} and "game" not in tables:
        raise damaged(path, "the table of games is missing")
    if "game" in tables and "match" not in tables:
        raise damaged(path, "games without the match that they belong to")


def _durable(connection: Any, _record: object) -> None:
    """Write through to the disk, beside other processes that read and write."""
    cursor = connection.cursor()
    with suppress(sqlite3.OperationalError):  # where there is none, as on network drives
        cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def engine_of_file(path: Path, *, write: bool) -> Engine:
    """Return the engine of an SQLite file; one that writes keeps a log beside it (WAL)."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_S}
    )
    if write:
        event.listen(engine, "connect", lambda *given: _durable(*given))
    return engine


def leave_wal(path: Path) -> None:
    """Make one file of a store and its log, where nobody else has it open.

    A file alone can be copied, and read where nothing may be written.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=0)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def engine_of_url(text: str, *, write: bool) -> tuple[Path | str, Engine]:
    """Return the place that a URL names, without its password, and the engine for it.

    Raises:
        MatchError: no URL, no such file where it is only to be read, or a missing driver.
    """
    try:
        url = make_url(text)
        shown = url.render_as_string(hide_password=True)
        if url.get_backend_name() == "sqlite":
            path = Path(url.database or "")
            if not write and not path.is_file():
                raise MatchError("no such file", where=shown)
            return path, engine_of_file(path, write=write)
        if url.drivername == "postgresql" and find_spec("psycopg2") is None:
            url = url.set(drivername="postgresql+psycopg")
        return shown, create_engine(url, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError):
        hint = "a URL looks like postgresql://USER@HOST/NAME; a file needs no URL"
        kind = text.partition("://")[0]
        raise MatchError("not the URL of a database", where=f"{kind}://...", hint=hint) from None
    except ModuleNotFoundError as error:
        wanted = "psycopg[binary]" if error.name == "psycopg" else error.name
        hint = f"install the database's driver: pip install '{wanted}'"
        raise MatchError(f"the driver {error.name} is missing", where="URL", hint=hint) from None


def copy_in_memory(path: Path) -> Engine:
    """Return an engine of a copy, so that an old file can be upgraded and stay as it is."""
    memory = sqlite3.connect(":memory:", check_same_thread=False)
    with closing(sqlite3.connect(path)) as file:
        file.backup(memory)
    creator: Callable[[], Any] = lambda: memory  # noqa: E731
    return create_engine("sqlite://", creator=creator, poolclass=StaticPool)


_FORMAT_1 = """
ALTER TABLE match ADD COLUMN key VARCHAR(64);
ALTER TABLE game RENAME TO game_1;
ALTER TABLE game_1 ADD COLUMN "left" JSON;
ALTER TABLE game_1 ADD COLUMN "start" JSON;
{create}
INSERT INTO game (match_id, {columns}) SELECT 1, {columns} FROM game_1;
DROP TABLE game_1;
UPDATE match SET format = 2
"""


def make_tables(engine: Engine) -> None:
    """Make the tables that are not there; another process may make them in this moment."""
    for attempt in range(MAKE_TRIES):
        try:
            Base.metadata.create_all(engine)
        except (IntegrityError, OperationalError, ProgrammingError):
            if attempt == MAKE_TRIES - 1:
                raise
            time.sleep(0.2)
        else:
            return


def upgrade(engine: Engine) -> None:
    """Turn the tables of format 1, which held one match, into today's; add what came since."""
    found = inspect(engine)
    if not {"match", "game"} <= set(found.get_table_names()):
        return
    columns = {column["name"] for column in found.get_columns("game")}
    for added in ("left", "start"):
        if "match_id" in columns and added not in columns:
            with engine.begin() as connection:
                connection.exec_driver_sql(f'ALTER TABLE game ADD COLUMN "{added}" JSON')
    if "match_id" in columns or engine.dialect.name != "sqlite" or "number" not in columns:
        return
    from sqlalchemy.schema import CreateTable

    create = str(CreateTable(GameRow.__table__).compile(engine)).strip() + ";"  # pyright: ignore
    script = _FORMAT_1.format(create=create, columns=", ".join(f'"{name}"' for name in _COLUMNS))
    with engine.connect() as connection:
        raw: Any = connection.connection.driver_connection
        raw.execute("BEGIN IMMEDIATE")
        try:
            for statement in script.split(";"):
                raw.execute(statement)
            raw.execute("COMMIT")
        except sqlite3.Error:
            raw.execute("ROLLBACK")
            raise


def numbered(place: Path | str) -> tuple[Path | str, int | None]:
    """Return a place, a URL as text, and the number of a match behind ``#``."""
    before, mark, number = str(place).rpartition("#")
    is_numbered = bool(mark) and number.isdigit() and not Path(place).exists()
    where = before if is_numbered else str(place)
    return (where if "://" in where else Path(where)), int(number) if is_numbered else None


def check_not_emptied(path: Path) -> None:
    """Check that a file, where there is one, is not empty while games were written beside it.

    One that a run left empty when it was killed at its beginning has no games yet.

    Raises:
        MatchError: it is.
    """
    if not path.is_file() or path.stat().st_size:
        return
    if any(game for beside in GAMES_BESIDE for game in path.parent.glob(beside)):
        raise MatchError(
            "is empty, though games were played here",
            where=path,
            hint="restore it from a copy; or choose another --out and play them again",
        )
