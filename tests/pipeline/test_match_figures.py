"""The page of a match, its JSON and its tables for programs hold one set of figures."""

from __future__ import annotations

import csv
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.match_players import prepare

from mariago.arena import play_match
from mariago.arena.outputs import percent, signed, write_results
from mariago.arena.pace import pace_of
from mariago.arena.records import GameRecord
from mariago.arena.report import write_report
from mariago.arena.settings import settings_of
from mariago.arena.standings import StoredMatch, standings_of
from mariago.arena.standings_leads import lead_lines, leads_over, usual_opponent
from mariago.arena.standings_outputs import standings_dict
from mariago.arena.standings_page import lead_chart, standings_html
from mariago.arena.statistics import Estimate
from mariago.reports import provenance

prepare()
LIMITS = (10, 16)
ORIGIN = provenance("mariago match", 4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match")
    settings = settings_of(
        player_a="random", player_b="odd,does=resign,at=13", games=12, size=5, move_limit=24
    )
    result = play_match(settings, folder)
    write_results(result, ORIGIN, LIMITS)
    write_report(result, ORIGIN, "en", LIMITS)
    return folder


def results_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "results.json").read_text())


def rows_of(page: str, heading: str) -> list[list[str]]:
    """Return the first table after a heading of the page, as text."""
    part = page[page.index(f">{heading}</h2>") :]
    body = part[part.index("<tbody>") : part.index("</tbody>")]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [
        [html.unescape(cell).replace("\u00a0", " ") for cell in re.findall(r">([^<]*)</td>", row)]
        for row in rows
    ]


def test_the_page_shows_the_scores_at_move_limits_that_json_holds(folder: Path) -> None:
    stands = results_of(folder)["by_move_limit"]
    shown = rows_of((folder / "report.html").read_text(), "Score by move limit")
    assert [stand["limit"] for stand in stands] == [*LIMITS, None]
    assert [row[0] for row in shown] == ["after 10 moves", "after 16 moves", "at the end"]
    for stand, row in zip(stands, shown, strict=True):
        assert row[1] == str(stand["reached"])
        assert row[2] == percent(Estimate(**stand["score"]))
        lead = stand["leads"].get("territory")
        assert row[3] == ("–" if lead is None else signed(Estimate(**lead)))
        assert row[4] == str(stand["lead_games"].get("territory", 0))
    assert [stand["reached"] for stand in stands] == [12, 0, 12]
    assert stands[0]["leads"]["territory"]["low"] is not None


def test_the_tables_for_programs_hold_the_figures_of_json(folder: Path) -> None:
    found = results_of(folder)
    with (folder / "figures.csv").open(newline="") as file:
        rows = {(r["figure"], r["of"], r["at_move"]): r for r in csv.DictReader(file)}
    stand = found["by_move_limit"][0]
    for name, held in (
        (("score", "random", "10"), stand["score"]),
        (("median lead", "random", "10"), stand["leads"]["territory"]),
        (("score", "random", "end"), found["summary"]["score"]),
        (("score as White, Wilson", "random", "end"), found["summary"]["a"]["as_white"]),
    ):
        told = [rows[name][key] for key in ("value", "low", "high", "count")]
        assert told == [str(held[key]) for key in ("value", "low", "high", "count")]
    pace = found["seconds_a_move"]["a"]
    assert float(rows["seconds a move, mean", "random", "end"]["value"]) == pace["mean_s"]
    with (folder / "results.csv").open(newline="") as file:
        games = list(csv.DictReader(file))
    won = [game["winner_at_10"] for game in games]
    assert won.count("a") + won.count("") / 2 == stand["score"]["value"] * 12
    assert [game["winner_at_16"] for game in games] == [game["winner"] for game in games]
    assert all(game["lead_a_at_16"] == "" for game in games)


