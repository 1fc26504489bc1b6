"""``mariago records leak``: what two data sets share, on sets whose overlap is known."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.reference.changed_games import played, record, swapped, turned
from tests.reference.compare_samples import write_files
from tests.reference.sums import check_sums

from mariago.cli.main import call
from mariago.errors import BadInputError, RecordsError
from mariago.records import BuildOptions, build_records, read_manifest, read_table
from mariago.records.leak_drop import copy_without
from mariago.records.leaks import find_leaks
from mariago.records.manifest import games_entry
from mariago.records.schema import REMOVED

OWN = {seed: played(seed, 90) for seed in range(12)}
OTHER = {seed: played(50 + seed, 90) for seed in range(6)}
OPENING = played(99, 20)


def built(source: Path, out: Path, **options: Any) -> Path:
    given = BuildOptions(**{"validation": 0, "test": 0, **options})
    build_records([source], origin="o", terms="t", out=out, options=given)
    return out


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A: thirteen games; B: three of them changed, one that branches off, six others."""
    room = tmp_path_factory.mktemp("leak")
    shared = played(7, 90, opening=[move for _, move in OPENING])
    write_files(room / "a", [record(moves) for moves in [*OWN.values(), shared]])
    branched = played(8, 90, opening=[move for _, move in shared[:45]])
    known = [
        record(turned(OWN[3], 5), PB="other", KM="0"),
        record(OWN[5][:70]),
        record(turned(swapped(OWN[6]), 2)),
    ]
    write_files(room / "b", [*known, record(branched), *map(record, OTHER.values())])
    built(room / "a", room / "A")
    built(room / "b", room / "B", test=0.999)
    return room


def leaks(*paths: Path, **options: Any) -> dict[str, Any]:
    return find_leaks(*paths, **options).facts


def test_games_in_common_are_counted_by_how_they_differ(room: Path) -> None:
    assert read_manifest(room / "B").counts["games"]["test"] == 10
    games = leaks(room / "A", room / "B")["games"]
    assert (games["in_common"], games["same_moves"], games["alike"]) == (3, 1, 2)
    assert (games["turned_or_mirrored"], games["colors_swapped"]) == (2, 1)
    assert games["by_split"]["test"] == {"train": 3, "validation": 0, "test": 0}


def test_the_listed_games_are_those_that_were_changed(room: Path) -> None:
    facts = leaks(room / "A", room / "B")
    told = [(p["a"]["path"], p["b"]["path"], p["how"], p["text"]) for p in facts["listed_games"]]
    assert told == [
        ("00003.sgf", "00000.sgf", "same moves", "90 of 90 stones, turned"),
        ("00005.sgf", "00001.sgf", "alike", "70 of 70 stones"),
        ("00006.sgf", "00002.sgf", "alike", "90 of 90 stones, mirrored, colours swapped"),
    ]
    assert len(leaks(room / "A", room / "B", most=2)["listed_games"]) == 2


def test_positions_in_common_are_counted_by_move_number(room: Path) -> None:
    facts = leaks(room / "A", room / "B")
    # Positions before moves 1 to 90, 70 and 90 of the three games, and 1 to 46 of the one that
    # branches off after move 45; the empty board is one position.
    assert facts["positions"]["distinct"] == {
        "1-10": 4 * 9 + 1, "11-30": 80, "31-60": 3 * 30 + 16, "61-100": 30 + 10 + 30,
        "101-150": 0, "151 on": 0,
    }  # fmt: skip
    verdict = facts["verdict"]
    assert (verdict["games"], verdict["tested_games"]) == (3, 10)
    assert (verdict["rows"], verdict["late_rows"]) == (293, 176)
    assert verdict["tested_rows"] == read_manifest(room / "B").samples("test")
    assert verdict["is_leak"]
    by_game = {game["path"]: game["late_rows"] for game in facts["games_by_late_rows"]}
    assert by_game == {"00000.sgf": 60, "00002.sgf": 60, "00001.sgf": 40, "00003.sgf": 16}


