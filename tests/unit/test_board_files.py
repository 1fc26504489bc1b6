"""Files appear whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mariago.board import files
from mariago.board.files import write_whole


def test_a_new_file_holds_what_was_written(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", "碁\r\nline")
    write_whole(str(tmp_path / "b.bin"), b"\x00\xff")
    assert (tmp_path / "a.txt").read_bytes() == "碁\r\nline".encode()
    assert (tmp_path / "b.bin").read_bytes() == b"\x00\xff"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b.bin"]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old, and longer than the new one")
    write_whole(target, "new")
    assert target.read_text() == "new"


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(files.os, step, fail)
            with pytest.raises(OSError, match="disk is full"):
                write_whole(target, "new")
        assert target.read_text() == "old"
        assert list(tmp_path.iterdir()) == [target]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "none" / "a.txt", "x")


def test_a_file_gets_the_permissions_any_new_file_gets(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_whole(tmp_path / "a.txt", "x")
        (tmp_path / "plain.txt").write_text("x")
    finally:
        os.umask(old)
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_what_is_no_file_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
    write_whole(os.devnull, "nothing")
    assert not Path(os.devnull).is_file()
