"""Archives made to do harm, damaged ones, and those of every format are read within limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mariago.errors import BadInputError
from mariago.records import archives
from mariago.records.archives import DAMAGED, kind_of, read_tar
from mariago.records.names import shown
from mariago.records.sources import open_source
from mariago.records.tar_stream import TarError, TarReader

GAME = b"(;SZ[9];B[ee])"


def entry(name: str, size: int = len(GAME), **fields: object) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.size = size
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def tar_of(*entries: tarfile.TarInfo, form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form, errors="surrogateescape") as tar:
        for one in entries:
            data = (GAME * (one.size // len(GAME) + 1))[: one.size]
            tar.addfile(one, io.BytesIO(data) if one.isreg() else None)
    return buffer.getvalue()


def read(path: Path) -> list[tuple[str, bytes | None, str]]:
    return [(file.path, file.data, file.why) for file in open_source(path).read()]


def names(path: Path) -> list[str]:
    return [file.path for file in open_source(path).read()]


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_every_format_of_tar_gives_names_and_bytes(tmp_path: Path, form: int) -> None:
    long_name = "/".join(["folder" * 5] * 7) + "/game.sgf"  # 217 bytes: all three tell it apart
    entries = [entry("a.sgf"), entry(long_name, 3000), entry("empty.sgf", 0)]
    if form != tarfile.USTAR_FORMAT:
        entries.append(entry("棋譜" * 60 + ".sgf"))
    (tmp_path / "x.tar").write_bytes(tar_of(*entries, form=form))
    found = read(tmp_path / "x.tar")
    assert [name for name, _, _ in found] == [one.name for one in entries]
    assert [len(data or b"") for _, data, _ in found] == [one.size for one in entries]


def test_links_devices_and_folders_of_a_tar_are_left_out(tmp_path: Path) -> None:
    kinds = [tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE]
    odd = [entry("b.sgf", 0, type=kind, linkname="/etc/passwd") for kind in kinds]
    odd.append(entry("folder.sgf", 0, type=tarfile.DIRTYPE))
    (tmp_path / "x.tar").write_bytes(tar_of(entry("a.sgf"), *odd, entry("c.sgf")))
    source = open_source(tmp_path / "x.tar")
    assert [file.path for file in source.read()] == ["a.sgf", "c.sgf"]
    assert source.skipped == {"link_or_device": len(kinds)}


def test_names_that_lead_out_of_the_archive_are_only_text(tmp_path: Path) -> None:
    wanted = ["/etc/a.sgf", "../../b.sgf", "c/../d.sgf"]
    (tmp_path / "x.tar").write_bytes(tar_of(*map(entry, wanted)))
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for name in wanted:
            archive.writestr(name, GAME)
    before = sorted(tmp_path.rglob("*"))
    assert names(tmp_path / "x.tar") == wanted
    assert names(tmp_path / "x.zip") == wanted
    assert sorted(tmp_path.rglob("*")) == before


def test_the_same_name_twice_is_two_files(tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_of(entry("a.sgf"), entry("a.sgf", 0)))
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.sgf", GAME)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.sgf", b"")
    for path in (tmp_path / "x.tar", tmp_path / "x.zip"):
        assert [file.data for file in open_source(path).read()] == [GAME, b""]


@pytest.mark.parametrize(
    ("name", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_packed_records_are_read_wherever_they_lie(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / f"game.sgf.{name}"
    path.write_bytes(pack(GAME))
    packed = entry(path.name, path.stat().st_size)
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        tar.addfile(packed, io.BytesIO(pack(GAME)))
    for place in (path, path.parent, tmp_path / "x.tar"):
        assert read(place) == [(path.name, GAME, "")]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_record_that_unpacks_beyond_the_limit_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 2**20)
    (tmp_path / "x.sgf.gz").write_bytes(pack(bytes(2**20 + 1)))
    assert read(tmp_path) == [("x.sgf.gz", None, "larger than 1 MiB")]


def test_an_archive_that_unpacks_out_of_all_proportion_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "LARGE_BYTES", 2**20)
    zeros = b"(;" + bytes(2**24) + b")"
    with tarfile.open(tmp_path / "x.tar.bz2", "w:bz2") as tar:
        tar.addfile(entry("a.sgf"), io.BytesIO(GAME))
        tar.addfile(entry("b.txt", len(zeros)), io.BytesIO(zeros))
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.sgf", zeros)
    for path in (tmp_path / "x.tar.bz2", tmp_path / "x.zip"):
        with pytest.raises(BadInputError, match="unpacks to more than 500 times its size"):
            list(open_source(path).read())


def test_members_of_a_zip_that_cannot_be_read_are_told_and_the_rest_is_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("1.sgf", "2.sgf", "3.sgf", "4.sgf"):
            archive.writestr(name, GAME)
        archive.writestr("5.sgf", GAME * 100, zipfile.ZIP_BZIP2)
    data = bytearray(path.read_bytes())
    data[data.index(GAME)] ^= 1  # the checksum of the first one is wrong now
    directory = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", directory + 1)
    data[second + 8] |= 1  # the second one says that it is encrypted
    path.write_bytes(data)
    assert read(path) == [
        ("1.sgf", None, "damaged (Bad CRC-32 for file '1.sgf')"),
        ("2.sgf", None, "encrypted"),
        ("3.sgf", GAME, ""),
        ("4.sgf", GAME, ""),
        ("5.sgf", None, "packed by bzip2 within a zip"),
    ]


def test_a_zip_member_that_lies_about_its_size_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.sgf", bytes(2**20))
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (100).to_bytes(4, "little")
    path.write_bytes(data)
    [(_, held, why)] = read(path)
    assert held is None
    assert why.startswith("damaged")


@pytest.mark.parametrize("kind", [b"L", b"x", b"g"])
def test_a_header_without_end_is_not_read_into_memory(kind: bytes) -> None:
    header = bytearray(entry("a", 2**34).tobuf(tarfile.GNU_FORMAT)[:512])
    header[156:157] = kind
    header[148:156] = b"%06o\0 " % (sum(header) - sum(header[148:156]) + 256)
    with pytest.raises(TarError, match="a header of 17179869184 bytes"):
        list(TarReader(io.BytesIO(bytes(header))))


def test_sparse_files_of_a_tar_are_left_out(tmp_path: Path) -> None:
    pax = entry("a.sgf", pax_headers={"GNU.sparse.realsize": "99999999999"})
    (tmp_path / "x.tar").write_bytes(tar_of(pax, entry("b.sgf")))
    assert names(tmp_path / "x.tar") == ["b.sgf"]


WHOLE = tar_of(*(entry(f"{n}.sgf", 700) for n in range(5)))


@pytest.mark.parametrize("length", [0, 100, 512, 1024, 1536, 3 * 1536, 5 * 1536, 5 * 1536 + 511])
def test_a_tar_that_is_cut_off_anywhere_is_told(tmp_path: Path, length: int) -> None:
    (tmp_path / "x.tar").write_bytes(WHOLE[:length])
    if length < 512:
        assert kind_of(io.BytesIO(WHOLE[:length])) == "file"
        return
    with pytest.raises(BadInputError, match=r"damaged or unreadable after \d files \(cut off\)"):
        list(open_source(tmp_path / "x.tar").read())


@given(data=st.data())
def test_a_tar_with_any_bytes_changed_gives_files_or_one_of_the_known_errors(
    data: st.DataObject,
) -> None:
    whole = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        for file in read_tar(io.BytesIO(bytes(whole)), len(whole), Counter[str]()):
            assert file.data is None or len(file.data) <= len(whole)
    except DAMAGED:
        pass


def test_what_a_terminal_would_obey_is_escaped() -> None:
    assert shown(b"a\x1b[2J\n\xe2\x80\xae.sgf") == "a\\x1b[2J\\n\\u202e.sgf"
    assert shown("対局 第1局　名人戦.sgf".encode()) == "対局 第1局　名人戦.sgf"
    assert shown(b"\xb6\xff") == "\\xb6\\xff"
