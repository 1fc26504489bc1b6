"""What is wrong with one file is one line, and the build goes on; a full disk is one line too."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import socket
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from tests.pipeline.test_records_build import checksums
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.errors import BadInputError
from mariago.records import BuildOptions, Manifest, build_records
from mariago.records import workplace as workplace_module
from mariago.records.sources import open_source
from mariago.records.workplace import StoppedError

GAMES = random_records(range(6), moves=30)
LIMITED = """
import resource, sys
from mariago.cli.main import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
run()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(tmp_path / "source", GAMES)


def built(source: Path, out: Path, said: list[str] | None = None, resume: bool = False) -> Manifest:
    hears = (lambda line: None) if said is None else said.append
    return build_records(
        [source], origin="o", terms="t", out=out, options=BuildOptions(size="9"),
        say=hears, resume=resume,
    )  # fmt: skip


def dropped(manifest: Manifest) -> list[tuple[str, str]]:
    lines = (manifest.folder / "dropped.jsonl").read_text("utf-8").splitlines()
    return [(entry["path"], entry["text"]) for entry in map(json.loads, lines)]


def test_pipes_sockets_devices_and_links_without_end_are_passed_by(folder: Path) -> None:
    if sys.platform == "win32":  # which has none of them
        return
    os.mkfifo(folder / "pipe.sgf")
    with socket.socket(socket.AF_UNIX) as ear:
        here = Path.cwd()
        os.chdir(folder)  # a socket's path is short
        ear.bind("socket.sgf")
        os.chdir(here)
        (folder / "device.sgf").symlink_to("/dev/zero")
        (folder / "loop.sgf").symlink_to("loop.sgf")
        (folder / "nowhere.sgf").symlink_to("no such file")
        (folder / "loop").symlink_to(folder)
        (folder / "linked.sgf").symlink_to("00000.sgf")
        source = open_source(folder)
        found = [file.path for file in source.read()]
    assert found == [f"{n:05}.sgf" for n in range(6)] + ["linked.sgf"]
    assert source.skipped == {"link_or_device": 6}
    with pytest.raises(BadInputError, match="a pipe, socket or device"):
        open_source(folder / "pipe.sgf")


def test_a_file_and_a_folder_that_may_not_be_read_are_one_line_each(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "closed").mkdir()
    (folder / "closed" / "1.sgf").write_bytes(GAMES[0])
    opened, listed = os.open, os.scandir

    def refusing_open(path: bytes, *flags: int) -> int:
        if os.fsencode(path).endswith(b"00002.sgf"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, *flags)

    def refusing_list(path: bytes) -> object:
        if os.fsencode(path).endswith(b"closed"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "open", refusing_open)
    monkeypatch.setattr(os, "scandir", refusing_list)
    said: list[str] = []
    manifest = built(folder, tmp_path / "set", said)
    monkeypatch.undo()
    why = "cannot be read (Permission denied)"
    assert dropped(manifest) == [("00002.sgf", why), ("closed/", why)]
    assert said == [f"{folder}: 00002.sgf: {why}", f"{folder}: closed/: {why}"]
    assert manifest.counts["games_kept"] == 5


def test_a_source_that_may_not_be_read_is_one_error(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: bytes) -> object:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(BadInputError, match=r"damaged or unreadable after 0 files \(Permission"):
        list(open_source(folder).read())


def test_archives_in_a_folder_are_read_one_level_deep(folder: Path) -> None:
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("in/1.sgf", GAMES[0])
        archive.writestr("deeper.zip", b"PK\x03\x04")
    with tarfile.open(folder / "b.tgz", "w:gz") as tar:
        tar.add(folder / "00001.sgf", "2.sgf")
    (folder / "c.sgf.gz").write_bytes(gzip.compress(GAMES[2]))
    source = open_source(folder)
    found = {file.path: file.data for file in source.read()}
    assert found["a.zip/in/1.sgf"] == GAMES[0]
    assert found["b.tgz/2.sgf"] == GAMES[1]
    assert found["c.sgf.gz"] == GAMES[2]
    assert len(found) == 9
    assert source.skipped == {"nested_archive": 1}


