"""A list of games that the reader of a page searches, sorts and plays through.

The games travel as compact text inside the page; rows and viewers are made when they come into
sight or are asked for, so that a page of some thousand games stays quick.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from mariago.board.points import BLACK, EMPTY, VERTEX_LETTERS, WHITE, Size
from mariago.errors import BadInputError
from mariago.reports.diagram import (
    ON_STONE,
    STONE_EDGE,
    STONE_FILL,
    STONE_RADIUS,
    STONE_RIM,
    BoardPicture,
    Layout,
    plan_board,
)
from mariago.reports.drawing import clean, number, to_svg
from mariago.reports.stepper import CELL

__all__ = ["BrowsedGame", "BrowserColumn", "GameBrowser", "PlayedSteps", "script_json"]

Change = tuple[int, int]
"""A point and its colour after the change."""

SHOWN_WITHOUT_SCRIPT = 200  # rows of the plain table for readers whose browser runs no script
_LETTERS = "abcdefghijklmnopqrstuvwxy"
_NO_MARK = "."


def script_json(value: object) -> str:
    """Return ``value`` as JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@dataclass(frozen=True, slots=True)
class PlayedSteps:
    """A game to step through.

    Raises:
        BadInputError: lists of different lengths, or a move off the board.
    """

    size: Size
    start: Sequence[Change]
    """The stones before the first step."""
    steps: Sequence[tuple[int, int, Sequence[Change]]]
    """(colour, move, changes of the board) in order; rows * columns is a pass."""
    marks: Sequence[int] = ()
    """For each step a sum of the browser's flags, -1 for none of its samples; or empty."""
    numbers: Sequence[int] = ()
    """Move numbers of the steps, where some moves are left out; else empty."""

    def __post_init__(self) -> None:
        for name in ("marks", "numbers"):
            held = getattr(self, name)
            if held and len(held) != len(self.steps):
                raise BadInputError(
                    f"{len(held)} {name}, {len(self.steps)} steps", where="game browser"
                )
        cells = self.size.cells
        if any(c not in (BLACK, WHITE) or not 0 <= m <= cells for c, m, _ in self.steps):
            raise BadInputError("a move of no colour or off the board", where="game browser")

    def coded(self) -> dict[str, object]:
        """Return the game as the page's script reads it.

        ``m`` has two letters a step, column and row, small for Black and capital for White, ``zz``
        a pass. ``x`` holds by step what else changes as [point, colour, ...], points and then
        stones by their number. ``f`` has a character a step: a dot, or ``0`` and the flags above.
        """
        letters: list[str] = []
        more: dict[str, list[int]] = {}
        for k, (color, move, changes) in enumerate(self.steps):
            letters.append(self._letters(color, move))
            held = dict(changes)
            if move < self.size.cells and held.get(move, EMPTY) == color:
                del held[move]
            elif move < self.size.cells:
                held.setdefault(move, EMPTY)
            if held:
                more[str(k)] = [value for change in held.items() for value in change]
        coded: dict[str, object] = {"s": str(self.size), "m": "".join(letters)}
        start = [value for change in self.start for value in change]
        optional = {
            "b": start,
            "x": more,
            "f": "".join(_NO_MARK if mark < 0 else chr(48 + mark) for mark in self.marks),
            "n": list(self.numbers),
        }
        return coded | {name: value for name, value in optional.items() if value}

    def _letters(self, color: int, move: int) -> str:
        row, column = divmod(move, self.size.columns)
        pair = "zz" if move == self.size.cells else _LETTERS[column] + _LETTERS[row]
        return pair if color == BLACK else pair.upper()


