"""The page of ``records browse`` in a real browser: what is drawn is the game as it was played.

Chromium runs a few lines at the end of the page, which search, sort, open and step as a reader
would, and writes the page out again. Skipped where there is no Chromium.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game

from mariago.board.points import BLACK, WHITE, size_of
from mariago.records import BuildOptions, build_records
from mariago.records.browse import GameChoice, write_browser
from mariago.rules import Game
from mariago.sgf import write_game

SIZES = ("9", "13x7", "5", "19")
GAMES = [random_game(seed, size_of(size), 60) for seed, size in enumerate(SIZES)]

READ = """
const out = {};
const root = document.querySelector("main .browser");
const type = (text) => {
  const field = root.querySelector("input[type=search]");
  field.value = text;
  field.dispatchEvent(new Event("input"));
};
const rows = () => Array.from(root.querySelectorAll("tbody tr"), (row) => Number(row.dataset.key));
const stones = () => Array.from(root.querySelectorAll(".opened .stones circle"))
  .filter((c) => c.getAttribute("fill") !== "none")
  .map((c) => ["cx", "cy", "fill"].map((name) => c.getAttribute(name)));
const press = (go) => root.querySelector(`.opened [data-go=${go}]`).click();
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const lines = () => Array.from(root.querySelectorAll(".opened svg text"),
  (t) => [t.textContent, t.getAttribute("x"), t.getAttribute("y")]);
