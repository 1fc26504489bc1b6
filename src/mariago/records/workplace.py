"""A folder that appears whole or not at all: made beside its place, then renamed.

``.NAME.partial`` beside the folder ``NAME`` is the room of a run: in ``set`` the folder to be, in
``spool`` what the run needs on its way, and a lock that ends with its process.
"""

import contextlib
import os
import shutil
from io import FileIO
from pathlib import Path
from types import TracebackType

from mariago.errors import MariagoError, RecordsError
from mariago.records.names import check_utf8

__all__ = ["StoppedError", "Workplace", "append_whole"]


class StoppedError(RecordsError):
    """The work ended for want of something outside it, and can go on from there."""


class Workplace:
    """Builds the folder ``out`` in a hidden room beside it; one run at a time.

    A run that is killed, interrupted or stopped leaves its room for the next one, which goes on
    there or calls ``clear``. A run that ends with an error of its input leaves nothing.

    Raises:
        RecordsError: another run is at work on the same folder.
        BadInputError: the folder's name is not UTF-8.
    """

    def __init__(self, out: Path) -> None:
        check_utf8(out)
        self.out = out
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
        if self.has_begun:
            is_lost = isinstance(error, MariagoError) and not isinstance(error, StoppedError)
        else:
            is_lost = error is not None and not self._was_there
        if is_lost:
            self.leave()
        self._let_go()

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
        if self.out.exists():
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
        if self._old.exists():
            if self.out.exists():
                shutil.rmtree(self._old)
            else:
                self._old.rename(self.out)

    def _take_lock(self) -> None:
        path = self.room / "lock"
        while True:
            self.room.mkdir(exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # a run that ends took the room away
                self._lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
                if not _lock(self._lock):
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


def append_whole(file: FileIO, data: bytes | memoryview) -> None:
    """Write all of ``data``; a file without a buffer may take less at a time.

    Without a buffer a full disk is told here, and not once more when the file is let go.
    """
    view = memoryview(data).cast("B")
    while view:
        view = view[file.write(view) :]


def _lock(handle: int) -> bool:
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
