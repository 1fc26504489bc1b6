"""Dates in the many forms of DT, as ISO 8601 with the precision that the text has."""

import datetime
import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

from mariago.sgf.ranks import read_number

__all__ = ["GameDate", "read_date"]

Precision = Literal["year", "month", "day"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_SGF = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
_SHORT = re.compile(r"(?:(\d\d)-)?(\d\d)")
_YEAR_FIRST = re.compile(
    r"(?<!\d)(\d{4})\s*[-/.~]\s*(\d{1,2})(?:\s*[-/.~]\s*(\d{1,2})(?!\d))?(?!\d)"
)
_RUN = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(\d\d)(\d\d)(?!\d)")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(?:(\d{1,2})\s*[月월]\s*(?:(\d{1,2})\s*[日일])?)?")
_NUMBER = r"(\d{1,2}|元|[一二三四五六七八九十]{1,3})"
_DAY_FIRST = re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?[\s.,/-]*{_MONTH}[\s.,/-]*(\d{{4}})")
_MONTH_FIRST = re.compile(
    rf"\b{_MONTH}[\s,/-]+(?:(\d{{1,2}})(?:st|nd|rd|th)?[\s,/-]+)?(?:\d\d:\d\d(?::\d\d)?\s+(?:[a-z]+\s+)?)?(\d{{4}})"
)
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_FIRST_YEAR, _LAST_YEAR = 600, 2100

# The first year of each era. Before 1873 Japan counted by the moon: of those dates only the year
# is taken, and it can be one too low for days of the last month.
_ERAS = {
    "慶長": 1596, "元和": 1615, "寛永": 1624, "正保": 1644, "慶安": 1648, "承応": 1652,
    "明暦": 1655, "万治": 1658, "寛文": 1661, "延宝": 1673, "天和": 1681, "貞享": 1684,
    "元禄": 1688, "宝永": 1704, "正徳": 1711, "享保": 1716, "元文": 1736, "寛保": 1741,
    "延享": 1744, "寛延": 1748, "宝暦": 1751, "明和": 1764, "安永": 1772, "天明": 1781,
    "寛政": 1789, "享和": 1801, "文化": 1804, "文政": 1818, "天保": 1830, "弘化": 1844,
    "嘉永": 1848, "安政": 1854, "万延": 1860, "文久": 1861, "元治": 1864, "慶応": 1865,
    "明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019,
}  # fmt: skip
_ERA = re.compile(
    rf"({'|'.join(_ERAS)})\s*{_NUMBER}\s*年\s*(?:{_NUMBER}\s*月\s*(?:{_NUMBER}\s*日)?)?"
)
_SOLAR_SINCE = 1873


class GameDate(NamedTuple):
    """When a game was played: ``first`` and ``last`` day in ISO 8601, cut to the precision.

    ``2013-04-05``, ``2013-04`` or ``2013``; ``last`` equals ``first`` for a game of one day.
    ``in_form`` tells whether the text stood in SGF's own form and says as much.
    """

    first: str
    last: str
    precision: Precision
    in_form: bool = False

    @property
    def year(self) -> int:
        """The year of the first day."""
        return int(self.first[:4])


@lru_cache(maxsize=16384)
def read_date(text: str) -> GameDate | None:
    """Return the date that DT tells, None where it tells none.

    Where day and month cannot be told apart (``04/05/2013``) the precision is the year; a day that
    does not exist (``2013-02-30``) leaves the month.
    """
    found = _in_sgf_form(text.strip())
    if found is None:
        found = _in_words(unicodedata.normalize("NFKC", text).strip().lower())
    return found


def _iso(year: int, month: int | None, day: int | None) -> str | None:
    """Return as much of a date as exists, None where not even the year can be one."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    if month is None or not 1 <= month <= 12:
        return f"{year:04}"
    try:
        datetime.date(year, month, day or 0)
    except ValueError:
        return f"{year:04}-{month:02}"
    return f"{year:04}-{month:02}-{day:02}"


def _between(dates: "list[str]", *, in_form: bool = False) -> GameDate:
    """Return the span of dates; the coarsest of them sets the precision."""
    length = min(len(date) for date in dates)
    cut = sorted(date[:length] for date in dates)
    precision: dict[int, Precision] = {4: "year", 7: "month", 10: "day"}
    return GameDate(cut[0], cut[-1], precision[length], in_form)


def _in_sgf_form(text: str) -> GameDate | None:
    """Read ``2013-04-05,06,05-01``: after the first date, what is left out stays as it was."""
    dates: list[str] = []
    year = month = day = None
    whole = True
    for part in text.split(","):
        full = _SGF.fullmatch(part.strip())
        short = _SHORT.fullmatch(part.strip())
        if full is not None:
            year, month, day = (int(field) if field else None for field in full.groups())
        elif short is not None and year is not None:
            if short[1]:
                month, day = int(short[1]), int(short[2])
            elif day is not None:
                day = int(short[2])
            else:
                month = int(short[2])
        else:
            return None
        date = _iso(year or 0, month, day)
        if date is None:
            return None
        whole = whole and len(date) == (4 if month is None else 7 if day is None else 10)
        dates.append(date)
    return _between(dates, in_form=whole)


def _in_words(text: str) -> GameDate | None:
    dates: list[str | None] = []
    for match in (*_YEAR_FIRST.finditer(text), *_EAST_ASIAN.finditer(text)):
        dates.append(_iso(int(match[1]), _number(match[2]), _number(match[3])))
    if not dates:
        dates += [_of_era(match) for match in _ERA.finditer(text)]
    if not dates:
        for match in _RUN.finditer(text):
            dates.append(_iso(int(match[1]), int(match[2]), int(match[3])))
    if not dates:
        for match in _DAY_FIRST.finditer(text):
            dates.append(_iso(int(match[3]), _month(match[2]), int(match[1])))
        for match in _MONTH_FIRST.finditer(text) if not dates else ():
            dates.append(_iso(int(match[3]), _month(match[1]), _number(match[2])))
    if not dates:
        for match in _YEAR_LAST.finditer(text):
            dates.append(_with_year_last(int(match[1]), int(match[2]), int(match[3])))
    if not dates:
        dates += [_iso(int(match[1]), None, None) for match in _YEAR.finditer(text)][:1]
    known = [date for date in dates if date is not None]
    return _between(known) if known else None


def _of_era(match: "re.Match[str]") -> str | None:
    number = _number(match[2])
    if number is None:
        return None
    year = _ERAS[match[1]] + number - 1
    if year < _SOLAR_SINCE:
        return _iso(year, None, None)
    return _iso(year, _number(match[3]), _number(match[4]))


def _with_year_last(one: int, two: int, year: int) -> str | None:
    """Read ``5.4.2013`` or ``4/5/2013``: a number over 12 is the day, else none is."""
    if one > 12 or one == two:
        return _iso(year, two, one)
    return _iso(year, one, two) if two > 12 else _iso(year, None, None)


def _number(text: str | None) -> int | None:
    return None if text is None else (1 if text == "元" else read_number(text))


def _month(word: str) -> int:
    return _MONTHS.index(word[:3]) + 1
