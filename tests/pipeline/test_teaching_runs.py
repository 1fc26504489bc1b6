"""Runs of labels: one that ends early goes on to the same files, and errors are one line."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.reference.labelled_sets import TRAIN, copied, label, set_and_net

from mariago.cli.main import call
from mariago.errors import RecordsError
from mariago.nets import load_net
from mariago.records import read_manifest
from mariago.records.labels import teachers_of
from mariago.records.pool import Workers
from mariago.teaching import labelling, net_teacher
from mariago.teaching.work import WorkFolder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return set_and_net(tmp_path_factory.mktemp("teaching"))


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_teacher, "ROWS_AT_ONCE", 16)


def digest(folder: Path, name: str) -> str:
    return hashlib.sha256((folder / f"labels-{name}-{TRAIN}").read_bytes()).hexdigest()


class Killed(Exception):
    pass


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    expected = digest(folder, "t")
    (folder / f"labels-t-{TRAIN}").unlink()
    told: list[tuple[int, int, int]] = []

    def stop(made: int, before: int, total: int) -> None:
        told.append((made, before, total))
        if made >= 64:
            raise Killed

    with pytest.raises(Killed):
        label(folder, whole, name="t", tell=stop)
    assert teachers_of(folder) == {}
    with pytest.raises(RecordsError, match=r"are begun there$"):
        label(folder, whole, name="t")
    with pytest.raises(RecordsError, match="another choice of rows"):
        label(folder, whole, name="t", every=2, resume=True)
    label(folder, whole, name="t", resume=True, tell=lambda *now: told.append(now))
    assert digest(folder, "t") == expected
    assert told[-1][1] == 64, "only what was missing is labelled"
    assert sum(told[-1][:2]) == told[-1][2]
    assert not list(folder.glob(".labels*"))
    again = label(folder, whole, name="t", resume=True)
    assert (again.made, again.rows) == (0, told[-1][2])


KILLED = """
import os, sys
from mariago.cli.main import call
from mariago.teaching import labelling, net_teacher, work

net_teacher.ROWS_AT_ONCE = 16
write, left = labelling.write_part, [5]

def dying(part, table):
    left[0] -= 1
    if not left[0]:  # half of a file stands there, and the process is gone
        part.path.with_name(f".{part.path.name}.x.part").write_bytes(b"PAR1 half")
        os._exit(9)
    write(part, table)

labelling.write_part = dying
call(sys.argv[1:])
"""


def test_a_run_that_is_killed_loses_no_more_than_a_part(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    expected = digest(folder, "t")
    command = ["records", "label", str(folder), "--teacher", f"net:{whole / 'net'}"]
    command += ["--name", "t", "--jobs", "1", "--overwrite"]
    done = subprocess.run([sys.executable, "-c", KILLED, *command], check=False, timeout=300)
    assert done.returncode == 9
    assert len(list((folder / ".labels-t.partial").glob("train-*.parquet"))) == 4
    assert digest(folder, "t") == expected, "what stood there stays until it is replaced whole"
    told: list[int] = []
    label(folder, whole, name="t", resume=True, tell=lambda made, before, total: told.append(made))
    assert digest(folder, "t") == expected
    assert not list(folder.glob(".labels*"))


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t", jobs=1)
    alone = digest(folder, "t")
    label(folder, whole, name="t", jobs=2, overwrite=True)
    assert digest(folder, "t") == alone


def test_workers_are_handed_whole_parts_in_order(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What two workers would do, without the seconds that starting them takes."""
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    expected = digest(folder, "t")

    def backwards(self: Workers, function: Any, items: Any) -> Any:
        held = list(items)
        results = {id(item): function(item) for item in reversed(held)}
        return iter([results[id(item)] for item in held])

    monkeypatch.setattr(Workers, "in_order", backwards)
    label(folder, whole, name="t", overwrite=True)
    assert digest(folder, "t") == expected


