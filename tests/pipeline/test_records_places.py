"""Sources are found again from any folder, and beside a data set that was moved with them."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from pathlib import Path

import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.cli.main import call
from mariago.errors import BadInputError
from mariago.records import BuildOptions, Manifest, build_records, read_manifest
from mariago.records.browse import write_browser
from mariago.records.game_view import view_games
from mariago.records.katago_export import export_katago
from mariago.records.leak_drop import copy_without
from mariago.records.leaks import find_leaks
from mariago.records.source_places import FROM_SET, find_source

OPTIONS = BuildOptions(size="9", validation=0, test=0)
ILLEGAL = b"(;SZ[9];B[ee];W[ee])"
KINDS = ("folder", "archive")


def sources(room: Path, kind: str) -> Path:
    """Write records below ``room``; return the path of the source from there."""
    room.mkdir()
    write_files(room / "sgf", [*random_records(range(4)), ILLEGAL])
    if kind == "folder":
        return Path("sgf")
    with tarfile.open(room / "x.tar.gz", "w:gz") as archive:
        archive.add(room / "sgf", "sgf")
    shutil.rmtree(room / "sgf")
    return Path("x.tar.gz")


@pytest.fixture(params=KINDS)
def room(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with records and their data set, built by paths from there."""
    room = tmp_path / "room"
    source = sources(room, request.param)
    monkeypatch.chdir(room)
    build_records([source], origin="o", terms="t", out="k1", options=OPTIONS)
    return room


def are_whole(folder: str | Path) -> bool:
    manifest = read_manifest(folder)
    views = view_games(manifest, range(manifest.counts["games_kept"]))
    return all(view.record is not None for view in views)


def test_records_are_read_again_from_any_folder(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert are_whole("k1")
    monkeypatch.chdir(room / "k1")
    assert call(["records", "show", "2:20"]) == 0
    assert "Record " not in capsys.readouterr().out
    assert call(["records", "show", "2"]) == 0
    assert "Record " not in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    assert write_browser(room / "k1", tmp_path / "b.html").without_record == 0
    assert are_whole("room/k1")
    assert call(["records", "report", "room/k1", "--out", "r.html"]) == 0
    assert "answer E5" in Path("r.html").read_text("utf-8")
    assert "could not be drawn" not in Path("r.html").read_text("utf-8")


def test_a_set_that_is_moved_with_its_sources_still_finds_them(room: Path, tmp_path: Path) -> None:
    room.rename(tmp_path / "moved")
    assert are_whole(tmp_path / "moved" / "k1")


def test_a_link_to_a_set_finds_the_sources_of_the_set(room: Path, tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    link = tmp_path / "deep" / "er" / "link"
    link.symlink_to(room / "k1", target_is_directory=True)
    assert are_whole(link)


def test_a_set_that_is_moved_alone_finds_them_as_they_were_given(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "else").mkdir()
    (room / "k1").rename(tmp_path / "else" / "k1")
    assert are_whole(tmp_path / "else" / "k1")  # from the folder of the build
    monkeypatch.chdir(tmp_path)
    assert not are_whole("else/k1")


def test_a_manifest_of_an_earlier_version_is_read_as_it_stands(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = room / "k1" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    for source in manifest["sources"]:
        del source[FROM_SET]
    path.write_text(json.dumps(manifest), "utf-8")
    assert are_whole("k1")
    monkeypatch.chdir(room / "k1")
    assert not are_whole(".")


def test_another_archive_of_that_name_is_passed_over(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = read_manifest(room / "k1")
    (entry,) = manifest.sources
    if entry["kind"] == "folder":
        pytest.skip("a folder's files are compared one by one")
    (tmp_path / "moved").mkdir()
    shutil.copytree("k1", tmp_path / "moved" / "k1")
    (tmp_path / "moved" / "x.tar.gz").write_bytes(b"another one")
    moved = read_manifest(tmp_path / "moved" / "k1")
    assert find_source(moved, entry).path == Path("x.tar.gz")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInputError, match=r"moved.x\.tar\.gz: it has changed"):
        find_source(moved, entry)


def test_a_set_is_known_again_by_resume_from_another_folder(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source,) = read_manifest("k1").sources
    made = (room / "k1" / "manifest.json").read_bytes()
    monkeypatch.chdir(room / "k1")
    order = ["records", "build", f"../{source['path']}", "--out", "../k1", "--resume"]
    told = ["--origin", "o", "--terms", "t", "--size", "9", "--validation", "0", "--test", "0"]
    assert call([*order, *told]) == 0
    assert (room / "k1" / "manifest.json").read_bytes() == made


def test_the_copy_of_a_set_finds_its_sources(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = find_leaks("k1", lost_of="A").lost
    assert lost is not None
    copy_without("k1", tmp_path / "far" / "away" / "copy", lost, other="k1")
    monkeypatch.chdir(tmp_path)
    assert are_whole("far/away/copy")


def test_the_set_of_our_own_finds_its_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call(["records", "own", "--out", str(tmp_path / "own"), "--jobs", "1"]) == 0
    (tmp_path / "own").rename(tmp_path / "moved")
    monkeypatch.chdir(tmp_path)
    (view,) = view_games(read_manifest("moved"), [3])
    assert view.record is not None


def test_the_report_says_why_it_draws_no_boards(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = read_manifest("k1").sources
    path = Path(source["path"])
    path.rename(tmp_path / "hidden")
    assert call(["records", "report", "k1"]) == 0
    page = Path("k1/report.html").read_text("utf-8")
    (words,) = re.findall(r"illegal moves that could not be drawn: 1 \(([^<]*)\)", page)
    assert "no such file or folder" in words
    assert path.name in words


def imported(room: Path) -> Manifest:
    from mariago.records.katago_import import import_katago

    export_katago("k1", room / "npz")
    return import_katago([room / "npz"], room / "back", origin="o", terms="t")


def test_rows_of_katago_have_no_records_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = tmp_path / "room"
    source = sources(room, "folder")
    monkeypatch.chdir(room)
    build_records([source], origin="o", terms="t", out="k1", options=OPTIONS)
    manifest = imported(room)
    assert call(["records", "show", "back", "0"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^Record +KataGo's files hold rows, not game records$", out, re.M)
    assert "gone or has changed" not in out
    page = write_browser(manifest.folder, tmp_path / "b.html").page.read_text("utf-8")
    assert "hold rows, not game records" in page
    assert "could not be read again" not in page
    assert call(["records", "report", "back"]) == 0
    out = capsys.readouterr().out
    rows = sum(manifest.counts["dropped"].values()) + manifest.counts["moves"]
    assert re.search(rf"^rows read +{rows:,}$", out, re.M)
    assert "records read" not in out