"""


@pytest.fixture(scope="module")
def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no Chromium")
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    source = write_files(folder / "source", [write_game(game) for game in GAMES])
    options = BuildOptions(size="any", validation=0, test=0)
    manifest = build_records(
        [source], origin="made", terms="CC0-1.0", out=folder / "set", options=options
    )
    write_browser(manifest.folder, folder / "games.html")
    return (folder / "games.html").read_text("utf-8")


def asked(
    chromium: str, page: str, folder: Path, script: str, place: str = "", width: int = 1300
) -> dict[str, Any]:
    """Run ``script`` at the end of the page; return what it wrote into ``out``."""
    code = (
        f"(async () => {{ {READ} try {{ {script} }} catch (error) "
        "{ out.error = String(error); }"
        " const held = document.createElement('pre'); held.id = 'held';"
        " held.textContent = JSON.stringify(out); document.body.append(held); })();"
    )
    # The page lets only its own script run, known by its hash; ours is let in beside it.
    ours = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert "script-src 'sha256-" in page
    page = page.replace("script-src '", f"script-src 'sha256-{ours}' '")
    end = f"<script>{code}</script>"
    target = folder / "asked.html"
    target.write_text(page.replace("</body>", end + "</body>"), "utf-8")
    done = subprocess.run(
        [
            chromium,
            *("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000"),
            f"--window-size={width},900",
            *(f"--user-data-dir={folder / 'profile'}", "--dump-dom", target.as_uri() + place),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    (held,) = re.findall(r'<pre id="held">(.*?)</pre>', done.stdout, re.DOTALL)
    out = json.loads(html.unescape(held))
    assert "error" not in out, out
    return out


def board_of(out: dict[str, Any], game: Game) -> np.ndarray:
    """Return the board that was drawn, told by the places of the stones among the coordinates."""
    columns = {x: text for text, x, _ in out["texts"] if text.isalpha()}
    rows = {y: text for text, _, y in out["texts"] if text.isdigit()}
    letters = "ABCDEFGHJKLMNOPQRST"
    across = sorted(columns, key=float)
    down = sorted(rows, key=float)
    assert [columns[x] for x in across] == list(letters[: game.start.size.columns])
    assert [rows[y] for y in down] == [str(n) for n in range(game.start.size.rows, 0, -1)]
    board = np.zeros(game.start.size, np.uint8)
    for cx, cy, fill in out["stones"]:
        column = min(range(len(across)), key=lambda c: abs(float(across[c]) - float(cx)))
        row = min(range(len(down)), key=lambda r: abs(float(down[r]) - float(cy)))
        board[row, column] = BLACK if fill < "#8" else WHITE
    return board


@pytest.mark.parametrize("at", range(len(SIZES)))
def test_every_step_shows_the_board_of_the_game(
    chromium: str, page: str, tmp_path: Path, at: int
) -> None:
    game = GAMES[at]
    positions = list(game.positions())
    for ply in (1, 2, len(positions) // 2, len(positions) - 1):
        script = "out.stones = stones(); out.texts = lines();"
        out = asked(chromium, page, tmp_path, script, f"#{at}:{ply}")
        assert np.array_equal(board_of(out, game), positions[ply].stones), ply


def test_stepping_back_undoes_what_stepping_on_did(
    chromium: str, page: str, tmp_path: Path
) -> None:
    script = """
    const boards = [];
    press("first");
    for (let k = 0; k < 40; k++) { boards.push(stones().sort().join(";")); press("next"); }
    out.same = true;
    for (let k = 39; k >= 0; k--) {
      press("back");
      out.same &&= stones().sort().join(";") === boards[k];
    }
    press("last");
    out.last = root.querySelector(".opened output").textContent;
    """
    out = asked(chromium, page, tmp_path, script, "#0")
    assert out["same"] is True
    moves = len(GAMES[0].moves)
    assert f"{moves}" in out["last"]


def test_the_list_is_searched_and_sorted(chromium: str, page: str, tmp_path: Path) -> None:
    script = """
    out.all = rows();
    type("00002");
    await wait(400);
    out.found = rows();
    type("no such game");
    await wait(400);
    out.none = rows();
    type("");
    await wait(400);
    root.querySelectorAll("th button").forEach((button) => button.click());
    out.sorted = rows();
    root.querySelector("tbody tr button").click();
    out.opened = root.querySelector(".opened").hidden;
    """
    out = asked(chromium, page, tmp_path, script)
    assert sorted(out["all"]) == [0, 1, 2, 3]
    assert out["found"] == [2]
    assert out["none"] == []
    assert sorted(out["sorted"]) == [0, 1, 2, 3]
    assert out["opened"] is False


# -- a list with ranks and boards of several kinds ---------------------------------------------

RANKS = ["9k", "10k", "1d", "2p", "1k", "9d", "30k", "?"]
BOARDS = ["19", "9", "13", "5x3", "11", "7", "13", "9"]
LONG = "Black wins by resignation after a long and bitter fight about the last ko"


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page of seven games: the one with number 2 is not on it."""
    folder = tmp_path_factory.mktemp("ranked")
    files: list[bytes] = []
    for seed, (rank, board) in enumerate(zip(RANKS, BOARDS, strict=True)):
        game = write_game(random_game(seed, size_of(board), 30))
        start = game.index(b"PB[")
        files.append(game[:start] + f"BR[{rank}]".encode() + game[start:])
    files[0] = re.sub(rb"RE\[[^]]*\]", f"RE[{LONG}]".encode(), files[0])
    source = write_files(folder / "source", files)
    options = BuildOptions(size="any", validation=0, test=0)
    manifest = build_records(
        [source], origin="made", terms="CC0-1.0", out=folder / "set", options=options
    )
    write_browser(manifest.folder, folder / "games.html", GameChoice(games=7), seed=1)
    text = (folder / "games.html").read_text("utf-8")
    assert [key for key in range(8) if f"[{key},[{key}," not in text] == [ABSENT]
    return text


ABSENT = 2

COLUMN = """
const names = Array.from(root.querySelectorAll("th"), (th) => th.textContent);
const column = (name) => names.indexOf(name);
const cells = (name) => {
  const c = column(name);
  return Array.from(root.querySelectorAll("tbody tr"), (row) => row.children[c].textContent);
};
const click = (name) => root.querySelectorAll("th button")[column(name)].click();
"""


