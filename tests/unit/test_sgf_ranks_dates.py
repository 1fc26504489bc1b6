"""Ranks and dates in their many forms."""

from __future__ import annotations

import pytest

from mariago.sgf.dates import read_date
from mariago.sgf.ranks import Rank, read_number, read_rank


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        *[(form, "9p") for form in ("9p", "9P", "9 p", "P9段", "프로 9단", "Pro 9 dan", "9DP")],
        *[(form, "9p") for form in ("職業九段", "プロ九段", "职业9段", "9 dan (pro)", "9 dan pro")],
        *[(form, "9d") for form in ("9d", "9D", "9 dan", "9-dan", "9dan", "9段", "九段", "9단")],
        *[(form, "6d") for form in ("アマ六段", "业余6段", "6d ama", "6段")],
        *[(form, "18k") for form in ("18k", "18K", "18 kyu", "18급", "18級", "18级", "十八級")],
        ("初段", "1d"),
        ("3d*", "3d*"),
        ("7D*", "7d*"),
        ("5k?", "5k?"),
        ("(5K)", "5k"),
        ("11k+", "11k"),
        ("十段", "10d"),
    ],
)
def test_ranks_are_read_in_four_languages(text: str, rank: str) -> None:
    assert str(read_rank(text)) == rank


@pytest.mark.parametrize("text", ["", "?", "-", "NR", "Meijin", "名人", "2300", "0d", "99k", "12p"])
def test_what_is_no_rank_gives_none(text: str) -> None:
    assert read_rank(text) is None


def test_ranks_have_an_order() -> None:
    texts = ["30k", "2k", "1k", "1d", "9d", "1p", "9p"]
    ranks = [read_rank(text) for text in texts]
    orders = [rank.order for rank in ranks if rank is not None]
    assert orders == [-29, -1, 0, 1, 9, 10, 18]
    assert Rank(5, "kyu", False) == read_rank("5k?")


def test_chinese_numbers() -> None:
    texts = {"一": 1, "初": 1, "十": 10, "十五": 15, "二十": 20, "三十一": 31, "7": 7}
    assert {text: read_number(text) for text in texts} == texts
    assert [read_number(text) for text in ("", "x", "一一", "十十", "²")] == [None] * 5


@pytest.mark.parametrize(
    "text",
    [
        *("2013-04-05", "2013/4/5", "2013.04.05", "2013. 4. 5", "20130405", "2013-04-05 12:33"),
        *("5 Apr 2013", "5th April 2013", "Apr 5, 2013", "April 5th, 2013", "05-apr-2013"),
        *("Fri Apr  5 12:33:01 2013", "2013年4月5日", "2013年04月05日", "2013년 4월 5일"),
        *("平成25年4月5日", "平成二十五年四月五日", "２０１３年４月５日", "2013- 4- 5- 2-52-45"),
    ],
)
def test_a_day_is_found_in_many_forms(text: str) -> None:
    date = read_date(text)
    assert date is not None
    assert (date.first, date.last, date.precision) == ("2013-04-05", "2013-04-05", "day")


@pytest.mark.parametrize(
    ("text", "first", "last", "precision"),
    [
        ("2013", "2013", "2013", "year"),
        ("2013-04", "2013-04", "2013-04", "month"),
        ("2013年4月", "2013-04", "2013-04", "month"),
        ("2013-04-05,06", "2013-04-05", "2013-04-06", "day"),
        ("2013-04-05,06,05-01", "2013-04-05", "2013-05-01", "day"),
        ("2013-12-31,2014-01-01", "2013-12-31", "2014-01-01", "day"),
        ("2013-04,05", "2013-04", "2013-05", "month"),
        ("2013-04-05,2014", "2013", "2014", "year"),
        ("1997-05-06~1997-05-08", "1997-05-06", "1997-05-08", "day"),
        ("昭和元年", "1926", "1926", "year"),
        ("令和元年5月1日", "2019-05-01", "2019-05-01", "day"),
        ("弘化3年7月21日", "1846", "1846", "year"),
        ("1846-09-11 (弘化3年7月21日)", "1846-09-11", "1846-09-11", "day"),
        ("04/05/2013", "2013", "2013", "year"),
        ("25/04/2013", "2013-04-25", "2013-04-25", "day"),
        ("04/25/2013", "2013-04-25", "2013-04-25", "day"),
        ("2013-02-30", "2013-02", "2013-02", "month"),
        ("1926-09-??", "1926-09", "1926-09", "month"),
        ("c. 1850", "1850", "1850", "year"),
        ("Published 1999", "1999", "1999", "year"),
    ],
)
def test_a_date_has_the_precision_of_its_text(
    text: str, first: str, last: str, precision: str
) -> None:
    date = read_date(text)
    assert date is not None
    assert (date.first, date.last, date.precision) == (first, last, precision)


@pytest.mark.parametrize("text", ["", "?", "0000-00-00", "yesterday", "13/5/95", "9999"])
def test_what_is_no_date_gives_none(text: str) -> None:
    assert read_date(text) is None


def test_only_sgfs_own_form_needs_no_repair() -> None:
    dates = {text: read_date(text) for text in ("2013-04-05,06", "2013", "2013/4/5", "2013-02-30")}
    assert [date.in_form for date in dates.values() if date] == [True, True, False, False]
