"""An outside program with three pipes: started, read by threads, and ended with its children."""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from subprocess import PIPE
from typing import IO

from mariago.errors import EngineError
from mariago.gtpwire.text import without_controls

__all__ = ["Process", "end_all", "split_command"]

WORDS_KEPT = 20  # lines of standard error
LINES_AHEAD = 4096  # lines of output that may wait to be read; more, and the program waits
LONGEST_LINE = 1 << 16
Lines = queue.Queue[bytes | None]


def split_command(command: str, *, windows: bool = sys.platform == "win32") -> list[str]:
    r"""Return the words of a command line: blanks divide, quotes hold together.

    On Windows only ``"`` quotes and backslashes mean themselves, so that ``C:\Go\gnugo.exe``
    needs none.

    Raises:
        EngineError: a quote that does not close, or no word.
    """
    try:
        if windows:
            lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
            lexer.whitespace_split, lexer.escape, lexer.quotes = True, "", '"'
            lexer.commenters = ""
            words = list(lexer)
        else:
            words = shlex.split(command)
    except ValueError:
        raise EngineError("start", f"a quote does not close in {command!r}") from None
    if not words:
        raise EngineError("start", "an empty command", hint='write gtp:"gnugo --mode gtp"')
    return words


def _read_lines(stream: IO[bytes], lines: Lines, closed: threading.Event) -> None:
    """Hand over every line, and None at the end; wait where nobody reads them."""
    line: bytes | None = b""
    while line is not None and not closed.is_set():
        try:
            line = stream.readline(LONGEST_LINE) or None
        except (OSError, ValueError):
            line = None
        while not closed.is_set():
            with suppress(queue.Full):
                lines.put(line, timeout=0.2)
                break


def _read_words(stream: IO[bytes], words: deque[str]) -> None:
    """Keep the last lines of standard error, so that the program never waits for us to read it."""
    with suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            if line.strip():
                words.append(without_controls(line[:400].decode("utf-8", "replace")).strip())


if sys.platform == "win32":

    def _start(words: list[str]) -> subprocess.Popen[bytes]:
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return subprocess.Popen(words, stdin=PIPE, stdout=PIPE, stderr=PIPE, creationflags=flags)

    def _kill_all(process: subprocess.Popen[bytes]) -> None:
        ended = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        with suppress(OSError):
            subprocess.run(ended, capture_output=True, check=False)
        with suppress(OSError):
            process.kill()
else:

    def _start(words: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(words, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True)

    def _kill_all(process: subprocess.Popen[bytes]) -> None:
        # The group has the number of its first process, which is ours until it has been waited for.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], closed: threading.Event) -> None:
    """Kill a program and its children, wait for it, and let its pipes go."""
    closed.set()
    if process.returncode is None:
        _kill_all(process)
        process.wait()
    if process.stdin is not None:
        with suppress(OSError, ValueError):
            process.stdin.close()


_started: weakref.WeakSet[Process] = weakref.WeakSet()


def end_all() -> None:
    """Kill every program of this process, as before an end that clears nothing up."""
    for process in list(_started):
        process.kill()


class Process:
    """A running program; whoever started it closes it, and it ends with us in any case."""

    def __init__(self, command: str) -> None:
        words = split_command(command)
        try:
            started = _start(words)
        except (OSError, ValueError) as error:
            said = (error.strerror if isinstance(error, OSError) else None) or str(error)
            hint = "is it installed? The full path may be written, and quotes hold blanks together"
            raise EngineError("start", f"cannot start {words[0]!r}: {said}", hint=hint) from None
        assert started.stdin is not None
        assert started.stdout is not None
        assert started.stderr is not None
        self._process = started
        self._input: IO[bytes] = started.stdin
        self.lines: Lines = queue.Queue(LINES_AHEAD)
        self._at_end = False
        self._words: deque[str] = deque(maxlen=WORDS_KEPT)
        closed = threading.Event()
        self._threads = [
            _thread(_read_lines, started.stdout, self.lines, closed),
            _thread(_read_words, started.stderr, self._words),
        ]
        # Also run when this object is forgotten, and when the interpreter ends.
        self._finish = weakref.finalize(self, _end, started, closed)
        _started.add(self)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not been ended from here."""
        return self._finish.alive

    def write(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            OSError: the program does not listen any more.
        """
        try:
            self._input.write(data)
            self._input.flush()
        except ValueError as error:  # closed here
            raise BrokenPipeError from error

    def next_line(self, deadline_s: float) -> bytes | None:
        """Return the next line of output, None at its end.

        Raises:
            queue.Empty: none came before ``time.monotonic()`` reached ``deadline_s``.
        """
        if self._at_end:
            return None
        line = self.lines.get(timeout=max(deadline_s - time.monotonic(), 0.001))
        self._at_end = line is None
        return line

    def kill(self) -> None:
        """End it and its children at once."""
        self._finish()

    def end(self, grace_s: float) -> int:
        """Close its input, give it ``grace_s`` to end by itself, kill it; return its exit code."""
        if self._finish.alive:
            with suppress(OSError, ValueError):
                self._input.close()
            self._await_exit(grace_s)
        self._finish()
        self._threads[1].join(0.5)
        return self._process.returncode

    def _await_exit(self, grace_s: float) -> None:
        deadline_s = time.monotonic() + grace_s
        while time.monotonic() < deadline_s and not self._has_exited():
            time.sleep(0.005)

    def _has_exited(self) -> bool:
        """Say whether the program has ended, without waiting for it: its group stays ours."""
        if sys.platform == "win32":
            return self._process.poll() is not None
        if not hasattr(os, "waitid"):  # macOS
            return not any(thread.is_alive() for thread in self._threads)
        kept = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, kept) is not None

    @property
    def last_words(self) -> str:
        """The last lines of its standard error, in one line."""
        return " | ".join(list(self._words)[-5:])


def _thread(target: Callable[..., None], *args: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=args, daemon=True)
    thread.start()
    return thread
