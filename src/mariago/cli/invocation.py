"""The command line as it was typed, for the provenance of what a command makes."""

from __future__ import annotations

import shlex
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["command_line", "invoked_with"]

_arguments: ContextVar[tuple[str, ...]] = ContextVar("arguments", default=())


@contextmanager
def invoked_with(arguments: Sequence[str]) -> Generator[None]:
    """Remember ``arguments`` as those of the running command."""
    token = _arguments.set(tuple(arguments))
    try:
        yield
    finally:
        _arguments.reset(token)


def command_line() -> str:
    """Return the running command as one would type it again; bytes not in UTF-8 are escaped."""
    words = [word.encode("utf-8", "surrogateescape") for word in ("mariago", *_arguments.get())]
    return shlex.join(word.decode("utf-8", "backslashreplace") for word in words)
