"""Labels that are damaged, lack for a split, or have no name: found, and told with what helps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.labelled_sets import TRAIN, copied, label, set_and_net, some_games

from mariago.cli.main import call
from mariago.errors import RecordsError
from mariago.records import BuildOptions, build_records, read_labels, read_manifest
from mariago.records.labels import are_whole, labels_path
from mariago.sgf import write_game
from mariago.teaching import net_teacher
from mariago.teaching.labelling import chosen_rows
from mariago.teaching.work import Part, read_part, write_part

VALIDATION = "validation-00000.parquet"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return set_and_net(tmp_path_factory.mktemp("damage"))


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_teacher, "ROWS_AT_ONCE", 64)


def _turn_a_bit(path: Path, column: str) -> None:
    """Turn one bit in the middle of the first pages of a column."""
    group: Any = pq.read_metadata(path).row_group(0)
    chunk = next(
        group.column(i)
        for i in range(group.num_columns)
        if group.column(i).path_in_schema.split(".")[0] == column
    )
    raw = bytearray(path.read_bytes())
    raw[chunk.data_page_offset + chunk.total_compressed_size * 3 // 4] ^= 4
    path.write_bytes(raw)


@pytest.mark.parametrize("column", ["row", "policy", "value", "lead", "ownership"])
def test_finished_labels_that_were_damaged_are_made_again(
    whole: Path, tmp_path: Path, column: str
) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    path = labels_path(folder, TRAIN, "t")
    good = path.read_bytes()
    assert label(folder, whole, name="t", resume=True).made == 0
    _turn_a_bit(path, column)
    assert not are_whole(folder, TRAIN, "t", chosen_rows(read_manifest(folder), TRAIN))
    with pytest.raises(RecordsError, match="the labels are damaged") as caught:
        read_labels(folder, TRAIN, "t")
    assert "--name t --split train --overwrite" in str(caught.value.hint)
    assert label(folder, whole, name="t", resume=True).made > 0
    assert path.read_bytes() == good


def test_labels_of_fewer_rows_are_not_finished(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t", every=2)
    manifest = read_manifest(folder)
    rows = chosen_rows(manifest, TRAIN, every=2)
    assert are_whole(folder, TRAIN, "t", rows)
    assert not are_whole(folder, TRAIN, "t", rows[:-1])
    assert not are_whole(folder, TRAIN, "t", chosen_rows(manifest, TRAIN))


@pytest.mark.parametrize("cut", [0, 100, None])
def test_labels_whose_foot_is_gone_are_refused_with_what_helps(
    whole: Path, tmp_path: Path, cut: int | None
) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    path = labels_path(folder, TRAIN, "t")
    good = path.read_bytes()
    if cut is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(good[:cut])
    with pytest.raises(RecordsError, match=r"damaged|folder") as caught:
        label(folder, whole, name="t", resume=True)
    assert ("move it away" if cut is None else "--overwrite") in str(caught.value.hint)
    with pytest.raises(RecordsError, match=r"damaged|folder") as caught:
        read_labels(folder, TRAIN, "t")
    assert "--overwrite" in str(caught.value.hint)
    assert not (folder / ".labels-t.partial").exists()
    if cut is not None:
        label(folder, whole, name="t", overwrite=True)
        assert path.read_bytes() == good


def test_a_damaged_part_is_not_done(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    table = pq.read_table(labels_path(folder, TRAIN, "t"))
    rows = table.column("row").to_numpy()
    part = Part(TRAIN, rows, tmp_path / "part.parquet")
    assert not part.is_done
    write_part(part, table)
    assert part.is_done
    assert not Part(TRAIN, rows + np.uint32(1), part.path).is_done
    _turn_a_bit(part.path, "policy")
    assert pq.read_metadata(part.path).num_rows == len(rows)
    assert not part.is_done
    with pytest.raises(RecordsError, match="gone"):
        read_part(part)


def test_a_name_of_dots_is_refused_before_the_net_is_read(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    command = ["records", "label", str(folder), "--teacher", "net:nowhere", "--name", "."]
    assert call(command) == 2
    told = capsys.readouterr().err
    assert "'.' is no name for a teacher" in told
    assert "a letter or digit, then" in told


def test_a_split_without_labels_is_named_with_the_command_that_labels_it(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_files(tmp_path / "source", [write_game(game) for game in some_games()])
    out = tmp_path / "set"
    options = BuildOptions(size="any", validation=0.5, test=0)
    build_records([source], origin="o", terms="t", out=out, options=options)
    splits = {str(shard["file"]): str(shard["split"]) for shard in read_manifest(out).shards}
    assert splits == {TRAIN: "train", VALIDATION: "validation"}
    label(out, whole, name="aaa", split="train")
    with pytest.raises(RecordsError, match=f"no labels by 'aaa' of {VALIDATION}") as caught:
        read_labels(out, VALIDATION, "aaa")
    wanted = f"records label {out} --teacher PLAYER --name aaa --split validation"
    assert str(caught.value.hint).endswith(wanted)
    with pytest.raises(RecordsError, match="no labels by 'bbb'") as caught:
        read_labels(out, TRAIN, "bbb")
    assert "there are: aaa; or" in str(caught.value.hint)
    command = ["records", "label", str(out), "--teacher", f"net:{whole / 'net'}", "--jobs", "1"]
    assert call([*command, "--name", "aaa", "--split", "validation", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["made"] == len(read_labels(out, VALIDATION, "aaa"))
    assert call([*command, "--split", "test"]) == 2
    assert "there are: train, validation" in capsys.readouterr().err
