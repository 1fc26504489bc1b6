"""Whom a network that imitates people plays like: KataGo's profiles as the 192 numbers it takes.

Some networks ("humanSL", from format version 15 on) were trained on people's games and take, beside
the position, what was known of the players: ranks, time, date, server. KataGo fills that in by the
name of a profile, the same for both sides, and so do we. Facts from KataGo's ``sgfmetadata.cpp``:

=========  ======================================================================================
place      holds
=========  ======================================================================================
0, 1       1: a person, the side to move and its opponent
2 - 5      1: without a rank, and with an unknown one, both sides each
6 - 73     as many ones as the rank is below 10d, 34 places a side
74         1: an unrated game; 0.5: unknown
75 - 81    one of: time unknown, none, absolute, simple, byo-yomi, Canadian, Fischer
82 - 85    logarithms of main time, time of a period, periods, Canadian stones
86         half the logarithm of the board's points over 361; filled in by the graph
87 - 150   the date as 32 turning hands, the fastest with a period of a week
151 - 166  one of: the server
=========  ======================================================================================
"""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError

__all__ = ["AREA_PLACE", "DEFAULT_PROFILE", "PEOPLE_INPUTS", "PROFILES", "people_row"]

PEOPLE_INPUTS = 192
AREA_PLACE = 86
DEFAULT_PROFILE = "rank_9d"
PROFILES = "rank_20k to rank_9d, preaz_20k to preaz_9d, proyear_1800 to proyear_2023"
RANKS = [f"{dan}d" for dan in range(9, 0, -1)] + [f"{kyu}k" for kyu in range(1, 21)]
_DATES = {"rank": date(2020, 3, 1), "preaz": date(2016, 9, 1)}  # after and before AlphaZero's style
_EPOCH = date(1970, 1, 1)
_YEARS = range(1800, 2024)
_KGS, _GOGOD, _GO4GO = 2, 5, 6
_UNKNOWN_TIME, _BYO_YOMI = 75, 79
_RANK_PLACES, _HANDS = 34, 32


def people_row(profile: str) -> npt.NDArray[np.float64]:
    """Return (192,) of a profile, 0 at AREA_PLACE.

    Raises:
        BadInputError: there is no such profile.
    """
    kind, _, which = profile.partition("_")
    if kind in _DATES and which in RANKS:
        time_s = (1200.0, 30.0, 5)  # main time, a period, periods
        row = _row(RANKS.index(which) + 1, _DATES[kind], _BYO_YOMI, time_s, _KGS)
        row[74] = 0.5
        return row
    if kind == "proyear" and which.isdecimal() and int(which) in _YEARS:
        year = int(which)
        source = _GOGOD if year <= 2020 else _GO4GO
        return _row(1, date(year, 6, 1), _UNKNOWN_TIME, (0.0, 0.0, 0), source)
    raise BadInputError(f"there is no profile {profile!r:.40}", hint=f"there are {PROFILES}")


def _row(
    rank: int, day: date, clock: int, time_s: tuple[float, float, int], source: int
) -> npt.NDArray[np.float64]:
    """``rank`` is 1 for 9d, 10 for 1k; ``clock`` and ``source`` are places of ones."""
    row = np.zeros(PEOPLE_INPUTS)
    row[0:2] = 1
    for start in (6, 6 + _RANK_PLACES):
        row[start : start + rank] = 1
    row[clock] = 1
    main_s, period_s, periods = time_s
    row[82] = 0.4 * (math.log(main_s + 60) - 6.5)
    row[83] = 0.3 * (math.log(period_s + 1) - 3)
    row[84] = 0.5 * (math.log(periods + 2) - 1.5)
    row[85] = 0.25 * (math.log(2) - 1.5)
    periods_d = 7.0 * 80000.0 ** (np.arange(_HANDS) / (_HANDS - 1))
    angles = 2 * np.pi * (day - _EPOCH).days / periods_d
    row[87 : 87 + 2 * _HANDS : 2] = np.cos(angles)
    row[88 : 88 + 2 * _HANDS : 2] = np.sin(angles)
    row[151 + source] = 1
    return row
