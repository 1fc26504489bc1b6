"""What a board picture shows, and the plan of its shapes.

Row 0 of the arrays is the top row; the row printed "1" is the bottom one, and letters skip I.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from mariago.board.points import (
    BLACK,
    COLOR_NAMES,
    EMPTY,
    VERTEX_LETTERS,
    WHITE,
    Size,
    move_to_vertex,
    size_of,
)
from mariago.errors import BadInputError, CoordinateError
from mariago.reports.drawing import Circle, Drawing, Line, Polygon, Rect, Shape, TextShape
from mariago.words import Texts, texts

__all__ = ["MARKS", "BoardPicture", "Layout", "plan_board", "star_points"]

WOOD = "#f0d9a8"
INK = "#2a2118"
STONE_FILL = {BLACK: "#151515", WHITE: "#ffffff"}
STONE_EDGE = {BLACK: "#000000", WHITE: "#333333"}
ON_STONE = {BLACK: "#ffffff", WHITE: "#111111"}
STONE_RADIUS, STONE_RIM = 0.46, 0.06  # of the distance between lines
ANSWER = "#d55e00"
HEAT = "#14508c"
MARKS = ("triangle", "square", "circle", "cross")


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A position to draw; moves are ``row * columns + column``, a pass ``rows * columns``.

    Raises:
        BadInputError: stones, heat or marks that are not what is said below.
        CoordinateError: a move off the board.
    """

    stones: np.ndarray
    """(rows, columns), 0 empty, 1 black, 2 white."""
    to_move: int | None = None
    """Whose turn it is; colours the answer and is named in the words for the picture."""
    last_move: int | None = None
    """Marked by a ring inside the stone."""
    answer: int | None = None
    """The move really played or wanted: a small stone of the mover in an orange ring."""
    labels: Mapping[int, str] = field(default_factory=dict[int, str])
    """Move numbers or letters by move."""
    marks: Mapping[int, str] = field(default_factory=dict[int, str])
    """One of ``MARKS`` by move."""
    heat: np.ndarray | None = None
    """(rows, columns) floats >= 0, darker for more; the largest is darkest."""
    ownership: np.ndarray | None = None
    """(rows, columns) in [-1, 1], 1 = Black's; drawn as small black and white squares."""
    caption: tuple[str, ...] = ()
    """Lines under the picture, in sheets and grids."""
    coordinates: bool = True

    def __post_init__(self) -> None:
        stones = np.asarray(self.stones)
        if stones.ndim != 2 or not bool(np.isin(stones, (EMPTY, BLACK, WHITE)).all()):
            raise BadInputError("stones must be (rows, columns) of 0, 1, 2", where="board picture")
        size = size_of((int(stones.shape[0]), int(stones.shape[1])))
        for name in ("heat", "ownership"):
            layer = getattr(self, name)
            if layer is not None and np.asarray(layer).shape != stones.shape:
                raise BadInputError(
                    f"{name} has shape {np.asarray(layer).shape}, the board {stones.shape}",
                    where="board picture",
                )
        if self.to_move not in (None, BLACK, WHITE):
            raise BadInputError(f"to_move is {self.to_move!r}", where="board picture")
        for mark in self.marks.values():
            if mark not in MARKS:
                hint = f"one of {', '.join(MARKS)}"
                raise BadInputError(f"unknown mark {mark!r}", where="board picture", hint=hint)
        _check_moves(self, size)

    @property
    def size(self) -> Size:
        """The board's size."""
        return Size(int(self.stones.shape[0]), int(self.stones.shape[1]))


def _check_moves(picture: BoardPicture, size: Size) -> None:
    passes = [move for move in (picture.last_move, picture.answer) if move is not None]
    if any(not 0 <= move <= size.cells for move in passes):
        raise CoordinateError(f"move {passes} is not on a {size} board", where="board picture")
    if any(not 0 <= move < size.cells for move in (*picture.labels, *picture.marks)):
        raise CoordinateError(f"a mark or label is not on a {size} board", where="board picture")


