"""``mariago lessons`` from a match to a player that has learnt, and back."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from mariago.arena import play_match
from mariago.arena.settings import settings_of
from mariago.cli.main import call
from mariago.lessons import Book

PLAYERS = ("heuristic:v6", "heuristic:v2")


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("matches") / "first"
    settings = settings_of(
        player_a=PLAYERS[0], player_b=PLAYERS[1], games=4, size=9, move_limit=70, seed=3
    )
    play_match(settings, folder)
    return folder


@pytest.fixture(scope="module")
def learnt(match: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("books") / "lessons.db"
    assert call(["lessons", "learn", str(path), str(match)]) == 0
    return path


@pytest.fixture
def book(learnt: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(learnt, tmp_path / "lessons.db"))


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """Run a command with --json and return what it says."""
    capsys.readouterr()
    assert call(["lessons", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_match_is_learnt_from_once(
    match: Path, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "learn", book, match)
    assert told == {"book": str(book), "games": 0, "known": 4, "lessons": 0}
    fresh = said(capsys, "learn", book.with_name("other.db"), match, match)
    assert (fresh["games"], fresh["known"]) == (4, 4)
    with Book.open(book) as one, Book.open(book.with_name("other.db")) as other:
        assert one.table().digest == other.table().digest
        assert fresh["lessons"] == len(list(one.lessons())) > 10


def test_a_book_shows_who_gave_whom_what(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "show", book, "--top", 2)
    assert told["games"] == 4
    assert {(g["giver"], g["receiver"]) for g in told["given"]} <= {PLAYERS, PLAYERS[::-1]}
    assert len(told["patterns"]) == 2
    assert call(["lessons", "show", str(book), "--lang", "zh"]) == 0
    text = capsys.readouterr().out
    assert "提子" in text or "吃" in text or "打吃" in text
    assert "(X)" in text or "(O)" in text, "the move stands in brackets"
    one = said(capsys, "show", book, "--for", PLAYERS[1])
    assert {g["receiver"] for g in one["given"]} == {PLAYERS[1]}


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko"])
def test_a_book_is_shown_as_a_page(book: Path, tmp_path: Path, lang: str) -> None:
    page = tmp_path / "book.html"
    assert call(["lessons", "show", str(book), "--out", str(page), "--lang", lang]) == 0
    text = page.read_text("utf-8")
    assert text.count("<svg") >= 3
    assert PLAYERS[0] in text
    assert "mariago lessons show" in text, "the command that made it"


def test_a_lesson_is_traced_to_its_games(
    book: Path, match: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = said(capsys, "show", book)["patterns"][0]
    told = said(capsys, "trace", book, top["id"])["lessons"]
    assert len(told) == top["lessons"]
    assert sum(one["weight"] for one in told) == top["weight"]
    assert {one["match"] for one in told} == {str(match)}
    assert call(["lessons", "trace", str(book), top["id"][:8]]) == 0
    assert capsys.readouterr().out.count(str(match)) == top["lessons"] + 1


def test_a_game_is_taken_back_and_learnt_again(
    book: Path, match: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Book.open(book) as read:
        before = read.table().digest
    one = said(capsys, "undo", book, "--game", 2)
    assert one["games"] == 1
    again = said(capsys, "learn", book, match)
    assert (again["games"], again["lessons"]) == (1, one["lessons"])
    assert said(capsys, "undo", book, "--match", match)["games"] == 4
    said(capsys, "learn", book, match)
    with Book.open(book) as read:
        assert read.table().digest == before
    assert said(capsys, "undo", book, "--since", "2020-01-31")["games"] == 4


def test_a_reset_asks(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert call(["lessons", "reset", str(book)]) != 0
    with Book.open(book) as read:
        assert read.game_count() == 4
    assert said(capsys, "reset", book, "--yes")["games"] == 4
    with Book.open(book) as read:
        assert read.game_count() == 0


def test_lessons_are_written_out(book: Path, tmp_path: Path) -> None:
    lines, table = tmp_path / "l.jsonl", tmp_path / "l.csv"
    for out in (lines, table):
        assert call(["lessons", "export", str(book), "--out", str(out)]) == 0
    rows = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    with table.open(encoding="utf-8", newline="") as file:
        assert [row["pattern"] for row in csv.DictReader(file)] == [row["pattern"] for row in rows]
    with Book.open(book) as read:
        known = list(read.lessons())
    assert [row["number"] for row in rows] == [one.number + 1 for one in known]
    with table.open(encoding="utf-8", newline="") as file:
        assert [int(row["number"]) for row in csv.DictReader(file)] == [
            row["number"] for row in rows
        ]
    assert {row["kind"] for row in rows} <= {"capture", "atari_save", "working_chase"}
    assert all(row["giver"] != row["receiver"] for row in rows)


def test_games_that_taught_become_weighted_samples(book: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    games, data = tmp_path / "games", tmp_path / "data"
    assert call(["lessons", "games", str(book), "--out", str(games), "--factor", "4"]) == 0
    rows = [json.loads(line) for line in (games / "lessons.jsonl").read_text().splitlines()]
    built = call(
        [
            *("records", "build", str(games), "--out", str(data), "--size", "9", "--facts"),
            *("--origin", "a match", "--terms", "own", "--weights", str(games / "weights.toml")),
            *("--validation", "0", "--test", "0", "--jobs", "1"),
        ]
    )
    assert built == 0
    (shard,) = data.glob("train-*.parquet")
    samples = pq.read_table(shard, columns=["move", "weight", "captures"]).to_pylist()
    heavy = [sample for sample in samples if sample["weight"] >= 4]
    assert heavy
    assert all(sample["weight"] >= 4 for sample in samples if sample["captures"])
    assert {row["move"] for row in rows if row["kind"] == "capture"} <= {s["move"] for s in heavy}
    assert call(["lessons", "games", str(book), "--out", str(games)]) == 2, "not into used folders"


def test_a_taught_player_plays_a_match_and_learns_on(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The names of players with a book are those they had before."""
    settings = settings_of(
        player_a=f"{PLAYERS[0]},book={book}",
        player_b=f"{PLAYERS[1]},book={book}",
        games=2,
        size=9,
        move_limit=40,
        seed=4,
    )
    result = play_match(settings, tmp_path / "second")
    assert {game.ending for game in result.games} <= {"limit", "passes"}
    assert result.players["a"]["lessons"]["patterns"] > 0  # pyright: ignore
    said(capsys, "learn", book, tmp_path / "second")
    with Book.open(book) as read:
        assert read.sides() == sorted(PLAYERS)
        assert read.game_count() == 6


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "{none}"],
        ["show", "{text}"],
        ["show", "{folder}"],
        ["show", "{book}", "--for", "nobody"],
        ["trace", "{book}", "zz"],
        ["trace", "{book}", ""],
        ["undo", "{book}"],
        ["undo", "{none}", "--game", "1"],
        ["undo", "{book}", "--game", "99"],
        ["undo", "{book}", "--since", "yesterday"],
        ["reset", "{none}", "--yes"],
        ["export", "{book}", "--out", "{folder}/x.txt"],
        ["export", "{book}", "--out", "{folder}/no/x.csv"],
        ["learn", "{none}", "{folder}"],
        ["learn", "{text}", "{match}"],
        ["learn", "{book}", "{match}", "--to", "own"],
        ["learn", "{none}", "{match}", "--to", "nobody"],
        ["learn", "{folder}/no/b.db", "{match}"],
    ],
)
def test_mistakes_end_with_one_line_and_leave_nothing(
    book: Path,
    match: Path,
    tmp_path: Path,
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "text").write_text("no book")
    places = {"book": book, "match": match, "folder": folder, "none": tmp_path / "none"}
    filled = [part.format(text=tmp_path / "text", **places) for part in arguments]
    before = book.read_bytes()
    capsys.readouterr()
    assert call(["lessons", *filled]) == 2
    error = capsys.readouterr().err.splitlines()
    assert [line for line in error if line.startswith("error: ")]
    assert not [line for line in error if "Traceback" in line]
    assert book.read_bytes() == before
    assert not (tmp_path / "none").exists()
    assert (tmp_path / "text").read_text() == "no book"


