"""Whole builds of small data sets: what is in them, and what stays out."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game, random_records
from tests.reference.sums import check_sums

from mariago.errors import BadInputError, RecordsError
from mariago.records import BuildOptions, Manifest, build_records, read_manifest, read_table
from mariago.records import build as build_module
from mariago.records import pool as pool_module
from mariago.records.pool import Workers
from mariago.records.repeats import LATE_AFTER, Repeats
from mariago.records.schema import GAME_SCHEMA, SAMPLE_SCHEMA, SPLITS
from mariago.records.workplace import Workplace
from mariago.sgf import write_game

BROKEN = [
    b"(;SZ[9];B[ee];W[ee])",
    b"(;SZ[9];B[ee];W[zz])",
    b"(;SZ[9];B[ee];W[",
    b"(;SZ[9]AB[ba][ab];W[aa];B[ee])",
    b"(;SZ[13];B[ee])",
    b"(;SZ[9]C[no move])",
    b"(;GM[2]SZ[9];B[ee])",
    b"not a game",
]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = random_records(range(60))
    # Games that share their first forty moves, so that splits share late positions too.
    opening = [move for _, move in random_game(1).moves[:40]]
    files += [write_game(random_game(100 + seed, moves=20, opening=opening)) for seed in range(20)]
    return write_files(tmp_path_factory.mktemp("records") / "source", files + BROKEN)


def built(records: Path, out: Path, **options: Any) -> Manifest:
    jobs = options.pop("jobs", 1)
    given = BuildOptions(**{"size": "9", "validation": 0.2, "test": 0.2, **options})
    manifest = build_records([records], origin="o", terms="t", out=out, options=given, jobs=jobs)
    check_sums(manifest)
    return manifest


def checksums(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name != "manifest.json"
    }


def test_a_data_set_accounts_for_every_game_and_every_move(records: Path, tmp_path: Path) -> None:
    manifest = built(records, tmp_path / "set")
    counts = manifest.counts
    assert counts["games_read"] == 60 + 20 + len(BROKEN)
    assert {reason: n for reason, n in counts["dropped"].items() if n} == {
        "unreadable": 2, "not_go": 1, "board_size": 1, "bad_coordinate": 1, "no_moves": 1,
        "illegal_occupied": 1, "illegal_suicide": 1,
    }  # fmt: skip
    lines = (tmp_path / "set" / "dropped.jsonl").read_text("utf-8").splitlines()
    assert Counter(json.loads(line)["reason"] for line in lines) == +Counter(counts["dropped"])
    assert counts["games_kept"] == sum(counts["games"].values()) == 80
    assert counts["repeats"] > 0
    assert counts["leaks"] > 0
    assert sorted(path.name for path in (tmp_path / "set").iterdir()) == sorted(
        ["manifest.json", "games.parquet", "dropped.jsonl"]
        + [f"{split}-00000.parquet" for split in SPLITS]
    )


def test_the_files_hold_the_schema_and_the_manifest_their_checksums(
    records: Path, tmp_path: Path
) -> None:
    manifest = built(records, tmp_path / "set")
    found = checksums(tmp_path / "set")
    for shard in manifest.shards:
        table = pq.read_table(tmp_path / "set" / shard["file"])
        assert table.schema.equals(SAMPLE_SCHEMA)
        assert table.num_rows == shard["rows"]
        assert found[shard["file"]] == shard["sha256"]
    games = pq.read_table(tmp_path / "set" / "games.parquet")
    assert games.schema.equals(GAME_SCHEMA)
    assert sum(games.column("samples").to_pylist()) == sum(manifest.counts["samples"].values())
    source = manifest.sources[0]
    assert (source["origin"], source["terms"], source["files"]) == ("o", "t", 88)
    assert manifest.provenance["seed"] == 0


def test_no_late_position_is_in_two_splits_and_none_twice_in_one(
    records: Path, tmp_path: Path
) -> None:
    built(records, tmp_path / "set")
    late: dict[str, set[int]] = {}
    for split in SPLITS:
        table = read_table(tmp_path / "set", split, ["position_hash", "move_number"])
        hashes = table.column("position_hash").to_pylist()
        assert len(hashes) == len(set(hashes))
        numbers = table.column("move_number").to_pylist()
        late[split] = {h for h, n in zip(hashes, numbers, strict=True) if n > LATE_AFTER}
    assert not late["train"] & (late["validation"] | late["test"])
    assert not late["validation"] & late["test"]


def test_shards_are_the_same_bytes_whatever_the_workers_and_the_memory(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(records, tmp_path / "one", shard_rows=300)
    monkeypatch.setattr(build_module, "BATCH_FILES", 7)
    monkeypatch.setattr(pool_module, "FEW_ITEMS", 1)
    monkeypatch.setattr(
        build_module, "Repeats", lambda folder: Repeats(folder, 100)
    )  # nearly all on disk
    built(records, tmp_path / "two", shard_rows=300, jobs=2)
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")
    assert len(checksums(tmp_path / "one")) > 8


def test_the_size_of_shards_changes_no_row(records: Path, tmp_path: Path) -> None:
    built(records, tmp_path / "small", shard_rows=37)
    built(records, tmp_path / "large")
    for split in SPLITS:
        small, large = (read_table(tmp_path / name, split) for name in ("small", "large"))
        assert small.to_pylist() == large.to_pylist()


def test_another_seed_deals_the_games_out_anew(records: Path, tmp_path: Path) -> None:
    first, second = (built(records, tmp_path / str(seed), seed=seed) for seed in (0, 1))
    ids = [
        pq.read_table(m.folder / "games.parquet", columns=["game_id", "split"]).to_pylist()
        for m in (first, second)
    ]
    assert [game["game_id"] for game in ids[0]] == [game["game_id"] for game in ids[1]]
    assert ids[0] != ids[1]


def test_a_turned_game_is_a_duplicate_and_the_first_stays(tmp_path: Path) -> None:
    game = random_game(3)
    cells = [divmod(move, 9) for _, move in game.moves]
    turned = random_game(3, moves=0, opening=[column * 9 + 8 - row for row, column in cells])
    source = write_files(tmp_path / "source", [write_game(game), write_game(turned)])
    manifest = built(source, tmp_path / "set", validation=0, test=0)
    assert manifest.counts["dropped"]["duplicate_game"] == 1
    assert manifest.counts["games_kept"] == 1
    line = json.loads((tmp_path / "set" / "dropped.jsonl").read_text("utf-8"))
    assert (line["path"], line["reason"]) == ("00001.sgf", "duplicate_game")


def test_winners_only_keeps_the_rows_of_the_winner(records: Path, tmp_path: Path) -> None:
    manifest = built(records, tmp_path / "set", winners="only")
    assert manifest.counts["not_winner"] > 0
    for split in SPLITS:
        table = read_table(tmp_path / "set", split, ["to_move", "winner"])
        assert table.column("to_move").to_pylist() == table.column("winner").to_pylist()


def test_weighted_rows_weigh_less_for_the_loser(records: Path, tmp_path: Path) -> None:
    built(records, tmp_path / "set", winners="weighted")
    rows = read_table(tmp_path / "set", "train", ["to_move", "winner", "weight"]).to_pylist()
    weights = {(r["winner"] == r["to_move"], r["winner"] <= 0): r["weight"] for r in rows}
    assert weights == {(True, False): 1.0, (False, False): 0.5, (False, True): 0.75}


def test_at_most_so_many_samples_come_from_a_game(records: Path, tmp_path: Path) -> None:
    manifest = built(records, tmp_path / "set", max_per_game=6, tactical_half=True)
    per_game = pq.read_table(tmp_path / "set" / "games.parquet").column("samples").to_numpy()
    assert per_game.max() == 6
    assert manifest.counts["not_chosen"] > 0


def test_tactical_only_keeps_tactical_moves(records: Path, tmp_path: Path) -> None:
    built(records, tmp_path / "set", tactical_only=True)
    names = ["captures", "saves", "gives_atari", "self_atari"]
    table = read_table(tmp_path / "set", "train", names)
    assert (np.stack([table.column(name).to_numpy() for name in names]).sum(axis=0) > 0).all()


def test_what_stands_in_the_way_is_never_lost_unasked(records: Path, tmp_path: Path) -> None:
    first = built(records, tmp_path / "set")
    with pytest.raises(RecordsError, match="stands there already"):
        built(records, tmp_path / "set", seed=1)
    given = BuildOptions(size="9", validation=0.2, test=0.2)
    order: dict[str, Any] = {"origin": "o", "terms": "t", "out": tmp_path / "set"}
    assert build_records([records], **order, options=given, resume=True) == first
    with pytest.raises(RecordsError, match="other sources or options"):
        build_records([records], **order, options=BuildOptions(size="9"), resume=True)
    again = build_records([records], **order, options=BuildOptions(size="9"), overwrite=True)
    assert again.options["validation"] == 0.05
    afresh = build_records(
        [records], origin="o", terms="t", out=tmp_path / "new", options=BuildOptions(size="9")
    )
    assert again.shards == afresh.shards
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("not yours", encoding="utf-8")
    with pytest.raises(RecordsError, match="is no data set"):
        build_records([records], origin="o", terms="t", out=tmp_path / "mine", overwrite=True)


def test_nothing_is_built_without_origin_and_terms(records: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no origin and no terms"):
        build_records([records], origin=" ", terms="", out=tmp_path / "set")
    assert list(tmp_path.iterdir()) == []


def test_no_usable_game_is_an_error_that_leaves_nothing(tmp_path: Path) -> None:
    source = write_files(tmp_path / "source", BROKEN)
    with pytest.raises(RecordsError, match="no game could be used") as caught:
        build_records([source], origin="o", terms="t", out=tmp_path / "set")
    assert str(caught.value).startswith(f"{source}: ")
    assert "2 unreadable" in str(caught.value.hint)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_folder_without_a_manifest_or_with_files_amiss_is_no_data_set(
    records: Path, tmp_path: Path
) -> None:
    with pytest.raises(RecordsError, match="no such data set"):
        read_manifest(tmp_path / "none")
    built(records, tmp_path / "set")
    shard = next((tmp_path / "set").glob("train-*"))
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(RecordsError, match=f"{shard.name} is missing or not as it was written"):
        read_table(tmp_path / "set")
    (tmp_path / "set" / "manifest.json").unlink()
    with pytest.raises(RecordsError, match="no data set: it has no manifest"):
        read_table(tmp_path / "set")


def test_two_builds_of_one_folder_at_a_time_are_refused(tmp_path: Path) -> None:
    with Workplace(tmp_path / "set"), pytest.raises(RecordsError, match="another run"):
        Workplace(tmp_path / "set").__enter__()


def test_a_data_set_set_aside_by_a_killed_exchange_comes_back(
    records: Path, tmp_path: Path
) -> None:
    manifest = built(records, tmp_path / "set")
    (tmp_path / "set").rename(tmp_path / ".set.old")
    with pytest.raises(RecordsError, match="stands there already"):
        built(records, tmp_path / "set")
    assert read_manifest(tmp_path / "set") == manifest


def test_a_place_that_cannot_be_written_is_one_clear_error(records: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(RecordsError, match="cannot be written"):
        built(records, tmp_path / "file" / "set")


def end_hard(item: int) -> int:
    if item == 7:
        os._exit(9)
    return item


def test_a_worker_that_is_ended_from_outside_is_told() -> None:
    with Workers(2) as workers, pytest.raises(RecordsError, match="ended from outside"):
        list(workers.in_order(end_hard, range(20)))
