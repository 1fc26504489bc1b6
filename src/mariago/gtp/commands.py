"""The table of all commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from mariago import __version__
from mariago.errors import CoordinateError
from mariago.gtp import (
    analyze_commands,
    count_commands,
    gogui_commands,
    handicap_commands,
    play_commands,
    query_commands,
    record_commands,
    rules_commands,
    time_commands,
)
from mariago.gtp.analysis import Command, analysis_commands
from mariago.gtp.arguments import MANY, Entry, Table, syntax_error
from mariago.gtp.session import Session

__all__ = ["all_commands"]

Words = tuple[str, ...]


def _name(session: Session, _words: Words) -> str:
    return f"MariaGO {session.name}".strip()


def _known_command(_session: Session, words: Words) -> str:
    return "true" if words[0] in all_commands() else "false"


def _list_commands(_session: Session, _words: Words) -> str:
    return "\n".join(sorted(all_commands()))


def _quit(session: Session, _words: Words) -> str:
    session.quitting = True
    return ""


def _said(text: str) -> Callable[[Session, Words], str]:
    return lambda _session, _words: text


# Words behind these are put up with: nothing could be meant by them.
_OF_THE_SERVER: Table = {
    "protocol_version": Entry(_said("2"), 0, MANY),
    "name": Entry(_name, 0, MANY),
    "version": Entry(_said(__version__), 0, MANY),
    "known_command": Entry(_known_command, 1),
    "list_commands": Entry(_list_commands, 0, MANY),
    "quit": Entry(_quit, 0, MANY),
}


def _ask(function: Command, session: Session, words: Words) -> str:
    try:
        return function(session.position, words)
    except CoordinateError:  # the standard has one text for words that are no vertex
        raise syntax_error() from None


@cache
def all_commands() -> dict[str, Entry]:
    """Return every command of the server by name, those about positions included."""
    asked = {
        name: Entry(partial(_ask, function), 0, MANY)
        for name, function in analysis_commands().items()
    }
    return {
        **asked,
        **query_commands.COMMANDS,
        **gogui_commands.COMMANDS,
        **count_commands.COMMANDS,
        **rules_commands.COMMANDS,
        **time_commands.COMMANDS,
        **record_commands.COMMANDS,
        **handicap_commands.COMMANDS,
        **play_commands.COMMANDS,
        **analyze_commands.COMMANDS,
        **_OF_THE_SERVER,
    }