def star_points(size: "int | str | tuple[int, int]") -> tuple[tuple[int, int], ...]:
    """Return the star points as (row, column), sorted.

    Fourth line from 13 up and third line below; mid-side points from 15 up, so that 9x9 and 13x13
    have five and 19x19 nine. Even sides have no middle; sides under 7 keep the centre alone.
    """
    lengths = size_of(size)
    if min(lengths) < 7:
        centre = min(lengths) >= 5 and lengths.rows % 2 == 1 and lengths.columns % 2 == 1
        return ((lengths.rows // 2, lengths.columns // 2),) if centre else ()
    lines = [3 if length >= 13 else 2 for length in lengths]
    ends = [(line, length - 1 - line) for line, length in zip(lines, lengths, strict=True)]
    points = set(product(ends[0], ends[1]))
    middles = [n // 2 if n % 2 == 1 else None for n in lengths]
    if middles[0] is not None and lengths.rows >= 15:
        points |= {(middles[0], column) for column in ends[1]}
    if middles[1] is not None and lengths.columns >= 15:
        points |= {(row, middles[1]) for row in ends[0]}
    if middles[0] is not None and middles[1] is not None and min(lengths) >= 9:
        points.add((middles[0], middles[1]))
    return tuple(sorted(points))


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the points of a board lie in a picture whose lines are ``cell`` pixels apart."""

    size: Size
    cell: float
    coordinates: bool = True
    foot: bool = False
    """Whether a line of words stands under the board (a pass)."""

    @property
    def margin(self) -> float:
        """Distance from the picture's edge to the first line."""
        return self.cell * (1.35 if self.coordinates else 0.75)

    @property
    def width(self) -> float:
        """Width of the picture in pixels."""
        return 2 * self.margin + (self.size.columns - 1) * self.cell

    @property
    def height(self) -> float:
        """Height of the picture in pixels."""
        foot = 0.9 * self.cell if self.foot else 0.0
        return 2 * self.margin + (self.size.rows - 1) * self.cell + foot

    def xy(self, row: float, column: float) -> tuple[float, float]:
        """Return the pixel (x, y) of a crossing."""
        return self.margin + column * self.cell, self.margin + row * self.cell

    def move_xy(self, move: int) -> tuple[float, float]:
        """Return the pixel (x, y) of a move that is not a pass."""
        return self.xy(*divmod(move, self.size.columns))


def blend(low: str, high: str, share: float) -> str:
    """Return the colour ``share`` of the way from ``low`` to ``high``, both ``#rrggbb``."""
    pairs = zip(bytes.fromhex(low[1:]), bytes.fromhex(high[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _heat_colors(picture: BoardPicture) -> dict[int, str]:
    if picture.heat is None:
        return {}
    heat = np.nan_to_num(np.asarray(picture.heat, dtype=np.float64)).ravel()
    top = float(heat.max(initial=0.0))
    if top <= 0:
        return {}
    shares = np.clip(heat / top, 0.0, 1.0)
    return {
        int(move): blend(WOOD, HEAT, float(shares[move])) for move in np.flatnonzero(shares > 0.004)
    }


def grid_shapes(layout: Layout) -> list[Shape]:
    """Return lines, star points and coordinates."""
    size, cell = layout.size, layout.cell
    shapes: list[Shape] = []
    for row in range(size.rows):
        (x1, y), (x2, _) = layout.xy(row, 0), layout.xy(row, size.columns - 1)
        shapes.append(Line(x1, y, x2, y, INK, cell * (0.07 if row in (0, size.rows - 1) else 0.04)))
    for column in range(size.columns):
        (x, y1), (_, y2) = layout.xy(0, column), layout.xy(size.rows - 1, column)
        edge = column in (0, size.columns - 1)
        shapes.append(Line(x, y1, x, y2, INK, cell * (0.07 if edge else 0.04)))
    for row, column in star_points(size):
        shapes.append(Circle(*layout.xy(row, column), 0.11 * cell, fill=INK, kind="star"))
    if layout.coordinates:
        shapes += _coordinate_shapes(layout)
    return shapes


def _coordinate_shapes(layout: Layout) -> list[Shape]:
    size, font = layout.size, 0.48 * layout.cell
    away = 0.92
    shapes: list[Shape] = []
    for column in range(size.columns):
        letter = VERTEX_LETTERS[column]
        for row in (-away, size.rows - 1 + away):
            shapes.append(TextShape(*layout.xy(row, column), letter, font, INK))
    for row in range(size.rows):
        for column in (-away, size.columns - 1 + away):
            shapes.append(TextShape(*layout.xy(row, column), str(size.rows - row), font, INK))
    return shapes


def stone_shape(layout: Layout, move: int, color: int, kind: str = "") -> Circle:
    """Return the stone of ``color`` (BLACK or WHITE) on ``move``."""
    x, y = layout.move_xy(move)
    cell = layout.cell
    name = kind or COLOR_NAMES[color]
    edge = STONE_RIM * cell
    return Circle(x, y, STONE_RADIUS * cell, STONE_FILL[color], STONE_EDGE[color], edge, name)


def _mark_shapes(layout: Layout, move: int, mark: str, color: str) -> list[Shape]:
    x, y = layout.move_xy(move)
    cell = layout.cell
    width, reach = 0.08 * cell, 0.25 * cell
    if mark == "circle":
        return [Circle(x, y, 0.23 * cell, stroke=color, width=width, kind="mark")]
    if mark == "cross":
        return [
            Line(x - reach, y - reach, x + reach, y + reach, color, width),
            Line(x - reach, y + reach, x + reach, y - reach, color, width),
        ]
    if mark == "square":
        a = 0.22 * cell
        corners = ((x - a, y - a), (x + a, y - a), (x + a, y + a), (x - a, y + a))
        return [Polygon(corners, color, width)]
    r = 0.3 * cell
    corners = ((x, y - r), (x + 0.866 * r, y + 0.5 * r), (x - 0.866 * r, y + 0.5 * r))
    return [Polygon(corners, color, width)]


def _label_shapes(
    layout: Layout, move: int, text: str, color: str, ground: str | None
) -> list[Shape]:
    x, y = layout.move_xy(move)
    cell = layout.cell
    size = cell * (0.56, 0.56, 0.5, 0.4, 0.32, 0.27)[min(len(text), 5)]
    under: list[Shape] = []
    if ground is not None:
        under.append(Circle(x, y, 0.4 * cell, fill=ground, kind="ground"))
    return [*under, TextShape(x, y, text, size, color, bold=True)]


def _answer_shapes(picture: BoardPicture, layout: Layout, move: int) -> list[Shape]:
    x, y = layout.move_xy(move)
    cell = layout.cell
    shapes: list[Shape] = []
    if picture.stones.flat[move] != EMPTY:
        # An answer on a stone is a fault of the record or of its reader: show it as one.
        shapes += _mark_shapes(layout, move, "cross", ANSWER)
    elif picture.to_move is not None:
        edge, fill = STONE_EDGE[picture.to_move], STONE_FILL[picture.to_move]
        shapes.append(Circle(x, y, 0.29 * cell, fill, edge, 0.05 * cell, "answer-stone"))
    shapes.append(Circle(x, y, 0.43 * cell, stroke=ANSWER, width=0.13 * cell, kind="answer"))
    return shapes


def _over_shapes(picture: BoardPicture, layout: Layout, heat: dict[int, str]) -> list[Shape]:
    stones, cells = picture.stones, picture.size.cells
    shapes: list[Shape] = []

    def ink(move: int) -> str:
        color = int(stones.flat[move])
        if color != EMPTY:
            return ON_STONE[color]
        return "#ffffff" if _is_dark(heat.get(move, WOOD)) else "#111111"

    last = picture.last_move
    if last is not None and last < cells and last not in picture.labels:
        shapes += _mark_shapes(layout, last, "circle", ink(last))
    for move, mark in picture.marks.items():
        shapes += _mark_shapes(layout, move, mark, ink(move))
    if picture.answer is not None and picture.answer < cells:
        shapes += _answer_shapes(picture, layout, picture.answer)
    for move, text in picture.labels.items():
        empty = stones.flat[move] == EMPTY
        ground = heat.get(move, WOOD) if empty and move != picture.answer else None
        color = ink(move)
        if move == picture.answer and empty and picture.to_move is not None:
            color = ON_STONE[picture.to_move]
        shapes += _label_shapes(layout, move, text, color, ground)
    return shapes


def _is_dark(color: str) -> bool:
    red, green, blue = bytes.fromhex(color[1:])
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def in_words(picture: BoardPicture, lang: str = "en") -> str:
    """Return the picture in one sentence in ``lang``, for readers who do not see it."""
    _ = texts(lang)
    size, stones = picture.size, picture.stones
    black, white = int((stones == BLACK).sum()), int((stones == WHITE).sum())
    parts = [
        _(
            "{size} Go board, {black} black and {white} white stones",
            size=size,
            black=black,
            white=white,
        )
    ]
    if picture.last_move is not None:
        parts.append(_("last move {move}", move=_vertex(picture.last_move, size, _)))
    if picture.to_move is not None:
        parts.append(_("black to play") if picture.to_move == BLACK else _("white to play"))
    if picture.answer is not None:
        parts.append(_("answer {move}", move=_vertex(picture.answer, size, _)))
    if picture.heat is not None and np.nanmax(picture.heat) > 0:
        darkest = int(np.nanargmax(picture.heat))
        parts.append(_("darkest at {move}", move=_vertex(darkest, size, _)))
    return _(", ").join(parts)


def _vertex(move: int, size: Size, _: Texts) -> str:
    return _.term("pass") if move == size.cells else move_to_vertex(move, size)


def _foot(picture: BoardPicture, lang: str) -> str:
    _ = texts(lang)
    cells = picture.size.cells
    parts: list[str] = []
    if picture.last_move == cells:
        parts.append(_("last move: pass"))
    if picture.answer == cells:
        parts.append(_("answer: pass"))
    return " - ".join(parts)


def plan_board(picture: BoardPicture, cell: float = 24.0, lang: str = "en") -> Drawing:
    """Return the shapes of ``picture`` with lines ``cell`` pixels apart, its words in ``lang``."""
    foot = _foot(picture, lang)
    layout = Layout(picture.size, float(cell), picture.coordinates, bool(foot))
    drawing = Drawing(layout.width, layout.height, in_words(picture, lang))
    drawing.add(Rect(0, 0, layout.width, layout.height, WOOD))
    heat = _heat_colors(picture)
    for move, color in heat.items():
        x, y = layout.move_xy(move)
        drawing.add(Rect(x - cell / 2, y - cell / 2, cell, cell, color))
    drawing.add(*grid_shapes(layout))
    stones = np.asarray(picture.stones).ravel()
    for move in np.flatnonzero(stones):
        drawing.add(stone_shape(layout, int(move), int(stones[move])))
    if picture.ownership is not None:
        drawing.add(*_ownership_shapes(np.asarray(picture.ownership), layout))
    drawing.add(*_over_shapes(picture, layout, heat))
    if foot:
        y = layout.height - 0.6 * cell
        drawing.add(TextShape(layout.width / 2, y, foot, 0.6 * cell, ANSWER, bold=True))
    return drawing


def _ownership_shapes(ownership: np.ndarray, layout: Layout) -> list[Shape]:
    shapes: list[Shape] = []
    for move, value in enumerate(np.nan_to_num(ownership).ravel()):
        side = 0.5 * layout.cell * min(1.0, abs(float(value)))
        if side < 0.05 * layout.cell:
            continue
        x, y = layout.move_xy(move)
        color = BLACK if value > 0 else WHITE
        # The rim keeps a square apart from a stone of its own colour.
        for reach, fill in (
            (side / 2 + 0.04 * layout.cell, ON_STONE[color]),
            (side / 2, STONE_FILL[color]),
        ):
            shapes.append(Rect(x - reach, y - reach, 2 * reach, 2 * reach, fill))
    return shapes
