"""What the values of single properties mean: size, komi, handicap, result, rules.

Each reader returns what it could make of a text and says what it had to put up with; none raises.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from mariago.board.points import BLACK, WHITE, opponent
from mariago.rules.result import How, Result

__all__ = [
    "Komi",
    "read_handicap",
    "read_komi",
    "read_result",
    "read_rules",
    "read_size",
]

MAX_LETTERS = 52
_SIZE = re.compile(r"(\d{1,4})(?:\s*[:x]\s*(\d{1,4}))?", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d+")
_STONES_SPELLED = re.compile(r"[+-]?\d*\.(?:25|75)")
_FIRST_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?|[+-]?\.\d+")
_COLOR_FIRST = re.compile(r"([BW])(?:LACK|HITE)?\b\s*(?:\+|WINS?\b)?\s*(.*)", re.DOTALL)
_EAST_ASIAN_SIDE = re.compile(r"[黑黒흑白백]")
_FRACTIONS = str.maketrans({"½": ".5", "¼": ".25", "¾": ".75"})
_LOST = re.compile(r"[负負敗败패]")
_QUARTERS = re.compile(r"(\d+)?又?([123])/4子")
_STONES = re.compile(r"(\d+(?:\.\d+)?)子")
_POINTS = re.compile(r"(\d+(?:\.\d+)?)?(?:目|집|點|点)?(半|반)?")


class Komi(NamedTuple):
    """Komi in points (None: unknown), and the code of what was done to the text, or None."""

    points: float | None
    repair: str | None


def _plain(text: str) -> str:
    """Return a text with full-width letters and digits as plain ones."""
    return unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).strip()


def read_size(text: str) -> tuple[int, int] | None:
    """Return (rows, columns) of ``19``, ``9:13`` (columns first) or ``19x19``, None for junk."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    columns = int(match[1])
    return (int(match[2]) if match[2] else columns, columns)


def read_handicap(text: str) -> int | None:
    """Return the number of handicap stones, None for junk or more than 25."""
    match = _INTEGER.fullmatch(text.strip())
    if match is None or not 0 <= int(match[0]) <= 25:
        return None
    return int(match[0])


@lru_cache(maxsize=4096)
def read_komi(text: str, *, is_fox: bool = False, handicap: int = 0) -> Komi:
    """Return komi in points.

    Whole numbers of 100 and more that are multiples of 25 are hundredths (``750`` is 7.5). Quarters
    (``3.75``, ``375``) count stones, and a stone is two points (7.5); ``3.750`` is left alone.
    Fox writes 0 in even games whose komi it does not tell. ``docs/reference/sgf.md`` names sources.
    """
    cleaned = _plain(text).replace(",", ".")
    if not cleaned:
        return Komi(None, None)
    match = _FIRST_NUMBER.match(cleaned)
    if match is None or len(match[0]) > 12:
        return Komi(None, "bad_komi")
    points = float(match[0])
    repair = None if match.end() == len(cleaned) else "bad_komi"
    if is_fox and points == 0 and handicap == 0:
        return Komi(None, "komi_unknown")
    if _INTEGER.fullmatch(cleaned) and abs(points) >= 100 and points % 25 == 0:
        points, repair = points / 100, "komi_repaired"
    if points % 0.5 == 0.25 and (repair or _STONES_SPELLED.fullmatch(cleaned)):
        points, repair = points * 2, "komi_repaired"
    if abs(points) > 1000:
        return Komi(None, "bad_komi")
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


@lru_cache(maxsize=4096)
def read_result(text: str) -> Result | None:
    """Return the result that RE tells, None where it says nothing that is known.

    A winner without more (``B+``, ``B+0.0``) has ``how`` "score" and no score.
    """
    cleaned = _plain(text)
    upper = cleaned.upper()
    if not upper:
        return None
    if upper[0] == "?" or upper in ("UNKNOWN", "UNFINISHED"):
        return Result.unknown()
    if upper in ("0", "DRAW", "JIGO", "TIE") or any(word in cleaned for word in _DRAWN):
        return Result.by_score(0)
    if upper.startswith("VOID") or any(word in cleaned for word in _VOID):
        return Result.void()
    match = _COLOR_FIRST.match(upper)
    if match is not None:
        winner = BLACK if match[1] == "B" else WHITE
        return _western_how(winner, match[2])
    return _east_asian(cleaned)


_DRAWN = ("和棋", "和局", "持碁", "ジゴ", "무승부", "빅")
_VOID = ("無勝負", "无胜负", "무효", "NO RESULT", "No result")
_HOW: tuple[tuple[How, tuple[str, ...]], ...] = (
    ("resign", ("R", "中盘", "中盤", "中押", "不计", "不計", "불계", "投了", "认输", "認輸")),
    ("time", ("T", "超时", "超時", "時間切", "时间", "시간")),
    ("forfeit", ("F", "反則", "反则", "弃权", "棄權", "반칙", "기권")),
)


def _counted(winner: int, points: float) -> Result:
    """Return the result of a count.

    A winner by no points won without a count: Fox writes ``W+0.0`` for games that end early (363
    of 9,669 in one archive, half the length of counted ones) and ``draw`` for draws.
    """
    return Result(winner, abs(points) or None, "score")


def _western_how(winner: int, rest: str) -> Result:
    rest = rest.strip().removeprefix("BY").strip()
    if not rest:
        return Result(winner, None, "score")
    number = _FIRST_NUMBER.match(rest.replace(",", "."))
    if number is not None:
        return _counted(winner, float(number[0]))
    for how, marks in _HOW:
        if rest.startswith(marks[0]):
            return Result(winner, None, how)
    return Result(winner, None, "score")


def _east_asian(text: str) -> Result | None:
    """Read 黑中盘胜, 白胜3又3/4子, 黒2目半勝ち, 백 반집승 and their like."""
    side = _EAST_ASIAN_SIDE.search(text)
    if side is None:
        return None
    rest = text[side.end() :]
    winner = BLACK if side[0] in "黑黒흑" else WHITE
    if _LOST.search(rest):
        winner = opponent(winner)
    for how, marks in _HOW:
        if any(mark in rest for mark in marks[1:]):
            return Result(winner, None, how)
    return _east_asian_count(winner, rest)


def _east_asian_count(winner: int, rest: str) -> Result:
    quarters = _QUARTERS.search(rest)
    if quarters is not None:
        return _counted(winner, 2 * (int(quarters[1] or 0) + int(quarters[2]) / 4))
    stones = _STONES.search(rest)
    if stones is not None:
        return _counted(winner, 2 * float(stones[1]))
    for match in _POINTS.finditer(rest):
        if match[1] or match[2]:
            return _counted(winner, float(match[1] or 0) + (0.5 if match[2] else 0.0))
    return Result(winner, None, "score")
