"""Looking at a data set and leaving it: members of one name, sheets too large, folders in vain."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.board import files as files_module
from mariago.cli import main as cli
from mariago.errors import BadInputError, RecordsError
from mariago.records import BuildOptions, build_records, pool
from mariago.records.choosing import SampleFilter
from mariago.records.filters import GameFilter
from mariago.records.game_view import view_games
from mariago.records.manifest import read_manifest
from mariago.records.own import build_own
from mariago.records.sheet import MOST, write_sheet
from mariago.records.told import Days
from mariago.records.workplace import why_not_written

GAMES = random_records(range(4), moves=30)


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of an archive with four games, of which three are in files of one name."""
    top = tmp_path_factory.mktemp("small")
    with tarfile.open(top / "games.tar", "w") as tar:
        for name, game in zip(
            ("same.sgf", "same.sgf", "other.sgf", "same.sgf"), GAMES, strict=True
        ):
            entry = tarfile.TarInfo(name)
            entry.size = len(game)
            tar.addfile(entry, io.BytesIO(game))
    options = BuildOptions(size="9", validation=0, test=0)
    build_records([top / "games.tar"], origin="o", terms="t", out=top / "set", options=options)
    return top / "set"


def test_games_of_files_of_one_name_are_each_read_again(data_set: Path) -> None:
    manifest = read_manifest(data_set)
    views = view_games(manifest, [0, 1, 2, 3])
    assert [view.why_no_record for view in views] == [""] * 4
    assert len({tuple(view.record.moves) for view in views if view.record is not None}) == 4
    for game in (3, 1):
        (view,) = view_games(manifest, [game], with_details=True)
        assert view.record is not None
        assert view.record.moves == views[game].record.moves  # type: ignore[union-attr]


def test_a_sheet_that_no_picture_can_hold_is_refused_before_it_is_drawn(
    data_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInputError, match=f"{MOST} are the most"):
        write_sheet(data_set, MOST + 1, out=tmp_path / "sheet")
    order = ["records", "sheet", str(data_set), "--n", "100000", "--out", str(tmp_path / "sheet")]
    assert cli.call(order) == 2
    assert "100,000 boards is too large" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "order",
    [
        ["browse", "SET", "--out", "OUT"],
        ["browse", "SET", "--out", "OUT/in/page.html"],
        ["sheet", "SET", "--n", "2", "--out", "OUT"],
        ["show", "SET", "0", "--html", "OUT/page.html"],
        ["report", "SET", "--out", "page.html"],
        ["export", "SET", "--out", "OUT", "--jobs", "1"],
        ["export", "SET", "--out", "OUT", "--format", "sgf"],
        ["export", "SET", "--out", "OUT", "--format", "sgf-positions"],
        ["planes", "SET", "--jobs", "1"],
    ],
)
def test_a_full_disk_names_its_place_and_leaves_nothing(
    data_set: Path, tmp_path: Path, order: list[str], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files_module.os, "fsync", full)
    monkeypatch.setattr("mariago.records.plane_store.map_new_array", full)
    before = sorted(data_set.rglob("*"))
    words = [word.replace("SET", str(data_set)).replace("OUT", "out") for word in order]
    code = cli.call(["records", *words])
    lines = [line for line in capsys.readouterr().err.splitlines() if "No space left" in line]
    assert (code, len(lines)) == (2, 1)
    assert any(place in lines[0] for place in ("out", "page.html", "planes-v7"))
    assert list(tmp_path.iterdir()) == []
    assert sorted(data_set.rglob("*")) == before


def test_a_place_that_cannot_be_used_is_told_before_the_work(
    data_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def late(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr("mariago.records.leaks.find_leaks", late)
    (tmp_path / "lost").symlink_to("nowhere")
    for out, text in (("lost", "a link that leads nowhere"), (str(data_set), "is in the way")):
        order = ["records", "leak", str(data_set), "--drop-from", "A"]
        assert cli.call([*order, "--out", str(tmp_path / out)]) == 2
        assert text in capsys.readouterr().err
    assert cli.call(["records", "report", str(data_set), "--out", str(tmp_path / "no" / "p.html")])
    assert f"error: {tmp_path}/no/p.html: No such file" in capsys.readouterr().err


def test_a_full_disk_is_told_in_the_words_of_the_system(tmp_path: Path) -> None:
    error = OSError(errno.ENOSPC, "Error writing bytes to file. Detail: [errno 28] No space")
    assert why_not_written(error) == "cannot be written (No space left on device)"
    assert why_not_written(OSError("7 requested")) == "cannot be written (7 requested)"

    def full(*_: object, **__: object) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mariago.records.build.Journal", full)
        with pytest.raises(RecordsError, match=r"own: cannot be written \(No space left") as caught:
            build_own(tmp_path / "own")
    assert "--resume" not in str(caught.value.hint)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["2001-13", "2001-13..", "..2001-02-30", "2001-00", "2001-1-1-1"])
def test_a_date_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="is not a range of dates"):
        Days.parse(text, "--dates")
    with pytest.raises(BadInputError):
        GameFilter(dates=text)


@pytest.mark.parametrize("text", ["2001", "2001-12..2002", "20010531", "2001/5/3"])
def test_dates_are_read_in_usual_forms(text: str) -> None:
    assert Days.parse(text, "--dates").first.startswith("2001")


def test_numbers_without_end_are_told() -> None:
    for digits in ("1" * 10, "1" * 5000, "٣"):
        with pytest.raises(BadInputError):
            GameFilter(length=digits)
        with pytest.raises(BadInputError):
            SampleFilter(moves=f"{digits}-")


def test_sigterm_ends_a_run_in_order(tmp_path: Path) -> None:
    if sys.platform == "win32":
        return
    source = write_files(tmp_path / "source", random_records(range(60), moves=80) * 20)
    order = [sys.executable, "-m", "mariago", "records", "build", str(source), "--origin", "o"]
    order += ["--terms", "t", "--size", "9", "--jobs", "2", "--out", str(tmp_path / "set")]
    run = subprocess.Popen(order, stderr=subprocess.PIPE, text=True)
    room = tmp_path / ".set.partial" / "spool" / "judged.bin"
    while run.poll() is None and not (room.exists() and room.stat().st_size):
        time.sleep(0.02)
    os.kill(run.pid, signal.SIGTERM)
    _, said = run.communicate(timeout=60)
    if run.returncode == 0:  # it was done before
        return
    assert run.returncode == pool.SIGNALLED + signal.SIGTERM
    assert "resource_tracker" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("wanted", "other", "said"),
    [("19", None, "4 on a board of 9x9"), ("13", 19, "4 on a board of 9x9, 1 on a board of 19x19")],
)
def test_a_build_that_finds_no_board_of_its_size_says_which_there_were(
    wanted: str, other: int | None, said: str, tmp_path: Path
) -> None:
    records = tmp_path / "records"
    records.mkdir()
    for number, game in enumerate(GAMES):
        (records / f"{number}.sgf").write_bytes(game)
    if other:
        (records / "other.sgf").write_text(f"(;GM[1]SZ[{other}];B[aa];W[bb];B[cc])")
    options = BuildOptions(size=wanted, validation=0, test=0)
    with pytest.raises(RecordsError, match="no game could be used") as caught:
        build_records([records], origin="o", terms="t", out=tmp_path / "set", options=options)
    assert f"is taken, which left out {said}" in str(caught.value.hint)
