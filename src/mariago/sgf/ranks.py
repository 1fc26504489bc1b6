"""Ranks in the many forms that servers, magazines and people write."""

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

from mariago.sgf.decimals import whole_number

__all__ = ["Rank", "read_number", "read_rank"]

RankKind = Literal["kyu", "dan", "pro"]

_PLAIN = re.compile(r"(\d{1,2})([kdp])([?*]?)")
_DIGITS = {mark: value for value, mark in enumerate("〇一二三四五六七八九")} | {"初": 1, "壱": 1}
_CHINESE_NUMBER = re.compile(r"[初壱一二三四五六七八九十]{1,3}")
_DAN = r"段|단|dan\b|dan(?=[^a-z])|d(?=$|[^a-z])|d(?=p)"
_KYU = r"級|级|급|kyu|gup|k(?=$|[^a-z])"
_PRO = r"p(?=$|[^a-z])"
_RANK = re.compile(
    rf"(?P<number>\d{{1,2}}|[初壱一二三四五六七八九十]{{1,3}})\s*-?\s*"
    rf"(?:(?P<kyu>{_KYU})|(?P<dan>{_DAN})|(?P<pro>{_PRO}))"
)
_PRO_WORD = re.compile(r"pro|프로|プロ|職業|职业|專業|专业|^p\s*\d|\dd?p|dp\b|棋士")
_AMATEUR_WORD = re.compile(r"ama|아마|アマ|業餘|业余")
_LARGEST: dict[RankKind, int] = {"kyu": 40, "dan": 10, "pro": 9}


class Rank(NamedTuple):
    """A rank: ``number`` with its kind; ``is_sure`` False for ``5k?``, True for ``3d*``, else None.

    Dan without more is ``dan``: in Chinese, Japanese and Korean the same word serves amateurs and
    professionals.
    """

    number: int
    kind: RankKind
    is_sure: bool | None = None

    def __str__(self) -> str:
        sure = {None: "", True: "*", False: "?"}[self.is_sure]
        return f"{self.number}{self.kind[0]}{sure}"

    @property
    def order(self) -> int:
        """A number that grows with the rank, to sort and filter by.

        1 - n for n kyu, n for n dan, 9 + n for n dan professional: an order, no difference in
        strength.
        """
        if self.kind == "kyu":
            return 1 - self.number
        return self.number + (9 if self.kind == "pro" else 0)


def read_number(text: str) -> int | None:
    """Return a number in up to nine ASCII digits, or up to 99 in Chinese characters (十五, 初)."""
    number = whole_number(text)
    if number is not None:
        return number
    if _CHINESE_NUMBER.fullmatch(text) is None:
        return None
    tens, ten, ones = text.partition("十")
    if not ten:
        return _DIGITS.get(text)
    if any(part and part not in _DIGITS for part in (tens, ones)):
        return None
    return _DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0)


@lru_cache(maxsize=4096)
def read_rank(text: str) -> Rank | None:
    """Return the rank that BR or WR tells, None where it tells none (titles, ratings, ``NR``)."""
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        kind: RankKind = {"k": "kyu", "d": "dan", "p": "pro"}[plain[2]]  # type: ignore[assignment]
        return _checked(int(plain[1]), kind, plain[3])
    cleaned = unicodedata.normalize("NFKC", text).strip().lower()
    match = _RANK.search(cleaned)
    if match is None:
        return None
    number = read_number(match["number"])
    if number is None:
        return None
    if match["kyu"]:
        kind = "kyu"
    elif match["pro"] or (_PRO_WORD.search(cleaned) and not _AMATEUR_WORD.search(cleaned)):
        kind = "pro"
    else:
        kind = "dan"
    return _checked(number, kind, cleaned[match.end() :])


def _checked(number: int, kind: RankKind, rest: str) -> Rank | None:
    if not 1 <= number <= _LARGEST[kind]:
        return None
    sure = False if "?" in rest else (True if "*" in rest else None)
    return Rank(number, kind, sure)
