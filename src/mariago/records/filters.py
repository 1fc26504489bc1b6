"""Which games are wanted: by rank, date, server, handicap, result and length.

A game that is not wanted is dropped before it is replayed, and counted by the first filter that
it fails: server, date, rank, handicap, result, length.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from mariago.errors import BadInputError
from mariago.records.told import (
    RESULT_KINDS,
    SERVERS,
    UNKNOWN_LEVEL,
    Days,
    level_of,
    levels_between,
)
from mariago.sgf.dates import read_date

__all__ = ["GameFilter", "GameTraits"]

_RANK_OF = ("both", "either")
_RANGE = re.compile(r"([0-9]{0,9})(-?)([0-9]{0,9})")


@dataclass(frozen=True)
class GameTraits:
    """What the filters ask of a game; ranks and date as written."""

    ranks: tuple[str, str]
    date: str
    server: str  # one of told.SERVERS, "" unknown
    handicap: int
    result_kind: str  # one of told.RESULT_KINDS
    moves: int


@dataclass(frozen=True)
class GameFilter:
    """The wanted games; an empty text asks for nothing.

    Attributes:
        rank: ``"6d-9p"``, ``"1d-"``, ``"-5k"``: unknown ranks lie in no range.
        rank_of: whose rank it is: ``both`` players or ``either``.
        dates: ``"2001..2003"``, ``"2001-05.."``, ``"..1999"``: unknown dates lie in no range.
        server: names, ``"kgs,fox"``; ``unknown`` for games that name none.
        handicap: ``"none"`` (0 and 1), ``"only"`` (2 and more), or a range ``"2-4"``.
        result: kinds, ``"resign,score"``.
        length: moves in the record, ``"50-400"``, ``"50-"``.

    Raises:
        BadInputError: a text that says nothing.
    """

    rank: str = ""
    rank_of: str = "both"
    dates: str = ""
    server: str = ""
    handicap: str = "any"
    result: str = ""
    length: str = ""

    def __post_init__(self) -> None:
        if self.rank_of not in _RANK_OF:
            raise BadInputError(
                f"{self.rank_of!r} is not a choice", where="--rank-of", hint=", ".join(_RANK_OF)
            )
        _ = self._levels, self._days, self._servers, self._stones, self._kinds, self._moves

    @cached_property
    def _levels(self) -> tuple[int, int] | None:
        return levels_between(self.rank, "--rank") if self.rank.strip() else None

    @cached_property
    def _days(self) -> Days | None:
        return Days.parse(self.dates, "--dates") if self.dates.strip() else None

    @cached_property
    def _servers(self) -> frozenset[str] | None:
        return _names(self.server, (*SERVERS, "unknown"), "--server")

    @cached_property
    def _stones(self) -> tuple[int, int] | None:
        named = {"": None, "any": None, "none": (0, 1), "only": (2, 25)}
        text = self.handicap.strip().lower()
        return named[text] if text in named else _range(text, "--handicap", "none, only, any, 2-4")

    @cached_property
    def _kinds(self) -> frozenset[str] | None:
        return _names(self.result, RESULT_KINDS, "--result")

    @cached_property
    def _moves(self) -> tuple[int, int] | None:
        return _range(self.length, "--length", "50-400, 50- or -400") if self.length else None

    @property
    def asks_nothing(self) -> bool:
        """Whether every game is wanted."""
        asked = (self._levels, self._days, self._servers, self._stones, self._kinds, self._moves)
        return all(wanted is None for wanted in asked)

    def why_not(self, game: GameTraits) -> tuple[str, str] | None:
        """Return the reason and its words for a game that is not wanted, None for one that is."""
        if self._servers is not None and (game.server or "unknown") not in self._servers:
            return "filtered_server", game.server or "unknown"
        if self._days is not None and not self._days.holds(read_date(game.date)):
            return "filtered_date", game.date
        if self._levels is not None and not self._ranks_fit(game.ranks):
            return "filtered_rank", " ".join(rank or "unknown" for rank in game.ranks)
        if self._stones is not None and not _lies_in(game.handicap, self._stones):
            return "filtered_handicap", str(game.handicap)
        if self._kinds is not None and game.result_kind not in self._kinds:
            return "filtered_result", game.result_kind
        if self._moves is not None and not _lies_in(game.moves, self._moves):
            return "filtered_length", str(game.moves)
        return None

    def _ranks_fit(self, ranks: tuple[str, str]) -> bool:
        low, high = self._levels or (0, 0)
        levels = [level_of(rank) for rank in ranks]
        fit = [level != UNKNOWN_LEVEL and low <= level <= high for level in levels]
        return all(fit) if self.rank_of == "both" else any(fit)


def _lies_in(number: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= number <= bounds[1]


def _names(text: str, known: tuple[str, ...], where: str) -> frozenset[str] | None:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise BadInputError(f"{name!r} is not known", where=where, hint=", ".join(known))
    return frozenset(names) or None


def _range(text: str, where: str, hint: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(text.replace(" ", ""))
    if match is None or not match[1] + match[3]:
        raise BadInputError(f"{text!r} is not a range of numbers", where=where, hint=hint)
    low = int(match[1] or 0)
    high = int(match[3]) if match[3] else (2**31 if match[2] else low)
    if low > high:
        raise BadInputError(f"{text!r} ends before it begins", where=where)
    return low, high
