"""The main job from one end to the other, with a net too small to be any good."""

import json
import shutil
from pathlib import Path

import pytest

from mariago.cli.main import call
from mariago.records import read_manifest

RECIPE = """
[net]
blocks = 1
channels = 8

[training]
steps = 6
batch = 16
sizes = ["9x9"]
validate_every = 3
checkpoint_every = 3
validation_samples = 64
"""
PARTS = ("samples", "net", "match-random", "match-heuristic")


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("recipe") / "tiny.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, recipe: str) -> Path:
    out = tmp_path_factory.mktemp("demo") / "first player, 第一"
    assert call(demo_line(out, recipe)) == 0
    return out


def demo_line(out: Path, recipe: str, *more: str) -> list[str]:
    return [
        *("demo", "--out", str(out), "--recipe", recipe),
        *("--games", "2", "--jobs", "1", *more),
    ]


def test_the_demo_leaves_samples_net_matches_and_a_report(finished: Path) -> None:
    for name in PARTS:
        assert (finished / name).is_dir()
    counts = read_manifest(finished / "samples").counts
    assert counts["games_read"] == 494
    assert sum(counts["dropped"].values()) == counts["dropped"]["duplicate_game"] == 3
    for opponent in ("random", "heuristic"):
        results = json.loads((finished / f"match-{opponent}" / "results.json").read_text("utf-8"))
        assert results["summary"]["played"] == 2
        assert results["players"]["a"]["kind"] == "net"


def test_the_report_stands_alone_and_shows_everything(finished: Path) -> None:
    html = (finished / "report.html").read_text("utf-8")
    assert "http://" not in html.replace("http://www.w3.org/", "")
    assert "https://" not in html
    for heading in ("Result", "Samples", "Training", "The net against random", "What to do next"):
        assert f">{heading}</h2>" in html
    assert html.count("<svg") >= 20


def test_a_demo_is_not_overwritten(
    finished: Path, recipe: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(demo_line(finished, recipe)) == 2
    assert "--resume" in capsys.readouterr().err


@pytest.mark.parametrize("lost", ["samples", "net"])
def test_resume_makes_again_only_what_is_missing(
    finished: Path, recipe: str, lost: str, tmp_path: Path
) -> None:
    # A match names its players by folder, so those of a copied demo begin anew.
    out = tmp_path / "demo"
    shutil.copytree(finished, out, ignore=shutil.ignore_patterns("match-*", "report.html"))
    shutil.rmtree(out / lost)
    times = {path: path.stat().st_mtime_ns for path in (out / "net").glob("*")}
    assert call(demo_line(out, recipe, "--resume")) == 0
    assert (out / "report.html").exists()
    assert all(path.stat().st_mtime_ns == time for path, time in times.items())


def test_the_report_comes_in_four_languages(finished: Path, recipe: str) -> None:
    for lang, heading in (("zh", "样本"), ("ja", "サンプル"), ("ko", "샘플")):
        assert call(demo_line(finished, recipe, "--resume", "--lang", lang)) == 0
        assert heading in (finished / "report.html").read_text("utf-8")


def test_without_a_folder_a_new_one_is_taken(
    tmp_path: Path, recipe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mariago-demo").mkdir()
    assert call(["demo", *demo_line(tmp_path, recipe)[3:]]) == 0
    assert (tmp_path / "mariago-demo-2" / "report.html").exists()


def test_a_game_that_makes_no_pair_is_refused_before_anything_is_done(
    tmp_path: Path, recipe: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "demo"
    assert call(["demo", "--out", str(out), "--recipe", recipe, "--games", "5"]) == 2
    assert "no pairs" in capsys.readouterr().err
    assert not out.exists()


def test_without_torch_the_demo_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert call(["demo", "--out", str(tmp_path / "demo")]) == 2
    assert ".[train]" in capsys.readouterr().err
