"""GNU Go, where it is installed, and a plain driver of GTP that shares no code with the package."""

from __future__ import annotations

import os
import shutil
import subprocess
from types import TracebackType

import pytest

GAMES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"])


def gnugo_path() -> str:
    """Return the path of GNU Go; skips where there is none."""
    found = shutil.which("gnugo", path=GAMES)
    if found is None:
        pytest.skip("GNU Go is not installed")
    return found


class Driver:
    """Sends a line, reads to the empty line; anything but a good reply is an AssertionError."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.number = 0

    def __enter__(self) -> Driver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.process.kill()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def __call__(self, command: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.number += 1
        self.process.stdin.write(f"{self.number} {command}\n")
        self.process.stdin.flush()
        lines: list[str] = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        assert lines, f"no reply to {command}"
        assert lines[0].startswith(f"={self.number} "), (command, lines)
        return "\n".join([lines[0].partition(" ")[2], *lines[1:]])
