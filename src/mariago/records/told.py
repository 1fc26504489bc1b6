"""What the texts of a record tell beside its moves: ranks as levels, days, the server."""

import re
from functools import lru_cache
from typing import NamedTuple

from mariago.errors import BadInputError
from mariago.sgf.dates import GameDate, read_date
from mariago.sgf.ranks import Rank, read_rank

__all__ = [
    "PLACES",
    "RESULT_KINDS",
    "SERVERS",
    "UNKNOWN_LEVEL",
    "Days",
    "level_name",
    "level_of",
    "levels_between",
    "server_of",
]

# How a game ended, as ``mariago.rules.Result.how`` says it.
RESULT_KINDS = ("resign", "score", "time", "forfeit", "draw", "void", "unknown", "won")

UNKNOWN_LEVEL = -128
_LOWEST, _HIGHEST = -39, 18  # 40k and 9p


@lru_cache(maxsize=4096)
def level_of(text: str) -> int:
    """Return a rank's place in one row: 0 is 1k, 1 is 1d, 10 is 1p (``sgf.ranks.Rank.order``)."""
    rank = read_rank(text) if text else None
    return UNKNOWN_LEVEL if rank is None else rank.order


def level_name(level: int) -> str:
    """Return the rank at a level; 10d and 1p share one, which is called 1p."""
    if level == UNKNOWN_LEVEL:
        return "unknown"
    if level <= 0:
        return str(Rank(1 - level, "kyu"))
    return str(Rank(level, "dan") if level < 10 else Rank(level - 9, "pro"))


def levels_between(text: str, where: str) -> tuple[int, int]:
    """Return the lowest and the highest level of ``6d-9p``, ``1d-``, ``-5k`` or ``3k``.

    Raises:
        BadInputError: not a range of ranks; ``where`` says where it was given.
    """
    parts = [part.strip() for part in text.split("-")]
    low = level_of(parts[0]) if parts[0] else _LOWEST
    high = level_of(parts[-1]) if parts[-1] else _HIGHEST
    if len(parts) > 2 or not any(parts) or UNKNOWN_LEVEL in (low, high) or low > high:
        raise BadInputError(
            f"{text!r} is not a range of ranks",
            where=where,
            hint="from the weaker to the stronger: 6d-9p, 1d-, -5k; kyu below dan below pro",
        )
    return low, high


class Days(NamedTuple):
    """The days from ``first`` to ``last``, ISO texts that may be cut to the month or the year."""

    first: str
    last: str

    @classmethod
    def parse(cls, text: str, where: str) -> "Days":
        """Return the days of ``2001..2003``, ``2001-05..``, ``..1999-12-31`` or ``2001``.

        Raises:
            BadInputError: not a range of dates; ``where`` says where it was given.
        """
        first, dots, last = (part.strip() for part in text.partition(".."))
        last = last if dots else first
        read = [_whole_date(part) for part in (first, last) if part]
        if not read or any(date is None or date.first != date.last for date in read):
            raise BadInputError(
                f"{text!r} is not a range of dates",
                where=where,
                hint="write 2001..2003, 2001-05-01.., ..1999-12 or 2001",
            )
        named = [date.first for date in read if date is not None]
        days = cls(named[0] if first else "", named[-1] if last else "")
        if first and last and days.first > days.last[: len(days.first)]:
            raise BadInputError(f"{text!r} ends before it begins", where=where)
        return days

    def holds(self, date: GameDate | None) -> bool:
        """Tell whether a date lies wholly within: 2001 does not lie within 2001-05.. ."""
        if date is None:
            return False
        is_late_enough = date.first + "-01-01"[len(date.first) - 4 :] >= self.first
        is_early_enough = not self.last or date.last + "-99-99"[len(date.last) - 4 :] <= (
            self.last + "-99-99"[len(self.last) - 4 :]
        )
        return is_late_enough and is_early_enough


def _whole_date(text: str) -> GameDate | None:
    """Return the date of a text of which every number counts: not that of ``2001-13``."""
    groups = re.findall(r"[0-9]+", text)
    date = read_date(text)
    if date is None or not groups:
        return None
    told = len(groups) if len(groups) > 1 else len(groups[0]) // 2 - 1  # 2001, 20010531
    return date if ("year", "month", "day").index(date.precision) + 1 == told else None


# Words by which a server is known. CGoban and GNU Go write files of other places too.
_SERVERS: tuple[tuple[str, str], ...] = (
    ("kgs", r"\bKGS\b|gokgs|kiseido go server"),
    ("ogs", r"online-go|\bOGS\b"),
    ("fox", r"foxwq|\bfox ?go\b|野狐"),
    ("tygem", r"tygem|弈城|타이젬|東洋囲碁"),
    ("igs", r"\bIGS\b|pandanet|joyjoy"),
    ("dgs", r"dragon ?go ?server|\bDGS\b"),
    ("nngs", r"\bNNGS\b|no name go server"),
    ("wbaduk", r"wbaduk|cyberoro"),
    ("goquest", r"go ?quest"),
    ("cgos", r"\bCGOS\b"),
    ("yike", r"弈客|yikeweiqi"),
    ("littlegolem", r"little ?golem"),
)
SERVERS = tuple(name for name, _ in _SERVERS)
PLACES = {name: name.upper() for name in ("kgs", "ogs", "igs", "dgs", "nngs", "cgos")} | {
    "fox": "Fox Go",
    "tygem": "Tygem",
    "wbaduk": "WBaduk",
    "goquest": "GoQuest",
    "yike": "yikeweiqi",
    "littlegolem": "Little Golem",
}
"""Server -> what SGF's PC says of a game played there; ``server_of`` knows it again."""
_ANY_SERVER = re.compile(
    "|".join(f"(?P<{name}>{words})" for name, words in _SERVERS), re.IGNORECASE
)


@lru_cache(maxsize=4096)
def server_of(text: str) -> str:
    """Return the name of the server that a text names, one of SERVERS, else ""."""
    match = _ANY_SERVER.search(text) if text else None
    return "" if match is None else match.lastgroup or ""
