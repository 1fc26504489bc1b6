"""A folder that appears whole or not at all: made beside its place, then renamed.

``.NAME.partial`` beside the folder ``NAME`` is the room of a run: in ``set`` the folder to be, in
``spool`` what the run needs on its way, and a lock that ends with its process.
"""

import contextlib
import errno
import os
import shutil
from collections.abc import Generator
from io import FileIO
from pathlib import Path
from types import TracebackType

from mariago.errors import MariagoError, RecordsError
from mariago.records.names import check_utf8

__all__ = [
    "StoppedError",
    "Workplace",
    "append_whole",
    "is_full",
    "lock",
    "made_folder",
    "told_when_full",
    "where_it_leads",
    "why_not_written",
]

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class StoppedError(RecordsError):
    """The work ended for want of something outside it, and can go on from there."""


class Workplace:
    """Builds the folder ``out`` in a hidden room beside it; one run at a time.

    Where ``out`` is a link, the folder is made where it leads, and the link stays.

    Args:
        goes_on: a run that is killed, interrupted or stopped leaves its room for the next one,
            which goes on there. Without it only one that is killed does, and the next clears it.
            A run that ends with an error of its input leaves nothing.

    Raises:
        RecordsError: another run is at work on the same folder, ``out`` is a link that leads
            nowhere, or (without ``goes_on``) there is no room on the disk.
        BadInputError: the folder's name is not UTF-8.
    """

    def __init__(self, out: Path, goes_on: bool = False) -> None:
        check_utf8(out)
        self.goes_on = goes_on
        self.out = out = where_it_leads(out)
        self.room = out.parent / f".{out.name}.partial"
        self.folder = self.room / "set"
        self.spool = self.room / "spool"
        self.has_begun = False  # whether what stands in the room is this run's
        self._old = out.parent / f".{out.name}.old"
        self._lock: int | None = None
        self._was_there = False

    def __enter__(self) -> "Workplace":
        self.out.parent.mkdir(parents=True, exist_ok=True)
        self._was_there = self.room.exists()
        self._take_lock()
        self._recover()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self.has_begun:
            is_lost = error is not None and not self._was_there
        elif self.goes_on:
            is_lost = isinstance(error, MariagoError) and not isinstance(error, StoppedError)
        else:
            is_lost = error is not None
        if is_lost:
            self.leave()
        self._let_go()
        if not self.goes_on and isinstance(error, OSError) and is_full(error):
            raise _no_room(self.out, error) from error

    def clear(self) -> None:
        """Begin with an empty room."""
        for entry in self.room.iterdir():
            if entry.name != "lock":
                _remove(entry)
        self.begin()

    def begin(self) -> None:
        """Begin with the room as it stands."""
        self.folder.mkdir(exist_ok=True)
        self.spool.mkdir(exist_ok=True)
        self.has_begun = True

    def finish(self) -> None:
        """Give the folder its name; a folder that stands there is replaced."""
        _flush(self.folder)
        if os.path.lexists(self.out):
            self.out.rename(self._old)
        self.folder.rename(self.out)
        _flush(self.out.parent)
        shutil.rmtree(self._old, ignore_errors=True)
        self.leave()

    def leave(self) -> None:
        """Take the room away."""
        if os.name != "posix":  # an open file cannot be removed there
            self._let_go()
        shutil.rmtree(self.room, ignore_errors=True)

    def _recover(self) -> None:
        """Put back the folder that a run killed in the moment of exchange had set aside."""
        if self._old.is_symlink():  # not of a run: what it leads to is left alone
            self._old.unlink()
        elif self._old.exists():
            if self.out.exists():
                _remove(self._old)
            else:
                self._old.rename(self.out)

    def _take_lock(self) -> None:
        path = self.room / "lock"
        while True:
            self.room.mkdir(exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # a run that ends took the room away
                self._lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
                if not lock(self._lock):
                    self._let_go()
                    raise RecordsError(
                        "another run is building this data set",
                        where=self.out,
                        hint="wait for it, or choose another --out",
                    )
                if os.path.samestat(os.fstat(self._lock), os.stat(path)):
                    return
            self._let_go()

    def _let_go(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def where_it_leads(out: Path) -> Path:
    """Return the place that ``out`` stands for: itself, or where a link leads in the end.

    Raises:
        RecordsError: it is a link that leads nowhere.
    """
    if not out.is_symlink():
        return out if out.name not in ("", "..") else out.resolve()
    place = Path(os.path.realpath(out))
    if place.is_symlink() or not place.exists():
        raise RecordsError(
            "is a link that leads nowhere",
            where=out,
            hint=f"make the folder {place}, or name another place",
        )
    return place


def is_full(error: OSError) -> bool:
    """Tell whether a disk, or somebody's part of it, has no room left."""
    return error.errno in _NO_ROOM


def why_not_written(error: OSError) -> str:
    """Return why something could not be written, in the system's words where it has some."""
    known = os.strerror(error.errno) if error.errno else error.strerror
    return f"cannot be written ({known or error})"


def _no_room(place: "str | Path", error: OSError) -> RecordsError:
    return RecordsError(
        why_not_written(error),
        where=place,
        hint="make room, or write to another disk",
    )


@contextlib.contextmanager
def told_when_full(place: "str | Path") -> Generator[None]:
    """Name the place where a full disk is met.

    Raises:
        RecordsError: there is no room.
    """
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        raise _no_room(place, error) from error


@contextlib.contextmanager
def made_folder(place: Path) -> Generator[None]:
    """Make a folder and those above it; take away again, with an error, what was made in vain."""
    missing = [folder for folder in (place, *place.parents) if not folder.exists()]
    place.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for folder in missing:
            with contextlib.suppress(OSError):  # something stands in it
                folder.rmdir()
        raise


def append_whole(file: FileIO, data: bytes | memoryview) -> None:
    """Write all of ``data``; a file without a buffer may take less at a time.

    Without a buffer a full disk is told here, and not once more when the file is let go.
    """
    view = memoryview(data).cast("B")
    while view:
        view = view[file.write(view) :]


def lock(handle: int) -> bool:
    """Lock an open file until it is closed; return False where another process holds it."""
    try:
        import fcntl
    except ImportError:  # elsewhere an open file cannot be cleared away
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()


def _flush(folder: Path) -> None:
    """Write a folder's list of names to disk, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
