"""``mariago teach`` and ``mariago ablate``: whole, interrupted, killed, and gone on with."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mariago.arena.settings import settings_of
from mariago.cli.main import call
from mariago.errors import BadInputError
from mariago.lessons import Book
from mariago.teaching.ablation import ablate
from mariago.teaching.cross_settings import AblationSettings, TeachSettings, checked
from mariago.teaching.rounds import book_path, planned_games, teach

PLAYERS = ("heuristic:v3", "heuristic:v2")
BOARD = ("--size", "7", "--move-limit", "40", "--jobs", "1", "--seed", "5")
ROUNDS = ("--rounds", "2", "--games", "2", "--third", "random", "--third-games", "2")
CELLS = ("--games", "2", "--lesson-games", "2", "--third", "random", "--looked-at", "2")


def terms(**others: object) -> Any:
    values = {"player_a": PLAYERS[0], "player_b": PLAYERS[1], "games": 2, "size": 7}
    return settings_of(**{**values, "move_limit": 40, "seed": 5, **others})  # pyright: ignore


def rounds(number: int = 2) -> TeachSettings:
    return checked(TeachSettings, terms(), ["random"], rounds=number, third_games=2)


def cells(games: int = 2) -> AblationSettings:
    return checked(AblationSettings, terms(), ["random"], games=games, looked_at=2)


def digests(folder: Path) -> dict[str, str]:
    """Return what each book of a run says."""
    found: dict[str, str] = {}
    for path in sorted((folder / "books").glob("*.book")):
        with Book.open(path) as book:
            found[path.name] = book.table().digest
    return found


class Interrupted(Exception):
    pass


def stop_at(number: int) -> Any:
    seen: list[str] = []

    def on_game(text: str) -> None:
        seen.append(text)
        if len(seen) == number:
            raise Interrupted

    return on_game


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("teach") / "whole"
    return folder, teach(rounds(), folder).as_dict()


def test_a_run_has_rounds_books_and_third_parties(whole: tuple[Path, dict[str, Any]]) -> None:
    folder, values = whole
    assert [one["round"] for one in values["rounds"]] == [0, 1, 2]
    assert planned_games(rounds()) == (4, (12,))
    assert sorted(digests(folder)) == ["a-01.book", "a-02.book", "b-01.book", "b-02.book"]
    for side in ("a", "b"):
        books = [one["sides"][side]["book"]["lessons"] for one in values["rounds"]]
        given = [
            sum(kind["lessons"] for kind in one["sides"][side]["given"].values())
            for one in values["rounds"]
        ]
        assert books == [0, given[1], given[1] + given[2]]
        assert values["rounds"][2]["sides"][side]["used"]["differing"] == 0
    assert sum(
        one["sides"][side]["book"]["lessons"] for one in values["rounds"][1:] for side in "ab"
    )
    with Book.open(book_path(folder, "a", 2)) as book:
        assert {lesson.receiver for lesson in book.lessons()} <= {PLAYERS[0]}
        assert book.game_count() == 4


slow = pytest.mark.slow


@pytest.mark.parametrize("at", [pytest.param(1, marks=slow), 6, pytest.param(9, marks=slow)])
def test_an_interrupted_run_ends_as_if_it_had_not_been(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path, at: int
) -> None:
    with pytest.raises(Interrupted):
        teach(rounds(), tmp_path / "run", on_game=stop_at(at))
    books = tmp_path / "run" / "books"
    books.mkdir(exist_ok=True)
    (books / ".a-02.book.part").write_bytes(b"half a book")  # as a killed one leaves it
    assert teach(rounds(), tmp_path / "run", resume=True).as_dict() == whole[1]
    assert digests(tmp_path / "run") == digests(whole[0])
    assert not list(books.glob(".*"))


def test_a_run_is_begun_once_and_may_become_longer(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    short = teach(rounds(1), tmp_path / "run")
    with pytest.raises(BadInputError, match="holds a run already"):
        teach(rounds(1), tmp_path / "run")
    assert len(short.rounds) == 2
    moved = tmp_path / "elsewhere"
    shutil.move(tmp_path / "run", moved)
    assert teach(rounds(1), moved, resume=True).as_dict() == short.as_dict()
    assert teach(rounds(2), moved, resume=True).as_dict() == whole[1]


def test_a_killed_run_ends_as_if_it_had_not_been(
    whole: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "mariago", "teach", *PLAYERS, *ROUNDS, *BOARD]
    process = subprocess.Popen([*command, "--out", str(folder)], stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 300
        while process.poll() is None and time.monotonic() < until:
            if (folder / "books" / "a-01.book").exists():
                break
            time.sleep(0.005)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert teach(rounds(), folder, resume=True).as_dict() == whole[1]
    assert digests(folder) == digests(whole[0])


@pytest.mark.parametrize("lang", ["en", *(pytest.param(x, marks=slow) for x in ("zh", "ja", "ko"))])
def test_the_command_writes_page_json_and_csv(
    whole: tuple[Path, dict[str, Any]], lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, values = whole
    arguments = [*PLAYERS, *ROUNDS, *BOARD, "--out", str(folder), "--resume", "--lang", lang]
    assert call(["teach", *arguments]) == 0
    said = capsys.readouterr().out
    assert "A is heuristic:v3, B is heuristic:v2" in said
    kept = json.loads((folder / "teach.json").read_text("utf-8"))
    del kept["provenance"]
    assert kept == json.loads(json.dumps(values))
    assert len((folder / "teach.csv").read_text("utf-8").splitlines()) == 1 + 2 * 3
    page = (folder / "teach.html").read_text("utf-8")
    assert page.count("<svg") == 4
    word = {"en": "Moves that a lesson changed", "zh": "被课改变的着手",
            "ja": "教えが変えた着手", "ko": "교훈이 바꾼 착수"}[lang]  # fmt: skip
    assert word in page


def test_an_estimate_plays_nothing_that_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    both = ["--estimate", "--json", *BOARD, "--out", str(out)]
    assert call(["ablate", *PLAYERS, *CELLS, *both]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 2 + 5 * 2
    assert not out.exists()


def test_an_ablation_differs_in_books_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    with pytest.raises(Interrupted):
        ablate(cells(), folder, on_game=stop_at(7))
    arguments = [*PLAYERS, *CELLS, *BOARD, "--out", str(folder)]
    assert call(["ablate", *arguments]) == 2, "a run is there"
    assert "--resume" in capsys.readouterr().err
    assert call(["ablate", *arguments, "--resume", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads(json.dumps(ablate(cells(), tmp_path / "whole").as_dict()))
    by_name = {cell["cell"]: cell for cell in told["cells"]}
    assert list(by_name) == ["none", "own", "cross", "double", "shuffled"]
    assert by_name["cross"]["lessons"] == by_name["double"]["lessons"] > 0
    assert by_name["double"]["weight"] >= by_name["cross"]["weight"]
    assert by_name["shuffled"]["weight"] == by_name["double"]["weight"]
    page = (folder / "ablation.html").read_text("utf-8")
    assert page.count("<svg") == 3
    assert "The games do not tell" in page
    more = ablate(cells(4), folder, resume=True)
    assert {sum(len(m.games) for m in cell.matches) for cell in more.cells} == {4}
