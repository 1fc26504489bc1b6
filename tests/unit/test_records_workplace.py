"""The room of a run: where a link leads, what is left behind, and what a full disk says."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from mariago.board.files import write_whole
from mariago.errors import BadInputError, RecordsError
from mariago.records import disk_arrays
from mariago.records.disk_arrays import map_new_array, save_array
from mariago.records.spool import NUMBERS
from mariago.records.workplace import StoppedError, Workplace, made_folder, told_when_full

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")

FULL = OSError(errno.ENOSPC, "No space left on device")


def made(out: Path, text: str) -> None:
    with Workplace(out) as workplace:
        workplace.clear()
        (workplace.folder / "file").write_text(text)
        workplace.finish()


def fails(out: Path, error: BaseException, goes_on: bool = False) -> None:
    with Workplace(out, goes_on) as workplace:
        workplace.clear()
        raise error


def made_in_vain(folder: Path, file: str = "") -> None:
    with made_folder(folder):
        if file:
            (folder / file).write_text("there")
        raise BadInputError("no")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_behind_a_link_is_made_where_the_link_leads(tmp_path: Path) -> None:
    (tmp_path / "disk" / "place").mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "disk" / "place")
    (tmp_path / "second").symlink_to("link")
    for out, text in ((link, "first"), (tmp_path / "second", "then")):
        made(out, text)
        assert link.is_symlink()
        assert (tmp_path / "disk" / "place" / "file").read_text() == text
    assert names(tmp_path) == ["disk", "link", "second"]
    assert names(tmp_path / "disk") == ["place"]


def test_a_link_that_leads_nowhere_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "lost").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("lost", "loop"):
        with pytest.raises(RecordsError, match="is a link that leads nowhere"):
            Workplace(tmp_path / name)
    assert names(tmp_path) == ["loop", "lost"]


def test_a_link_that_an_earlier_version_set_aside_goes_and_what_it_leads_to_stays(
    tmp_path: Path,
) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("kept")
    for target in ("kept", "nowhere"):
        (tmp_path / ".set.old").symlink_to(target)
        made(tmp_path / "set", target)
    assert names(tmp_path) == ["kept", "set"]
    assert (tmp_path / "kept" / "file").read_text() == "kept"


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), TypeError("a fault"), StoppedError("ended")]
)
def test_a_run_that_nothing_goes_on_from_leaves_no_room(
    tmp_path: Path, error: BaseException
) -> None:
    for goes_on in (False, True):
        with pytest.raises(type(error)):
            fails(tmp_path / "set", error, goes_on)
        assert names(tmp_path) == ([".set.partial"] if goes_on else [])


def test_a_full_disk_names_the_place(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="set: cannot be written") as caught:
        fails(tmp_path / "set", FULL)
    assert caught.value.hint == "make room, or write to another disk"
    assert names(tmp_path) == []
    with pytest.raises(RecordsError, match="scratch: cannot be written"), told_when_full("scratch"):
        raise FULL
    with pytest.raises(FileNotFoundError), told_when_full("scratch"):
        raise FileNotFoundError(errno.ENOENT, "No such file")


def test_a_folder_made_in_vain_is_taken_away_again(tmp_path: Path) -> None:
    with pytest.raises(BadInputError):
        made_in_vain(tmp_path / "a" / "b")
    assert names(tmp_path) == []
    with pytest.raises(BadInputError):
        made_in_vain(tmp_path / "a" / "b", "file")
    with pytest.raises(BadInputError):
        made_in_vain(tmp_path / "a" / "b" / "c")
    assert names(tmp_path / "a" / "b") == ["file"]


def test_a_file_behind_a_link_is_written_where_the_link_leads(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("old")
    (tmp_path / "link").symlink_to("page")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "page").read_text() == "new"


def test_a_file_for_which_there_is_no_room_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="page") as caught:
        write_whole(tmp_path / "page", "text")
    assert caught.value.filename == str(tmp_path / "page")
    assert names(tmp_path) == []


def test_arrays_on_disk_are_those_of_numpy(tmp_path: Path) -> None:
    for n, kind in ((0, NUMBERS), (7, NUMBERS), (3, np.dtype(np.float32))):
        array = np.zeros(n, kind)
        save_array(tmp_path / "ours.npy", array)
        np.save(tmp_path / "theirs.npy", array)
        assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()
    for shape in ((0, 5), (300, 22, 46), (9,)):
        mapped = map_new_array(tmp_path / "mapped.npy", np.dtype(np.uint8), shape)
        mapped[...] = 7
        del mapped
        held = np.load(tmp_path / "mapped.npy")
        assert held.shape == shape
        assert (held == 7).all()


@pytest.mark.parametrize("reserves", [True, False])
def test_an_array_that_finds_no_room_is_an_error_before_it_is_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reserves: bool
) -> None:
    def cannot(handle: int, start: int, length: int) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    def full(handle: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    if reserves:
        monkeypatch.setattr(os, "posix_fallocate", cannot, raising=False)
        array = map_new_array(tmp_path / "a.npy", np.dtype(np.float32), (2, 300_000))
        assert not array.any()
    else:
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    monkeypatch.setattr(disk_arrays.os, "write", full)
    with pytest.raises(OSError, match=r"b\.npy") as caught:
        map_new_array(tmp_path / "b.npy", np.dtype(np.uint8), (10,))
    assert caught.value.errno == errno.ENOSPC
