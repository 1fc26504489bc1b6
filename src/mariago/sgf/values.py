"""What the values of single properties mean: size, komi, handicap, rules.

Each reader returns what it could make of a text and says what it had to put up with; none raises.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from mariago.sgf.decimals import whole_number
from mariago.sgf.ranks import read_number

__all__ = [
    "Handicap",
    "Komi",
    "number_goes_on",
    "read_handicap",
    "read_komi",
    "read_rules",
    "read_size",
    "with_halves",
]

MAX_LETTERS = 52
_SIZE = re.compile(r"(\d{1,4})(?:\s*[:x]\s*(\d{1,4}))?", re.IGNORECASE | re.ASCII)
_INTEGER = re.compile(r"[+-]?[0-9]+")
_HANDICAP_NUMBER = re.compile(r"[0-9]+|[二三四五六七八九]")
_STONES_SPELLED = re.compile(r"[+-]?\d*\.(?:25|75)")
_FIRST_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?|[+-]?\.[0-9]+")
# Behind a number: it goes on in a way that is not read (1e9, 0x10, 1_000, 1/3, 6.5.2, 2+3).
_GOES_ON = re.compile(r"\s*[_'.+\-*/^:]?\d|_|[eE][+-]?\d|[xX][0-9a-fA-F]")
_HALF = re.compile(r"(?<![\d./])(?:(\d+)\s+)?1/2(?![\d./])")
_FRACTIONS = str.maketrans({"½": ".5", "¼": ".25", "¾": ".75"})


class Komi(NamedTuple):
    """Komi in points (None: unknown), and the code of what was done to the text, or None."""

    points: float | None
    repair: str | None


class Handicap(NamedTuple):
    """Handicap stones, and the code of what was done to the text, or None."""

    stones: int
    repair: str | None


def _plain(text: str) -> str:
    """Return a text with full-width letters and digits as plain ones."""
    return unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).strip()


def with_halves(text: str) -> str:
    """Return a text in which ``1/2`` and ``3 1/2`` stand as ``0.5`` and ``3.5``."""
    return _HALF.sub(lambda match: f"{match[1] or 0}.5", text) if "1/2" in text else text


def number_goes_on(text: str, end: int) -> bool:
    """Tell whether a number that seems to end at ``end`` goes on in a way that is not read."""
    return _GOES_ON.match(text, end) is not None


def read_size(text: str) -> tuple[int, int] | None:
    """Return (rows, columns) of ``19``, ``9:13`` (columns first) or ``19x19``, None for junk."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    columns = int(match[1])
    return (int(match[2]) if match[2] else columns, columns)


@lru_cache(maxsize=4096)
def read_handicap(text: str) -> Handicap:
    """Return the number of handicap stones.

    One stone is no handicap: Black moves first, and only komi is missing. Words with one number in
    them (``2 stones``, ``让二子``) give it; what gives none from 0 to 25 is taken for 0.
    """
    cleaned = _plain(text)
    if _INTEGER.fullmatch(cleaned) is not None:
        digits = cleaned.lstrip("+-0") or "0"
        number, repair = whole_number(digits), None
        number = -number if number and cleaned[0] == "-" else number
    else:
        numbers = [read_number(word) for word in _HANDICAP_NUMBER.findall(cleaned)]
        number, repair = (numbers[0] if len(numbers) == 1 else None), "handicap_words"
    if number is None or not 0 <= number <= 25:
        return Handicap(0, "handicap_unread")
    return Handicap(0, "handicap_one") if number == 1 else Handicap(number, repair)


_KOMI_ON_ANY_BOARD = 25
_MOST_STONES = 5  # of komi by the Chinese count; 7.25 would be 14.5 points, which nobody gives


def largest_komi(cells: int) -> int:
    """Return the most points of komi that are believed on a board of ``cells`` points.

    The board's points, and on the smallest boards enough for every rule set's usual komi.
    """
    return max(cells, _KOMI_ON_ANY_BOARD)


@lru_cache(maxsize=4096)
def read_komi(text: str, *, is_fox: bool = False, handicap: int = 0, cells: int = 361) -> Komi:
    """Return komi in points; ``handicap`` is what HA says, 1 too, ``cells`` the board's points.

    A number not read whole (``1e9``, ``0x10``) or over ``largest_komi`` leaves it unknown.

    Whole numbers of 100 and more that are multiples of 25 are hundredths (``750`` is 7.5). Quarters
    under 5 (``3.75``, ``375``) count stones, and a stone is two points (7.5); ``3.750`` is left
    alone. Fox writes 0 in even games whose komi it does not tell. ``docs/reference/sgf.md`` names
    sources.
    """
    cleaned = with_halves(_plain(text).replace(",", "."))
    if not cleaned:
        return Komi(None, None)
    match = _FIRST_NUMBER.match(cleaned)
    if match is None or len(match[0]) > 12 or number_goes_on(cleaned, match.end()):
        return Komi(None, "komi_unread")
    points = float(match[0])
    repair = None if match.end() == len(cleaned) else "komi_words"
    if is_fox and points == 0 and handicap == 0:
        return Komi(None, "komi_unknown")
    if _INTEGER.fullmatch(cleaned) and abs(points) >= 100 and points % 25 == 0:
        points, repair = points / 100, "komi_hundredths"
    spelled = repair or _STONES_SPELLED.fullmatch(cleaned)
    if points % 0.5 == 0.25 and abs(points) < _MOST_STONES and spelled:
        points, repair = points * 2, "komi_stones"
    if abs(points) > largest_komi(cells):
        return Komi(None, "komi_unread")
    return Komi(points, repair)


@lru_cache(maxsize=4096)
def read_rules(text: str) -> str | None:
    """Return the name of the rule set that RU means, None where it is none of ours."""
    word = re.sub(r"[^a-z0-9一-鿿가-힣]", "", _plain(text).lower())
    for names, rules in _RULE_NAMES:
        if any(word.startswith(name) for name in names):
            return rules
    return None


_RULE_NAMES = (
    (("japan", "jp", "日本"), "japanese"),
    (("korea", "kr", "韩国", "韓国", "한국"), "korean"),
    (("chin", "cn", "中国", "中國", "kosimplescoreareataxnone"), "chinese"),
    (("aga", "french", "bga"), "aga"),
    (("nz", "newzealand"), "new_zealand"),
    (("goe", "ing", "应氏", "應氏"), "ing"),
    (("tromp",), "tromp_taylor"),
)
