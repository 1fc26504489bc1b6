"""What a page is made of: sections, and the blocks in them.

Every text is plain text and is escaped on the page. Only pictures are taken as they are, after a
check that they are well-formed SVG without scripts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from mariago.errors import BadInputError
from mariago.reports.browser import GameBrowser
from mariago.reports.diagram import BoardPicture
from mariago.reports.stepper import Stepper

__all__ = [
    "Block",
    "BoardGrid",
    "Callout",
    "Cards",
    "Command",
    "Definitions",
    "Figures",
    "Links",
    "Section",
    "Table",
    "Text",
]


@dataclass(frozen=True, slots=True)
class Text:
    """Paragraphs."""

    paragraphs: Sequence[str]

    def __init__(self, *paragraphs: str) -> None:
        object.__setattr__(self, "paragraphs", paragraphs)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. Numbers stand to the right, grouped by thousands; floats show ``digits``."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""
    digits: int = 2

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise BadInputError(
                    f"a row of {len(row)} cells under {len(self.columns)} columns",
                    where=self.caption or "table",
                )

    def shown(self, value: object) -> str:
        """Return a cell's text; ``None`` is a dash."""
        if value is None or value != value:
            return "–"
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        text = f"{value:,}" if isinstance(value, int) else f"{value:,.{self.digits}f}"
        return text.replace("-", "−")

    def is_number(self, column: int) -> bool:
        """Return whether a column holds numbers (or nothing) alone."""
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and all(
            isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """Charts or boards as (SVG text, caption), side by side where there is room."""

    items: Sequence[tuple[str, str]]

    def __init__(self, *items: tuple[str, str]) -> None:
        for svg, caption in items:
            check_svg(svg, caption)
        object.__setattr__(self, "items", items)


@dataclass(frozen=True, slots=True)
class BoardGrid:
    """Boards in rows, each with its caption; ``width_rem`` is the least width of one."""

    boards: Sequence[BoardPicture]
    width_rem: float = 17.0


@dataclass(frozen=True, slots=True)
class Cards:
    """Key figures as (name, value, note)."""

    cards: Sequence[tuple[str, str, str]]

    def __init__(self, *cards: tuple[str, str, str]) -> None:
        object.__setattr__(self, "cards", cards)


@dataclass(frozen=True, slots=True)
class Definitions:
    """A list of (term, meaning)."""

    items: Sequence[tuple[str, str]]

    def __init__(self, *items: tuple[str, str]) -> None:
        object.__setattr__(self, "items", items)


@dataclass(frozen=True, slots=True)
class Callout:
    """A remark set apart."""

    text: str
    kind: Literal["note", "good", "warning"] = "note"
    title: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """Lines to type, with a button that copies them."""

    text: str


@dataclass(frozen=True, slots=True)
class Links:
    """Files beside the page as (text, path from the page's folder, note)."""

    items: Sequence[tuple[str, str, str]]

    def __init__(self, *items: tuple[str, str, str]) -> None:
        for _, path, _ in items:
            if not re.fullmatch(r"[\w.-]+(/[\w.-]+)*", path) or ".." in path:
                raise BadInputError(f"{path} is no path below the page's folder")
        object.__setattr__(self, "items", items)


Block = (
    Text
    | Table
    | Figures
    | BoardGrid
    | Cards
    | Definitions
    | Callout
    | Command
    | Links
    | Stepper
    | GameBrowser
    | str
)
"""What may stand in a section; a bare ``str`` is a paragraph."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its blocks."""

    title: str
    blocks: Sequence[Block]

    def __init__(self, title: str, *blocks: Block) -> None:
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "blocks", blocks)


_OUTSIDE = re.compile(r"url\((?!#)|javascript:", re.IGNORECASE)
_SHAPES = {
    *("svg", "g", "defs", "title", "desc", "use", "clipPath", "symbol"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"),
}


def check_svg(svg: str, where: str) -> None:
    """Check that ``svg`` may stand on a page as it is.

    Raises:
        BadInputError: not well-formed, not SVG, or with more than shapes and text in it.
    """
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise BadInputError(f"a figure is not well-formed SVG: {error}", where=where) from None
    if root.tag != "{http://www.w3.org/2000/svg}svg":
        raise BadInputError("a figure is not SVG", where=where)
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        bad = name not in _SHAPES
        for key, value in element.attrib.items():
            plain = key.rpartition("}")[2].lower()
            bad |= plain.startswith("on") or (plain == "href" and not value.startswith("#"))
            bad |= _OUTSIDE.search(value) is not None
        if bad:
            raise BadInputError(f"a figure holds <{name}> with more than shapes", where=where)
