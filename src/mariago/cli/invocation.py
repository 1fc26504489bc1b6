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
    """Return the running command as one would type it again."""
    return shlex.join(["mariago", *_arguments.get()])
