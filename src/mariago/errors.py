"""The exception tree. Every error names what was wrong, where, and what to do about it.

::

    MariagoError
    ├── BadInputError        an argument, an option or a file that cannot be used
    │   └── CoordinateError  a point, vertex or move that names no point of the board
    ├── RulesError           an unknown rule set, or a game that the rules cannot continue
    │   └── IllegalMoveError occupied, suicide, ko or superko
    ├── SgfError             a game record read in strict mode
    ├── RecordsError         building, reading or checking samples
    ├── NetError             a net folder, its weights or its training
    ├── PlayerError          a player's name, or a player that cannot play
    │   └── EngineError      an outside engine that ends, hangs or answers what cannot be used
    ├── MatchError           a match that cannot be set up or resumed
    ├── LessonError          a book of lessons, or what is to be learnt, that cannot be used
    └── MissingExtraError    a part of the installation that is not there

The command line prints any of these as one line and a hint, and ends with exit code 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

__all__ = [
    "BadInputError",
    "CoordinateError",
    "EngineError",
    "IllegalMoveError",
    "LessonError",
    "MariagoError",
    "MatchError",
    "MissingExtraError",
    "NetError",
    "PlayerError",
    "RecordsError",
    "RulesError",
    "SgfError",
    "first_fault",
]

_MOST_SHOWN = 200  # characters of a fault


class MariagoError(Exception):
    """The root of all errors that MariaGO raises on purpose.

    ``what`` was wrong in one line, ``where`` (a file, a move, an option; ``None`` where there is
    no place), and ``hint``, what the reader can do about it. ``str()`` gives ``where: what``.
    """

    def __init__(self, what: str, *, where: object = None, hint: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = None if where is None else str(where)
        self.hint = hint

    def __str__(self) -> str:
        return self.what if self.where is None else f"{self.where}: {self.what}"

    def __reduce__(self) -> tuple[object, ...]:
        # Workers hand errors to their parent by pickle; keyword-only fields travel as state.
        return (_rebuild, (type(self), self.args, dict(self.__dict__)))


def _rebuild(
    kind: type[MariagoError], args: tuple[object, ...], fields: dict[str, object]
) -> MariagoError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class BadInputError(MariagoError):
    """An argument, an option or a file that cannot be used as it is."""


class CoordinateError(BadInputError):
    """A point, vertex or move that names no point of the board."""


class RulesError(MariagoError):
    """An unknown rule set, or a game that its rules cannot continue."""


class IllegalMoveError(RulesError):
    """A move that the rules forbid.

    ``reason`` is ``"occupied"``, ``"suicide"``, ``"ko"`` or ``"superko"``; ``vertex`` says where
    (``"D4"``).
    """

    def __init__(
        self, reason: str, vertex: str, *, where: object = None, hint: str | None = None
    ) -> None:
        super().__init__(f"illegal move at {vertex}: {reason}", where=where, hint=hint)
        self.reason = reason
        self.vertex = vertex


class SgfError(MariagoError):
    """A game record that cannot be read, raised only by readers told to be strict."""


class RecordsError(MariagoError):
    """Samples that cannot be built, read or trusted."""


class NetError(MariagoError):
    """A net folder, its weights or its training settings that cannot be used."""


class PlayerError(MariagoError):
    """A player's name that means nothing, or a player that cannot play here."""


class EngineError(PlayerError):
    """An outside engine that failed.

    ``fault`` is ``"start"`` (it cannot be started), ``"crash"`` (it ended), ``"time_out"``,
    ``"garbage"`` (an answer that means nothing) or ``"refused"`` (it answered ``?``);
    ``last_words`` is what it wrote last on its standard error.
    """

    def __init__(
        self,
        fault: str,
        what: str,
        *,
        last_words: str = "",
        where: object = None,
        hint: str | None = None,
    ) -> None:
        said = f"its last words: {last_words}" if last_words else None
        super().__init__(what, where=where, hint=hint or said)
        self.fault = fault
        self.last_words = last_words


class MatchError(MariagoError):
    """A match that cannot be set up, played on or resumed."""


class LessonError(MariagoError):
    """A book of lessons, or a game to be learnt from, that cannot be used."""


class MissingExtraError(MariagoError):
    """A command needs a part of the installation (``extra``) that is not there."""

    def __init__(self, extra: str, *, where: object = None) -> None:
        super().__init__(
            f"this needs the '{extra}' extra, which is not installed",
            where=where,
            hint=f'in the folder of the project: pip install ".[{extra}]"',
        )
        self.extra = extra


class _Faults(Protocol):
    """What pydantic's ``ValidationError`` offers; nothing here imports it."""

    def errors(self) -> list[Any]: ...


def first_fault(error: _Faults, known: Iterable[str] | None = None) -> str:
    """Return the first complaint of a pydantic model in one line: which key, and what about it.

    ``known``, a model's ``model_fields`` or any names, is listed where the key is none of its own.
    """
    faults = error.errors()
    # A misspelt key is also a missing one: the slip says more.
    fault = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
    key = ".".join(str(part) for part in fault["loc"])
    kind = fault["type"]
    text = str(fault["msg"]).removeprefix("Value error, ")
    if kind == "missing":
        text = "is missing"
    elif kind == "extra_forbidden":
        text = "unknown key"
        if known is not None:
            text += f" (known: {', '.join(known)})"
    elif kind == "string_pattern_mismatch" and not str(fault.get("input", "")).strip():
        text = "may not be empty"
    else:
        text = text.removeprefix("Input ")
    whole = " ".join((f"{key}: {text}" if key else text).split())
    return whole if len(whole) <= _MOST_SHOWN else whole[: _MOST_SHOWN - 1] + "…"
