"""Training files of KataGo's that are damaged, made to do harm, or hold what no game can have."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.cli import main as cli
from mariago.errors import BadInputError, MariagoError, RecordsError
from mariago.records import BuildOptions, build_records
from mariago.records import katago_files as files_module
from mariago.records.katago_export import export_katago
from mariago.records.katago_format import Column, problems_of
from mariago.records.katago_import import _Import, import_katago, load_file
from mariago.records.katago_ranges import first_impossible
from mariago.records.katago_rows_back import rows_of_arrays

Arrays = dict[str, np.ndarray]
INPUTS, TARGETS = "globalInputNC", "globalTargetsNC"
PLANES, POLICY = "binaryInputNCHWPacked", "policyTargetsNCMove"


@pytest.fixture(scope="module")
def arrays(tmp_path_factory: pytest.TempPathFactory) -> Arrays:
    top = tmp_path_factory.mktemp("files")
    source = write_files(top / "source", random_records(range(3), moves=30))
    options = BuildOptions(size="9", validation=0, test=0)
    build_records([source], origin="o", terms="t", out=top / "set", options=options)
    export_katago(top / "set", top / "npz", pad=9)
    return dict(np.load(top / "npz" / "train-00000.npz"))


def npy(array: np.ndarray) -> bytes:
    data = io.BytesIO()
    np.save(data, array)
    return data.getvalue()


def header(shape: tuple[int, ...], kind: str) -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text = text.ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def written(path: Path, arrays: Arrays, packing: int = zipfile.ZIP_DEFLATED, **raw: bytes) -> Path:
    """Write arrays as NumPy does, but for the members given as bytes."""
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name in {**arrays, **raw}:
            archive.writestr(f"{name}.npy", raw[name] if name in raw else npy(arrays[name]))
    return path


def refused(path: Path, text: str, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that the command says one line about the file, and leaves nothing."""
    order = ["records", "import-katago", str(path), "--origin", "o", "--terms", "t"]
    assert cli.call([*order, "--out", str(out)]) == 2
    (line,) = [held for held in capsys.readouterr().err.splitlines() if held.startswith("error")]
    assert line.startswith(f"error: {path}: ")
    assert text in line
    assert list(out.parent.glob(f".{out.name}*")) == []


def test_bytes_that_are_no_arrays_are_told_by_file_and_array(
    arrays: Arrays, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = tmp_path / "one.npz"
    for data, text in (
        (npy(arrays[INPUTS]), "cannot be read"),
        (b"", "cannot be read"),
        (b"PK\3\4" + bytes(100), "cannot be read"),
        (written(one, arrays).read_bytes()[:-500], "cannot be read"),
    ):
        one.write_bytes(data)
        refused(one, text, tmp_path / "out", capsys)
    huge = header((10**12, 19), "<f4")
    for raw, text in (
        ({POLICY: b"hello"}, f"array {POLICY} has no header"),
        ({INPUTS: b""}, f"array {INPUTS} has no header"),
        ({INPUTS: huge[:90]}, f"array {INPUTS} has no header"),
        ({INPUTS: b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31)}, f"{INPUTS} has no header"),
        ({INPUTS: huge}, f"{INPUTS} has the shape"),
        ({INPUTS: header((-1, 19), "<f4")}, f"{INPUTS} has the shape"),
        ({INPUTS: npy(arrays[INPUTS][:1])[:-4]}, f"{INPUTS} has the shape"),
        ({INPUTS: npy(arrays[INPUTS])[:-4]}, f"array {INPUTS} holds"),
        ({INPUTS: npy(arrays[INPUTS]) + b"more"}, f"array {INPUTS} holds"),
        ({INPUTS: npy(np.float32(3))}, f"{INPUTS} has the shape ()"),
        ({POLICY: npy(np.int16(3))}, f"{POLICY} is not of a square board"),
        ({INPUTS: npy(np.asfortranarray(arrays[INPUTS]))}, f"{INPUTS} is stored column by column"),
        ({"evil": huge}, "unknown array evil"),
    ):
        refused(written(one, arrays, **raw), text, tmp_path / "out", capsys)


