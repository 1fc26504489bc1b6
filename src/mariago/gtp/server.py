"""The loop: a line in, a reply out, until ``quit`` or the end of the input."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from typing import IO

from mariago.errors import EngineError, MariagoError
from mariago.gtp.arguments import Entry
from mariago.gtp.commands import all_commands
from mariago.gtp.lines import Lines
from mariago.gtp.session import Session
from mariago.gtpwire import Command, format_reply, parse_command

__all__ = ["answer", "serve"]


class _ControllerGone(Exception):
    """Nobody reads what is said any more."""


def answer(session: Session, line: str, commands: Mapping[str, Entry] | None = None) -> str:
    """Return the reply to one line, "" for a line without a command.

    Nothing that a line or the player does is raised.
    """
    command = parse_command(line)
    if command is None:
        return ""
    table = all_commands() if commands is None else commands
    ok, text = _result(session, command, table)
    return format_reply(text, ok=ok, id=command.id)


def _result(session: Session, command: Command, table: Mapping[str, Entry]) -> tuple[bool, str]:
    entry = table.get(command.name)
    if entry is None:
        return False, "unknown command"
    if not entry.takes(len(command.words)):
        return False, "syntax error"
    try:
        return True, entry.answer(session, command.words)
    except _ControllerGone:
        raise
    except EngineError as error:
        told = f" ({error.last_words})" if error.last_words else ""
        return False, " ".join(f"{error}{told}".split())
    except MariagoError as error:
        return False, " ".join(error.what.split())
    except RecursionError:
        return False, "syntax error"
    except Exception as error:  # noqa: BLE001 - a session outlives a fault of the program
        traceback.print_exc(file=sys.stderr)
        return False, " ".join(f"internal error: {type(error).__name__}: {error}".split())


class _Channel:
    """The way to the controller; a session's outlet."""

    def __init__(self, lines: Lines, target: IO[bytes], log: IO[bytes] | None) -> None:
        self._lines = lines
        self._target = target
        self._log = log
        self._head = ""
        self.has_begun = False

    def expect(self, raw: bytes) -> None:
        """Be ready for the reply to a line."""
        command = parse_command(_decoded(raw))
        self._head = "" if command is None else command.id
        self.has_begun = False
        if self._log is not None:
            self._log.write(raw.rstrip(b"\r\n") + b"\n")

    def begin(self) -> None:
        """See :class:`mariago.gtp.session.Outlet`."""
        if not self.has_begun:
            self.has_begun = True
            self.send(f"={self._head}\n")

    def say(self, line: str) -> None:
        """See :class:`mariago.gtp.session.Outlet`."""
        self.begin()
        self.send(line + "\n")

    def is_interrupted(self) -> bool:
        """See :class:`mariago.gtp.session.Outlet`."""
        return self._lines.has_arrived()

    def send(self, text: str) -> None:
        """Write and flush."""
        data = _encoded(text)
        if self._log is not None:
            self._log.write(data)
            self._log.flush()
        if data:
            try:
                self._target.write(data)
                self._target.flush()
            except BrokenPipeError:
                raise _ControllerGone from None


def serve(
    session: Session, source: IO[bytes], target: IO[bytes], log: IO[bytes] | None = None
) -> None:
    """Answer commands from ``source`` on ``target`` until ``quit`` or the end of either.

    ``log`` gets what came and what was answered.
    """
    commands = all_commands()
    lines = Lines(source)
    channel = session.outlet = _Channel(lines, target, log)
    try:
        while not session.quitting and (raw := lines.next()):
            channel.expect(raw)
            reply = answer(session, _decoded(raw), commands)
            # what began in the middle of a command has its head already
            channel.send(_rest(reply) if channel.has_begun else reply)
    except _ControllerGone:
        return
    finally:
        session.outlet = None


def _rest(reply: str) -> str:
    """Return a reply without its head, the empty line that ends it included."""
    text = reply.partition(" ")[2]
    return "\n" if text == "\n\n" else text


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")