def test_boards_say_what_their_marks_and_counts_mean(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["lessons", "show", str(book), "--top", "1"]) == 0
    text = capsys.readouterr().out
    assert "the stone in brackets is the move that teaches" in text
    assert "a winner's move 2, others 1" in text
    assert call(["lessons", "show", str(book), "--top", "0"]) == 0
    assert "brackets" not in capsys.readouterr().out, "no boards, no marks"


LONG = "x" * 900


@pytest.mark.parametrize(
    "words",
    [
        ["show", "--for", LONG],
        ["export", "--for", LONG, "--out", "a.csv"],
        ["games", "--for", LONG, "--out", "a"],
        ["trace", LONG],
        ["undo", "--since", LONG],
    ],
    ids=lambda words: words[0],
)
def test_what_is_wrong_is_told_in_a_short_line(
    book: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command, *others = words
    capsys.readouterr()
    assert call(["lessons", command, str(book), *others]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 2
    assert all(len(line) < 200 + len(str(book)) for line in lines)


READER = """
import os, sys
from mariago.cli.main import call
import mariago.lessons.shown, mariago.lessons.outputs, mariago.reports, mariago.words
book, other = sys.argv[1:]
call(["lessons", "show", other])
call(["lessons", "undo", other, "--game", "1"])
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
for words in (["undo", book, "--game", "1"], ["reset", book, "--yes"], ["show", book, "--json"]):
    print("code", call(["lessons", *words]), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no such rights here")
def test_a_book_that_may_only_be_read_is_read(learnt: Path) -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own are closed to other users
        folder = Path(name) / "shelf"
        folder.mkdir()
        book = Path(shutil.copy(learnt, folder / "lessons.book"))
        other = Path(shutil.copy(learnt, Path(name) / "other.book"))
        Path(name).chmod(0o755)
        book.chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", READER, str(book), str(other)], capture_output=True, text=True
        )
        folder.chmod(0o755)
    said = [line for line in done.stdout.splitlines() if line.startswith("code")]
    assert said == ["code 2", "code 2", "code 0"], done.stderr
    assert done.stderr.count("lessons.book: may not be written to") == 2
