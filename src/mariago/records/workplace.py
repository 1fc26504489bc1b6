"""A folder that appears whole or not at all: made beside its place, then renamed."""

import contextlib
import os
import shutil
from pathlib import Path
from types import TracebackType

from mariago.errors import RecordsError

__all__ = ["Workplace"]

_LOCK = "lock"


class Workplace:
    """Builds the folder ``out`` in a hidden one beside it.

    What a killed run left there is cleared away by the next one for the same ``out``; two runs at
    a time are told apart by a lock that ends with its process.

    Raises:
        RecordsError: another run is at work on the same folder.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.parent / f".{out.name}.partial"
        self._old = out.parent / f".{out.name}.old"
        self._lock: int | None = None

    def __enter__(self) -> "Workplace":
        self.out.parent.mkdir(parents=True, exist_ok=True)
        self.recover()
        self.folder.mkdir(exist_ok=True)
        self._take_lock()
        for entry in self.folder.iterdir():
            if entry.name != _LOCK:
                _remove(entry)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if kind is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def recover(self) -> None:
        """Put back the folder that a run killed in the moment of exchange had set aside."""
        if self._old.exists():
            if self.out.exists():
                shutil.rmtree(self._old)
            else:
                self._old.rename(self.out)

    def finish(self) -> None:
        """Give the folder its name; a folder that stands there is replaced."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        (self.folder / _LOCK).unlink()
        _flush(self.folder)
        if self.out.exists():
            self.out.rename(self._old)
        self.folder.rename(self.out)
        _flush(self.out.parent)
        shutil.rmtree(self._old, ignore_errors=True)

    def _take_lock(self) -> None:
        self._lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        with contextlib.suppress(ImportError):  # elsewhere an open file cannot be cleared away
            import fcntl

            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(self._lock)
                self._lock = None
                raise RecordsError(
                    "another run is building this data set",
                    where=self.out,
                    hint="wait for it, or choose another --out",
                ) from error


def _remove(entry: Path) -> None:
    if entry.is_dir():
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
