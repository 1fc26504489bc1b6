"""Folders, archives and files are read in a fixed order; the rest is counted."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from mariago.errors import BadInputError
from mariago.records import archives
from mariago.records.sources import open_source

GAME = b"(;SZ[9];B[ee])"
NAMES = ("b/2.sgf", "a/1.SGF", ".hidden.sgf", "a/.secret/x.sgf", "notes.txt")


def tar_bytes(names: tuple[str, ...] = NAMES) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = len(GAME)
            tar.addfile(entry, io.BytesIO(GAME))
    return buffer.getvalue()


def test_a_folder_is_read_by_sorted_names(tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(GAME)
    source = open_source(tmp_path)
    assert [file.path for file in source.read()] == ["a/1.SGF", "b/2.sgf"]
    assert source.kind == "folder"
    assert source.skipped == {"hidden": 2, "not_sgf": 1}
    assert source.size_bytes == 2 * len(GAME)
    inner = hashlib.sha256(GAME).digest()
    assert source.sha256 == hashlib.sha256(b"a/1.SGF\0" + inner + b"b/2.sgf\0" + inner).hexdigest()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_is_read_in_its_own_order_however_packed(tmp_path: Path, pack: object) -> None:
    data = pack(tar_bytes())  # type: ignore[operator]
    path = tmp_path / "records.bin"  # found by content, not by name
    path.write_bytes(data)
    source = open_source(path)
    files = list(source.read())
    assert [file.path for file in files] == ["b/2.sgf", "a/1.SGF"]
    assert {file.data for file in files} == {GAME}
    assert source.kind == "tar"
    assert (source.skipped["hidden"], source.skipped["not_sgf"]) == (2, 1)
    assert source.sha256 == hashlib.sha256(data).hexdigest()


def test_a_zip_is_read_in_its_own_order(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (*NAMES, "__MACOSX/b/2.sgf", "대국.sgf"):
            archive.writestr(name, GAME)
    source = open_source(tmp_path / "x")
    assert [file.path for file in source.read()] == ["b/2.sgf", "a/1.SGF", "대국.sgf"]
    assert source.kind == "zip"


def test_a_single_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_bytes(GAME)
    assert [file.data for file in open_source(tmp_path / "game.txt").read()] == [GAME]


def test_names_of_any_bytes_are_shown_with_escapes(tmp_path: Path) -> None:
    # Other systems refuse such names.
    name, shown = (
        (b"\xb6\xff.sgf", r"\xb6\xff.sgf") if sys.platform == "linux" else (b"x.sgf", "x.sgf")
    )
    with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
        file.write(GAME)
    assert [file.path for file in open_source(tmp_path).read()] == [shown]


def test_a_tar_with_names_of_any_bytes_is_read(tmp_path: Path) -> None:
    name = b"\xb6\xff.sgf".decode("utf-8", "surrogateescape")
    buffer = io.BytesIO()
    with tarfile.open(
        fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape"
    ) as tar:
        tar.addfile(tarfile.TarInfo(name))
    (tmp_path / "x.tar").write_bytes(buffer.getvalue())
    assert [file.path for file in open_source(tmp_path / "x.tar").read()] == [r"\xb6\xff.sgf"]


def test_a_file_too_large_comes_without_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 5)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "1.sgf").write_bytes(GAME)
    (tmp_path / "x.tar").write_bytes(tar_bytes(("1.sgf",)))
    for path in (tmp_path / "folder", tmp_path / "folder" / "1.sgf", tmp_path / "x.tar"):
        assert [file.data for file in open_source(path).read()] == [None]


def test_a_missing_source_is_named() -> None:
    with pytest.raises(BadInputError, match="nowhere: no such file or folder"):
        open_source("nowhere")


@pytest.mark.parametrize("cut", [0.3, 0.9])
def test_a_damaged_archive_is_one_clear_error(tmp_path: Path, cut: float) -> None:
    data = gzip.compress(tar_bytes(tuple(f"{n}.sgf" for n in range(200))))
    path = tmp_path / "x.tar.gz"
    path.write_bytes(data[: int(len(data) * cut)])
    with pytest.raises(BadInputError, match=r"x\.tar\.gz: damaged or unreadable after \d+ files"):
        list(open_source(path).read())


def test_a_damaged_zip_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(BadInputError, match="damaged or unreadable after 0 files"):
        list(open_source(tmp_path / "x.zip").read())
