"""The facts of moves in samples: built, chosen and weighed by, counted, absent in older sets."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.board.points import Size
from mariago.errors import BadInputError, RecordsError
from mariago.records import BuildOptions, Manifest, build_records, read_table
from mariago.records.choosing import SampleFilter, draw_table
from mariago.records.leak_drop import copy_without
from mariago.records.leaks import Lost
from mariago.records.manifest import read_manifest
from mariago.records.report import make_report
from mariago.records.schema import LATER_COLUMNS, SAMPLE_SCHEMA, SCHEMA_VERSION, unpack_board
from mariago.records.show import find_shown
from mariago.records.stored import open_shard
from mariago.records.weights import read_weights, weights_of
from mariago.rules import Position
from mariago.tactics import facts_of_move
from mariago.tactics.fact_names import FACT_NAMES, FACTS_IN_WORDS, facts_of_bits
from mariago.words import texts


def built(source: Path, out: Path, jobs: int = 1, **options: Any) -> Manifest:
    given = BuildOptions(**{"size": "9", "validation": 0, "test": 0, **options})
    return build_records([source], origin="o", terms="t", out=out, options=given, jobs=jobs)


def holds(bits: np.ndarray, name: str) -> np.ndarray:
    return (bits >> np.uint64(FACT_NAMES.index(name)) & np.uint64(1)) > 0


def losing_a_game(rows: int) -> Lost:
    same = {"source": "x", "path": "y", "index_in_file": 0}
    return Lost(np.array([0]), [same], ["all"], np.zeros(rows, np.bool_))


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("facts") / "source", random_records(range(6)))


@pytest.fixture(scope="module")
def with_facts(records: Path) -> Path:
    out = records.parent / "with"
    built(records, out, facts=True, weights=weights_of(None, None, ["captures=2", "hane=3"]))
    return out


@pytest.fixture(scope="module")
def without_facts(records: Path) -> Path:
    out = records.parent / "without"
    built(records, out)
    return out


@pytest.fixture(scope="module")
def old(without_facts: Path) -> Path:
    """A data set as version 1 wrote it."""
    place = without_facts.parent / "old"
    shutil.copytree(without_facts, place)
    held = json.loads((place / "manifest.json").read_text("utf-8"))
    held["schema_version"] = 1
    for shard in held["shards"]:
        path = place / shard["file"]
        table = pq.read_table(path).drop_columns(list(LATER_COLUMNS))
        metadata = {**(table.schema.metadata or {}), b"mariago.schema_version": b"1"}
        pq.write_table(table.replace_schema_metadata(metadata), path)
        shard["size_bytes"] = path.stat().st_size
        shard["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (place / "manifest.json").write_text(json.dumps(held), "utf-8")
    return place


def test_the_column_holds_the_facts_of_each_move(with_facts: Path) -> None:
    rows = read_table(with_facts, "train").to_pylist()
    assert len(rows) > 200
    for row in rows[::7]:
        size = Size(row["rows"], row["columns"])
        position = Position.from_stones(
            unpack_board(row["board"], size.cells).reshape(size),
            to_move=row["to_move"],
            ko=None if row["ko"] < 0 else row["ko"],
        )
        assert facts_of_move(position, row["move"]).bits == row["facts"]


def test_facts_of_flags_agree_with_their_columns(with_facts: Path) -> None:
    table = read_table(with_facts, "train")
    bits = table.column("facts").combine_chunks().to_numpy()
    for name in ("captures", "gives_atari", "self_atari"):
        assert (holds(bits, name) == (table.column(name).to_numpy() > 0)).all()
    saves = holds(bits, "saves_by_extending") | holds(bits, "saves_by_capturing")
    assert (saves == (table.column("saves").to_numpy() > 0)).all()


def test_without_the_option_the_column_is_null(without_facts: Path) -> None:
    table = read_table(without_facts, "train")
    assert table.column("facts").null_count == table.num_rows
    assert "facts" not in read_manifest(without_facts).options


def test_the_number_of_workers_changes_no_byte(records: Path, tmp_path: Path) -> None:
    found: list[dict[str, str]] = []
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        built(records, out, jobs, facts=True, shard_rows=100)
        found.append(
            {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in out.glob("*.parquet")}
        )
    assert len(found[0]) > 3
    assert found[0] == found[1]


def test_weights_by_facts_multiply(with_facts: Path, tmp_path: Path) -> None:
    table = read_table(with_facts, "train")
    bits = table.column("facts").combine_chunks().to_numpy()
    wanted = np.where(holds(bits, "captures"), 2, 1) * np.where(holds(bits, "hane"), 3, 1)
    assert (table.column("weight").to_numpy() == wanted).all()
    assert set(wanted.tolist()) >= {1, 2, 3}
    file = tmp_path / "weights.toml"
    file.write_text("[facts]\nsnapback = 2\n", "utf-8")
    assert read_weights(file) == weights_of(None, None, ["snapback=2"])


@pytest.mark.parametrize(
    "text", ["snapbac=2", "net", "net=", "net=x", "net=-1", "net=nan", "=2", "captures=1e99"]
)
def test_a_weight_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="--weight"):
        weights_of(None, None, [text])


def test_a_fact_is_weighed_once_and_only_where_facts_are_read() -> None:
    with pytest.raises(BadInputError, match="already"):
        weights_of(None, None, ["net=2", "net=3"])
    with pytest.raises(BadInputError, match="need the facts"):
        BuildOptions(weights=weights_of(None, None, ["net=2"]))


def test_samples_are_chosen_by_fact(with_facts: Path, without_facts: Path, old: Path) -> None:
    rng = np.random.default_rng(1)
    manifest = read_manifest(with_facts)
    table, total = draw_table(manifest, 5, rng, SampleFilter(only="cuts,gives_atari"))
    bits = table.column("facts").combine_chunks().to_numpy()
    assert (holds(bits, "cuts") & holds(bits, "gives_atari")).all()
    assert total >= table.num_rows > 0
    for folder in (without_facts, old):
        with pytest.raises(RecordsError, match="does not tell the facts"):
            draw_table(read_manifest(folder), 5, rng, SampleFilter(only="cuts"))


def test_a_report_counts_samples_by_fact(with_facts: Path, without_facts: Path) -> None:
    bits = read_table(with_facts, "train").column("facts").combine_chunks().to_numpy()
    told = make_report(with_facts)
    counted = told.facts["move_facts"]
    assert counted == {name: int(holds(bits, name).sum()) for name in FACT_NAMES}
    assert any(f"{counted['hane']:,}" in line for line in told.lines("zh") if "扳" in line)
    assert make_report(without_facts).facts["move_facts"] == {}


def test_a_sample_is_shown_with_its_facts(with_facts: Path, without_facts: Path) -> None:
    row = read_table(with_facts, "train").to_pylist()[40]
    name = f"{row['game']}:{row['move_number']}"
    shown = find_shown(with_facts, name)
    names = list(facts_of_bits(row["facts"]))
    assert names
    assert shown.as_dict()["facts"] == names
    words = texts("zh")(", ").join(texts("zh")(FACTS_IN_WORDS[fact]) for fact in names)
    assert any(line.split(maxsplit=1) == ["事实", words] for line in shown.lines("zh"))
    shown = find_shown(without_facts, name)
    assert shown.as_dict()["facts"] is None
    assert not any(line.startswith("Facts") for line in shown.lines())


def test_a_data_set_of_version_1_is_read(old: Path, without_facts: Path, tmp_path: Path) -> None:
    manifest = read_manifest(old)
    shard = open_shard(manifest, manifest.shard_paths("train")[0])
    whole = shard.read()
    assert whole.schema.names == SAMPLE_SCHEMA.names
    assert shard.read(["facts"]).column("facts").null_count == whole.num_rows
    assert shard.read_row_group(0, ["move", "facts"]).column_names == ["move", "facts"]
    assert shard.read_row_group(0, []).num_columns == 0
    newer = read_table(without_facts, "train")
    assert newer.column("stone_lead").null_count == 0
    held = read_table(old, "train")
    assert held.column("stone_lead").null_count == held.num_rows
    assert held.drop_columns("stone_lead").equals(newer.drop_columns("stone_lead"))
    make_report(old)
    lost = losing_a_game(whole.num_rows)
    copy = copy_without(old, tmp_path / "copy", lost, other="x")
    assert copy.schema_version == SCHEMA_VERSION
    assert read_table(tmp_path / "copy", "train").schema.names == SAMPLE_SCHEMA.names


def test_counts_by_fact_follow_a_copy(with_facts: Path, tmp_path: Path) -> None:
    rows = read_manifest(with_facts).samples("train")
    lost = losing_a_game(rows)
    copy_without(with_facts, tmp_path / "copy", lost, other="x")
    bits = read_table(tmp_path / "copy", "train").column("facts").combine_chunks().to_numpy()
    told = make_report(tmp_path / "copy").facts["move_facts"]
    assert told["connects"] == int(holds(bits, "connects").sum())