def test_ranks_and_boards_are_sorted_as_players_count_them(
    chromium: str, ranked: str, tmp_path: Path
) -> None:
    script = (
        COLUMN
        + """
    click("Rank"); out.ranks = cells("Rank");
    click("Rank"); out.down = cells("Rank");
    click("Board"); out.boards = cells("Board");
    const choice = root.querySelector(`select[data-column="${column("Board")}"]`);
    out.choices = Array.from(choice.options, (option) => option.textContent);
    """
    )
    out = asked(chromium, ranked, tmp_path, script)
    order = ["?", "30k", "10k", "9k", "1k", "1d", "9d", "2p"]
    there = [rank for rank in order if rank != RANKS[ABSENT]]
    assert out["ranks"] == there
    assert out["down"] == there[::-1]
    assert out["boards"] == ["5x3", "7x7", "9x9", "9x9", "11x11", "13x13", "19x19"]
    assert out["choices"] == ["all", "5x3", "7x7", "9x9", "11x11", "13x13", "19x19"]


def test_a_game_that_is_not_on_the_page_is_said_to_be_absent(
    chromium: str, ranked: str, tmp_path: Path
) -> None:
    script = """
    const note = root.querySelector(".absent");
    const seen = () => note.offsetHeight > 0 ? note.textContent : "";
    out.absent = seen();
    out.opened = !root.querySelector(".opened").hidden;
    root.querySelector("tbody tr button").click();
    out.after = seen();
    location.hash = "#77:5";
    await wait(200);
    out.other = seen();
    location.hash = "#1";
    await wait(200);
    out.found = seen();
    """
    out = asked(chromium, ranked, tmp_path, script, f"#{ABSENT}:100")
    assert out["absent"] == f"Game {ABSENT} is not on this page."
    assert out["opened"] is False
    assert out["after"] == out["found"] == ""
    assert out["other"] == "Game 77 is not on this page."


def test_a_page_that_no_game_was_asked_of_says_nothing(
    chromium: str, ranked: str, tmp_path: Path
) -> None:
    out = asked(chromium, ranked, tmp_path, 'out.h = root.querySelector(".absent").offsetHeight;')
    assert out["h"] == 0


def test_a_game_opens_at_its_start_and_the_arrow_key_goes_on(
    chromium: str, page: str, tmp_path: Path
) -> None:
    script = """
    const told = () => root.querySelector(".opened output").textContent;
    const key = (name) => document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: name, bubbles: true }));
    out.start = told();
    out.stones = stones().length;
    key("ArrowRight"); key("ArrowRight"); out.second = told();
    key("ArrowLeft"); out.first = told();
    root.querySelector("[data-game='1']").click();
    out.next = told();
    """
    out = asked(chromium, page, tmp_path, script, "#1")
    assert (out["start"], out["stones"]) == ("Start position", 0)
    assert out["second"].startswith("Move 2 of")
    assert out["first"].startswith("Move 1 of")
    assert out["next"] == "Start position"


def test_long_values_are_cut_in_the_list_and_whole_in_their_titles(
    chromium: str, ranked: str, tmp_path: Path
) -> None:
    script = (
        COLUMN
        + """
    const row = root.querySelector('tbody tr[data-key="0"]');
    const cell = row.children[column("Result")];
    out.width = cell.offsetWidth;
    out.title = cell.title;
    out.file = row.children[column("File")].textContent;
    const list = root.querySelector(".list");
    out.fits = list.scrollWidth <= list.clientWidth;
    """
    )
    out = asked(chromium, ranked, tmp_path, script, width=1300)
    assert out["title"] == LONG
    assert out["file"] == "00000.sgf"
    assert out["width"] < 180
    assert out["fits"] is True


def test_the_panel_tells_komi_handicap_and_date_by_their_names(
    chromium: str, ranked: str, tmp_path: Path
) -> None:
    script = """
    const names = Array.from(root.querySelectorAll(".opened dt"), (dt) => dt.textContent);
    const values = Array.from(root.querySelectorAll(".opened dd"), (dd) => dd.textContent);
    names.forEach((name, k) => { out[name] = values[k]; });
    """
    out = asked(chromium, ranked, tmp_path, script, "#0")
    assert out["Result"] == LONG
    assert (out["Komi"], out["Handicap"], out["Date"]) == ("7.5", "0", "unknown")
