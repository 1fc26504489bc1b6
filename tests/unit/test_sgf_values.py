"""Texts of single properties: size, handicap, komi, result, rules."""

from __future__ import annotations

import pytest

from mariago.board.points import BLACK, EMPTY, WHITE
from mariago.rules import RULE_SETS, Result
from mariago.sgf.results import read_result
from mariago.sgf.values import read_handicap, read_komi, read_rules, read_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("19", (19, 19)),
        (" 9 ", (9, 9)),
        ("19:19", (19, 19)),
        ("9:13", (13, 9)),
        ("13x9", (9, 13)),
        ("", None),
        ("big", None),
        ("-5", None),
    ],
)
def test_sizes_have_columns_first(text: str, size: tuple[int, int] | None) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize(
    ("text", "stones", "repair"),
    [
        ("0", 0, None),
        ("2", 2, None),
        (" 9 ", 9, None),
        ("25", 25, None),
        ("1", 0, "handicap_one"),
        ("4 stones", 4, "handicap_words"),
        ("让二子", 2, "handicap_words"),
        ("２子局", 2, "handicap_words"),
        ("对子", 0, "handicap_unread"),
        ("26", 0, "handicap_unread"),
        ("-1", 0, "handicap_unread"),
        ("2.5", 0, "handicap_unread"),
        ("2 or 3", 0, "handicap_unread"),
    ],
)
def test_handicaps_are_small_numbers(text: str, stones: int, repair: str | None) -> None:
    assert read_handicap(text) == (stones, repair)


@pytest.mark.parametrize(
    ("text", "points", "repair"),
    [
        ("6.5", 6.5, None),
        ("6.50", 6.5, None),
        ("0", 0.0, None),
        ("-5.5", -5.5, None),
        ("6,5", 6.5, None),
        ("６．５", 6.5, None),
        ("5½", 5.5, None),
        ("", None, None),
        ("750", 7.5, "komi_hundredths"),
        ("650", 6.5, "komi_hundredths"),
        ("550", 5.5, "komi_hundredths"),
        ("450", 4.5, "komi_hundredths"),
        ("375", 7.5, "komi_stones"),
        ("325", 6.5, "komi_stones"),
        ("275", 5.5, "komi_stones"),
        ("3.75", 7.5, "komi_stones"),
        ("7.25", 7.25, None),
        ("725", 7.25, "komi_hundredths"),
        ("-3.75", -7.5, "komi_stones"),
        ("3.750", 3.75, None),
        ("-100.00", -100.0, None),
        ("6.5 points", 6.5, "komi_words"),
        ("none", None, "komi_unread"),
        ("1e999", None, "komi_unread"),
        ("99999", None, "komi_unread"),
    ],
)
def test_komi_is_read_and_repaired(text: str, points: float | None, repair: str | None) -> None:
    assert read_komi(text) == (points, repair)


def test_fox_does_not_tell_the_komi_of_even_games() -> None:
    assert read_komi("0", is_fox=True) == (None, "komi_unknown")
    assert read_komi("0", is_fox=True, handicap=2) == (0.0, None)
    assert read_komi("375", is_fox=True) == (7.5, "komi_stones")


BLACK_BY_RESIGNATION = Result(BLACK, None, "resign")
WHITE_BY_RESIGNATION = Result(WHITE, None, "resign")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("B+R", BLACK_BY_RESIGNATION),
        ("W+Resign", WHITE_BY_RESIGNATION),
        ("w+resign", WHITE_BY_RESIGNATION),
        ("B+3.5", Result(BLACK, 3.5, "score")),
        ("W+368.50", Result(WHITE, 368.5, "score")),
        ("B+0,5", Result(BLACK, 0.5, "score")),
        ("W+T", Result(WHITE, None, "time")),
        ("B+Time", Result(BLACK, None, "time")),
        ("W+Forfeit", Result(WHITE, None, "forfeit")),
        ("B+", Result(BLACK, None, "won")),
        ("0", Result(EMPTY, 0.0, "draw")),
        ("Draw", Result(EMPTY, 0.0, "draw")),
        ("Jigo", Result(EMPTY, 0.0, "draw")),
        ("W+0.0", Result(WHITE, None, "won")),
        ("Void", Result.void()),
        ("?", Result.unknown()),
        ("? (No further moves known)", Result.unknown()),
        ("Black wins by resignation", BLACK_BY_RESIGNATION),
        ("White wins by 2.5 points", Result(WHITE, 2.5, "score")),
        ("黑中盘胜", BLACK_BY_RESIGNATION),
        ("白中盘胜", WHITE_BY_RESIGNATION),
        ("白胜43.5目", Result(WHITE, 43.5, "score")),
        ("黑胜3又3/4子", Result(BLACK, 7.5, "score")),
        ("白胜1/4子", Result(WHITE, 0.5, "score")),
        ("黑胜2.5子", Result(BLACK, 5.0, "score")),
        ("黑超时负", Result(WHITE, None, "time")),
        ("黒中押し勝ち", BLACK_BY_RESIGNATION),
        ("257手完, 黒中押し勝ち", BLACK_BY_RESIGNATION),
        ("白２目半勝ち", Result(WHITE, 2.5, "score")),
        ("黒半目勝ち", Result(BLACK, 0.5, "score")),
        ("ジゴ", Result(EMPTY, 0.0, "draw")),
        ("和棋", Result(EMPTY, 0.0, "draw")),
        ("흑 불계승", BLACK_BY_RESIGNATION),
        ("백 3집반승", Result(WHITE, 3.5, "score")),
        ("白胜", Result(WHITE, None, "won")),
        ("", None),
        ("see comment", None),
    ],
)
def test_results_are_read_in_four_languages(text: str, result: Result | None) -> None:
    assert read_result(text) == result


@pytest.mark.parametrize("text", ["B+R", "W+T", "B+F", "W+3.5", "B+", "0", "Void", "?"])
def test_written_results_read_back(text: str) -> None:
    result = read_result(text)
    assert result == Result.parse(text)
    assert str(result) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Japanese", "japanese"),
        ("jp", "japanese"),
        ("日本規則", "japanese"),
        ("Korean", "korean"),
        ("Chinese", "chinese"),
        ("中国规则", "chinese"),
        ("koSIMPLEscoreAREAtaxNONEsui0", "chinese"),
        ("AGA", "aga"),
        ("NZ", "new_zealand"),
        ("New Zealand", "new_zealand"),
        ("GOE", "ing"),
        ("Tromp-Taylor", "tromp_taylor"),
        ("Old Chinese", None),
        ("house rules", None),
    ],
)
def test_rules_are_recognised(text: str, name: str | None) -> None:
    assert read_rules(text) == name


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_every_rule_set_is_recognised_by_its_own_name(name: str) -> None:
    assert read_rules(name) == name