def test_labels_of_other_teachers_stay(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="one")
    before = digest(folder, "one")
    done = label(folder, whole)
    sha256 = load_net(whole / "net").describe()["sha256"]
    assert done.teacher == f"net.{sha256[:8]}"
    assert sha256 in done.about
    assert str(tmp_path) not in done.about
    assert set(teachers_of(folder)) == {"one", done.teacher}
    assert digest(folder, "one") == before
    with pytest.raises(RecordsError, match="labels by one stand there"):
        label(folder, whole, name="one")
    with pytest.raises(RecordsError, match="of other settings"):
        label(folder, whole, name="one", symmetries=8, resume=True)
    label(folder, whole, name="one", symmetries=8, overwrite=True)
    assert digest(folder, "one") != before


def test_one_run_at_a_time(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    with (
        WorkFolder(read_manifest(folder), "t", "", [TRAIN], {}),
        pytest.raises(RecordsError, match="another run is making labels by t"),
    ):
        label(folder, whole, name="t")


def test_ctrl_c_says_how_to_go_on(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    write, left = labelling.write_part, [3]

    def interrupted(*given: Any) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        write(*given)

    monkeypatch.setattr(labelling, "write_part", interrupted)
    command = ["records", "label", str(folder), "--teacher", f"net:{whole / 'net'}", "--jobs", "1"]
    assert call(command) == 130
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "interrupted: the labels made so far are kept; the same command with --resume goes on"
    ]
    monkeypatch.undo()
    assert call([*command, "--resume"]) == 2, "the parts of this version have another size"
    monkeypatch.setattr(net_teacher, "ROWS_AT_ONCE", 16)
    assert call([*command, "--resume"]) == 0
    assert "rows are labelled already" in capsys.readouterr().err


def test_the_command_tells_what_it_did(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    command = ["records", "label", str(folder), "--teacher", f"net:{whole / 'net'}", "--jobs", "1"]
    assert call([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"] == told["made"] == read_manifest(folder).samples("train")
    assert told["files"] == [f"labels-{told['teacher']}-{TRAIN}"]
    assert told["bytes_a_row"] > 0
    assert call([*command, "--overwrite", "--every", "2"]) == 0
    out = capsys.readouterr()
    assert "rows labelled by net." in out.out
    assert "every 2. move of a game" in out.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--teacher", "random"], "a random player cannot teach"),
        (["--teacher", "heuristic"], "a heuristic player cannot teach"),
        (["--teacher", "net:nowhere"], "no such folder"),
        (["--teacher", "katago:nowhere.bin.gz"], "cannot be read"),
        (["--teacher", "nobody"], "unknown player"),
        (["--teacher", "search:{net},seconds=2"], "by visits, not by time"),
        (["--teacher", "search:{net}", "--symmetries", "8"], "stand in its name"),
        (["--teacher", "net:{net}", "--symmetries", "3"], "1, 2 or 8"),
        (["--teacher", "net:{net}", "--split", "best"], "train, validation, test"),
        (["--teacher", "net:{net}", "--split", "test"], "no samples in split"),
        (["--teacher", "net:{net}", "--name", "a/b"], "no name for a teacher"),
        (["--teacher", "net:{net}", "--every", "0"], "every"),
        (["--teacher", "net:{net}", "--every", "5000"], "no row is chosen"),
        (["--teacher", "net:{net}", "--resume", "--overwrite"], "--overwrite begins again"),
    ],
)
def test_what_cannot_teach_gets_one_line(
    whole: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    filled = [option.replace("{net}", str(whole / "net")) for option in options]
    assert call(["records", "label", str(whole / "set"), "--jobs", "1", *filled]) == 2
    said = capsys.readouterr().err.splitlines()
    assert words in said[0]
    assert len(said) <= 2
    assert not list((whole / "set").glob("*labels*"))


def test_a_damaged_net_gets_one_line(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    net = Path(shutil.copytree(whole / "net", tmp_path / "net"))
    (net / "model.onnx").write_bytes(b"nothing")
    command = ["records", "label", str(whole / "set"), "--teacher", f"net:{net}", "--jobs", "1"]
    assert call(command) == 2
    assert "is not the file" in capsys.readouterr().err
    assert not list((whole / "set").glob("*labels*"))
