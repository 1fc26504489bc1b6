"""Lines that come in, one of which may be waited for while something else goes on."""

from __future__ import annotations

import threading
from typing import IO

__all__ = ["Lines"]

LONGEST_LINE = 1 << 20  # bytes; GTP has no limit, a process has


class Lines:
    """The lines of a source; b"" is its end. Used by one thread.

    ``has_arrived`` reads no more than the one line that ``next`` then returns, in a thread of its
    own: a controller that keeps its end open after ``quit`` holds nobody up.
    """

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._waiting: threading.Thread | None = None
        self._line = b""

    def next(self) -> bytes:
        """Wait for the next line and return it; what is beyond the longest is left out."""
        if self._waiting is None:
            self._read()
        else:
            self._waiting.join()
            self._waiting = None
        return self._line

    def has_arrived(self) -> bool:
        """Say whether the next line, or the end, is there."""
        if self._waiting is None:
            self._waiting = threading.Thread(target=self._read, daemon=True)
            self._waiting.start()
        return not self._waiting.is_alive()

    def _read(self) -> None:
        try:
            self._line = self._source.readline(LONGEST_LINE)
            if len(self._line) == LONGEST_LINE and not self._line.endswith(b"\n"):
                while (piece := self._source.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
                    pass
        except (OSError, ValueError):  # the source has been closed
            self._line = b""
