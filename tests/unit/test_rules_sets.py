"""The rule sets as data, and results as text."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mariago.board.points import BLACK, EMPTY, WHITE
from mariago.errors import BadInputError, RulesError
from mariago.rules import RULE_SETS, Result, RuleSet, rules_of

TABLE = [
    ("chinese", "simple", False, "area", 7.5, {0: 0, 1: 0, 2: 2, 9: 9}),
    ("japanese", "simple", False, "territory", 6.5, {2: 0, 9: 0}),
    ("korean", "simple", False, "territory", 6.5, {2: 0, 9: 0}),
    ("ing", "positional", True, "area", 8.0, {2: 0, 9: 0}),
    ("aga", "situational", False, "area", 7.5, {0: 0, 1: 0, 2: 1, 9: 8}),
    ("new_zealand", "situational", True, "area", 7.0, {2: 0, 9: 0}),
    ("tromp_taylor", "positional", True, "area", 7.5, {2: 0, 9: 0}),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_each_named_set_is_its_row(row: tuple) -> None:
    name, ko, suicide, scoring, komi, bonus = row
    rules = rules_of(name)
    assert (rules.name, rules.ko, rules.suicide) == (name, ko, suicide)
    assert (rules.scoring, rules.komi) == (scoring, komi)
    assert {stones: rules.bonus_for(stones) for stones in bonus} == bonus
    assert rules.is_superko == (ko != "simple")


def test_the_order_of_the_sets_is_the_one_files_store() -> None:
    assert list(RULE_SETS) == [row[0] for row in TABLE]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chinese", "chinese"),
        ("new-zealand", "new_zealand"),
        ("NZ", "new_zealand"),
        ("Tromp Taylor", "tromp_taylor"),
        ("tromp-taylor", "tromp_taylor"),
        ("GOE", "ing"),
        (" AGA ", "aga"),
    ],
)
def test_names_are_read_in_any_spelling(text: str, name: str) -> None:
    assert rules_of(text) is RULE_SETS[name]


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError) as caught:
        rules_of("martian")
    assert "tromp_taylor" in str(caught.value.hint)


def test_a_set_of_ones_own_is_a_named_one_with_changes() -> None:
    own = RULE_SETS["japanese"].replace(ko="positional", suicide=True, komi=0)
    assert own == RuleSet("custom", "positional", True, "territory", 0)
    assert RULE_SETS["japanese"].ko == "simple"
    assert rules_of(own) is own


@pytest.mark.parametrize("field", ["ko", "scoring", "handicap_bonus"])
def test_values_outside_the_lists_are_refused(field: str) -> None:
    with pytest.raises(RulesError, match=field):
        RULE_SETS["chinese"].replace(**{field: "eternal"})


RESULTS = [
    ("B+3.5", Result(BLACK, 3.5, "score"), 3.5),
    ("W+12", Result(WHITE, 12.0, "score"), -12.0),
    ("W+R", Result(WHITE, None, "resign"), None),
    ("W+T", Result(WHITE, None, "time"), None),
    ("B+F", Result(BLACK, None, "forfeit"), None),
    ("B+", Result(BLACK, None, "won"), None),
    ("0", Result(EMPTY, 0.0, "draw"), 0.0),
    ("Void", Result(None, None, "void"), None),
    ("?", Result(None, None, "unknown"), None),
]


@pytest.mark.parametrize(("text", "result", "margin"), RESULTS)
def test_results_are_read_and_written(text: str, result: Result, margin: float | None) -> None:
    assert Result.parse(text) == result
    assert str(result) == text
    assert result.black_margin == margin


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("b+resign", "B+R"),
        ("White + Time", "W+T"),
        ("W+Forfeit", "W+F"),
        ("B+3,5", "B+3.5"),
        ("B+3.50", "B+3.5"),
        ("W+.5", "W+0.5"),
        ("B+0", "0"),
        ("Draw", "0"),
        ("jigo", "0"),
        ("VOID", "Void"),
        ("", "?"),
    ],
)
def test_other_spellings_of_results_are_understood(text: str, same: str) -> None:
    assert str(Result.parse(text)) == same


@pytest.mark.parametrize("text", ["B", "+3", "C+R", "B+x", "B+3.5.5", "B-3", "W+nan", "B++3"])
def test_texts_that_are_no_result_are_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        Result.parse(text)


def test_a_count_makes_a_result_in_blacks_view() -> None:
    assert str(Result.by_score(-0.5)) == "W+0.5"
    assert str(Result.by_score(7)) == "B+7"
    assert str(Result.by_score(0)) == "0"
    assert str(Result.by_resignation(BLACK)) == "W+R"
    assert str(Result.by_time(WHITE)) == "B+T"
    assert str(Result.by_forfeit(WHITE)) == "B+F"
    assert str(Result.void()) == "Void"


def test_rule_sets_and_results_load_no_compiler() -> None:
    code = (
        "import sys; from mariago.rules import Result, rules_of; rules_of('aga');"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
