"""Drawings made of a few shapes, and their SVG form.

A board is planned once as shapes; the SVG writer here and the PNG painter in ``raster`` draw the
same plan, so that both pictures agree. Lengths are pixels at scale 1; x goes right, y goes down.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

__all__ = ["Circle", "Drawing", "Line", "Polygon", "Rect", "Shape", "TextShape", "to_svg"]

FONT_STACK = (
    "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans CJK SC', 'Noto Sans SC', "
    "'PingFang SC', 'Hiragino Sans', 'Apple SD Gothic Neo', 'Microsoft YaHei', 'Yu Gothic', "
    "'Malgun Gothic', 'WenQuanYi Micro Hei', sans-serif"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke."""

    x1: float
    y1: float
    x2: float
    y2: float
    color: str
    width: float


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; ``fill`` or ``stroke`` may be ``None``. ``kind`` names what it stands for."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle with its top left corner at (x, y)."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline of ``points`` (x, y)."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    width: float


@dataclass(frozen=True, slots=True)
class TextShape:
    """One line of text centred on (x, y) both ways; ``size`` is the font size."""

    x: float
    y: float
    text: str
    size: float
    color: str
    bold: bool = False


Shape = Line | Circle | Rect | Polygon | TextShape


@dataclass(slots=True)
class Drawing:
    """Shapes on a sheet of ``width`` x ``height``, painted in order; ``title`` says it in words."""

    width: float
    height: float
    title: str
    shapes: list[Shape] = field(default_factory=list[Shape])

    def add(self, *shapes: Shape) -> None:
        """Paint ``shapes`` over what is there."""
        self.shapes.extend(shapes)


def clean(text: str) -> str:
    """Return ``text`` with characters that no page may hold (controls, halves of pairs) as U+FFFD.

    Names in old records hold such characters where their encoding was guessed wrong.
    """
    return "".join(
        c if c in "\n\r\t" or unicodedata.category(c) not in ("Cc", "Cs") else "\ufffd"
        for c in text
    )


def number(value: float) -> str:
    """Return ``value`` with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def attributes(**values: object) -> str:
    """Return `` name="value"`` for every value that is not ``None``; ``_`` becomes ``-``."""
    parts: list[str] = []
    for name, value in values.items():
        if value is None:
            continue
        text = number(value) if isinstance(value, float) else str(value)
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{escape(clean(text))}"')
    return "".join(parts)


def _circle(shape: Circle) -> str:
    drawn = attributes(
        class_=shape.kind or None,
        cx=float(shape.x),
        cy=float(shape.y),
        r=float(shape.radius),
        fill=shape.fill or "none",
        stroke=shape.stroke,
        stroke_width=float(shape.width) if shape.stroke else None,
    )
    return f"<circle{drawn}/>"


def _text(shape: TextShape) -> str:
    # Digits and capitals stand about 0.72 of the font size over the base line; half of that
    # below the middle centres them in every renderer, which dominant-baseline does not.
    drawn = attributes(
        x=float(shape.x),
        y=float(shape.y + 0.36 * shape.size),
        font_size=float(shape.size),
        fill=shape.color,
        font_weight="700" if shape.bold else None,
    )
    return f"<text{drawn}>{escape(clean(shape.text))}</text>"


def shape_svg(shape: Shape) -> str:
    """Return the SVG element of one shape."""
    match shape:
        case Circle():
            return _circle(shape)
        case TextShape():
            return _text(shape)
        case Rect():
            drawn = attributes(
                x=float(shape.x),
                y=float(shape.y),
                width=float(shape.width),
                height=float(shape.height),
                fill=shape.fill,
            )
            return f"<rect{drawn}/>"
        case Polygon():
            points = " ".join(f"{number(x)},{number(y)}" for x, y in shape.points)
            drawn = attributes(
                points=points, fill="none", stroke=shape.stroke, stroke_width=float(shape.width)
            )
            return f"<polygon{drawn}/>"
        case Line():
            drawn = attributes(
                x1=float(shape.x1),
                y1=float(shape.y1),
                x2=float(shape.x2),
                y2=float(shape.y2),
                stroke=shape.color,
                stroke_width=float(shape.width),
            )
            return f"<line{drawn}/>"


def shapes_svg(shapes: Sequence[Shape]) -> str:
    """Return the SVG elements of ``shapes`` in painting order."""
    return "".join(shape_svg(shape) for shape in shapes)


def to_svg(drawing: Drawing, *, kind: str = "board", extra: str = "") -> str:
    """Return ``drawing`` as one SVG element with a title for those who cannot see it.

    ``kind`` becomes its class; ``extra`` is SVG text painted on top.
    """
    drawn = attributes(
        class_=kind,
        role="img",
        aria_label=drawing.title,
        width=float(drawing.width),
        height=float(drawing.height),
        viewBox=f"0 0 {number(drawing.width)} {number(drawing.height)}",
        font_family=FONT_STACK,
        text_anchor="middle",
    )
    body = shapes_svg(drawing.shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg"{drawn}>{body}{extra}</svg>'
