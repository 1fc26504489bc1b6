"""Filters of games, and the ranks, dates and servers that they go by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mariago.errors import BadInputError
from mariago.records.filters import GameFilter, GameTraits
from mariago.records.told import Days, level_name, level_of, levels_between, server_of
from mariago.sgf.dates import read_date

GAME = GameTraits(("6d", "9段"), "2001-03-04", "kgs", 0, "resign", 200)


def reason(wanted: GameFilter, **changes: object) -> str | None:
    found = wanted.why_not(replace(GAME, **changes))  # type: ignore[arg-type]
    return None if found is None else found[0]


def test_a_filter_that_asks_nothing_wants_every_game() -> None:
    assert GameFilter().asks_nothing
    assert reason(GameFilter(), ranks=("", ""), date="", server="", result_kind="unknown") is None
    assert not GameFilter(length="1-").asks_nothing


@pytest.mark.parametrize(
    ("rank", "whose", "ranks", "is_wanted"),
    [
        ("6d-9p", "both", ("6d", "9段"), True),
        ("6d-9p", "both", ("6d", "5d"), False),
        ("6d-9p", "either", ("6d", "5d"), True),
        ("6d-9p", "both", ("6d", ""), False),
        ("6d-9p", "either", ("6d", ""), True),
        ("6d-9p", "either", ("", "?"), False),
        ("6d", "both", ("6d", "6 dan"), True),
        ("6d", "both", ("6d", "7d"), False),
        ("1p-", "both", ("P9段", "1p"), True),
        ("1p-", "either", ("9d", "9d"), False),
        ("-5k", "both", ("5k", "18k"), True),
        ("-5k", "both", ("4k", "18k"), False),
        ("10k-1d", "both", ("1k", "1d"), True),
    ],
)
def test_ranks_are_of_both_players_or_of_either(
    rank: str, whose: str, ranks: tuple[str, str], is_wanted: bool
) -> None:
    found = reason(GameFilter(rank=rank, rank_of=whose), ranks=ranks)
    assert found == (None if is_wanted else "filtered_rank")


@pytest.mark.parametrize(
    ("dates", "date", "is_wanted"),
    [
        ("2001..2003", "2001-01-01", True),
        ("2001..2003", "2003-12-31", True),
        ("2001..2003", "2004-01-01", False),
        ("2001", "2001-07-08", True),
        ("2001", "2001", True),
        ("2001-05..", "2001", False),
        ("2001-05..", "2001-05", True),
        ("2001-05-02..", "2001-05-01", False),
        ("..1999-12", "1999-12-31", True),
        ("..1999-12", "2000-01-01", False),
        ("..1999-06", "1999", False),
        ("2001..", "", False),
        ("2001..", "long ago", False),
        ("2001..2001-12-30", "2001-12-30,31", False),
    ],
)
def test_dates_lie_wholly_within_the_range(dates: str, date: str, is_wanted: bool) -> None:
    found = reason(GameFilter(dates=dates), date=date)
    assert found == (None if is_wanted else "filtered_date")


@pytest.mark.parametrize(
    ("wanted", "changes", "found"),
    [
        (GameFilter(server="kgs,fox"), {}, None),
        (GameFilter(server="fox"), {}, "filtered_server"),
        (GameFilter(server="unknown"), {"server": ""}, None),
        (GameFilter(server="kgs"), {"server": ""}, "filtered_server"),
        (GameFilter(handicap="none"), {"handicap": 1}, None),
        (GameFilter(handicap="none"), {"handicap": 2}, "filtered_handicap"),
        (GameFilter(handicap="only"), {"handicap": 9}, None),
        (GameFilter(handicap="only"), {}, "filtered_handicap"),
        (GameFilter(handicap="2-4"), {"handicap": 5}, "filtered_handicap"),
        (GameFilter(handicap="any"), {"handicap": 5}, None),
        (GameFilter(result="resign,score"), {}, None),
        (GameFilter(result="score"), {}, "filtered_result"),
        (GameFilter(result="unknown"), {"result_kind": "unknown"}, None),
        (GameFilter(length="50-200"), {}, None),
        (GameFilter(length="201-"), {}, "filtered_length"),
        (GameFilter(length="-199"), {}, "filtered_length"),
        (GameFilter(length="200"), {}, None),
        (GameFilter(length="1-2", server="fox"), {}, "filtered_server"),
    ],
)
def test_a_game_is_dropped_by_the_first_filter_that_it_fails(
    wanted: GameFilter, changes: dict[str, object], found: str | None
) -> None:
    assert reason(wanted, **changes) == found


@pytest.mark.parametrize(
    "wrong",
    [
        {"rank": "strong"},
        {"rank": "9p-6d"},
        {"rank": "-"},
        {"rank": "1d-2d-3d"},
        {"rank_of": "mine"},
        {"dates": "soon"},
        {"dates": "2003..2001"},
        {"dates": ".."},
        {"server": "kgs,my-club"},
        {"handicap": "some"},
        {"result": "resigned"},
        {"length": "long"},
        {"length": "9-3"},
        {"length": "-"},
    ],
)
def test_a_filter_that_says_nothing_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(BadInputError):
        GameFilter(**wrong)


def test_levels_rise_from_kyu_over_dan_to_professionals() -> None:
    ranks = ["30k", "2k", "1k", "1d", "9d", "1p", "9p"]
    levels = [level_of(rank) for rank in ranks]
    assert levels == sorted(levels)
    assert [level_name(level) for level in levels] == ranks
    assert level_name(level_of("NR")) == "unknown"
    assert levels_between("1d-", "--rank") == (1, 18)


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("The Kiseido Go Server (KGS) at http://kgs.kiseido.com/", "kgs"),
        ("The KGS Go Server at http://www.gokgs.com/", "kgs"),
        ("OGS: https://online-go.com/game/21914169", "ogs"),
        ("foxwq", "fox"),
        ("野狐围棋", "fox"),
        ("IGS-PandaNet", "igs"),
        ("Dragon Go Server: http://www.dragongoserver.net/", "dgs"),
        ("CGoban:3", ""),
        ("Nihon Ki-in, Tokyo", ""),
        ("Big signs", ""),
        ("", ""),
    ],
)
def test_a_server_is_known_by_its_words(text: str, server: str) -> None:
    assert server_of(text) == server


def test_days_are_whole_years_and_months_where_no_more_is_said() -> None:
    assert Days.parse("2001..2003-05", "x") == Days("2001", "2003-05")
    assert Days.parse("2001", "x").holds(read_date("2001-12-31"))
    assert not Days.parse("2001", "x").holds(None)
