"""Each repair stands beside the value, and on a page of the documentation."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mariago.sgf import read_games, read_many
from mariago.sgf.repairs import DEPARTURES, REPAIRS

ROOT = Path(__file__).parents[2]
FOX = "AP[GNU Go:3.8]AP[foxwq]"


def repairs(text: str) -> list[tuple[str, str, str, str]]:
    data = text.encode()
    [game] = read_games(data)
    [[fast]] = read_many([data])
    assert fast.repairs == game.repairs
    return [tuple(repair) for repair in game.repairs]


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        ("(;KM[650];B[dd])", ("komi_hundredths", "KM", "650", "6.5")),
        ("(;KM[375];B[dd])", ("komi_stones", "KM", "375", "7.5")),
        ("(;KM[2.75];B[dd])", ("komi_stones", "KM", "2.75", "5.5")),
        (f"(;KM[0]{FOX};B[dd])", ("komi_unknown", "KM", "0", "")),
        ("(;KM[6.5目];B[dd])", ("komi_words", "KM", "6.5目", "6.5")),
        ("(;KM[none];B[dd])", ("komi_unread", "KM", "none", "")),
        ("(;HA[1];B[dd])", ("handicap_one", "HA", "1", "0")),
        ("(;HA[让二子]AB[pd][dp];W[dd])", ("handicap_words", "HA", "让二子", "2")),
        ("(;HA[对子];B[dd])", ("handicap_unread", "HA", "对子", "0")),
        ("(;AB[pd][dp];W[dd])", ("handicap_counted", "HA", "", "2")),
        ("(;HA[2];AB[pd][dp];W[dd])", ("handicap_moved", "HA", "2", "2")),
        ("(;HA[2];W[dd])", ("handicap_unplaced", "HA", "2", "2")),
        ("(;HA[4]AB[pd][dp];W[dd])", ("handicap_differs", "HA", "4", "4")),
        ("(;RE[黑中盘胜];B[dd])", ("result_words", "RE", "黑中盘胜", "B+R")),
        ("(;RE[Jigo];B[dd])", ("result_words", "RE", "Jigo", "0")),
        ("(;RE[B+];B[dd])", ("result_bare", "RE", "B+", "B+")),
        ("(;RE[W+0.0];B[dd])", ("result_uncounted", "RE", "W+0.0", "W+")),
        ("(;RE[see above];B[dd])", ("result_unread", "RE", "see above", "")),
        ("(;BR[P9段];B[dd])", ("rank_words", "BR", "P9段", "9p")),
        ("(;WR[Meijin];B[dd])", ("rank_unread", "WR", "Meijin", "")),
        ("(;DT[5 Apr 2013];B[dd])", ("date_words", "DT", "5 Apr 2013", "2013-04-05")),
        ("(;DT[c. 1850];B[dd])", ("date_part", "DT", "c. 1850", "1850")),
        ("(;DT[13/5/95];B[dd])", ("date_unread", "DT", "13/5/95", "")),
        ("(;SZ[9x13];B[dd])", ("size_words", "SZ", "9x13", "9:13")),
    ],
)
def test_a_repair_holds_the_text_and_what_it_is_taken_for(
    text: str, repair: tuple[str, str, str, str]
) -> None:
    assert repairs(text) == [repair]


@pytest.mark.parametrize(
    "text",
    [
        "(;KM[6.5]RE[B+R]HA[0]BR[9p]WR[3d*]DT[2013-04-05,06]SZ[19];B[dd])",
        "(;HA[2]AB[pd][dp]KM[0.5]RE[W+T]BR[?]WR[-]DT[2013-04];W[dd])",
        f"(;HA[2]KM[0]{FOX}AB[pd][dp]RE[0];W[dd])",
        "(;HA[3]AB[pd][dp]RE[?];B[dd])",  # the third stone is Black's first move
        "(;KM[]RE[]DT[]BR[]HA[];B[dd])",
    ],
)
def test_what_stands_in_the_format_is_left_alone(text: str) -> None:
    assert repairs(text) == []


def test_every_code_is_in_the_documentation_and_every_documented_code_exists() -> None:
    page = (ROOT / "docs/reference/repairs.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(listed) == sorted(REPAIRS)
    assert set(REPAIRS) >= DEPARTURES


def test_every_code_of_a_problem_is_in_the_documentation() -> None:
    page = (ROOT / "docs/reference/sgf.md").read_text("utf-8")
    codes: set[str] = set()
    for path in (ROOT / "src/mariago/sgf").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                first = node.args[0]
                if called in ("note", "refuse", "Problem") and isinstance(first, ast.Constant):
                    codes.add(str(first.value))
    codes -= {""}
    assert len(codes) > 20
    assert {code for code in codes | DEPARTURES if f"`{code}`" not in page} == set()