def test_the_border_of_late_positions_can_be_moved(room: Path) -> None:
    verdict = leaks(room / "A", room / "B", after=80)["verdict"]
    assert (verdict["late_rows"], verdict["tested_late_rows"]) == (20, 8 * 10 + 10)
    assert leaks(room / "A", room / "B", after=0)["verdict"]["late_rows"] == 293


def test_records_are_compared_as_data_sets_are(room: Path) -> None:
    of_sets, of_records = leaks(room / "A", room / "B"), leaks(room / "a", room / "b")
    assert of_records["a"]["kind"] == of_records["b"]["kind"] == "records"
    assert of_records["positions"]["distinct"] == of_sets["positions"]["distinct"]
    names = ("in_common", "same_moves", "alike", "turned_or_mirrored", "colors_swapped")
    assert [of_records["games"][n] for n in names] == [of_sets["games"][n] for n in names]
    mixed = leaks(room / "A", room / "b")["verdict"]
    assert (mixed["games"], mixed["late_rows"]) == (3, 176)


def test_the_splits_of_a_build_share_no_game_and_no_late_position(
    room: Path, tmp_path: Path
) -> None:
    copies = [record(turned(moves, 3)[:60]) for moves in OWN.values()]
    files = [record(moves) for moves in OWN.values()] + copies
    one = built(write_files(tmp_path / "s", files), tmp_path / "set", validation=0.3, test=0.3)
    facts = leaks(one)
    assert facts["b"] is None
    assert facts["verdict"]["tested"] == ["validation", "test"]
    assert (facts["games"]["in_common"], facts["verdict"]["late_rows"]) == (0, 0)
    assert not facts["verdict"]["is_leak"]
    assert set(facts["games"]["by_split"]["test"]) == {"train", "validation"}


