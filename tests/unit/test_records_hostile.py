"""Names, links and numbers that were made to do harm are told, and the rest is read."""

from __future__ import annotations

import io
import os
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from mariago.cli import main as cli
from mariago.errors import BadInputError
from mariago.records.archives import SourceFile, why_not_wanted
from mariago.records.intake import take_in
from mariago.records.options import BuildOptions
from mariago.records.papers import papers_of
from mariago.records.sources import open_source
from mariago.sgf import grammar

GAME = b"(;SZ[9];B[ee])"


def zip_of(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, GAME)
    return buffer.getvalue()


def files_of(path: Path) -> dict[str, bytes | None]:
    return {file.path: file.data for file in open_source(path).read()}


def test_a_zip_whose_names_are_no_utf_8_in_spite_of_their_flag_is_read(tmp_path: Path) -> None:
    name = "대국.sgf".encode()
    data = zip_of("대국.sgf", "2.sgf").replace(name, b"\xff" + name[1:])
    (tmp_path / "x.zip").write_bytes(data)
    found = files_of(tmp_path / "x.zip")
    assert list(found) == ["\\xff\\x8c\\x80국.sgf", "2.sgf"]
    assert set(found.values()) == {GAME}


@pytest.mark.parametrize("fault", ["crc", "method", "name", "strong encryption"])
def test_one_bad_member_of_a_zip_is_told_and_the_rest_is_read(tmp_path: Path, fault: str) -> None:
    data = bytearray(zip_of("1.sgf", "2.sgf"))
    entry = data.index(b"PK\x01\x02")
    if fault == "crc":
        data[entry + 16] ^= 1
    elif fault == "method":
        struct.pack_into("<H", data, entry + 10, 97)
    elif fault == "name":
        data[30] ^= 1  # of the header alone
    else:
        data[6] |= 0x40
        data[entry + 8] |= 0x40
    (tmp_path / "x.zip").write_bytes(data)
    assert files_of(tmp_path / "x.zip") == {"1.sgf": None, "2.sgf": GAME}


@pytest.mark.parametrize("name", ["../up.sgf", "../../up.sgf", "../../../up.sgf", "./a/./b.sgf"])
def test_names_that_lead_upwards_are_text_and_not_hidden(tmp_path: Path, name: str) -> None:
    assert why_not_wanted(name.encode()) is None
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        member = tarfile.TarInfo(name)
        member.size = len(GAME)
        tar.addfile(member, io.BytesIO(GAME))
    assert list(files_of(tmp_path / "x.tar").values()) == [GAME]


@pytest.mark.parametrize("name", [".a.sgf", "a/.b/c.sgf", "../.a/b.sgf", "__MACOSX/a.sgf"])
def test_hidden_names_stay_hidden(name: str) -> None:
    assert why_not_wanted(name.encode()) == "hidden"


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    if sys.platform == "win32":
        return
    (tmp_path / "outside.sgf").write_bytes(GAME)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "1.sgf").write_bytes(GAME)
    (folder / "2.sgf").symlink_to("1.sgf")
    (folder / "3.sgf").symlink_to("../outside.sgf")
    (folder / "4.sgf").symlink_to("/proc/kmsg")
    (tmp_path / "link").symlink_to(folder)
    for top in (folder, tmp_path / "link"):
        source = open_source(top)
        assert [file.path for file in source.read()] == ["1.sgf", "2.sgf"]
        assert source.skipped == {"link_or_device": 2}


def test_files_without_a_size_that_have_bytes_are_no_source() -> None:
    for name in ("/proc/kmsg", "/proc/self/status"):
        if os.path.exists(name) and os.access(name, os.R_OK):
            with pytest.raises(BadInputError):
                open_source(name)


@pytest.mark.parametrize("option", ["max_per_game", "max_per_position", "opening_balance", "seed"])
def test_numbers_out_of_all_proportion_are_refused(option: str) -> None:
    with pytest.raises(BadInputError, match=f"--{option.replace('_', '-')}: "):
        BuildOptions(**{option: 10**20})


def test_a_source_without_a_name_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInputError, match="a source without a name"):
        papers_of([""], "o", "t")
    order = ["records", "build", "", "--origin", "o", "--terms", "t", "--out", str(tmp_path / "x")]
    assert cli.call(order) == 2
    assert capsys.readouterr().err.startswith("error: a source without a name\nhint: ")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "no game tree in the file"),
        (bytes(500), "no game tree in the file"),
        ("(;SZ[9];B[ee];W[dd])".encode("utf-32"), "no game tree in the file"),
        (b"(;SZ[9];B[ee]", "the file ends inside the main line"),
        (b"(;SZ[9];B[ee", "the file ends inside the main line"),
        (b"(;x y z ! @ # B)", "more stray text than properties, and no moves"),
        (b"(;SZ[19]" + b"AB[aa:ss]" * 70 + b";B[aa])", "more set-up stones than any game has"),
    ],
)
def test_why_a_game_is_unreadable_is_told(data: bytes, text: str) -> None:
    intake = take_in([SourceFile("a.sgf", data)], None, False)
    assert [(drop.reason, drop.text) for drop in intake.drops] == [("unreadable", text)]


def test_games_beyond_the_most_of_a_file_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "MOST_GAMES", 3)
    game = b"(;SZ[9];B[ee];W[dd])\n"
    for n, drops in ((3, []), (5, [("a.sgf", 3, "unreadable")])):
        intake = take_in([SourceFile("a.sgf", game * n)], None, False)
        assert len(intake.facts) == 3
        assert [(d.path, d.index_in_file, d.reason) for d in intake.drops] == drops
        assert all(d.text == "games after the first 3 are left out" for d in intake.drops)