def test_the_page_says_that_and_how_many_pairs_would_tell(folder: Path, tmp_path: Path) -> None:
    result = play_match(
        settings_of(player_a="random", player_b="random,seed=3", games=4, size=5, move_limit=12),
        tmp_path,
    )
    page = write_report(result, ORIGIN).read_text()
    pairs = result.summary.pairs_to_tell
    assert pairs is not None
    assert not result.summary.tells
    assert f"about {pairs} pairs, {2 * pairs} games, tell" in page
    assert "They are too few" not in (folder / "report.html").read_text()


def test_seconds_a_move_are_those_of_the_games() -> None:
    def game(number: int, seconds: float, turns: int) -> GameRecord:
        both = {"seconds": {"a": seconds, "b": 0.0}, "turns": {"a": turns, "b": 0}}
        return GameRecord(number, "a", (), (), 1, None, "resign", **both)  # pyright: ignore

    pace = pace_of([game(0, 10.0, 10), game(1, 60.0, 20), game(2, 8.0, 2), game(3, 0.0, 0)], "a")
    assert (pace.games, pace.mean_s, pace.median_s) == (3, 78 / 32, 3.0)
    assert pace.most_s == pytest.approx(3.9)
    assert pace_of([game(0, 1.0, 1)], "b").median_s is None


def match_of(a: str, b: str, margins: list[float]) -> StoredMatch:
    """Return a match of which Player A has these leads, Black's and White's in turn."""
    games = tuple(
        GameRecord(
            number=n,
            black="ab"[n % 2],
            opening=(),
            moves=(),
            winner=1 if (lead > 0) == (n % 2 == 0) else 2,
            margin=lead if n % 2 == 0 else -lead,
            ending="limit",
            counting="territory",
        )
        for n, lead in enumerate(margins)
    )
    settings = settings_of(player_a=a, player_b=b, games=len(margins), size=9)
    return StoredMatch(f"{a}{b}", settings, {"a": {"name": a}, "b": {"name": b}}, games)


def test_leads_of_several_matches_are_put_together_whoever_is_player_a() -> None:
    matches = [
        match_of("v2", "old", [5.5, 7.5] * 3),
        match_of("old", "v2", [-1.5, -3.5] * 3),
        match_of("v10", "old", [20.5, 10.5] * 6),
        match_of("v2", "v10", [-9.5, -9.5]),
    ]
    found = standings_of(matches)
    over = leads_over(found.leads, "old")
    assert [(line.first, line.games, line.lead.value) for line in over] == [
        *(("v2", 12, 4.5), ("v10", 12, 15.5)),
    ]
    assert over[0].lead.low is not None
    assert over[0].lead.low >= 1.5
    (turned,) = [line for line in leads_over(found.leads, "v2") if line.first == "old"]
    low, high = over[0].lead.low, over[0].lead.high
    assert high is not None
    assert (turned.lead.low, turned.lead.high) == (-high, -low)
    assert usual_opponent(found.leads, ["v10", "v2", "old"]) == "old"
    assert usual_opponent((), ["v2"]) is None
    assert lead_lines([({"a": "x", "b": "x"}, matches[0].games)]) == ()
    chart = lead_chart(found.leads, "old", "territory")
    assert chart.index("v2") < chart.index("v10")
    assert lead_chart(found.leads, "old", "area") == ""


def test_standings_have_a_page_that_stands_alone() -> None:
    matches = [match_of("v2", "old", [5.5, 7.5] * 6), match_of("v3", "old", [9.5, -2.5] * 6)]
    found = standings_of(matches)
    page = standings_html(found, ORIGIN)
    assert "<link" not in page
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "https://" not in page
    table = rows_of(page, "Standings")
    told = standings_dict(found)
    assert isinstance(told["players"], list)
    for row, line in zip(table, told["players"], strict=True):  # pyright: ignore
        assert row[1:5:2] == [line["name"], f"{line['games']}"]
    leads = rows_of(page, "Lead")
    assert [row[:2] for row in leads] == [["v2", "old"], ["v3", "old"]]
    assert leads[0][3] == signed(found.leads[0].lead)
    for lang, said in (("zh", "对战表"), ("ja", "対戦表"), ("ko", "대전표")):
        assert said in standings_html(found, ORIGIN, lang)
