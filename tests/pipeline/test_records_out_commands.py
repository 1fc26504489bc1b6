"""``mariago records export``, ``import-katago`` and ``planes`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.cli.main import call
from mariago.records import BuildOptions, build_records


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("out")
    source = write_files(folder / "source", random_records(range(12)))
    options = BuildOptions(size="9", validation=0.2, test=0.2)
    build_records([source], origin="o", terms="t", out=folder / "set", options=options)
    return folder / "set"


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    capsys.readouterr()
    assert call(["records", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_samples_go_to_katago_and_back(
    data_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = told(capsys, "export", data_set, "--out", tmp_path / "npz", "--pad", 9, "--jobs", 1)
    assert (out["pad"], out["format"]) == (9, "katago")
    named = ("--origin", "o", "--terms", "t", "--validation", 0, "--test", 0)
    back = told(capsys, "import-katago", tmp_path / "npz", "--out", tmp_path / "set", *named)
    assert back["samples"]["train"] == out["rows"]  # type: ignore[index]
    assert "mariago records export" in (tmp_path / "npz" / "export.json").read_text("utf-8")


def test_games_and_positions_go_to_sgf(
    data_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = told(
        capsys, "export", data_set, "--format", "sgf", "--out", tmp_path / "a", "--games", 2
    )
    assert games["whole"] == len(list((tmp_path / "a").glob("*.sgf"))) == 2
    told(capsys, "export", data_set, "--format", "sgf-positions", "--n", 3, "--out", tmp_path / "b")
    assert len(list((tmp_path / "b").glob("*.sgf"))) == 3


def test_planes_are_made_once(data_set: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = told(capsys, "planes", data_set, "--jobs", 1)
    assert first["pad"] == 9
    made = Path(str(first["out"])) / "planes.json"
    before = made.stat().st_mtime_ns
    assert told(capsys, "planes", data_set) == first
    assert made.stat().st_mtime_ns == before


def test_an_unknown_format_and_missing_papers_are_told_in_a_line(
    data_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["records", "export", str(data_set), "--format", "csv", "--out", "x"]) == 2
    assert "katago, sgf, sgf-positions" in capsys.readouterr().err
    (tmp_path / "a.npz").write_bytes(b"")
    assert call(["records", "import-katago", str(tmp_path), "--out", str(tmp_path / "set")]) == 2
    assert "no origin and no terms" in capsys.readouterr().err
