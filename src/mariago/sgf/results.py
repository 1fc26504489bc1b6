"""Results in the many forms of RE: SGF's own, English sentences, Chinese, Japanese, Korean."""

import math
import re
import unicodedata
from functools import lru_cache

from mariago.board.points import BLACK, WHITE, opponent
from mariago.rules.result import How, Result
from mariago.sgf.values import number_goes_on, with_halves

__all__ = ["largest_score", "read_result", "result_repair"]

_IN_FORM = re.compile(r"[BW]\+(?:\d+(?:\.\d+)?|R|Resign|T|Time|F|Forfeit)|0|Draw|Void|\?")
_BARE = re.compile(r"[BW]\+?")
_FRACTIONS = str.maketrans({"½": ".5", "¼": ".25", "¾": ".75"})
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?|[+-]?\.[0-9]+")
_ANY_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_COLOR_FIRST = re.compile(r"([BW])(?:LACK|HITE)?\b\s*(?:\+|WINS?\b|WON\b)?\s*(.*)", re.DOTALL)
_ENGLISH_LOSS = re.compile(r"\b(?:RESIGNS|RESIGNED|LOSES|LOST|LOSE|FORFEITS|FORFEITED|RUNS OUT)\b")
_EAST_ASIAN_SIDE = re.compile(r"[黑黒흑白백]")
_LOST = re.compile(r"[负負敗败패]")
_WON = re.compile(r"[胜勝승]")
_GAVE_UP = re.compile(r"投了|投子|认输|認輸|투료|기권|弃权|棄權")
_BOTH_LOST = re.compile(r"両負|両者負|双方[负負]|兩敗")
_QUARTERS = re.compile(r"([0-9]+)?又?([123])/4子")
_STONES = re.compile(r"([0-9]+(?:\.[0-9]+)?)子(半)?")
_COUNT_BEFORE = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?:目|집|호|點|点)(半|반)?")
_POINTS = re.compile(r"([0-9]+(?:\.[0-9]+)?)?(?:目|집|호|點|点)?(半|반)?")

_NOT_WHOLE = re.compile(r"\d(?:[eE][+-]?|[xX_'^*+])\d|(?<!\d)-\d|\d\.\d+\.\d")

_UNKNOWN = ("UNKNOWN", "UNFINISHED", "SUSPENDED", "ADJOURNED", "LEFT UNFINISHED", "NO FINISH")
_UNFINISHED = ("打掛", "打ち掛け", "打掛け", "封じ手", "未完", "中断", "中斷", "미완", "봉수")
_DRAWN_WORDS = ("0", "DRAW", "JIGO", "TIE", "DRAWN", "D")
_DRAWN = ("和棋", "和局", "平局", "持碁", "ジゴ", "무승부", "비김", "빅", "芇")
_VOID = ("無勝負", "无胜负", "無效", "无效", "무효", "NO RESULT", "No result", "No Result")
_HOW: tuple[tuple[How, tuple[str, ...]], ...] = (
    (
        "resign",
        (
            "R",
            "中盘",
            "中盤",
            "中押",
            "不计",
            "不計",
            "불계",
            "投了",
            "投子",
            "认输",
            "認輸",
            "투료",
        ),
    ),
    ("time", ("T", "超时", "超時", "時間", "时间", "切れ負", "시간")),
    (
        "forfeit",
        ("F", "反則", "反则", "弃权", "棄權", "棄権", "不戦", "犯规", "반칙", "기권", "규칙위반"),
    ),
)
_ENGLISH_HOW: tuple[tuple[How, re.Pattern[str]], ...] = (
    ("resign", re.compile(r"RES\w*|R\b")),
    ("time", re.compile(r"TIME\w*|T\b|(?:RUNS|RAN) OUT")),
    ("forfeit", re.compile(r"FORF\w*|F\b|ILLEGAL|DISQUALIF")),
)


@lru_cache(maxsize=4096)
def read_result(text: str, largest: float = 1e6) -> Result | None:
    """Return the result that RE tells, None where it says nothing that is known.

    A winner without more (``B+``, ``B+0.0``) has ``how`` "won" and no score. So has one by a
    number that is not read whole (``B+1e9``) or is over ``largest`` (see ``largest_score``).
    """
    result = _read(text)
    if result is None or result.score is None or result.score <= largest:
        return result
    return Result(result.winner, None, "won")


