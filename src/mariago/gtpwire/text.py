"""Lines of the Go Text Protocol, version 2, both ways.

A command is one line, ``[id] name arguments``; a reply begins with ``=`` or ``?``, the id right
behind it, and ends with an empty line (draft 2, sections 2.5 to 2.9).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mariago.board.points import BLACK, WHITE
from mariago.errors import BadInputError

__all__ = [
    "Command",
    "Reply",
    "clean",
    "color_of",
    "format_reply",
    "is_vertex",
    "parse_command",
    "parse_reply",
    "without_controls",
]

# Section 2.2: control characters other than tab and newline are discarded on input.
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), 127))
_ID = re.compile(r"[0-9]+")
_HEAD = re.compile(r"([=?])([0-9]{0,18})(?=\s|$)[ ]?(.*)")
_VERTEX = re.compile(r"[A-HJ-Z][1-9][0-9]?|PASS")
_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


class Command(NamedTuple):
    """A command as it was sent; ``id`` is "" where it had none."""

    id: str
    name: str
    words: tuple[str, ...]


class Reply(NamedTuple):
    """A reply; ``text`` may have several lines."""

    ok: bool
    id: str
    text: str


def without_controls(text: str) -> str:
    """Return a text without control characters but newlines, tabs as blanks."""
    return text.translate(_CONTROL).replace("\t", " ")


def clean(line: str) -> str:
    """Return a line without control characters and comment, tabs as blanks (section 3.1)."""
    return without_controls(line).partition("#")[0].strip(" \n")


def parse_command(line: str) -> Command | None:
    """Return the command of a line, None for an empty line or a comment.

    A line that holds nothing but an id is a command without a name.
    """
    words = [word for word in clean(line).split(" ") if word]
    if not words:
        return None
    number = words.pop(0) if _ID.fullmatch(words[0]) else ""
    name = words.pop(0) if words else ""
    return Command(number, name, tuple(words))


def format_reply(text: str, *, ok: bool = True, id: str = "") -> str:
    """Return a whole reply, the empty line at its end included.

    Empty lines inside ``text`` would end the reply early, and are left out.
    """
    lines = text.translate(_CONTROL).split("\n")
    kept = [line for at, line in enumerate(lines) if line.strip() or at == 0]
    return f"{'=' if ok else '?'}{id} " + "\n".join(kept) + "\n\n"


def parse_reply(lines: Sequence[str]) -> Reply | None:
    """Return the reply of its lines (without the empty one at the end), None for no reply."""
    head = _HEAD.fullmatch(without_controls(lines[0])) if lines else None
    if head is None:
        return None
    rest = [line.translate(_CONTROL).rstrip() for line in lines[1:]]
    return Reply(head[1] == "=", head[2], "\n".join([head[3].rstrip(), *rest]))


def color_of(word: str) -> int:
    """Return BLACK or WHITE for ``b``, ``black``, ``w``, ``white`` in any case.

    Raises:
        BadInputError: another word.
    """
    color = _COLORS.get(word.lower())
    if color is None:
        raise BadInputError(f"{word!r} is no colour", hint="write b or w")
    return color


def is_vertex(word: str) -> bool:
    """Say whether a word has the form of a vertex or is ``pass``, on whatever board."""
    return word.isascii() and _VERTEX.fullmatch(word.upper()) is not None
