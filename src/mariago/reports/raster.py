"""Paints drawings into PNG pictures: single boards, and sheets of boards with captions."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw

from mariago.reports.drawing import Circle, Drawing, Line, Polygon, Rect, Shape, TextShape
from mariago.reports.fonts import Fonts
from mariago.words import texts

__all__ = ["paint", "paint_sheet", "png_bytes"]

SMOOTHING = 2  # painted this many times larger, then averaged down
PAPER = "#ffffff"
WORDS = "#1f1f1f"


@dataclass(slots=True)
class _Brush:
    """Paints shapes with their origin at (left, top), lengths times ``scale``."""

    ink: ImageDraw.ImageDraw
    fonts: Fonts
    scale: float
    left: float = 0.0
    top: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (self.left + x) * self.scale, (self.top + y) * self.scale

    def paint(self, shape: Shape) -> None:
        match shape:
            case Rect():
                x, y = self.at(shape.x, shape.y)
                x2, y2 = self.at(shape.x + shape.width, shape.y + shape.height)
                self.ink.rectangle((x, y, x2 - 1, y2 - 1), fill=shape.fill)
            case Line():
                self._stroke(((shape.x1, shape.y1), (shape.x2, shape.y2)), shape.color, shape.width)
            case Polygon():
                points = (*shape.points, *shape.points[:2])
                self._stroke(points, shape.stroke, shape.width)
            case Circle():
                self._circle(shape)
            case TextShape():
                self._text(shape)

    def _stroke(self, points: Sequence[tuple[float, float]], color: str, width: float) -> None:
        drawn = max(SMOOTHING, round(width * self.scale))
        self.ink.line([self.at(x, y) for x, y in points], fill=color, width=drawn, joint="curve")

    def _circle(self, shape: Circle) -> None:
        x, y = self.at(shape.x, shape.y)
        stroke = shape.width * self.scale if shape.stroke else 0.0
        outer = shape.radius * self.scale + stroke / 2
        self.ink.ellipse(
            (x - outer, y - outer, x + outer, y + outer),
            fill=shape.fill,
            outline=shape.stroke,
            width=max(SMOOTHING, round(stroke)) if shape.stroke else 0,
        )

    def _text(self, shape: TextShape) -> None:
        width = self.fonts.width(shape.text, shape.size * self.scale, shape.bold) / self.scale
        base = shape.y + 0.36 * shape.size
        self.line(shape.x - width / 2, base, shape.text, shape.size, shape.color, shape.bold)

    def line(
        self, x: float, base: float, text: str, size: float, color: str, bold: bool = False
    ) -> None:
        """Write ``text`` from ``x`` on the base line."""
        px, py = self.at(x, base)
        for font, piece in self.fonts.runs(text, size * self.scale, bold):
            self.ink.text((px, py), piece, font=font, fill=color, anchor="ls")
            px += font.getlength(piece)


def _blank(width: float, height: float, color: str) -> Image.Image:
    return Image.new("RGB", (round(width) * SMOOTHING, round(height) * SMOOTHING), color)


def png_bytes(image: Image.Image) -> bytes:
    """Return a painted image, averaged down, as PNG; the same image gives the same bytes."""
    out = BytesIO()
    image.reduce(SMOOTHING).save(out, format="PNG", optimize=False, compress_level=6)
    return out.getvalue()


def paint(drawing: Drawing, fonts: Fonts | None = None) -> bytes:
    """Return ``drawing`` as PNG, one pixel a unit."""
    image = _blank(drawing.width, drawing.height, PAPER)
    brush = _Brush(ImageDraw.Draw(image), fonts or Fonts(), SMOOTHING)
    for shape in drawing.shapes:
        brush.paint(shape)
    return png_bytes(image)


@dataclass(frozen=True, slots=True)
class _Tile:
    drawing: Drawing
    lines: tuple[str, ...]
    bold: int
    """How many lines the first text takes; it is its picture's name."""


def paint_sheet(
    items: Sequence[tuple[Drawing, Sequence[str]]],
    columns: int,
    title: str,
    foot: str = "",
    fonts: Fonts | None = None,
    text_size: float = 15.0,
    lang: str = "en",
) -> bytes:
    """Return a PNG of drawings in rows of ``columns``, each with its lines of words below.

    Long lines wrap, and a row is as high as its highest picture and longest words need. Where a
    character has no font, a line in ``lang`` at the foot says so.
    """
    fonts = fonts or Fonts()
    gap, leading = 28.0, 1.35 * text_size
    widest = max((drawing.width for drawing, _ in items), default=320.0)
    tiles = [_tile(fonts, drawing, words, text_size, widest) for drawing, words in items]
    rows = [tiles[i : i + columns] for i in range(0, len(tiles), columns)]
    heights = [
        max(tile.drawing.height for tile in row)
        + leading * max(len(tile.lines) for tile in row)
        + (gap if any(tile.lines for tile in row) else gap / 2)
        for row in rows
    ]
    width = gap + columns * (widest + gap)
    head = _wrapped(fonts, (title,), 1.5 * text_size, width - 2 * gap)
    note = _foot_lines(fonts, foot, text_size, width - 2 * gap, lang)
    head_height = 1.5 * leading * len(head)
    height = 2 * gap + head_height + sum(heights) + leading * len(note)
    image = _blank(width, height, PAPER)
    brush = _Brush(ImageDraw.Draw(image), fonts, SMOOTHING)
    for k, line in enumerate(head):
        brush.line(gap, gap + 1.5 * (leading * k + text_size), line, 1.5 * text_size, WORDS, True)
    top = gap + head_height
    for row, row_height in zip(rows, heights, strict=True):
        for k, tile in enumerate(row):
            _paint_tile(brush, tile, gap + k * (widest + gap), top, text_size)
        top += row_height
    for k, line in enumerate(note):
        brush.line(gap, top + leading * k + text_size, line, text_size, WORDS)
    return png_bytes(image)


def _tile(fonts: Fonts, drawing: Drawing, words: Sequence[str], size: float, width: float) -> _Tile:
    name = _wrapped(fonts, words[:1], size, width)
    return _Tile(drawing, (*name, *_wrapped(fonts, words[1:], size, width)), len(name))


def _paint_tile(brush: _Brush, tile: _Tile, left: float, top: float, text_size: float) -> None:
    brush.left, brush.top = left, top
    for shape in tile.drawing.shapes:
        brush.paint(shape)
    brush.left = brush.top = 0.0
    base = top + tile.drawing.height + 1.2 * text_size
    for k, line in enumerate(tile.lines):
        brush.line(left, base + 1.35 * text_size * k, line, text_size, WORDS, bold=k < tile.bold)


def _wrapped(fonts: Fonts, words: Sequence[str], size: float, width: float) -> list[str]:
    # Bold letters, used for the first line, are about a tenth wider than what is measured.
    return [line for text in words for line in fonts.wrapped(text, size, width / 1.12)]


def _foot_lines(fonts: Fonts, foot: str, size: float, width: float, lang: str) -> list[str]:
    _ = texts(lang)
    lines = _wrapped(fonts, (foot,), size, width) if foot else []
    if fonts.escaped:
        note = _("No font on this machine has some of the characters; they are written as \\uXXXX.")
        lines += _wrapped(fonts, (note,), size, width)
    return lines
