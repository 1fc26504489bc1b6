"""Samples to KataGo's training files, as its trainer reads them, and back."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.katago_reader import losses_of_a_blank_net, trainer_batch
from tests.reference.random_records import random_game
from tests.reference.sums import check_sums

from mariago.errors import BadInputError, RecordsError
from mariago.features import planes_of_rows
from mariago.records import BuildOptions, build_records, load_rows, read_manifest, read_table
from mariago.records import pool as pool_module
from mariago.records.katago_export import export_katago
from mariago.records.katago_format import Column, problems_of
from mariago.records.katago_import import import_katago
from mariago.records.schema import unpack_board
from mariago.sgf import write_game

SHAPES = [9, "7x5", 13, "5x7", 19, 9]


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("katago")
    games = [random_game(seed, SHAPES[seed % len(SHAPES)], 90) for seed in range(18)]
    handicap = b"(;SZ[9]HA[2]AB[cc][gg]KM[0.5]RU[Chinese]RE[W+3.5];W[ee];B[ef];W[df];B[dg];W[cf])"
    source = write_files(folder / "source", [*map(write_game, games), handicap])
    options = BuildOptions(size="any", validation=0, test=0, shard_rows=300)
    build_records([source], origin="o", terms="t", out=folder / "set", options=options)
    return folder / "set"


@pytest.fixture(scope="module")
def exported(data_set: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "npz"
    export_katago(data_set, out, rows_per_file=250)
    return out


def arrays_of(folder: Path) -> dict[str, np.ndarray]:
    files = [dict(np.load(path)) for path in sorted(folder.glob("*.npz"))]
    return {name: np.concatenate([file[name] for file in files]) for name in files[0]}


def test_the_trainer_finds_what_it_expects(exported: Path) -> None:
    for path in sorted(exported.glob("*.npz")):
        assert problems_of(dict(np.load(path)), 19) == []
        trainer_batch(path, 19)


def test_only_what_a_record_knows_is_taught(exported: Path, data_set: Path) -> None:
    path = sorted(exported.glob("*.npz"))[0]
    losses = losses_of_a_blank_net(trainer_batch(path, 19))
    assert all(np.isfinite(loss).all() for loss in losses.values())
    targets = load_rows(data_set).targets
    n = len(losses["policy"])
    taught = {name for name, loss in losses.items() if loss.any()}
    assert taught == {"policy", "next policy", "value", "future"}
    assert (losses["policy"] > 0).all()
    assert ((losses["value"] > 0) == ~np.isnan(targets.winner[:n])).all()


def test_inputs_and_answers_are_those_of_the_samples(exported: Path, data_set: Path) -> None:
    arrays = arrays_of(exported)
    rows, targets = load_rows(data_set)
    planes, globals_in = planes_of_rows(rows, 19)
    bits = np.unpackbits(arrays["binaryInputNCHWPacked"], axis=2, count=361)
    assert np.array_equal(bits.reshape(planes.shape), planes)
    assert np.array_equal(arrays["globalInputNC"], globals_in)
    best = arrays["policyTargetsNCMove"][:, 0].argmax(axis=1)
    cells = rows.rows.astype(int) * rows.columns
    y, x = np.divmod(targets.move.astype(int), rows.columns)
    assert np.array_equal(best, np.where(targets.move == cells, 361, y * 19 + x))
    won = arrays["globalTargetsNC"][:, Column.WIN]
    assert np.array_equal(won, np.nan_to_num((targets.winner + 1) / 2, nan=0.5))


def test_next_moves_and_future_boards_are_those_that_came(exported: Path, data_set: Path) -> None:
    arrays = arrays_of(exported)
    stored = read_table(data_set).to_pylist()
    at = {(row["game"], row["move_number"]): row for row in stored}
    weights = arrays["globalTargetsNC"]
    for i, row in enumerate(stored):
        follower = at.get((row["game"], row["move_number"] + 1))
        if follower is not None and follower["to_move"] != row["to_move"]:
            assert weights[i, Column.NEXT_POLICY_WEIGHT] == 1
            entry = int(arrays["policyTargetsNCMove"][i, 1].argmax())
            y, x = divmod(follower["move"], row["columns"])
            is_pass = follower["move"] == row["rows"] * row["columns"]
            assert entry == (361 if is_pass else y * 19 + x)
        later = [at.get((row["game"], row["move_number"] + turns)) for turns in (8, 32)]
        assert weights[i, Column.FUTURE_WEIGHT] == all(later)
        for channel, other in enumerate(later, start=2):
            if all(later):
                size = row["rows"], row["columns"]
                stones = unpack_board(other["board"], size[0] * size[1]).reshape(size)
                own = np.where(stones == row["to_move"], 1, np.where(stones > 0, -1, 0))
                found = arrays["valueTargetsNCHW"][i, channel, : size[0], : size[1]]
                assert np.array_equal(found, own)


def test_a_move_whose_sample_was_removed_is_told_by_the_next_sample(tmp_path: Path) -> None:
    games = [random_game(1, 9, 60), random_game(2, 9, 30, [m for _, m in random_game(1).moves[:9]])]
    source = write_files(tmp_path / "source", list(map(write_game, games)))
    options = BuildOptions(size="9", validation=0, test=0)
    build_records([source], origin="o", terms="t", out=tmp_path / "set", options=options)
    thinned = BuildOptions(size="9", validation=0, test=0, max_per_game=20)
    build_records([source], origin="o", terms="t", out=tmp_path / "thin", options=thinned)
    move_of = {
        (row["game"], row["move_number"]): row["move"]
        for row in read_table(tmp_path / "set").to_pylist()
    }
    export_katago(tmp_path / "thin", tmp_path / "npz", pad=9)
    arrays = arrays_of(tmp_path / "npz")
    rows = read_table(tmp_path / "thin").to_pylist()
    known = arrays["globalTargetsNC"][:, Column.NEXT_POLICY_WEIGHT] > 0
    assert known.sum() > len(rows) // 2
    for i in np.flatnonzero(known):
        found = int(arrays["policyTargetsNCMove"][i, 1].argmax())
        assert found == move_of[rows[i]["game"], rows[i]["move_number"] + 1]


def test_the_same_export_is_the_same_bytes_whatever_the_workers(
    exported: Path, data_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "FEW_ITEMS", 1)
    export_katago(data_set, tmp_path / "npz", rows_per_file=250, jobs=2)
    for path in sorted(exported.glob("*.npz")):
        other = tmp_path / "npz" / path.name
        assert hashlib.sha256(path.read_bytes()).digest() == (
            hashlib.sha256(other.read_bytes()).digest()
        )
    note = json.loads((tmp_path / "npz" / "export.json").read_text("utf-8"))
    assert (note["sources"][0]["origin"], note["sources"][0]["terms"]) == ("o", "t")
    assert sum(file["rows"] for file in note["files"]) == note["rows"]


def test_scores_may_stand_in_for_leads(data_set: Path, tmp_path: Path) -> None:
    export_katago(data_set, tmp_path / "npz", score_as_lead=True)
    targets = arrays_of(tmp_path / "npz")["globalTargetsNC"]
    score = load_rows(data_set).targets.score
    assert np.array_equal(targets[:, Column.LEAD_WEIGHT] > 0, ~np.isnan(score))
    assert np.array_equal(targets[:, Column.LEAD], np.nan_to_num(score))


def points(row: dict[str, Any]) -> float:
    territory = row["rules"] in ("japanese", "korean")
    return row["komi"] + row["handicap_bonus"] + (row["stone_lead"] if territory else 0)


def test_what_goes_out_comes_back(exported: Path, data_set: Path, tmp_path: Path) -> None:
    options = BuildOptions(size="any", validation=0, test=0, shard_rows=400)
    manifest = import_katago(
        [exported], tmp_path / "set", origin="KataGo files", terms="t", options=options
    )
    assert manifest.counts["repeats"] == sum(manifest.counts["dropped"].values()) == 0
    assert manifest.sources[0]["kind"] == "katago"
    before, after = read_table(data_set), read_table(tmp_path / "set")
    assert after.schema.equals(before.schema)
    loose = {"game", "taken_1", "taken_2", "komi", "handicap_bonus", "stone_lead"}
    for name in set(before.column_names) - loose:
        assert before.column(name).to_pylist() == after.column(name).to_pylist(), name
    for mine, theirs in zip(before.to_pylist(), after.to_pylist(), strict=True):
        for name in ("taken_1", "taken_2"):  # in the order of removal, which is no matter
            assert sorted(mine[name]) == sorted(theirs[name])
        # Points for handicap stones, and for stones under territory rules, are komi in a file.
        assert points(mine) == points(theirs)
    again, whole = load_rows(tmp_path / "set").rows, load_rows(data_set).rows
    for mine, theirs in zip(planes_of_rows(whole, 19), planes_of_rows(again, 19), strict=True):
        assert np.array_equal(mine, theirs)
    assert read_manifest(tmp_path / "set").samples("train") == before.num_rows


def test_komi_tells_who_is_to_move_where_no_column_does(
    exported: Path, data_set: Path, tmp_path: Path
) -> None:
    arrays = arrays_of(exported)
    arrays["globalTargetsNC"][:, Column.SIDE] = 0  # as KataGo's own files have it
    np.savez(tmp_path / "a.npz", **arrays)
    options = BuildOptions(size="any", validation=0, test=0)
    import_katago([tmp_path / "a.npz"], tmp_path / "set", origin="o", terms="t", options=options)
    before, after = read_table(data_set), read_table(tmp_path / "set")
    for name in ("to_move", "board", "winner", "score"):
        assert before.column(name).to_pylist() == after.column(name).to_pylist()


def test_what_a_file_lacks_is_read_as_unknown(exported: Path, tmp_path: Path) -> None:
    arrays = arrays_of(exported)
    arrays["globalTargetsNC"][0, Column.POLICY_WEIGHT] = 0
    stone = int(np.flatnonzero(np.unpackbits(arrays["binaryInputNCHWPacked"][5, 2]))[0])
    arrays["policyTargetsNCMove"][5, 0] = 0
    arrays["policyTargetsNCMove"][5, 0, stone] = 1
    np.savez(tmp_path / "a.npz", **{name: array[:40] for name, array in arrays.items()})
    options = BuildOptions(size="any", validation=0, test=0)
    made = import_katago(
        [tmp_path / "a.npz"], tmp_path / "set", origin="o", terms="t", options=options
    )
    assert made.counts["dropped"]["no_moves"] == 1
    assert made.counts["dropped"]["illegal_occupied"] == 1
    assert made.samples("train") == 38
    lines = (tmp_path / "set" / "dropped.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["index_in_file"] for line in lines] == [0, 5]


def test_repeats_and_leaks_are_removed_from_imported_rows_too(
    exported: Path, tmp_path: Path
) -> None:
    files = sorted(exported.glob("*.npz"))
    copy = tmp_path / "copy.npz"
    arrays = dict(np.load(files[0]))
    arrays["globalTargetsNC"][:, Column.GAME] += 1  # the same positions, of other games
    np.savez(copy, **arrays)
    options = BuildOptions(size="any", validation=0.3, test=0.3, seed=3)
    made = import_katago([files[0], copy], tmp_path / "set", origin="o", terms="t", options=options)
    assert made.counts["repeats"] > 0
    assert made.counts["leaks"] > 0
    kept = sum(made.counts["samples"].values())
    assert kept + made.counts["repeats"] + made.counts["leaks"] == made.counts["moves"]
    check_sums(made, has_every_move=False)


def test_a_file_of_another_kind_is_refused_with_its_fault(exported: Path, tmp_path: Path) -> None:
    good = dict(np.load(sorted(exported.glob("*.npz"))[0]))
    (tmp_path / "text.npz").write_text("no zip")
    np.savez(tmp_path / "few.npz", planes=np.zeros(3))
    np.savez(tmp_path / "types.npz", **{**good, "globalInputNC": good["globalInputNC"] * 1.0j})
    for name, fault in (("text", "cannot be read"), ("few", "no array"), ("types", "complex64")):
        with pytest.raises(BadInputError, match=fault):
            import_katago([tmp_path / f"{name}.npz"], tmp_path / "set", origin="o", terms="t")
    with pytest.raises(BadInputError, match="no origin and no terms"):
        import_katago([exported], tmp_path / "set", origin="", terms="")


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        ("policyTargetsNCMove", lambda a: a * 0, "sums to 0"),
        ("scoreDistrN", lambda a: a * 0, "does not sum to 100"),
        ("binaryInputNCHWPacked", lambda a: a | 128, "two stones"),
        ("valueTargetsNCHW", lambda a: a + 1, "no weight"),
    ],
)
def test_the_check_names_what_would_be_learnt_wrongly(
    exported: Path, name: str, change: object, fault: str
) -> None:
    arrays = dict(np.load(sorted(exported.glob("*.npz"))[0]))
    changed = np.asarray(change(arrays[name]), arrays[name].dtype)  # type: ignore[operator]
    assert any(fault in text for text in problems_of({**arrays, name: changed}))


def test_what_does_not_fit_or_stands_in_the_way_is_told(
    exported: Path, data_set: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadInputError, match="side of 19") as caught:
        export_katago(data_set, tmp_path / "npz", pad=13)
    assert "--pad 19" in str(caught.value.hint)
    with pytest.raises(RecordsError, match="no samples in split 'test'"):
        export_katago(data_set, tmp_path / "npz", split="test")
    with pytest.raises(RecordsError, match="an export stands there"):
        export_katago(data_set, exported)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep")
    with pytest.raises(RecordsError, match="is no export"):
        export_katago(data_set, tmp_path / "mine", overwrite=True)
