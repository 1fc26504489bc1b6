"""Opening a book's file: one SQLite database that many processes may read and write."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from mariago.errors import LessonError
from mariago.lessons.schema import FORMAT, Base, BookRow

__all__ = [
    "check_file",
    "check_tables",
    "damaged",
    "forget_if_empty",
    "make_tables",
    "open_engine",
    "signature",
    "told",
]

BUSY_TIMEOUT_S = 60.0  # how long a writer waits for others
_MAGIC = b"SQLite format 3\0"

_MAKE = "mariago lessons learn BOOK MATCH makes one"
_COPY = "restore the file from a copy, or learn from the matches again into another book"
_PLACE = "look who may write there and what room is left, or name another place"


def damaged(path: Path, what: str) -> LessonError:
    """Return the error of a book that was changed by hand or broke."""
    return LessonError(f"the book is damaged: {what}", where=path, hint=_COPY)


@contextmanager
def told(path: Path) -> Generator[None]:
    """Turn what SQLite says into one line.

    Raises:
        LessonError: in place of an error of the database.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        said = " ".join(str(getattr(error, "orig", None) or error).split())[:200]
        if "locked" in said or "busy" in said:
            hint = "another program holds it; wait until that has ended"
            raise LessonError(f"cannot be used now: {said}", where=path, hint=hint) from None
        if "readonly" in said:
            raise LessonError("may not be written to", where=path, hint=_PLACE) from None
        if any(word in said for word in ("full", "I/O", "unable to open")):
            raise LessonError(f"cannot be used: {said}", where=path, hint=_PLACE) from None
        raise damaged(path, said) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise damaged(path, " ".join(f"{error}".split())[:200]) from None


def check_file(path: Path, *, may_be_new: bool) -> None:
    """Check that a path can be a book before a database looks at it.

    Raises:
        LessonError: there is none, it is a folder, or no database.
    """
    if path.is_dir():
        raise LessonError("is a folder, not a book of lessons", where=path, hint=_MAKE)
    if path.exists() and not path.is_file():
        raise LessonError("is no file", where=path, hint=_MAKE)
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except FileNotFoundError:
        if may_be_new and path.parent.is_dir():
            return
        what = "there is no book of lessons" if not may_be_new else "its folder is not there"
        raise LessonError(what, where=path, hint=_MAKE) from None
    except OSError as error:
        raise LessonError(f"cannot be read ({error.strerror})", where=path, hint=_PLACE) from None
    if head != _MAGIC and (head or not may_be_new):
        raise LessonError("is no book of lessons", where=path, hint=_MAKE)


def signature(path: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """Return what changes when a book is written: of the file, and of the log beside it."""
    found: list[tuple[int, int, int] | None] = []
    for place in (path, path.with_name(f"{path.name}-wal")):
        try:
            stat = place.stat()
        except OSError:
            found.append(None)
        else:
            found.append((stat.st_mtime_ns, stat.st_size, stat.st_ino) if stat.st_size else None)
    return tuple(found)


def open_engine(path: Path, *, write: bool) -> Engine:
    """Return the engine of a book; transactions that write take their turn at their beginning."""

    def connect() -> sqlite3.Connection:
        place = path.resolve().as_uri()
        mode = "rwc" if write else "rw"  # a reader that may not write would leave its log behind
        opened = sqlite3.connect(
            f"{place}?mode={mode}",
            uri=True,
            timeout=BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        if not write and not _can_read(opened):
            opened.close()  # a log that cannot be made beside a file that nobody writes
            opened = sqlite3.connect(f"{place}?mode=ro&immutable=1", uri=True, isolation_level=None)
        return opened

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=FULL")
        if write:
            _keep_a_log(connection)
        else:
            connection.execute("PRAGMA query_only=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def _can_read(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return not any(word in str(error) for word in ("unable to open", "readonly"))
    except sqlite3.DatabaseError:
        return True  # what is wrong is told by who reads next
    return True


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Set write-ahead logging; while others set it too, SQLite does not wait by itself."""
    until_s = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until_s:
                raise
            time.sleep(0.02)


def check_tables(path: Path, connection: Any) -> bool:
    """Check that the tables are those of a book; False where there are none yet.

    Raises:
        LessonError: tables of something else, of a later version, or without their columns.
    """
    found = inspect(connection)
    names = set(found.get_table_names())
    if not names:
        return False
    wanted = set(Base.metadata.tables)
    if "book" not in names:
        raise LessonError("is a database, but no book of lessons", where=path, hint=_MAKE)
    row = connection.exec_driver_sql("SELECT format FROM book WHERE id = 1").first()
    if row is not None and row[0] != FORMAT:
        later = isinstance(row[0], int) and row[0] > FORMAT
        hint = "install the version that made it" if later else _COPY
        raise LessonError(f"has format {row[0]!r}, not {FORMAT}", where=path, hint=hint)
    if row is None or names != wanted:
        raise damaged(path, "its tables are not those of a book")
    for name, table in Base.metadata.tables.items():
        columns = {str(column["name"]) for column in found.get_columns(name)}
        if not {column.name for column in table.columns} <= columns:
            raise damaged(path, f"the table {name} lacks columns")
    return True


def look_at(path: Path) -> None:
    """Check the tables of a file before it is opened for writing, which changes its header.

    Raises:
        LessonError: it holds something else.
    """
    if not path.stat().st_size:
        return
    engine = open_engine(path, write=False)
    try:
        with told(path), engine.connect() as connection:
            check_tables(path, connection)
    finally:
        engine.dispose()


def forget_if_empty(path: Path) -> None:
    """Take away what a book leaves that could not be made, unless another process has made it."""
    log = path.with_name(f"{path.name}-wal")
    place = f"{path.resolve().as_uri()}?mode=ro&immutable=1"  # a full disk has no room for a log
    try:
        with closing(sqlite3.connect(place, uri=True)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables or (log.exists() and log.stat().st_size):
            return
        for made in (path, log, path.with_name(f"{path.name}-shm")):
            made.unlink(missing_ok=True)
    except (OSError, sqlite3.Error):
        return  # what it holds cannot be known


def make_tables(connection: Any, teaching: dict[str, Any]) -> None:
    """Make the tables of a new book."""
    Base.metadata.create_all(connection)
    connection.execute(
        BookRow.__table__.insert().values(id=1, format=FORMAT, teaching=teaching)  # pyright: ignore
    )