@dataclass(frozen=True, slots=True)
class BrowserColumn:
    """A column of the list; ``has_choices``: its values can be chosen from a list above it.

    Of a long path the list shows the end. ``order``: its values from the first to the last, where
    that is not the order of text.
    """

    name: str
    kind: Literal["text", "number", "path"] = "text"
    has_choices: bool = False
    order: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class BrowsedGame:
    """One game: ``key`` is its number in links (``#12`` or ``#12:57``), unique on the page."""

    key: int
    values: Sequence[str | int | float | None]
    """By the browser's columns."""
    details: Sequence[str] = ()
    """By the browser's details; empty ones are not shown."""
    played: PlayedSteps | None = None
    link: str = ""
    """The page that shows the game, where it is another one."""


@dataclass(frozen=True, slots=True)
class GameBrowser:
    """The list with its viewer.

    Raises:
        BadInputError: games whose values do not fit the columns, or two of one key.
    """

    columns: Sequence[BrowserColumn]
    games: Sequence[BrowsedGame]
    details: Sequence[str] = ()
    flags: Sequence[str] = ()
    """What the bits of a step's mark mean, in words."""
    notable: int = 0
    """The bits whose steps are marked strongly and gone to one by one."""
    unmarked: str = ""
    """What it means that a step has no mark."""
    search: Sequence[int] = field(default_factory=tuple[int, ...])
    """The columns that are searched; all where empty."""
    stops: Sequence[tuple[str, int]] = ()
    """(name, move number) that a game is gone to at once, where it is that long."""
    opens_at: int = 0
    """The move at which a game is first shown, or its end if that comes earlier."""
    opens_first: bool = False
    """Whether the first game is shown before the reader chooses one."""

    def __post_init__(self) -> None:
        widths = {len(game.values) for game in self.games} - {len(self.columns)}
        widths |= {len(game.details) for game in self.games} - {len(self.details), 0}
        if widths or len({game.key for game in self.games}) < len(self.games):
            raise BadInputError("games that do not fit the list", where="game browser")

    def json(self) -> str:
        """Return what the page's script reads."""
        return script_json(
            {
                "columns": [[c.name, c.kind, c.has_choices, list(c.order)] for c in self.columns],
                "details": list(self.details),
                "flags": list(self.flags),
                "notable": self.notable,
                "unmarked": self.unmarked,
                "search": list(self.search or range(len(self.columns))),
                "stops": list(self.stops),
                "opens_at": self.opens_at,
                "opens_first": self.opens_first,
                "board": _board_facts(),
                "games": [_game(game) for game in self.games],
            }
        )

    def sizes(self) -> list[Size]:
        """Return the boards of the games."""
        return sorted({game.played.size for game in self.games if game.played is not None})

    def empty_board_svg(self, size: Size, lang: str = "en") -> str:
        """Return the board without stones, on which the viewer puts them."""
        drawing = plan_board(BoardPicture(np.zeros(size, np.uint8)), CELL, lang)
        return to_svg(drawing, kind="board live", extra='<g class="stones"></g>')

    def plain_rows(self) -> list[list[str]]:
        """Return the first rows as text, for browsers that run no script."""
        return [[_text(v) for v in game.values] for game in self.games[:SHOWN_WITHOUT_SCRIPT]]


def _text(value: str | int | float | None) -> str:
    return "" if value is None else str(value)


def _game(game: BrowsedGame) -> list[object]:
    values = [clean(v) if isinstance(v, str) else v for v in game.values]
    played = game.played.coded() if game.played is not None else None
    return [game.key, values, [clean(text) for text in game.details], played, game.link]


def _board_facts() -> Mapping[str, object]:
    return {
        "cell": CELL,
        "margin": float(number(Layout(Size(9, 9), CELL).margin)),
        "radius": STONE_RADIUS * CELL,
        "edge": STONE_RIM * CELL,
        "fill": ["", STONE_FILL[BLACK], STONE_FILL[WHITE]],
        "rim": ["", STONE_EDGE[BLACK], STONE_EDGE[WHITE]],
        "mark": ["", ON_STONE[BLACK], ON_STONE[WHITE]],
        "letters": VERTEX_LETTERS,
    }
