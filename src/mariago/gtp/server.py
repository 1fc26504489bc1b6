"""The loop: a line in, a reply out, until ``quit`` or the end of the input."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from typing import IO

from mariago.errors import EngineError, MariagoError
from mariago.gtp.arguments import Entry
from mariago.gtp.commands import all_commands
from mariago.gtp.session import Session
from mariago.gtpwire import Command, format_reply, parse_command

__all__ = ["answer", "serve"]

LONGEST_LINE = 1 << 20  # bytes; GTP has no limit, a process has


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


def serve(
    session: Session, source: IO[bytes], target: IO[bytes], log: IO[bytes] | None = None
) -> None:
    """Answer commands from ``source`` on ``target`` until ``quit`` or the end of either.

    ``log`` gets what came and what was answered.
    """
    commands = all_commands()
    try:
        while not session.quitting:
            raw = source.readline(LONGEST_LINE)
            if not raw:
                return
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                _skip_line(source)
            reply = answer(session, raw.decode("utf-8", "surrogateescape"), commands)
            data = _encoded(reply)
            if log is not None:
                log.write(raw.rstrip(b"\r\n") + b"\n" + data)
                log.flush()
            if data:
                target.write(data)
                target.flush()
    except BrokenPipeError:  # the controller has gone
        return


def _skip_line(source: IO[bytes]) -> None:
    while (piece := source.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
        pass


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")
