"""A data set that was changed behind its manifest is one clear line, whoever reads it."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.cli import main as cli
from mariago.errors import BadInputError, RecordsError
from mariago.records import BuildOptions, build_records, iter_batches, load_rows
from mariago.records.report import make_report
from mariago.records.sheet import write_sheet

SHARD = "train-00000.parquet"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("damaged")
    source = write_files(top / "source", random_records(range(6), moves=30))
    options = BuildOptions(size="9", validation=0, test=0)
    build_records([source], origin="o", terms="t", out=top / "set", options=options)
    return top / "set"


@pytest.fixture
def data_set(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "set"))


def refused(data_set: Path, text: str) -> None:
    """Check that every reader raises a RecordsError of one line that says ``text``."""
    readers: list[Callable[[], object]] = [
        lambda: load_rows(data_set),
        lambda: list(iter_batches(data_set)),
        lambda: make_report(data_set),
        lambda: write_sheet(data_set, 2, 1, data_set.parent / "sheet"),
    ]
    for read in readers:
        with pytest.raises(RecordsError, match=text) as caught:
            read()
        assert "\n" not in str(caught.value)


def edited(data_set: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = data_set / "manifest.json"
    held = json.loads(path.read_text("utf-8"))
    change(held)
    path.write_text(json.dumps(held), "utf-8")


def replaced(data_set: Path, name: str, table: pa.Table) -> None:
    """Put a table in the place of a file, and make the manifest agree with it."""
    path = data_set / name
    pq.write_table(table, path)
    told = {
        "size_bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "rows": table.num_rows,
    }
    edited(data_set, lambda m: (m["shards"][0] if name == SHARD else m["games_file"]).update(told))


def test_a_flipped_byte_is_told(data_set: Path) -> None:
    data = bytearray((data_set / SHARD).read_bytes())
    data[len(data) // 2] ^= 1
    (data_set / SHARD).write_bytes(data)
    refused(data_set, f"{SHARD}: differs from what the manifest says")


def test_rows_edited_in_the_manifest_are_told(data_set: Path) -> None:
    def more(manifest: dict[str, Any]) -> None:
        manifest["shards"][0]["rows"] += 1

    edited(data_set, more)
    refused(data_set, "rows in the shards of train")
    edited(data_set, lambda m: m["counts"]["samples"].update(train=m["shards"][0]["rows"]))
    refused(data_set, f"{SHARD}: has .* rows, and .* by the manifest")


def test_columns_that_are_missing_or_of_another_kind_are_told(data_set: Path) -> None:
    table = pq.read_table(data_set / SHARD)
    at = table.schema.get_field_index("ko")
    replaced(data_set, SHARD, table.drop_columns(["ko"]))
    refused(data_set, "has no column 'ko'")
    texts = table.column("ko").cast(pa.string())
    replaced(data_set, SHARD, table.set_column(at, "ko", texts))
    refused(data_set, "column 'ko' is string, not int16")


@pytest.mark.parametrize("move", [9999, -1])
def test_a_move_off_the_board_is_told(data_set: Path, move: int) -> None:
    table = pq.read_table(data_set / SHARD)
    moves = table.column("move").to_pylist()
    values = pa.array([*moves[:-1], move], pa.int16())
    at = table.schema.get_field_index("move")
    replaced(data_set, SHARD, table.set_column(at, table.schema.field("move"), values))
    with pytest.raises(RecordsError, match="column 'move' holds a move off the board"):
        load_rows(data_set)


def test_games_that_are_missing_or_cut_are_told(data_set: Path) -> None:
    path = data_set / "games.parquet"
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    refused(data_set, "games.parquet is missing or not as it was written")
    edited(data_set, lambda m: m["games_file"].clear())
    with pytest.raises(RecordsError, match="cannot be read as Parquet"):
        make_report(data_set)
    path.unlink()
    refused(data_set, "games.parquet is missing")


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("sources",), None),
        (("sources", 0), None),
        (("sources", 0, "path"), 7),
        (("counts", "samples"), []),
        (("counts", "moves"), None),
        (("shards",), {}),
        (("shards", 0, "rows"), "12"),
        (("shards", 0, "rows"), -1),
        (("shards", 0, "file"), "../set/" + SHARD),
        (("shards", 0, "split"), "other"),
        (("shards", 0, "sha256"), None),
        (("shards", 0, "flagged"), {}),
        (("provenance", "versions"), None),
        (("games_file",), {"rows": None}),
    ],
)
def test_a_manifest_of_another_form_is_told(
    data_set: Path, where: tuple[Any, ...], value: object
) -> None:
    def change(held: Any) -> None:
        for step in where[:-1]:
            held = held[step]
        held[where[-1]] = value

    edited(data_set, change)
    refused(data_set, "not a whole manifest")


def test_a_manifest_that_lacks_a_part_is_told(data_set: Path) -> None:
    whole_one = (data_set / "manifest.json").read_text("utf-8")
    for name in ("sources", "options", "counts", "shards", "provenance"):
        (data_set / "manifest.json").write_text(whole_one, "utf-8")
        edited(data_set, lambda held, name=name: held.pop(name))
        refused(data_set, f"not a whole manifest: {name}: is missing")


@pytest.mark.parametrize("text", ["", "null", "[]", "[" * 100_000, '{"a":' * 100_000, "\ufeff{}"])
def test_a_manifest_that_is_none_is_told(data_set: Path, text: str) -> None:
    (data_set / "manifest.json").write_text(text, "utf-8")
    refused(data_set, "manifest")


@pytest.mark.parametrize(("version", "told"), [("1", "'1'"), (None, "None"), (4, "4"), (True, "T")])
def test_another_version_is_told_as_it_stands(data_set: Path, version: object, told: str) -> None:
    edited(data_set, lambda held: held.update(schema_version=version))
    refused(data_set, f"schema version {told}")


def test_names_that_are_no_utf_8_are_kept_as_escapes_or_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if sys.platform != "linux":  # other systems refuse such names
        return
    source = write_files(tmp_path / "in\udcff", random_records(range(3), moves=30))
    order = ["records", "build", str(source), "--origin", "me\udcfe", "--terms", "t"]
    order += ["--size", "9", "--jobs", "1", "--out"]
    assert cli.call([*order, str(tmp_path / "out\udcff")]) == 2
    assert capsys.readouterr().err.startswith(f"error: {tmp_path}/out\\xff: the name is not UTF-8")
    assert cli.call([*order, str(tmp_path / "set")]) == 0
    held = json.loads((tmp_path / "set" / "manifest.json").read_text("utf-8"))
    assert held["sources"][0]["path"] == f"{tmp_path}/in\\xff"
    assert held["sources"][0]["origin"] == "me\\xfe"
    assert "in\\xff" in held["provenance"]["command"]
    make_report(tmp_path / "set").write()
    with pytest.raises(BadInputError, match="not UTF-8"):
        load_rows(tmp_path / "set\udcff")


def test_an_out_that_cannot_be_written_is_one_line(
    data_set: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data_set.parent / "file").write_bytes(b"")
    for order in (
        ["report", str(data_set), "--out", str(data_set)],
        ["report", str(data_set), "--out", str(data_set / "none" / "x.html")],
        ["report", str(data_set), "--out", str(data_set.parent / "file" / "x.html")],
        ["report", str(data_set), "--out", str(data_set.parent / ("x" * 300))],
        ["sheet", str(data_set), "--out", str(data_set.parent / "file")],
        ["browse", str(data_set), "--out", str(data_set.parent / "file" / "x")],
        ["show", str(data_set), "0", "--html", str(data_set)],
        ["export", str(data_set), "--out", str(data_set.parent / "file" / "x")],
        ["own", "--out", str(data_set.parent / "file" / "x")],
    ):
        assert cli.call(["records", *order]) == 2, order
        lines = capsys.readouterr().err.splitlines()
        assert [line for line in lines if line.startswith("error: ")] == lines[-2:-1], order
        assert lines[-1].startswith("hint: "), order
