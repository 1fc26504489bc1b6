"""The data set of our own, and the labels of a teacher beside its shards."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records
from tests.reference.sums import check_sums

from mariago.cli.main import call
from mariago.errors import RecordsError
from mariago.records import BuildOptions, build_records, read_manifest, read_table
from mariago.records.card import LABEL_MEANINGS, SAMPLE_MEANINGS
from mariago.records.labels import LABEL_SCHEMA, Labels, read_labels, teachers_of, write_labels
from mariago.records.schema import SAMPLE_SCHEMA, SPLITS

TRAIN = "train-00000.parquet"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("own") / "own"
    assert call(["records", "own", "--out", str(out), "--jobs", "1"]) == 0
    check_sums(read_manifest(out))
    return out


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A data set of boards of two sizes."""
    files = random_records(range(3), moves=12) + random_records([1], "5x3", 8)
    source = write_files(tmp_path / "source", files)
    options = BuildOptions(size="any", validation=0, test=0)
    build_records([source], origin="o", terms="t", out=tmp_path / "set", options=options)
    return tmp_path / "set"


def checksums(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_our_own_data_set_is_the_same_bytes_when_built_again(own: Path, tmp_path: Path) -> None:
    assert call(["records", "own", "--out", str(tmp_path / "again"), "--jobs", "2"]) == 0
    found = checksums(own)
    assert checksums(tmp_path / "again") == found
    assert {"README.md", "LICENSE", "manifest.json", "records/engine_games.tar.gz"} <= set(found)
    assert str(own.parent) not in (own / "manifest.json").read_text("utf-8")


def test_it_stands_in_no_ones_way(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = checksums(own)
    assert call(["records", "own", "--out", str(own), "--jobs", "1"]) == 2
    assert "a data set stands there already" in capsys.readouterr().err
    assert call(["records", "own", "--out", str(own), "--jobs", "1", "--overwrite"]) == 0
    assert checksums(own) == before


def test_the_card_tells_licence_counts_and_every_column(own: Path) -> None:
    card = (own / "README.md").read_text("utf-8")
    assert card.startswith("---\nlicense: cc0-1.0\n")
    manifest = read_manifest(own)
    for split in SPLITS:
        counts = manifest.counts
        row = f"| {split} | {counts['games'][split]:,} | {counts['samples'][split]:,} |"
        assert row in card
        assert f"path: {split}-*.parquet" in card
    assert set(SAMPLE_MEANINGS) == set(SAMPLE_SCHEMA.names)
    assert set(LABEL_MEANINGS) == set(LABEL_SCHEMA.names)
    assert all(f"| `{name}` |" in card for name in [*SAMPLE_MEANINGS, *LABEL_MEANINGS])
    licence = (own / "LICENSE").read_text("utf-8")
    assert licence.startswith("Creative Commons Legal Code\n\nCC0 1.0 Universal")
    source = manifest.sources[0]
    assert (source["terms_id"], source["may_republish"]) == ("CC0-1.0", True)
    assert call(["records", "report", str(own), "--out", str(own.parent / "report.html")]) == 0


def test_hugging_face_reads_it_by_its_card(own: Path, tmp_path: Path) -> None:
    datasets: Any = pytest.importorskip("datasets")
    held = datasets.load_dataset(str(own), "samples", cache_dir=str(tmp_path))
    counts = read_manifest(own).counts["samples"]
    assert {split: held[split].num_rows for split in held} == counts
    games = datasets.load_dataset(str(own), "games", cache_dir=str(tmp_path))["games"]
    assert games.num_rows == read_manifest(own).counts["games_kept"]


def labels_for(folder: Path, rows: list[int]) -> Labels:
    """Return labels that fit: seeded random numbers."""
    rng = np.random.default_rng(1)
    boards = read_table(folder, "train", ["rows", "columns"])
    cells = (boards["rows"].to_numpy().astype(int) * boards["columns"].to_numpy())[rows]
    policy = [rng.dirichlet(np.ones(n + 1)) for n in cells]
    return Labels(
        rows=np.array(rows, np.uint32),
        visits=np.full(len(rows), 100, np.uint32),
        policy=np.concatenate(policy).astype(np.float32),
        value=rng.uniform(-1, 1, len(rows)).astype(np.float32),
        lead=rng.uniform(-30, 30, len(rows)).astype(np.float32),
        ownership=rng.uniform(-1, 1, int(cells.sum())).astype(np.float32),
    )


def test_labels_come_back_as_they_were_written(small: Path) -> None:
    count = read_manifest(small).samples("train")
    boards = read_table(small, "train", ["rows"])["rows"].to_pylist()
    assert len(set(boards)) == 2
    labels = labels_for(small, [0, 2, 3, count - 1])
    path = write_labels(small, TRAIN, "kata.b6", labels, about="KataGo b6c96, 100 visits")
    assert path.name == f"labels-kata.b6-{TRAIN}"
    assert teachers_of(small) == {"kata.b6": [TRAIN]}
    again = read_labels(small, TRAIN, "kata.b6")
    for name in ("rows", "visits", "policy", "value", "lead"):
        np.testing.assert_array_equal(getattr(again, name), getattr(labels, name))
    assert again.ownership is not None
    assert labels.ownership is not None
    assert np.abs(again.ownership - labels.ownership).max() <= 0.5 / 127 + 1e-6
    stored = pq.read_table(path)
    assert stored.schema.equals(LABEL_SCHEMA)
    assert stored.schema.metadata[b"mariago.about"] == b"KataGo b6c96, 100 visits"


def test_what_a_teacher_does_not_tell_stays_untold(small: Path) -> None:
    labels = replace(labels_for(small, [1, 4]), ownership=None, lead=None)
    write_labels(small, TRAIN, "b", labels)
    again = read_labels(small, TRAIN, "b")
    assert again.ownership is None
    assert again.lead is None
    assert again.value is not None
    none = Labels(np.empty(0, np.uint32), np.empty(0, np.uint32))
    write_labels(small, TRAIN, "none", none)
    assert len(read_labels(small, TRAIN, "none")) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": np.array([3, 1], np.uint32)}, "rows do not rise"),
        ({"rows": np.array([1, 10**6], np.uint32)}, "rows do not rise"),
        ({"value": np.array([0.0, 1.5], np.float32)}, "value lies outside"),
        ({"value": np.array([0.0, np.nan], np.float32)}, "value lies outside"),
        ({"lead": np.array([0.0], np.float32)}, "lead has 1 numbers, not 2"),
        ({"policy": np.full(164, 0.5, np.float32)}, "does not sum to 1"),
        ({"policy": np.full(163, 0.5, np.float32)}, "policy has 163 numbers, not 164"),
        ({"ownership": np.full(162, 2, np.float32)}, "ownership lies outside"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    small: Path, change: dict[str, Any], words: str
) -> None:
    labels = replace(labels_for(small, [0, 1]), **change)
    with pytest.raises(RecordsError, match=words):
        write_labels(small, TRAIN, "b", labels)
    assert teachers_of(small) == {}


def test_labels_of_another_build_are_refused(small: Path, tmp_path: Path) -> None:
    path = write_labels(small, TRAIN, "b", labels_for(small, [0]))
    options = BuildOptions(size="9", validation=0, test=0, winners="weighted")
    other = build_records(
        [tmp_path / "source"], origin="o", terms="t", out=tmp_path / "other", options=options
    ).folder
    (other / path.name).write_bytes(path.read_bytes())
    with pytest.raises(RecordsError, match="another build"):
        read_labels(other, TRAIN, "b")
    with pytest.raises(RecordsError, match="no labels by 'c'"):
        read_labels(small, TRAIN, "c")
    with pytest.raises(RecordsError, match="no name for a teacher"):
        write_labels(small, TRAIN, "a-b", labels_for(small, [0]))
    for name in (".", "_a", ".a"):
        with pytest.raises(RecordsError, match="no name for a teacher"):
            write_labels(small, TRAIN, name, labels_for(small, [0]))
    with pytest.raises(RecordsError, match="no shard is named"):
        write_labels(small, "test-00000.parquet", "b", labels_for(small, [0]))
