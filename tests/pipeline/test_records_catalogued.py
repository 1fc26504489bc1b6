"""``mariago records add``, ``list`` and ``verify``, and builds of catalogued sources."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.cli.main import call
from mariago.records import read_manifest

BUILD = ["--size", "9", "--jobs", "1", "--validation", "0", "--test", "0"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in with two catalogued sources, of known terms and of unknown ones."""
    monkeypatch.chdir(tmp_path)
    free = random_records(range(4))
    free[0] = free[0].replace(b"SZ[9]", b"SZ[9]DT[2001-05-06]")
    free[1] = free[1].replace(b"SZ[9]", b"SZ[9]DT[1999]")
    write_files(tmp_path / "free", [*free, b"no game"])
    write_files(tmp_path / "bound", random_records(range(10, 13)))
    (tmp_path / "bound" / "note.txt").write_text("not a record", encoding="utf-8")
    assert add("free", "--terms", "CC0 1.0", "--trust", "high", "--url", "https://x.org/a") == 0
    assert add("bound", "--terms", "ask first", "--note", "from a friend") == 0
    return tmp_path


def add(name: str, *more: str) -> int:
    return call(["records", "add", name, "--name", name, "--origin", f"of {name}", *more])


def test_add_reads_a_source_through_and_notes_what_it_holds(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert call(["records", "list", "--json"]) == 0
    free, bound = json.loads(capsys.readouterr().out)["sources"]
    assert (free["name"], free["path"]) == ("free", "free")
    assert (free["files"], free["records"], free["games"]) == (5, 5, 4)
    assert (free["first_date"], free["last_date"]) == ("1999", "2001-05-06")
    assert (free["lowest_rank"], free["highest_rank"]) == ("3k", "2k")
    assert (free["terms_id"], free["may_train"], free["may_republish"]) == ("CC0-1.0", True, True)
    assert (bound["terms_id"], bound["may_train"], bound["trust"]) == ("unknown", False, "unknown")
    assert bound["note"] == "from a friend"
    assert call(["records", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == (
        ["name", "games", "dates", "ranks", "terms", "train", "republish", "trust", "path"]
    )
    assert len(lines) == 3
    assert "1999 to 2001-05-06" in lines[1]


def test_a_name_is_entered_twice_only_with_replace(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add("free", "--terms", "MIT") == 2
    assert "--replace" in capsys.readouterr().err
    assert add("free", "--terms", "MIT", "--replace") == 0
    assert "terms are known as MIT" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (["gone", "--terms", "MIT"], "no such file or folder"),
        (["free", "--terms", " "], "terms"),
        (["free", "--terms", "MIT", "--trust", "much"], "trust"),
        (["empty", "--terms", "MIT"], "holds no game record"),
    ],
)
def test_what_cannot_be_entered_is_one_line(
    place: Path, order: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "empty").mkdir()
    before = (place / "sources.toml").read_bytes()
    capsys.readouterr()
    command = ["records", "add", order[0], "--name", "new", "--origin", "o", *order[1:]]
    assert call(command) == 2
    error = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error:")]
    assert words in error[0]
    assert (place / "sources.toml").read_bytes() == before


def test_verify_says_what_has_changed_and_what_is_missing(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert call(["records", "verify"]) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["ok", "free"], ["ok", "bound"],
    ]  # fmt: skip
    (place / "free" / "00002.sgf").write_bytes(b"(;GM[1]SZ[9];B[aa])")
    shutil.rmtree(place / "bound")
    assert call(["records", "verify", "--json"]) == 2
    captured = capsys.readouterr()
    states = {check["name"]: check["state"] for check in json.loads(captured.out)}
    assert states == {"free": "changed", "bound": "missing"}
    assert "2 of 2 sources are not as they were: free changed, bound missing" in captured.err


def test_a_build_takes_names_and_the_manifest_keeps_their_papers(place: Path) -> None:
    assert call(["records", "build", "@free", "@bound", "--out", "set", *BUILD]) == 0
    free, bound = read_manifest("set").sources
    assert (free["name"], free["origin"], free["terms"]) == ("free", "of free", "CC0 1.0")
    assert (free["terms_id"], free["trust"], free["url"]) == ("CC0-1.0", "high", "https://x.org/a")
    assert (free["first_date"], free["highest_rank"]) == ("1999", "2k")
    assert (bound["terms"], bound["may_train"], bound["files"]) == ("ask first", False, 3)
    games = pq.read_table("set/games.parquet", columns=["source", "origin", "terms"]).to_pylist()
    assert {tuple(game.values()) for game in games} == {
        (0, "of free", "CC0 1.0"), (1, "of bound", "ask first"),
    }  # fmt: skip


def test_a_plain_name_does_where_no_path_has_it(place: Path) -> None:
    (place / "free").rename(place / "elsewhere")
    text = (place / "sources.toml").read_text("utf-8")
    text = text.replace('path = "free"', 'path = "elsewhere"')
    (place / "sources.toml").write_text(text, encoding="utf-8")
    assert call(["records", "build", "free", "--out", "set", *BUILD]) == 0
    [source] = read_manifest("set").sources
    assert (source["path"], source["origin"]) == ("elsewhere", "of free")


def test_a_name_and_a_path_of_ones_own_go_together(place: Path) -> None:
    shutil.copytree(place / "free", place / "mine")
    (place / "mine" / "new.sgf").write_bytes(random_records([77])[0])
    own = ["--origin", "my club", "--terms", "own games"]
    assert call(["records", "build", "@bound", "mine", "--out", "set", *own, *BUILD]) == 0
    bound, mine = read_manifest("set").sources
    assert (bound["origin"], mine["origin"]) == ("of bound", "my club")
    assert (mine["terms_id"], mine["may_train"], mine["may_republish"]) == (
        "own-games",
        True,
        False,
    )


@pytest.mark.parametrize(
    ("allowed", "used"),
    [
        (["may-republish"], ["free"]),
        (["CC*"], ["free"]),
        (["unknown"], ["bound"]),
        (["ask first"], ["bound"]),
        (["may-train", "unknown"], ["free", "bound"]),
    ],
)
def test_allow_terms_leaves_sources_out_and_says_so(
    place: Path, allowed: list[str], used: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = [word for terms in allowed for word in ("--allow-terms", terms)]
    assert call(["records", "build", "@free", "@bound", "--out", "set", *options, *BUILD]) == 0
    manifest = read_manifest("set")
    assert [source["name"] for source in manifest.sources] == used
    assert [paper["name"] for paper in manifest.left_out] == (
        [name for name in ("free", "bound") if name not in used]
    )
    said = capsys.readouterr().out
    assert ("its terms are not allowed" in said) == (len(used) < 2)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (["@bound", "--allow-terms", "may-train"], "no source has terms that are allowed"),
        (["@nobody"], "no source of that name in the catalogue"),
        (["nobody"], "no source of that name in the catalogue"),
        (["@free", "--origin", "o", "--terms", "t"], "the catalogue tells origin and terms"),
        (["@free", "--catalogue", "none.toml"], "no such catalogue"),
        (["free"], "no origin and no terms"),
    ],
)
def test_a_build_without_clear_papers_is_refused(
    place: Path, order: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert call(["records", "build", *order, "--out", "set", *BUILD]) == 2
    assert words in capsys.readouterr().err
    assert not (place / "set").exists()


def test_a_build_of_paths_alone_needs_no_catalogue(place: Path) -> None:
    (place / "sources.toml").write_text("some = 'other file of that name'", encoding="utf-8")
    own = ["--origin", "o", "--terms", "t"]
    assert call(["records", "build", "free", "--out", "set", *own, *BUILD]) == 0


def test_a_source_that_has_changed_is_not_built(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "free" / "00002.sgf").write_bytes(b"(;GM[1]SZ[9];B[aa])")
    assert call(["records", "build", "@free", "--out", "set", *BUILD]) == 2
    assert "'free' has changed since it was put into the catalogue" in capsys.readouterr().err
    assert not (place / "set").exists()


def test_a_source_that_has_gone_is_told_by_its_name(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(place / "free")
    assert call(["records", "build", "@free", "--out", "set", *BUILD]) == 2
    said = capsys.readouterr().err
    assert "the source 'free' of the catalogue is not there any more" in said
    assert "--replace" in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = " + "[" * 20_000, "no TOML: brackets inside brackets"),
        ("#" * (5 << 20), "no TOML: larger than 4 MB"),
        ("[[source]]\nname = 'a'\nterm = 'CC0'", "source.0.term: unknown key"),
    ],
)
@pytest.mark.parametrize("order", [["list"], ["verify"], ["build", "@a", "--out", "set"]])
def test_catalogues_that_are_none_are_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    order: list[str],
    text: str,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources.toml").write_text(text, encoding="utf-8")
    assert call(["records", *order]) == 2
    assert words in capsys.readouterr().err
