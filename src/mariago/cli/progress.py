"""Progress of long work, on standard error.

On a terminal a bar; elsewhere (a log, CI) a line now and then, so that a log stays readable.
Results go to standard output and are never mixed with this.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Protocol

from mariago.cli.terminal import visible
from mariago.words import BEGINNING

__all__ = ["Progress", "kept", "say", "say_if_beginning", "track"]

LINE_EVERY_S = 10.0  # between two lines of a progress that is not shown on a terminal


class Progress(Protocol):
    """What :func:`track` hands out."""

    def advance(self, n: int = 1, text: str | None = None) -> None:
        """Count ``n`` more units as done; ``text`` replaces what stands beside the bar."""
        ...


def say(text: str) -> None:
    """Print one line of log on standard error."""
    print(visible(text), file=sys.stderr, flush=True)


@contextmanager
def track(total: int | None, text: str) -> Generator[Progress]:
    """Show the progress of ``total`` units of work (``None``: unknown) for as long as it lasts."""
    if sys.stderr.isatty():
        with _bar(total, text) as progress:
            yield progress
    else:
        lines = _Lines(total, text)
        yield lines
        lines.finish()


@contextmanager
def kept(what: str, is_begun: Callable[[], bool] = lambda: True) -> Generator[None]:
    """Say on Ctrl-C that ``what`` is kept, and how to go on; nothing where it has not begun."""
    try:
        yield
    except KeyboardInterrupt:
        begun = False
        with suppress(Exception):  # an import that was cut short cannot be made again
            begun = is_begun()
        if begun:
            say(f"{what} kept; the same command with --resume goes on")
        raise


def say_if_beginning(resume: bool, is_begun: bool) -> None:
    """Say that ``--resume`` found nothing to go on with, so that the work begins."""
    if resume and not is_begun:
        say(BEGINNING)


@contextmanager
def _bar(total: int | None, text: str) -> Generator[Progress]:
    # rich takes a tenth of a second to import: only where a bar is really shown.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with RichProgress(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task(text, total=total)

        class Bar:
            def advance(self, n: int = 1, text: str | None = None) -> None:
                bars.update(task, advance=n, description=text)

        yield Bar()


class _Lines:
    """Progress as sparse lines: one every :data:`LINE_EVERY_S` seconds, and one at the end."""

    def __init__(self, total: int | None, text: str) -> None:
        self.total = total
        self.text = text
        self.done = 0
        self.told = ""
        self.started_s = self.last_line_s = time.monotonic()

    def advance(self, n: int = 1, text: str | None = None) -> None:
        self.done += n
        self.text = self.text if text is None else text
        if time.monotonic() - self.last_line_s >= LINE_EVERY_S:
            self._line()

    def finish(self) -> None:
        if self.told != self._count():
            self._line()

    def _count(self) -> str:
        count = f"{self.done}" if self.total is None else f"{self.done}/{self.total}"
        return f"{self.text}: {count}"

    def _line(self) -> None:
        self.last_line_s = time.monotonic()
        self.told = self._count()
        say(f"{self.told} ({self.last_line_s - self.started_s:.0f} s)")
