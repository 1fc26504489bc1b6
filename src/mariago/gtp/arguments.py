"""The words behind a command's name, turned into values; what cannot be is a syntax error."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from mariago.board.points import Move, Size, vertex_to_move
from mariago.errors import BadInputError, CoordinateError
from mariago.gtpwire import color_of, is_vertex

if TYPE_CHECKING:
    from mariago.gtp.session import Session

__all__ = [
    "MANY",
    "Answer",
    "Entry",
    "Table",
    "color",
    "point",
    "real",
    "syntax_error",
    "vertex",
    "whole",
]

MANY = 1 << 16
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
Answer = Callable[["Session", tuple[str, ...]], str]


class Entry(NamedTuple):
    """A command: its function, and how many words it takes."""

    answer: Answer
    least: int = 0
    most: int | None = None  # None: as many as ``least``

    def takes(self, words: int) -> bool:
        """Say whether the command takes so many words."""
        return self.least <= words <= (self.least if self.most is None else self.most)


Table = Mapping[str, Entry]


def syntax_error() -> BadInputError:
    """Return the standard's error for words that mean nothing."""
    return BadInputError("syntax error")


def color(word: str) -> int:
    """Return BLACK or WHITE."""
    try:
        return color_of(word)
    except BadInputError:
        raise syntax_error() from None


def vertex(word: str, size: Size, off_board: str = "illegal move") -> Move:
    """Return a move, pass included; ``off_board`` is the error for points of larger boards."""
    if not is_vertex(word):
        raise syntax_error()
    try:
        return vertex_to_move(word, size)
    except CoordinateError:
        raise BadInputError(off_board) from None


def point(word: str, size: Size) -> Move:
    """Return a point of the board; a pass is none."""
    move = vertex(word, size, "syntax error")
    if move == size.cells:
        raise syntax_error()
    return move


def whole(word: str) -> int:
    """Return a whole number of at most nine digits."""
    if _WHOLE.fullmatch(word) is None:
        raise syntax_error()
    return int(word)


def real(word: str) -> float:
    """Return a finite number."""
    try:
        value = float(word) if word.isascii() and "_" not in word else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise syntax_error()
    return value
