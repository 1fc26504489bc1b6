"""Archives that lie about their sizes, are empty, or stand behind something else."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from mariago.errors import BadInputError
from mariago.records import archives
from mariago.records.archives import MAX_FILE_BYTES
from mariago.records.sources import open_source

GAME = b"(;SZ[9];B[ee])"
LONG = b"(;SZ[9]C[" + bytes(4 * MAX_FILE_BYTES)


def read(path: Path) -> list[tuple[str, bytes | None, str]]:
    return [(file.path, file.data, file.why) for file in open_source(path).read()]


def peak_of(path: Path) -> tuple[list[tuple[str, bytes | None, str]], float]:
    """Return what is read, and the most memory meanwhile, in MiB."""
    tracemalloc.start()
    found = read(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return found, peak / 2**20


@cache
def large_zip(packing: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        archive.writestr("a.sgf", LONG)
    return buffer.getvalue()


def lying_zip(told: int, packing: int) -> bytes:
    """Return a zip of 256 MiB that says of itself to be of ``told`` bytes."""
    data = bytearray(large_zip(packing))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = told.to_bytes(4, "little")
    return bytes(data)


@pytest.mark.parametrize("told", [100, 60_000_000, 2**32 - 2])
@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_zip_that_lies_about_a_size_takes_no_more_memory_than_a_record_may(
    tmp_path: Path, told: int, packing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "LARGE_BYTES", 2**40)
    (tmp_path / "in").mkdir()
    for path in (tmp_path / "a.zip", tmp_path / "in" / "nested.zip"):
        path.write_bytes(lying_zip(told, packing))
        found, peak = peak_of(path if path.parent == tmp_path else path.parent)
        assert [data for _, data, _ in found] == [None]
        assert "damaged" in found[0][2] or found[0][2] == archives.too_large()
        assert peak < 3.5 * 64


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_record_without_end_is_bounded_wherever_it_stands(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    packed = pack(LONG)
    (tmp_path / "a.sgf.gz").write_bytes(packed)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.sgf.gz", packed)
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.add(tmp_path / "a.sgf.gz", "a.sgf.gz")
    for name in ("a.sgf.gz", "a.zip", "a.tar"):
        found, peak = peak_of(tmp_path / name)
        assert found == [("a.sgf.gz", None, archives.too_large())]
        assert peak < 3.5 * 64


def test_archives_of_all_ways_of_packing_give_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    for packing in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
        for data in (b"", GAME, GAME * 1000, GAME * 500_000):
            with zipfile.ZipFile(path, "w", packing) as archive:
                archive.writestr("a.sgf", data)
            assert read(path) == [("a.sgf", data, "")]


def test_an_archive_without_a_member_is_one_without_records(tmp_path: Path) -> None:
    tarfile.open(tmp_path / "a.tar", "w").close()
    tarfile.open(tmp_path / "b.tar.gz", "w:gz").close()
    zipfile.ZipFile(tmp_path / "c.zip", "w").close()
    for path in list(tmp_path.iterdir()):
        assert open_source(path).kind == path.name.split(".")[1]
        assert read(path) == []
    assert read(tmp_path) == []


def test_a_zip_behind_a_program_is_read(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.sgf", GAME)
    for name in ("a.zip", "a.exe"):
        (tmp_path / name).write_bytes(b"MZ" + bytes(1000) + buffer.getvalue())
        assert open_source(tmp_path / name).kind == "zip"
        assert read(tmp_path / name) == [("a.sgf", GAME, "")]
    assert read(tmp_path) == [("a.zip/a.sgf", GAME, "")]


def test_what_is_named_an_archive_and_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(bytes(10_000))
    with pytest.raises(BadInputError, match=r"a\.zip: damaged or unreadable.*no archive"):
        read(tmp_path / "a.zip")
    (tmp_path / "a.zip").unlink()
    path = tmp_path / "a.tar"
    for data in (b"", b"words", bytes(100)):
        path.write_bytes(data)
        with pytest.raises(BadInputError, match=r"a\.tar: damaged or unreadable.*no archive"):
            read(path)
        assert [why for *_, why in read(tmp_path)] == ["cannot be read (no archive)"]
    for data in (GAME, b"\xef\xbb\xbf" + GAME, gzip.compress(GAME)):
        path.write_bytes(data)
        assert [why for *_, why in read(path)] == [""]