def largest_score(cells: int, komi: float | None) -> float:
    """Return what no game can be won by more than: each point and stone, and komi."""
    return 2 * cells + abs(komi or 0.0)


def _read(text: str) -> Result | None:
    cleaned = unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).strip()
    upper = cleaned.upper()
    if not upper:
        return None
    if upper[0] == "?" or upper.startswith(_UNKNOWN) or any(w in cleaned for w in _UNFINISHED):
        return Result.unknown()
    if upper.rstrip(".!") in _DRAWN_WORDS or any(word in cleaned for word in _DRAWN):
        return Result.by_score(0)
    if upper.startswith("VOID") or any(word in cleaned for word in _VOID):
        return Result.void()
    if _BOTH_LOST.search(cleaned) or upper.startswith(("BOTH LO", "BOTH PLAYERS LO")):
        return Result.void()
    match = _COLOR_FIRST.match(upper)
    if match is not None:
        return _english(BLACK if match[1] == "B" else WHITE, match[2])
    return _east_asian(cleaned)


@lru_cache(maxsize=4096)
def result_repair(text: str, largest: float = 1e6) -> str | None:
    """Return the code of what was done to read RE, None where it stands in SGF's own form."""
    result = read_result(text, largest)
    if result is None:
        return "result_unread" if text else None
    if result.how == "won":
        return "result_bare" if _BARE.fullmatch(text) else "result_uncounted"
    return None if _IN_FORM.fullmatch(text) else "result_words"


def _counted(winner: int, points: float) -> Result:
    """Return the result of a count.

    A winner by no points won without a count: Fox writes ``W+0.0`` for games that end early (363
    of 9,669 in one archive, half the length of counted ones) and ``draw`` for draws.
    """
    score = abs(points)
    if 0 < score < math.inf:
        return Result(winner, score, "score")
    return Result(winner, None, "won")


def _english(color: int, rest: str) -> Result:
    """Read what follows the colour: ``2.5``, ``BY RESIGNATION``, ``RESIGNS``, ``4 POINTS WIN``."""
    rest = rest.strip().removeprefix("BY").strip()
    lost = _ENGLISH_LOSS.search(rest)
    winner = opponent(color) if lost else color
    counted = with_halves(rest.replace(",", "."))
    number = _NUMBER.match(counted)
    if number is None and lost:
        number = _ANY_NUMBER.search(counted)
    if number is not None:
        if number[0][0] in "+-" or number_goes_on(counted, number.end()):
            return Result(winner, None, "won")
        return _counted(winner, float(number[0]))
    for how, marks in _ENGLISH_HOW:
        if (marks.search(rest) if lost else marks.match(rest)) or rest.startswith(how.upper()):
            return Result(winner, None, how)
    return Result(winner, None, "won")


def _east_asian(text: str) -> Result | None:
    """Read 黑中盘胜, 白胜3又3/4子, 黒2目半勝ち, 백 반집승, 黑认输 and their like."""
    side = _EAST_ASIAN_SIDE.search(text)
    if side is None:
        return None
    rest = text[side.end() :]
    winner = BLACK if side[0] in "黑黒흑" else WHITE
    if _LOST.search(rest) or (_GAVE_UP.match(rest.strip(" 番")) and not _WON.search(rest)):
        winner = opponent(winner)
    for how, marks in _HOW:
        if any(mark in rest for mark in marks[1:]):
            return Result(winner, None, how)
    counted = _east_asian_count(winner, rest)
    before = _COUNT_BEFORE.search(text[: side.start()])
    if counted.score is None and before is not None:
        return _counted(winner, float(before[1]) + (0.5 if before[2] else 0.0))
    return counted


def _east_asian_count(winner: int, rest: str) -> Result:
    if _NOT_WHOLE.search(rest):
        return Result(winner, None, "won")
    quarters = _QUARTERS.search(rest)
    if quarters is not None:
        return _counted(winner, 2 * (float(quarters[1] or 0) + float(quarters[2]) / 4))
    stones = _STONES.search(rest)
    if stones is not None:
        return _counted(winner, 2 * (float(stones[1]) + (0.5 if stones[2] else 0)))
    for match in _POINTS.finditer(rest):
        if match[1] or match[2]:
            return _counted(winner, float(match[1] or 0) + (0.5 if match[2] else 0.0))
    return Result(winner, None, "won")
