"""``mariago records build``, ``report`` and ``sheet`` as a person calls them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from tests.pipeline.page_texts import left_in_english
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.cli.main import call
from mariago.records import read_manifest, read_table
from mariago.records import sheet as sheets
from mariago.records.report import FLAGS_IN_WORDS, REASONS_IN_WORDS, write_report
from mariago.records.sheet import draw_samples, sample_picture, write_sheet
from mariago.reports import BoardPicture, provenance
from mariago.words import texts

ORIGIN = ("--origin", "random games", "--terms", "CC0 1.0")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = random_records(range(20)) + random_records([1], "5x3", 8)
    return write_files(tmp_path_factory.mktemp("commands") / "source", [*files, b"no game"])


@pytest.fixture(scope="module")
def data_set(source: Path) -> Path:
    out = source.parent / "set"
    command = ["records", "build", str(source), "--out", str(out), "--size", "any", "--jobs", "1"]
    assert call([*command, *ORIGIN, "--validation", "0.2", "--test", "0.1"]) == 0
    return out


def test_build_without_origin_and_terms_stops_and_says_why(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["records", "build", str(source), "--out", str(tmp_path / "set")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: no origin and no terms: samples are made only of")
    assert "hint: say --origin" in captured.err
    assert not (tmp_path / "set").exists()


def test_a_missing_source_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "set")
    assert call(["records", "build", str(tmp_path / "gone.tar"), "--out", out, *ORIGIN]) == 2
    assert "gone.tar: no such file or folder" in capsys.readouterr().err.splitlines()[0]


def test_build_prints_what_became_of_games_and_moves(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["records", "build", str(source), "--out", str(tmp_path / "set"), "--size", "9"]
    assert call([*command, *ORIGIN]) == 0
    captured = capsys.readouterr()
    table = {line[:-12].strip(): line[-12:].strip() for line in captured.out.splitlines()[:-2]}
    assert table["files"] == "22"
    assert table["games kept"] == "20"
    assert table["dropped, unreadable"] == "1"
    assert table["dropped, board_size"] == "1"
    assert "reading records" in captured.err


def test_build_prints_json_when_asked(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["records", "build", str(source), "--out", str(tmp_path / "set"), "--json", *ORIGIN]
    more = ["--size", "9,5x3", "--max-per-game", "4", "--tactical-half"]
    assert call([*command, *more]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts["games_kept"] == 21
    assert 0 < sum(counts["samples"].values()) <= 4 * 21
    noted = read_manifest(tmp_path / "set").provenance["command"]
    assert noted == shlex.join(["mariago", *command, *more])


def test_report_is_one_page_and_the_numbers(
    data_set: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["records", "report", str(data_set), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["sizes"] == {"5x3": 1, "9x9": 20}
    assert sum(facts["results"].values()) == 21
    assert facts["sources"][0]["origin"] == "random games"
    text = Path(facts["page"]).read_text("utf-8")
    assert "CC0 1.0" in text
    assert "First moves of 20 even games on 9x9" in text
    assert call(["records", "report", str(data_set)]) == 0
    assert "games kept" in capsys.readouterr().out


def test_sheet_is_the_same_for_the_same_seed(
    data_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = []
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        order = ["records", "sheet", str(data_set), "--n", "6", "--seed", seed, "--json"]
        assert call([*order, "--out", str(tmp_path / name)]) == 0
        sheet = json.loads(capsys.readouterr().out)
        assert len(sheet["samples"]) == 6
        pictures.append(Path(sheet["png"]).read_bytes())
        page = Path(sheet["html"]).read_text("utf-8")
        assert all(sample["path"] in page for sample in sheet["samples"])
    assert pictures[0] == pictures[1] != pictures[2]


def test_drawn_samples_are_rows_of_the_file_they_name(data_set: Path, source: Path) -> None:
    samples = draw_samples(read_manifest(data_set), 30, 3)
    assert len({(s["game"], s["move_number"]) for s in samples}) == 30
    assert {sample["source"] for sample in samples} == {str(source)}
    stored = [
        row
        for split in ("train", "validation", "test")
        for row in read_table(data_set, split).to_pylist()
    ]
    boards = {(row["game"], row["move_number"]): row["board"] for row in stored}
    for sample in samples:
        assert boards[sample["game"], sample["move_number"]] == sample["board"]
        assert sample["stones"].shape == (sample["rows"], sample["columns"])


def test_a_folder_that_is_no_data_set_is_told_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("report", "sheet"):
        assert call(["records", command, str(tmp_path)]) == 2
        assert "no data set: it has no manifest.json" in capsys.readouterr().err


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_report_is_wholly_in_its_language(data_set: Path, tmp_path: Path, lang: str) -> None:
    english = write_report(data_set, tmp_path / "en.html").read_text("utf-8")
    other = write_report(data_set, tmp_path / "other.html", lang).read_text("utf-8")
    manifest = read_manifest(data_set)
    (source,) = manifest.sources
    made = manifest.provenance
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    assert left_in_english(english, other) <= {
        *REASONS_IN_WORDS,
        *(data_set.name, f"mariago records sheet {data_set} --n 20 --seed 1", "source: 00021.sgf"),
        *("SHA-256", source["path"], source["origin"], source["terms"], source["sha256"]),
        *(made["command"], made["date"], made["machine"], versions),
    }


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_reasons_and_flags_are_explained_in_every_language(lang: str) -> None:
    _ = texts(lang)
    for english in (*REASONS_IN_WORDS.values(), *FLAGS_IN_WORDS.values()):
        assert _(english) != english


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_page_of_the_sheet_is_wholly_in_its_language(
    data_set: Path, tmp_path: Path, lang: str
) -> None:
    english = write_sheet(data_set, 5, 2, tmp_path / "en", command="c").html.read_text("utf-8")
    sheet = write_sheet(data_set, 5, 2, tmp_path / "other", lang, "c")
    paths = [sample_picture(sample, lang).caption[0] for sample in sheet.samples]
    left = left_in_english(english, sheet.html.read_text("utf-8"))
    known = ("mariago ", "20", provenance("c").machine)
    assert {text for text in left if not text.startswith(known)} <= {*paths}


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_picture_of_the_sheet_is_in_the_language_if_a_font_can_write_it(
    data_set: Path, tmp_path: Path, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[list[BoardPicture], str, str, str]] = []

    def keep(items: list[BoardPicture], columns: int, title: str, *, foot: str, lang: str) -> bytes:
        drawn.append((items, title, foot, lang))
        return b""

    monkeypatch.setattr(sheets, "sheet_png", keep)
    for shown in (lang, "en"):
        monkeypatch.setattr(sheets, "writable_lang", lambda _, shown=shown: shown)
        write_sheet(data_set, 3, 2, tmp_path, lang)
    (items, title, foot, used), (plain, english, note, fallback) = drawn
    assert (used, fallback) == (lang, "en")
    assert "random samples" not in title
    assert "Ring" not in foot
    assert all(" to play" not in item.caption[1] for item in items)
    assert english.startswith("3 random samples of ")
    assert f"No font on this machine can write --lang {lang}" in note
    assert all(" to play" in item.caption[1] for item in plain)
