"""Fonts for pictures made of pixels: which one holds a character, and what to do if none does.

Latin, Greek and Cyrillic come from DejaVu Sans, which Matplotlib brings along. Chinese, Japanese
and Korean need a font of the system; without one their characters are written as ``\\u56f4``, so
that a reader sees what is missing and never a row of empty boxes.
"""

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from matplotlib import get_data_path
from matplotlib.ft2font import FT2Font
from PIL import ImageFont

__all__ = ["Fonts", "cjk_font_files"]

_CJK_NAMES = (
    "NotoSansCJK-Regular",
    "NotoSansCJKsc-Regular",
    "NotoSansSC",
    "SourceHanSans",
    "wqy-microhei",
    "wqy-zenhei",
    "DroidSansFallback",
    "PingFang",
    "Hiragino Sans GB",
    "STHeiti",
    "AppleSDGothicNeo",
    "msyh",
    "YuGothM",
    "malgun",
    "Arial Unicode",
    "NotoSansJP",
    "NotoSansKR",
    "NanumGothic",
    "ipag",
    "uming",
)
_SUFFIXES = {".ttf", ".ttc", ".otf"}


def _font_folders() -> list[Path]:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        root = Path(os.environ.get("WINDIR", "C:/Windows"))
        return [root / "Fonts", home / "AppData/Local/Microsoft/Windows/Fonts"]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    return [
        Path("/usr/share/fonts"),
        Path("/usr/local/share/fonts"),
        home / ".local/share/fonts",
        home / ".fonts",
    ]


@cache
def cjk_font_files() -> tuple[Path, ...]:
    """Return the system's CJK font files, best known first; empty where there is none."""
    found: list[tuple[int, str]] = []
    for folder in _font_folders():
        for root, _, names in os.walk(folder):
            for name in names:
                stem, suffix = os.path.splitext(name)
                if suffix.lower() not in _SUFFIXES:
                    continue
                for rank, known in enumerate(_CJK_NAMES):
                    if stem.lower().startswith(known.lower()):
                        found.append((rank, os.path.join(root, name)))
                        break
    return tuple(Path(path) for _, path in sorted(found))


@cache
def _latin_file(bold: bool) -> Path:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Path(get_data_path()) / "fonts" / "ttf" / name


@cache
def _letters(path: Path) -> FT2Font:
    return FT2Font(str(path))


@cache
def _sized(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)


@cache
def _file_for(character: str, bold: bool, more: tuple[Path, ...]) -> Path | None:
    for path in (_latin_file(bold), *more):
        if _letters(path).get_char_index(ord(character)):
            return path
    return None


class Fonts:
    """Splits a line into runs that one font can write; remembers whether any was escaped."""

    def __init__(self, more: tuple[Path, ...] | None = None) -> None:
        self.more = cjk_font_files() if more is None else more
        self.escaped = False

    def runs(
        self, text: str, size: float, bold: bool = False
    ) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
        """Yield (font, piece) so that every character has a glyph; ``size`` is in pixels."""
        pixels = max(1, round(size))
        latin = _latin_file(bold)
        current, piece = latin, ""
        for character in text:
            path = _file_for(character, bold, self.more) if character.isprintable() else None
            written = character
            if path is None:
                path, written = latin, character.encode("unicode_escape").decode("ascii")
                self.escaped = True
            if path != current and piece:
                yield _sized(current, pixels), piece
                piece = ""
            current, piece = path, piece + written
        if piece:
            yield _sized(current, pixels), piece

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width of ``text`` in pixels."""
        return sum(font.getlength(piece) for font, piece in self.runs(text, size, bold))

    def wrapped(self, text: str, size: float, width: float) -> list[str]:
        """Return ``text`` broken into lines no wider than ``width`` pixels, at spaces if it can.

        Nothing is cut off: a name that is too long goes on in the next line.
        """
        lines: list[str] = []
        rest = text.strip()
        while rest:
            end = self._fitting(rest, size, width)
            if end < len(rest):
                space = rest.rfind(" ", 0, end + 1)
                end = space if space > 0 else end
            lines.append(rest[:end].rstrip())
            rest = rest[end:].lstrip()
        return lines

    def _fitting(self, text: str, size: float, width: float) -> int:
        low, high = 1, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.width(text[:middle], size) <= width:
                low = middle
            else:
                high = middle - 1
        return low
