"""The examples of the guides run as they stand, and find what the samples hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.records import BuildOptions, build_records, load_rows, read_table
from mariago.records.schema import GAME_SCHEMA, SAMPLE_SCHEMA, SCHEMA_VERSION, unpack_board

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDE = DOCS / "guides" / "reading-samples.md"
SAMPLES = DOCS / "reference" / "samples.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("guide")
    source = write_files(place / "source", random_records(range(30)))
    options = BuildOptions(size="9", validation=0.2, test=0.2, shard_rows=500)
    build_records([source], origin="o", terms="t", out=place / "samples", options=options)
    return place


@pytest.fixture(scope="module")
def names(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the guide's examples leave behind, run one after the other without a network."""
    pytest.importorskip("torch")
    found: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
            patch.setenv(name, "1")
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hf")))
        blocks = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
        assert len(blocks) >= 8
        for number, block in enumerate(blocks, start=1):
            exec(compile(block, f"{GUIDE.name}, example {number}", "exec"), found)
    return found


def test_the_board_opens_as_the_reader_opens_it(names: dict[str, Any], folder: Path) -> None:
    for row in read_table(folder / "samples", limit=50).to_pylist():
        size = row["rows"], row["columns"]
        expected = unpack_board(row["board"], size[0] * size[1]).reshape(size)
        assert np.array_equal(names["stones"](row["board"], *size), expected)


def test_duckdb_counts_flags_and_joins_games(names: dict[str, Any], folder: Path) -> None:
    counted = {}
    for split, *counts in names["flags"]:
        table = read_table(folder / "samples", split)
        columns = ("captures", "saves", "self_atari")
        flagged = [int((table.column(name).to_numpy() > 0).sum()) for name in columns]
        assert counts == [table.num_rows, *flagged]
        counted[split] = counts
    assert set(counted) == {"train", "validation", "test"}
    train = read_table(folder / "samples", "train")
    by_white = (train.column("captures").to_numpy() > 0) & (train.column("to_move").to_numpy() == 2)
    assert ("white", int(by_white.sum())) in names["takers"]
    row = names["row"]
    assert np.array_equal(names["in_sql"], names["stones"](*row[:3]))
    assert names["in_sql"].any()


def test_polars_joins_and_filters(names: dict[str, Any], folder: Path) -> None:
    table = read_table(folder / "samples", "train")
    wanted = (table.column("captures").to_numpy() > 0) | (table.column("saves").to_numpy() > 0)
    assert names["tactical"].height == wanted.sum()
    assert set(names["tactical"]["path"]) <= {f"{number:05d}.sgf" for number in range(30)}


def test_datasets_streams_and_streams_go_on(names: dict[str, Any], folder: Path) -> None:
    assert names["seen"] == 100
    assert names["board"].shape == (9, 9)
    total = len(load_rows(folder / "samples").rows)
    assert names["rest"] == total - 128
    assert names["inputs"].shape == (128, 22, 9, 9)
    assert names["loader"].state_dict()["at"] == 1


def documented(heading: str) -> dict[str, str]:
    """Return the types by column of the table under a heading."""
    section = SAMPLES.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) >= 3:
            found.update(dict.fromkeys(re.findall(r"`(\w+)`", cells[0]), cells[1]))
    return found


def type_words(kind: pa.DataType) -> str:
    if pa.types.is_dictionary(kind):
        return type_words(kind.value_type)
    if pa.types.is_fixed_size_list(kind):
        return f"{kind.list_size} x {type_words(kind.value_type)}"
    if pa.types.is_list(kind):
        return f"list of {type_words(kind.value_type)}"
    if pa.types.is_struct(kind):
        return "struct"
    return {"float": "float32"}.get(str(kind), str(kind))


@pytest.mark.parametrize(
    ("heading", "schema"),
    [("Columns of a sample", SAMPLE_SCHEMA), ("Columns of a game", GAME_SCHEMA)],
)
def test_every_column_is_documented_with_its_type(heading: str, schema: pa.Schema) -> None:
    assert documented(heading) == {field.name: type_words(field.type) for field in schema}


def test_the_documented_version_is_that_of_the_schema() -> None:
    assert f"The schema has version {SCHEMA_VERSION};" in SAMPLES.read_text("utf-8")
    for schema in (SAMPLE_SCHEMA, GAME_SCHEMA):
        assert schema.metadata[b"mariago.schema_version"] == str(SCHEMA_VERSION).encode()