@pytest.mark.parametrize(("side", "own", "other"), [("A", "A", "B"), ("B", "B", "A")])
def test_a_copy_without_the_leaks_has_none(
    room: Path, tmp_path: Path, side: str, own: str, other: str
) -> None:
    command = ["records", "leak", str(room / "A"), str(room / "B"), "--strict", "--json"]
    assert call([*command, "--drop-from", side, "--out", str(tmp_path / "set")]) == 1
    before, after = read_manifest(room / own), read_manifest(tmp_path / "set")
    assert after.counts["games_kept"] == before.counts["games_kept"] - 3
    check_sums(before)
    check_sums(after)
    # Late rows of A's thirteenth game are B's fourth one; of the other games all rows went.
    assert after.counts["leaks"] - before.counts["leaks"] == 16
    lines = (tmp_path / "set" / "dropped.jsonl").read_text("utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    assert len(told) == 3
    assert {line["same_as"]["set"] for line in told} == {str(room / other)}
    pair = (tmp_path / "set", room / "B") if side == "A" else (room / "A", tmp_path / "set")
    assert leaks(*pair)["verdict"]["is_leak"] is False
    games = pq.read_table(tmp_path / "set" / "games.parquet").to_pylist()
    assert [game["game"] for game in games] == list(range(len(games)))
    split = "train" if side == "A" else "test"
    for sample in read_table(tmp_path / "set", split).to_pylist():
        assert games[sample["game"]]["game_id"] == sample["game_id"]
        assert games[sample["game"]]["move_list"][sample["move_number"] - 1] == sample["move"]
    assert sum(game["samples"] for game in games) == sum(after.counts["samples"].values())


def test_strict_ends_with_1_only_where_there_is_a_leak(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clean = built(
        write_files(tmp_path / "clean", [record(moves) for moves in OTHER.values()]),
        tmp_path / "set",
    )
    assert call(["records", "leak", str(room / "A"), str(clean), "--strict"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no leak"
    assert call(["records", "leak", str(room / "A"), str(room / "B")]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "leak"
    assert "same moves, 90 of 90 stones, turned" in out
    assert call(["records", "leak", str(room / "A"), str(room / "B"), "--strict"]) == 1


def test_sets_made_before_moves_were_kept_are_compared_by_what_they_hold(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = built(room / "b", tmp_path / "old", test=0.999)
    table = pq.read_table(old / "games.parquet")
    pq.write_table(table.drop(["move_list", "color_list", "setup_list"]), old / "games.parquet")
    manifest = json.loads((old / "manifest.json").read_text("utf-8"))
    del manifest["games_file"]  # which came later
    (old / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    games = leaks(room / "A", old)
    assert (games["games"]["in_common"], games["b"]["knows_moves"]) == (1, False)
    assert games["verdict"]["late_rows"] == 176
    assert call(["records", "leak", str(room / "A"), str(old)]) == 0
    assert "holds no moves: games are compared by game_id alone" in capsys.readouterr().out


def test_a_schema_that_is_not_known_is_refused(room: Path, tmp_path: Path) -> None:
    later = built(room / "b", tmp_path / "later")
    manifest = json.loads((later / "manifest.json").read_text("utf-8"))
    (later / "manifest.json").write_text(json.dumps(manifest | {"schema_version": 999}), "utf-8")
    with pytest.raises(RecordsError, match="schema version 999"):
        find_leaks(room / "A", later)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--drop-from", "A"], "--drop-from and --out belong together"),
        (["--out", "x"], "--drop-from and --out belong together"),
        (["--drop-from", "C", "--out", "x"], "'C' is not a side"),
        (["--train", "testing"], "has no 'testing'"),
        (["--after", "-1"], "cannot be negative"),
    ],
)
def test_wrong_options_are_one_line(
    room: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["records", "leak", str(room / "A"), str(room / "B"), *options]) == 2
    assert words in capsys.readouterr().err.splitlines()[0]


def test_what_holds_no_game_is_refused(room: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInputError, match="no data set, and no game"):
        find_leaks(room / "A", tmp_path / "empty")


def without_columns(folder: Path, out: Path) -> Path:
    """Copy a data set as a version would have made it that had no counts in games.parquet."""
    shutil.copytree(folder, out)
    table = pq.read_table(out / "games.parquet").drop_columns(list(REMOVED))
    pq.write_table(table, out / "games.parquet")
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    manifest["games_file"] = games_entry(out)
    (out / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return out


@pytest.mark.parametrize("most", [0, 60])
def test_a_copy_of_an_older_set_adds_up_too(room: Path, tmp_path: Path, most: int) -> None:
    whole = built(room / "b", tmp_path / "whole", test=0.999, max_per_game=most)
    check_sums(read_manifest(whole))
    old = without_columns(whole, tmp_path / "old")
    for name, folder in (("new", whole), ("copy", old)):
        found = find_leaks(room / "A", folder, lost_of="B")
        assert found.lost is not None
        copy_without(folder, tmp_path / name, found.lost, other="A")
    new, copy = read_manifest(tmp_path / "new"), read_manifest(tmp_path / "copy")
    check_sums(new)
    counts = copy.counts
    gone = sum(counts[name] for name in REMOVED)
    assert counts["moves"] == new.counts["moves"] == sum(counts["samples"].values()) + gone


def test_the_report_of_a_copy_names_the_other_set(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["records", "leak", str(room / "A"), str(room / "B")]
    assert call([*command, "--drop-from", "B", "--out", str(tmp_path / "set")]) == 0
    capsys.readouterr()
    assert call(["records", "report", str(tmp_path / "set")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"shared with another split or set, removed +16$", out, re.M)
    assert re.search(r"moves of the kept games +630$", out, re.M)
    page = (tmp_path / "set" / "report.html").read_text("utf-8")
    assert "a: 00003.sgf" in page  # the game of the other set


def test_games_in_common_that_do_not_count_are_told_apart(
    room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["records", "leak", str(room / "A"), str(room / "B"), "--after", "90"]
    assert call([*command, "--test", "validation"]) == 0
    out = capsys.readouterr().out.splitlines()
    at = next(i for i, line in enumerate(out) if line.startswith("games in common"))
    assert out[at].split()[-1] == "3"
    assert "train of A against validation of B" in "\n".join(out)
    (line,) = [line for line in out if "against" in line]
    assert line.split()[-1] == "0"
    assert out[-1] == "no leak"
