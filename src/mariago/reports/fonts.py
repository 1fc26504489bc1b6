"""Fonts for pictures made of pixels: which one holds a character, and what to do if none does.

Latin, Greek and Cyrillic come from DejaVu Sans, which Matplotlib brings along. Chinese, Japanese
and Korean need a font of the system; without one their characters are written as ``\\u56f4``, so
that a reader sees what is missing and never a row of empty boxes. Han characters differ a little
between languages: of a file with several faces, that of the picture's language is taken.
"""

import os
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from matplotlib import get_data_path
from matplotlib.ft2font import FT2Font
from PIL import ImageFont

from mariago.words import LANGUAGES

__all__ = ["Fonts", "cjk_font_files", "writable_lang"]

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
_FACE_ENDINGS = {"zh": " SC", "ja": " JP", "ko": " KR"}  # of the names of a collection's faces
_NO_START = "，。、；：！？）」』】》〉・ー…％)]},.;:!?%ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_NO_END = "（「『【《〈([{"


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
def _face(path: Path, lang: str) -> int:
    """Return which face of a collection has the shapes of ``lang``; 0 where none is named so."""
    ending = _FACE_ENDINGS.get(lang)
    if ending is None or path.suffix.lower() != ".ttc":
        return 0
    for index in range(64):
        try:
            family = ImageFont.truetype(str(path), 12, index=index).getname()[0]
        except OSError:
            break
        if family is not None and family.endswith(ending):
            return index
    return 0


@cache
def _bold_of(path: Path) -> Path:
    """Return the bold file beside a regular one, or the same file where there is none."""
    twin = path.with_name(path.name.replace("-Regular.", "-Bold."))
    return twin if twin.is_file() else path


@cache
def _sized(path: Path, size: int, face: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size, index=face)


@cache
def _file_for(character: str, bold: bool, more: tuple[Path, ...]) -> Path | None:
    for path in (_latin_file(bold), *more):
        if _letters(path).get_char_index(ord(character)):
            return _bold_of(path) if bold else path
    return None


def writable_lang(lang: str, more: tuple[Path, ...] | None = None) -> str:
    """Return ``lang``, or ``"en"`` where no font can write it: a picture of escapes is no use."""
    files = cjk_font_files() if more is None else more
    known = all(_file_for(character, False, files) for character in LANGUAGES[lang])
    return lang if known else "en"


def _may_break(text: str, at: int) -> bool:
    """Return whether a line may end before ``text[at]``: at spaces, and between Han and kana."""
    before, after = text[at - 1], text[at]
    if " " in (before, after):
        return True
    if after in _NO_START or before in _NO_END:
        return False
    return _stands_alone(before) or _stands_alone(after)


def _stands_alone(character: str) -> bool:
    hangul = "\uac00" <= character <= "\ud7a3"  # Korean is broken between words
    return not hangul and unicodedata.east_asian_width(character) in "WF"


class Fonts:
    """Splits a line into runs that one font can write; remembers whether any was escaped."""

    def __init__(self, more: tuple[Path, ...] | None = None, lang: str = "en") -> None:
        self.more = cjk_font_files() if more is None else more
        self.lang = lang
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
                yield _sized(current, pixels, _face(current, self.lang)), piece
                piece = ""
            current, piece = path, piece + written
        if piece:
            yield _sized(current, pixels, _face(current, self.lang)), piece

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width of ``text`` in pixels."""
        return sum(font.getlength(piece) for font, piece in self.runs(text, size, bold))

    def wrapped(self, text: str, size: float, width: float) -> list[str]:
        """Return ``text`` broken into lines no wider than ``width`` pixels.

        Lines end at spaces or between Han characters and kana where they can. Nothing is cut off:
        a name that is too long goes on in the next line.
        """
        lines: list[str] = []
        rest = text.strip()
        while rest:
            end = self._fitting(rest, size, width)
            if end < len(rest):
                end = next((k for k in range(end, 0, -1) if _may_break(rest, k)), end)
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