def test_ways_of_packing_that_numpy_does_not_use_are_refused(
    arrays: Arrays, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for packing in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        path = written(tmp_path / "a.npz", arrays, packing)
        refused(path, "which NumPy does not use", tmp_path / "out", capsys)
    whole = written(tmp_path / "a.npz", arrays).read_bytes()
    for at, value, text in ((10, 77, "method 77"), (8, 1, "is encrypted")):
        data = bytearray(whole)
        data[data.index(b"PK\x01\x02") + at] = value
        (tmp_path / "a.npz").write_bytes(data)
        refused(tmp_path / "a.npz", text, tmp_path / "out", capsys)


def test_a_damaged_array_is_told_and_an_array_that_is_there_twice(
    arrays: Arrays, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "a.npz", arrays, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[data.index(b"valueTargetsNCHW") + 2_000] ^= 1
    path.write_bytes(data)
    refused(path, "array valueTargetsNCHW is damaged", tmp_path / "out", capsys)
    with (
        zipfile.ZipFile(written(path, arrays), "a") as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr(f"{INPUTS}.npy", npy(arrays[INPUTS]))
    refused(path, f"array {INPUTS} is there twice", tmp_path / "out", capsys)


def test_what_a_file_says_of_itself_is_looked_at_before_it_is_unpacked(
    arrays: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = written(tmp_path / "large.npz", arrays, evil=header((2**28,), "|u1") + bytes(2**28))
    tracemalloc.start()
    with pytest.raises(BadInputError, match="unknown array evil"):
        load_file(large)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**24
    monkeypatch.setattr(files_module, "MOST_BYTES", 1000)
    with pytest.raises(BadInputError, match="its arrays take"):
        load_file(written(tmp_path / "small.npz", arrays))


def test_rows_read_in_pieces_are_those_read_at_once(
    arrays: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = rows_of_arrays(arrays)
    for rows in (1, 7, len(whole), 10_000):
        monkeypatch.setattr(files_module, "ROWS_AT_ONCE", rows)
        found, _ = load_file(written(tmp_path / "a.npz", arrays))
        for name in ("board", "move", "last_moves", "hashes", "game", "flags", "komi"):
            assert np.array_equal(getattr(found, name), getattr(whole, name)), name
        assert found.taken == whole.taken
    none = {name: array[:0] for name, array in arrays.items()}
    assert len(load_file(written(tmp_path / "none.npz", none))[0]) == 0
    with pytest.raises(MariagoError):
        import_katago([tmp_path / "none.npz"], tmp_path / "set", origin="o", terms="t")


def column(at: int, value: float) -> Callable[[Arrays], tuple[str, str]]:
    def change(arrays: Arrays) -> tuple[str, str]:
        arrays[TARGETS][4, at] = value
        return f"{TARGETS}, row 4", f"is {value:.9g}, not"

    return change


@pytest.mark.parametrize(
    "change",
    [
        *(column(Column.OWN_KOMI, value) for value in (1e30, -1e30, 500.25)),
        *(column(at, value) for at in (3, 7, Column.FINAL_SCORE) for value in (1e30, -5000)),
        *(column(Column.TURN, value) for value in (-1, 0.5, 32_767, 1e30)),
        *(column(Column.SIDE, value) for value in (7, -1, 1.5)),
        *(column(Column.EXTRA_BLACK, value) for value in (300, -3, 0.5)),
        *(column(Column.GAME + 2, value) for value in (3e38, -3, 0.5)),
        *(column(at, value) for at in (Column.MODE, Column.VERSION) for value in (1e20, -1, 0.5)),
        column(Column.ROW_WEIGHT, 1e38),
    ],
)
def test_a_number_that_no_game_can_have_is_told_by_array_row_and_value(
    arrays: Arrays, change: Callable[[Arrays], tuple[str, str]]
) -> None:
    changed = {name: array.copy() for name, array in arrays.items()}
    assert first_impossible(changed) == ""
    where, what = change(changed)
    told = first_impossible(changed)
    assert told.startswith(f"{where}: ")
    assert f"is {np.float32(what.split()[1].rstrip(',')):.9g}, not" in told
    assert first_impossible(changed, 100).startswith(f"{TARGETS}, row 104: ")


def test_inputs_that_no_game_can_have_are_told(arrays: Arrays, tmp_path: Path) -> None:
    for at, value in ((0, 7), (5, 1e20), (8, 3e38), (16, -9)):
        changed = {**arrays, INPUTS: arrays[INPUTS].copy()}
        changed[INPUTS][2, at] = value
        assert first_impossible(changed).startswith(f"{INPUTS}, row 2: ")
    changed = {**arrays, PLANES: arrays[PLANES].copy()}
    changed[PLANES][3, 10] = arrays[PLANES][3, 0]
    told = f"{PLANES}, row 3: the move 2 before is 81 points at once"
    assert first_impossible(changed) == told
    with pytest.raises(BadInputError, match=told):
        load_file(written(tmp_path / "a.npz", changed))


def test_a_board_that_is_larger_than_any_is_told() -> None:
    wide = np.zeros((1, 22, 30, 30), np.uint8)
    wide[:, 0] = 1
    packed = np.packbits(wide.reshape(1, 22, -1), axis=2)
    rows = {PLANES: packed, POLICY: np.ones((1, 2, 901), np.int16)}
    assert "row 0: a board with a side of more than 25" in first_impossible(rows)


def test_a_file_that_changes_between_the_readings_is_noticed(
    arrays: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "a.npz", arrays)
    judge = _Import._judge

    def judged(self: _Import) -> object:
        kept = judge(self)
        written(path, {**arrays, INPUTS: arrays[INPUTS][::-1]})
        return kept

    monkeypatch.setattr(_Import, "_judge", judged)
    with pytest.raises(RecordsError, match="changed while it was imported"):
        import_katago([path], tmp_path / "set", origin="o", terms="t")
    assert [held.name for held in tmp_path.iterdir()] == ["a.npz"]


def test_the_source_is_noted_as_it_was_read(arrays: Arrays, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "folder.npz").mkdir(parents=True)
    path = written(folder / "a.npz", arrays)
    made = import_katago([folder], tmp_path / "set", origin="o", terms="t")
    (source,) = made.sources
    assert source["path"] == str(path)
    assert source["size_bytes"] == path.stat().st_size
    assert json.loads((tmp_path / "set" / "manifest.json").read_text())["sources"] == [source]


def test_the_check_of_arrays_takes_any_shape(arrays: Arrays) -> None:
    for name in arrays:
        assert problems_of({**arrays, name: np.zeros((), arrays[name].dtype)})
