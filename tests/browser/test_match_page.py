"""The games of a match's report in a real browser. Skipped where there is no Chromium."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.browser.test_browse_page import asked

from mariago.arena import MatchResult, play_match
from mariago.arena.report import write_report
from mariago.arena.settings import settings_of
from mariago.reports import provenance

LIMITS = (11, 20)

SCRIPT = """
const said = () => root.querySelector(".opened output").textContent;
const key = (name) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key: name, bubbles: true }));
const marks = () => root.querySelectorAll(".opened .stones circle[fill=none]").length;
out.atFirst = said();
out.marks = marks();
out.focus = document.activeElement === document.body;
out.hash = location.hash;
key("ArrowLeft");
out.back = said();
out.stones = stones().length;
const stops = root.querySelectorAll(".opened [data-stop]");
out.stops = Array.from(stops, (b) => [b.textContent, b.hidden]);
stops[1].click();
out.jumped = said();
const sort = (name) => Array.from(root.querySelectorAll("th button"))
  .find((button) => button.textContent === name).click();
sort("Lead of A");
out.byLead = rows();
sort("Lead of A");
out.byLeadDown = rows();
sort("Moves");
out.byMoves = rows();
root.querySelector('tbody tr[data-key="4"]').click();
out.fourth = said();
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> MatchResult:
    settings = settings_of(
        player_a="random", player_b="random,seed=1", games=6, size=7, move_limit=30
    )
    return play_match(settings, tmp_path_factory.mktemp("match"))


def test_a_game_opens_at_the_limit_and_the_list_sorts(result: MatchResult, tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium")
    page = write_report(result, provenance("x", 0), "en", LIMITS).read_text("utf-8")
    out: dict[str, Any] = asked(chromium, page, tmp_path, SCRIPT)
    total = len(result.games[0].moves)
    assert out["atFirst"].startswith(f"Move 11 of {total} · Black ")
    assert out["marks"] == 1
    assert out["focus"]
    assert out["hash"] == ""
    assert out["back"].startswith(f"Move 10 of {total} · White ")
    assert 0 < out["stones"] <= 10
    assert out["stops"] == [["after 11 moves", False], ["after 20 moves", False]]
    assert out["jumped"].startswith("Move 20 of")
    leads = {game.number + 1: game.lead_of("a") or 0.0 for game in result.games}
    assert [leads[key] for key in out["byLead"]] == sorted(leads.values())
    assert [leads[key] for key in out["byLeadDown"]] == sorted(leads.values(), reverse=True)
    assert sorted(out["byMoves"]) == list(range(1, 7))
    assert out["fourth"].startswith(f"Move 11 of {len(result.games[3].moves)} · Black")
