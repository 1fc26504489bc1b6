"""The grammar of players' names: ``KIND[:TARGET][,key=value...]``.

======================================  ======  ===================  ==================
name                                    kind    target               keys
======================================  ======  ===================  ==================
``random``                              random
``random,seed=7``                       random                       seed=7
``net:nets/small,temperature=0.5``      net     nets/small           temperature=0.5
``net:"a folder, with a comma"``        net     a folder, with ...
``gtp:"gnugo --mode gtp --level 10"``   gtp     gnugo --mode gtp ..
======================================  ======  ===================  ==================

A target or value that begins with ``"`` or ``'`` runs to the same mark again and may hold anything;
the mark itself is written twice inside it. Backslashes mean themselves, as in Windows paths.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mariago.errors import PlayerError

__all__ = ["PlayerName", "parse_name"]

_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_PLAIN = re.compile(r"[^,\"'\s][^,]*")
GRAMMAR = 'KIND[:TARGET][,key=value...], e.g. net:FOLDER,temperature=0.5; quote "a, b"'


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A name taken apart. ``str()`` puts it together again in one fixed spelling."""

    kind: str
    target: str | None = None
    keys: dict[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        head = self.kind if self.target is None else f"{self.kind}:{_quoted(self.target)}"
        return ",".join([head, *(f"{key}={_quoted(value)}" for key, value in self.keys.items())])


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text) and text == text.strip():
        return text
    return '"' + text.replace('"', '""') + '"'


class _Reader:
    """Reads a name from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> PlayerError:
        return PlayerError(f"{what} in the player name {self.text!r}", hint=GRAMMAR)

    def word(self, what: str) -> str:
        match = _WORD.match(self.text, self.at)
        if match is None:
            raise self.fail(f"no {what} at character {self.at + 1}")
        self.at = match.end()
        return match[0]

    def take(self, mark: str) -> bool:
        if self.text.startswith(mark, self.at):
            self.at += len(mark)
            return True
        return False

    def value(self) -> str:
        mark = self.text[self.at : self.at + 1]
        if mark in ('"', "'") and mark:
            return self._quoted_value(mark)
        end = self.text.find(",", self.at)
        end = len(self.text) if end < 0 else end
        value = self.text[self.at : end].strip()
        self.at = end
        return value

    def _quoted_value(self, mark: str) -> str:
        parts: list[str] = []
        start = self.at + 1
        while True:
            end = self.text.find(mark, start)
            if end < 0:
                raise self.fail(f"no closing {mark}")
            parts.append(self.text[start:end])
            if not self.text.startswith(mark, end + 1):
                self.at = end + 1
                return mark.join(parts)
            start = end + 2


def parse_name(text: str) -> PlayerName:
    """Take a player's name apart; what kinds and keys there are is not looked at.

    Raises:
        PlayerError: not of the form above, or a key that comes twice.
    """
    reader = _Reader(text.strip())
    kind = reader.word("kind")
    target = reader.value() if reader.take(":") else None
    if target == "":
        raise reader.fail("an empty target")
    keys: dict[str, str] = {}
    while reader.take(","):
        key = reader.word("key")
        if not reader.take("="):
            raise reader.fail(f"no value for {key!r} (write {key}=...)")
        if key in keys:
            raise reader.fail(f"{key!r} twice")
        keys[key] = reader.value()
    if reader.at != len(reader.text):
        raise reader.fail(f"{reader.text[reader.at :]!r} after a value")
    return PlayerName(kind, target, keys)
