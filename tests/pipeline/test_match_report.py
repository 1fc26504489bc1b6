"""What a match leaves for people and programs: the page, the tables, the command line."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.match_players import prepare
from tests.pipeline.page_texts import left_in_english

from mariago.arena import MatchResult, play_match, summarise
from mariago.arena.outputs import summary_text, write_results
from mariago.arena.records import ENDINGS, ILLEGAL_IN_WORDS, SHORT_ENDINGS
from mariago.arena.report import RULES_IN_WORDS, match_sections, write_report
from mariago.arena.settings import settings_of
from mariago.arena.summary import RULE_OF_STOPPING, RULES_OF_COUNTING
from mariago.cli.main import call
from mariago.reports import provenance
from mariago.rules import RULE_SETS
from mariago.words import texts

prepare()
REFERENCE = re.compile(r"""(?:\b(?:src|href)\s*=\s*["']?|\burl\(\s*["']?)([^"')\s>]*)""")


def browsers(html: str) -> list[dict[str, Any]]:
    """Return what the lists of games on a page hold."""
    found = re.findall(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)
    return [json.loads(text) for text in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match")
    settings = settings_of(
        player_a="random",
        player_b="odd,does=illegal,at=31",
        games=6,
        size=9,
        komi=6.5,
        move_limit=30,
        seed=4,
    )
    result = play_match(settings, folder)
    origin = provenance("mariago match random odd", 4)
    write_results(result, origin)
    write_report(result, origin)
    return folder


def test_the_page_stands_alone(folder: Path) -> None:
    html = (folder / "report.html").read_text()
    found = REFERENCE.findall(re.sub(r"<script>.*?</script>", "", html, flags=re.S))
    assert found
    assert all(target.startswith(("#", "data:")) for target in found)
    assert "@import" not in html
    assert "default-src 'none'" in html
    assert "<link" not in html


def test_the_page_has_a_viewer_of_every_game_and_what_made_it(folder: Path) -> None:
    html = (folder / "report.html").read_text()
    (listed,) = browsers(html)
    assert len(listed["games"]) == 6
    assert all(game[3]["m"] for game in listed["games"])
    for said in ("mariago match random odd", "Player A", "SHA-256", "numpy", "territory", "6.5"):
        assert said in html
    results = json.loads((folder / "results.json").read_text())
    for game in results["games"]:
        assert game["result"] in html


def test_the_tables_agree_with_each_other(folder: Path) -> None:
    results = json.loads((folder / "results.json").read_text())
    assert results["settings"]["move_limit"] == 30
    assert results["players"]["a"]["kind"] == "random"
    assert len(results["games"]) == results["summary"]["played"] == 6
    with (folder / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row, game in zip(rows, results["games"], strict=True):
        assert int(row["game"]) == game["number"] + 1
        assert row["result"] == game["result"]
        assert int(row["moves"]) == len(game["moves"])
        assert row["black"] == ("random" if game["black"] == "a" else "odd,does=illegal,at=31")
    wins = sum(row["winner"] == "a" for row in rows)
    assert wins == results["summary"]["a"]["wins"]


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_page_is_written_in_every_language(tmp_path: Path, lang: str) -> None:
    settings = settings_of(
        player_a="random", player_b="odd,does=raise,at=5", games=2, size=5, move_limit=9
    )
    result = play_match(settings, tmp_path)
    origin = provenance("mariago match", 0)
    english = write_report(result, origin).read_text()
    other = write_report(result, origin, lang).read_text()
    assert f'<html lang="{lang}">' in other
    assert "ValueError" in other
    names = ("random", "odd", "Elo", "SHA-256", "{", "mariago", "ValueError", "2", origin.machine)
    assert [text for text in left_in_english(english, other) if not text.startswith(names)] == []


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "(there is a stone)"), ("zh", "（该点已有棋子）"), ("ko", "(돌이 있는 자리)")],
)
def test_an_illegal_move_keeps_its_code_and_gets_an_explanation(
    folder: Path, tmp_path: Path, lang: str, said: str
) -> None:
    settings = settings_of(
        player_a="random",
        player_b="odd,does=illegal,at=31",
        games=6,
        size=9,
        komi=6.5,
        move_limit=40,
        seed=4,
    )
    result = play_match(settings, tmp_path)
    assert any(game.detail.endswith(": occupied") for game in result.games)
    html = write_report(result, provenance("x", 4), lang).read_text()
    assert f": occupied {said}" in html or f": occupied{said}" in html


def test_names_that_try_to_be_markup_stay_text(tmp_path: Path) -> None:
    name = 'odd,does="<script>alert(1)</script>"'
    settings = settings_of(player_a="random", player_b=name, games=2, size=5, move_limit=9)
    result = play_match(settings, tmp_path)
    html = write_report(result, provenance("x", 0)).read_text()
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html


def test_a_match_without_games_still_has_a_page_and_a_table(tmp_path: Path) -> None:
    settings = settings_of(player_a="random", player_b="random", games=2)
    players: dict[str, dict[str, object]] = {"a": {"name": "random"}, "b": {"name": "random"}}
    result = MatchResult(settings, players, (), summarise(settings, ()), tmp_path)
    write_report(result, provenance("x", 0))
    assert match_sections(result, provenance("x", 0))
    assert "Missing games" in summary_text(result)
    write_results(result, provenance("x", 0))


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = call([*arguments])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_the_command_prints_a_table_and_leaves_its_files(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "m"
    options = ["--games", "4", "--size", "5", "--move-limit", "12", "--jobs", "1"]
    code, shown, log = run("match", "random", "random,seed=1", *options, "--out", str(out))
    assert code == 0
    assert "A's score, 95%" in shown
    assert "4 of 4" in shown
    assert "report.html" in log
    assert {path.name for path in out.iterdir()} == {
        *("games", "match.sqlite", "report.html", "results.csv", "results.json", "figures.csv"),
    }
    code, shown, _ = run(
        "match", "random", "random,seed=1", *options, "--out", str(out), "--resume", "--json"
    )
    assert code == 0
    assert json.loads(shown)["summary"]["played"] == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["random", "randon"], "did you mean random?"),
        (["random", "random", "--games", "7"], "write 6 or 8"),
        (["random", "random", "--size", "30"], "30x30"),
        (["random", "random", "--rules", "chess"], "'chess' is not a rule set"),
        (["random", "random", "--scoring", "stones"], "--scoring"),
        (["random", "net:nowhere"], "nowhere: no such folder"),
    ],
)
def test_wrong_input_is_one_line_and_a_hint(
    run: Run, tmp_path: Path, arguments: list[str], said: str
) -> None:
    code, shown, log = run("match", *arguments, "--out", str(tmp_path / "m"))
    assert code == 2
    assert shown == ""
    lines = [line for line in log.splitlines() if line.startswith(("error:", "hint:"))]
    assert lines[0].startswith("error:")
    assert any(said in line for line in lines)
    assert not (tmp_path / "m").exists()


def test_the_players_are_listed(run: Run) -> None:
    code, shown, _ = run("players")
    assert code == 0
    for word in ("random", "net[:FOLDER]", "heuristic[:VERSION]", "temperature=0.0"):
        assert word in shown
    code, shown, _ = run("players", "--json")
    found = json.loads(shown)
    assert {"random", "heuristic", "net"} <= set(found["kinds"])
    keys = {key["name"] for key in found["kinds"]["net"]["keys"]}
    assert {"temperature", "until_move", "symmetries"} <= keys


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_endings_and_rules_of_counting_are_told_in_every_language(lang: str) -> None:
    _ = texts(lang)
    words = (*ENDINGS.values(), *SHORT_ENDINGS.values(), *RULES_OF_COUNTING, RULE_OF_STOPPING)
    for english in (*words, *ILLEGAL_IN_WORDS.values(), *RULES_IN_WORDS.values()):
        assert _(english) != english


def test_every_named_rule_set_has_words() -> None:
    assert set(RULES_IN_WORDS) == set(RULE_SETS)