def test_of_a_damaged_archive_in_a_folder_what_can_be_read_is_kept_and_the_rest_told(
    folder: Path, tmp_path: Path
) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for n, game in enumerate(random_records(range(10, 14), moves=30)):
            one = tarfile.TarInfo(f"{n}.sgf")
            one.size = len(game)
            tar.addfile(one, io.BytesIO(game))
    (folder / "x.tar").write_bytes(buffer.getvalue()[: 3 * 1024 + 700])
    (folder / "y.tar.gz").write_bytes(b"\x1f\x8b nothing of the kind")
    (folder / "z.zip").write_bytes(b"PK\x03\x04 cut off")
    said: list[str] = []
    manifest = built(folder, tmp_path / "set", said)
    told = dropped(manifest)
    assert [path for path, _ in told] == ["x.tar", "y.tar.gz", "z.zip"]
    assert told[0][1] == "cannot be read after 3 files (cut off)"
    assert len(said) == 3
    assert manifest.counts["games_kept"] == 6 + 3


def test_a_file_of_two_gigabytes_is_not_read_into_memory(folder: Path) -> None:
    for name in ("large.sgf", "large.sgf.gz", "large.zip"):
        with (folder / name).open("wb") as file:
            file.truncate(2**31)  # a hole: takes no room on most disks
    tracemalloc.start()
    found = {file.path: file.why for file in open_source(folder).read() if file.data is None}
    alone = [file.why for file in open_source(folder / "large.sgf").read()]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    large = "larger than 64 MiB"
    assert found == {
        "large.sgf": large, "large.sgf.gz": large, "large.zip": "cannot be read (no archive)"
    }  # fmt: skip
    assert alone == [large]
    assert peak < 2 * 64 * 2**20 + 2**24


def test_names_of_any_bytes_come_out_as_text(tmp_path: Path) -> None:
    if sys.platform != "linux":  # other systems refuse such names
        return
    for n, name in enumerate((b"\xb6\xd4.sgf", b"a\n\x1b[31m.sgf", b"\xff\xfe.zip")):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(GAMES[n])
    said: list[str] = []
    manifest = built(tmp_path, tmp_path.parent / "set", said)
    paths = [path for path, _ in dropped(manifest)]
    assert manifest.counts["games_kept"] == 2
    assert paths == ["\\xff\\xfe.zip"]
    assert all(line.isprintable() for line in said)


def test_a_full_disk_is_one_line_and_the_build_goes_on_from_there(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0
    write = workplace_module.append_whole

    def full(file: io.FileIO, data: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(file, data)

    with monkeypatch.context() as patch:
        for room in ("journal", "spool"):
            patch.setattr(f"mariago.records.{room}.append_whole", full)
        with pytest.raises(StoppedError, match=r"cannot be written \(No space left on") as caught:
            built(folder, tmp_path / "set")
    assert caught.value.hint == "make room; the same command with --resume goes on from there"
    built(folder, tmp_path / "set", resume=True)
    built(folder, tmp_path / "whole")
    assert checksums(tmp_path / "set") == checksums(tmp_path / "whole")


@pytest.mark.parametrize("most_bytes", [2_000, 30_000])
def test_a_disk_that_takes_no_more_bytes_is_one_line_of_the_command(
    folder: Path, tmp_path: Path, most_bytes: int
) -> None:
    if sys.platform == "win32":  # which knows no limit of files
        return
    source = write_files(tmp_path / "more", random_records(range(60), moves=80))
    order = ["records", "build", str(source), "--origin", "o", "--terms", "t", "--size", "9"]
    order += ["--jobs", "1", "--resume", "--out", str(tmp_path / "set")]
    command = [sys.executable, "-c", LIMITED, str(most_bytes), *order]
    ended = subprocess.run(command, capture_output=True, text=True)
    lines = [
        line
        for line in ended.stderr.splitlines()
        if not line.startswith(("reading", "writ", "nothing there yet"))
    ]
    assert ended.returncode == 2
    assert lines[0] == f"error: {tmp_path / 'set'}: cannot be written (File too large)"
    assert lines[1:] == ["hint: make room; the same command with --resume goes on from there"]
    assert not (tmp_path / "set").exists()
    again = subprocess.run(
        [sys.executable, "-m", "mariago", *order], capture_output=True, text=True
    )
    assert again.returncode == 0, again.stderr


def test_of_two_builds_of_one_folder_at_a_time_one_is_refused_and_one_ends(
    folder: Path, tmp_path: Path
) -> None:
    source = write_files(tmp_path / "more", random_records(range(60), moves=80) * 20)
    command = [sys.executable, "-m", "mariago", "records", "build", str(source), "--origin", "o"]
    command += ["--terms", "t", "--size", "9", "--jobs", "1", "--out", str(tmp_path / "set")]
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    shown = {run.wait(): run.communicate()[1] for run in runs}
    assert sorted(shown) == [0, 2]
    assert "another run is building" in shown[2] or "stands there already" in shown[2]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["more", "set", "source"]
