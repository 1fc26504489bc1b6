"""Repeated games, several answers to a position and weights of openings, in whole builds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.pipeline.test_records_build import checksums
from tests.reference.changed_games import Moves, played, record, turned
from tests.reference.compare_samples import write_files

from mariago.errors import BadInputError
from mariago.records import BuildOptions, Manifest, build_records, read_table
from mariago.records import build as build_module
from mariago.records import pool as pool_module

FIRST = [(1, 60), (1, 60), (1, 60), (1, 61), (1, 61), (1, 180)]  # the first moves of six games


def built(source: Path, out: Path, jobs: int = 1, **options: Any) -> Manifest:
    given = BuildOptions(**{"validation": 0, "test": 0, **options})
    return build_records([source], origin="o", terms="t", out=out, options=given, jobs=jobs)


def games() -> list[Moves]:
    return [played(seed, 90, opening=[move]) for seed, (_, move) in enumerate(FIRST)]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copies = [turned(games()[0], 5)[:70], games()[1][:80]]
    files = [record(copies[0])] + [record(moves, RE="B+R") for moves in [*games(), copies[1]]]
    return write_files(tmp_path_factory.mktemp("caps") / "source", files)


def test_repeated_games_are_told_with_the_game_they_repeat(records: Path, tmp_path: Path) -> None:
    manifest = built(records, tmp_path / "set")
    lines = (tmp_path / "set" / "dropped.jsonl").read_text("utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    assert [(line["path"], line["same_as"]["path"], line["text"]) for line in told] == [
        ("00000.sgf", "00001.sgf", "70 of 70 stones, turned"),
        ("00007.sgf", "00002.sgf", "80 of 80 stones"),
    ]
    assert {line["reason"] for line in told} == {"duplicate_game"}
    counts = manifest.counts
    assert (counts["games_read"], counts["games_kept"], counts["moves"]) == (8, 6, 6 * 90)
    assert counts["dropped"]["duplicate_game"] == 2


def test_the_games_that_stay_are_numbered_and_hold_their_moves(
    records: Path, tmp_path: Path
) -> None:
    built(records, tmp_path / "set")
    table = pq.read_table(tmp_path / "set" / "games.parquet").to_pylist()
    assert [row["game"] for row in table] == list(range(6))
    assert [row["path"] for row in table] == [f"{i:05d}.sgf" for i in range(1, 7)]
    for row, moves in zip(table, games(), strict=True):
        assert list(zip(row["color_list"], row["move_list"], strict=True)) == moves
        assert row["setup_list"] == []
    samples = read_table(tmp_path / "set", "train").to_pylist()
    for sample in samples:
        moves = games()[sample["game"]]
        assert moves[sample["move_number"] - 1] == (sample["to_move"], sample["move"])


def test_set_up_stones_are_kept_with_their_move(tmp_path: Path) -> None:
    data = b"(;SZ[9]AB[cc][gg]AW[ee];B[dd];AE[ee];W[ff])"
    built(write_files(tmp_path / "source", [data]), tmp_path / "set", size="9")
    row = pq.read_table(tmp_path / "set" / "games.parquet").to_pylist()[0]
    setup = np.array(row["setup_list"]).reshape(-1, 3).tolist()
    assert setup == [[0, 1, 20], [0, 1, 60], [0, 2, 40], [1, 0, 40]]


def answers_to_the_start(folder: Path) -> list[int]:
    rows = read_table(folder, "train", ["move_number", "move"]).to_pylist()
    return [row["move"] for row in rows if row["move_number"] == 1]


def test_so_many_of_the_commonest_answers_stay(records: Path, tmp_path: Path) -> None:
    for most, wanted in ((1, [60]), (2, [60, 61]), (3, [60, 61, 180])):
        manifest = built(records, tmp_path / str(most), max_per_position=most)
        assert answers_to_the_start(tmp_path / str(most)) == wanted
        counts = manifest.counts
        assert counts["moves"] == counts["repeats"] + counts["samples"]["train"]


def test_games_that_open_alike_weigh_less(records: Path, tmp_path: Path) -> None:
    built(records, tmp_path / "set", opening_balance=1)
    rows = read_table(tmp_path / "set", "train", ["game", "weight"]).to_pylist()
    weights = {row["game"]: row["weight"] for row in rows}
    assert weights == {
        game: pytest.approx(1 / np.sqrt(n)) for game, n in enumerate((3, 3, 3, 2, 2, 1))
    }
    built(records, tmp_path / "longer", opening_balance=2)
    longer = read_table(tmp_path / "longer", "train", ["weight"]).column("weight").to_pylist()
    assert set(longer) == {1.0}


def test_the_bytes_do_not_depend_on_the_workers(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"max_per_position": 3, "opening_balance": 1, "shard_rows": 100, "test": 0.3}
    built(records, tmp_path / "one", **options)
    monkeypatch.setattr(build_module, "BATCH_FILES", 1)
    monkeypatch.setattr(pool_module, "FEW_ITEMS", 1)
    built(records, tmp_path / "two", jobs=2, **options)
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")


@pytest.mark.parametrize("wrong", [{"max_per_position": 0}, {"opening_balance": -1}])
def test_caps_that_make_no_sense_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadInputError):
        BuildOptions(**wrong)  # type: ignore[arg-type]
