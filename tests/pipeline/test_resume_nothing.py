"""``--resume`` where there is nothing to go on with: every command begins, and says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.reference.labelled_sets import set_and_net

from mariago.cli.main import call
from mariago.records.bundled import bundled_records

BEGINNING = "nothing there yet: beginning"
RECIPE = """
[net]
blocks = 1
channels = 8

[training]
steps = 2
batch = 16
validation_samples = 16
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("resume")
    set_and_net(folder)
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    assert call(_build(folder, str(folder / "games"))) == 0
    return folder


def _build(place: Path, out: str) -> list[str]:
    papers = [
        "--origin",
        "o",
        "--terms",
        "t",
        "--size",
        "9",
        "--max-per-game",
        "1",
        "--test",
        "0.1",
    ]
    return ["records", "build", str(bundled_records()), *papers, "--out", out]


def _label(place: Path, out: str) -> list[str]:
    teacher = [
        "--teacher",
        f"net:{place / 'net'}",
        "--every",
        "20",
        "--name",
        Path(out).parent.name,
    ]
    return ["records", "label", str(place / "set"), *teacher]


def _rate(place: Path, out: str) -> list[str]:
    return ["rate", "random", "--positions", "2", "--out", out]


def _train(place: Path, out: str) -> list[str]:
    recipe = ["--recipe", str(place / "recipe.toml")]
    return ["net", "train", str(place / "games"), *recipe, "--out", out]


def _tune(place: Path, out: str) -> list[str]:
    few = ["--steps", "1", "--batch", "2", "--held-out", "8", "--validation-samples", "8"]
    return ["net", "tune", str(place / "net"), str(place / "games"), *few, "--out", out]


LESSONS = ("heuristic:v1", "heuristic:v2", "--third", "random", "--size", "5", "--move-limit", "6")


def _teach(place: Path, out: str) -> list[str]:
    few = ["--rounds", "1", "--games", "2", "--third-games", "2"]
    return ["teach", *LESSONS, *few, "--out", out]


def _ablate(place: Path, out: str) -> list[str]:
    few = [
        "--games",
        "2",
        "--lesson-games",
        "2",
        "--cell",
        "none",
        "--cell",
        "own",
        "--looked-at",
        "0",
    ]
    return ["ablate", *LESSONS, *few, "--out", out]


@pytest.mark.parametrize("command", [_build, _label, _rate, _train, _tune, _teach, _ablate])
def test_resume_begins_where_there_is_nothing_and_goes_on_where_there_is(
    command: Callable[[Path, str], list[str]],
    place: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if command in (_train, _tune):
        pytest.importorskip("torch")
    line = [*command(place, str(tmp_path / "out")), "--resume", "--jobs", "1"]
    assert call(line) == 0, capsys.readouterr().err
    assert capsys.readouterr().err.splitlines().count(BEGINNING) == 1
    assert call(line) == 0, capsys.readouterr().err
    assert BEGINNING not in capsys.readouterr().err
