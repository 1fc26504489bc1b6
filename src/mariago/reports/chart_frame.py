"""The frame of a chart: a Matplotlib figure, and its SVG made fit to stand in a page.

Figures are made without pyplot. Text stays text, in the page's fonts; ink and series colours become
CSS variables, so that a chart follows the page's light or dark scheme. Dates and random identifiers
are left out: the same data gives the same text.
"""

import hashlib
import re
import unicodedata
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from io import StringIO
from textwrap import wrap
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from mariago.reports.drawing import FONT_STACK, clean
from mariago.words import texts

__all__ = [
    "DASHES",
    "FAINT",
    "INK",
    "LINE",
    "MARKERS",
    "PALETTE",
    "Frame",
    "framed",
    "name_lines",
    "padded",
]

# Okabe and Ito's colours for all kinds of colour vision ("Color Universal Design", 2008), darkened
# where they would be faint on white; the page's style holds lighter ones for dark screens.
PALETTE = ("#0072b2", "#d55e00", "#00805f", "#a8528a", "#8a6d00", "#5a5f66")
DASHES = ("-", (0, (6, 2.5)), (0, (1.5, 1.8)), (0, (7, 2, 1.5, 2)), (0, (3, 2)), (0, (10, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P")
INK, FAINT, LINE = "#010203", "#010204", "#010205"  # stand-ins, replaced in the finished text
FONT_SIZE = 13.0

_VARIABLES = {
    INK: "currentColor",
    FAINT: "var(--faint, #56606b)",
    LINE: "var(--line, #d5dae0)",
    **{color: f"var(--series-{k}, {color})" for k, color in enumerate(PALETTE, 1)},
}
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": FONT_SIZE,
    "axes.labelsize": FONT_SIZE,
    "axes.titlesize": FONT_SIZE + 1,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12.0,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.formatter.useoffset": False,
    "grid.color": LINE,
    "grid.linewidth": 0.8,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": FONT_SIZE - 1,
    "ytick.labelsize": FONT_SIZE - 1,
    "text.color": INK,
    "legend.frameon": False,
    "legend.fontsize": FONT_SIZE - 1,
    "lines.linewidth": 2.0,
    "text.parse_math": False,
    "text.usetex": False,
    "path.simplify": True,
}


@dataclass(slots=True)
class Frame:
    """A chart in the making; ``svg`` holds the text once the ``with`` block is left."""

    axes: Axes
    figure: Figure
    svg: str = ""


def _columns(text: str) -> int:
    """Return the width of ``text`` in Latin letters; a Chinese character counts two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, left: bool = False) -> str:
    """Return ``text`` with no-break spaces that make room for wide characters.

    The figure is laid out with a font in which a Chinese, Japanese or Korean character is as wide
    as a missing one, about 0.6 em; in the page it is 1 em wide.
    """
    text = clean(text)
    wide = _columns(text) - len(text)
    spaces = "\u00a0" * round(1.4 * wide)
    return spaces + text if left else text + spaces


def name_lines(text: str, columns: int = 22) -> list[str]:
    """Return a name in lines of at most ``columns`` Latin letters, broken after a sign if it can.

    Player names such as ``net:FOLDER,temperature=0.5`` have no spaces to break at.
    """
    lines: list[str] = []
    rest = clean(text)
    while _columns(rest) > columns:
        end = next(k for k in range(len(rest), 0, -1) if k == 1 or _columns(rest[:k]) <= columns)
        sign = max(rest.rfind(c, 0, end) for c in " /,:;_-=") + 1
        end = sign if 2 * sign >= end else end
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*lines, rest]


def _wrapped(text: str, columns: int = 48) -> str:
    text = clean(text)
    wide = _columns(text) / max(1, len(text))
    return "\n".join(wrap(text, max(8, round(columns / wide))))


@contextmanager
def framed(
    title: str, words: str, height: float = 300.0, width: float = 480.0, lang: str = "en"
) -> Generator[Frame]:
    """Yield axes to draw on; afterwards ``frame.svg`` is the finished chart.

    ``words`` tells the chart, in ``lang``, to those who do not see it; sizes are pixels.
    """
    _ = texts(lang)
    title, words = clean(title), clean(words)
    salt = hashlib.sha256(f"{title}|{words}".encode()).hexdigest()[:8]
    with rc_context({**_STYLE, "svg.hashsalt": salt}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"(?s).*[Gg]lyph")
        figure = Figure(figsize=(width / 72, height / 72), dpi=72, layout="constrained")
        figure.patch.set_alpha(0.0)
        axes = figure.add_subplot()
        if title:
            axes.set_title(_wrapped(title))
        frame = Frame(axes, figure)
        yield frame
        out = StringIO()
        no_marks = {"Date": None, "Creator": None, "Format": None, "Type": None}
        FigureCanvasSVG(figure).print_svg(out, metadata=no_marks)
    frame.svg = _for_page(
        out.getvalue(), _("{title}. {words}", title=title, words=words) if title else words, salt
    )


def _for_page(svg: str, words: str, salt: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*</defs>", "", svg)
    wanted = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in wanted else "", svg)
    for name in sorted(wanted):
        svg = re.sub(rf'(url\(#|href="#|id="){re.escape(name)}(?=[")])', rf"\g<1>{salt}{name}", svg)
    svg = svg.replace("xlink:href", "href").replace(
        ' xmlns:xlink="http://www.w3.org/1999/xlink"', ""
    )
    svg = svg.replace("'DejaVu Sans'", FONT_STACK)
    for color, variable in _VARIABLES.items():
        svg = svg.replace(color, variable)
    body = svg[svg.index(">") + 1 :]
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (size[1], size[2]) if size else ("480", "300")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" '
        f'aria-label="{escape(words)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" stroke-linejoin="round">'
    )
    return head + re.sub(r">\s*\n\s*<", "><", body).strip()
