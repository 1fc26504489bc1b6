"""Folders that lessons may not be written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from mariago.cli.main import call
from mariago.teaching import expected_time


@pytest.mark.parametrize("command", ["teach", "ablate"])
@pytest.mark.parametrize("held", ["match", "league"])
def test_a_folder_with_a_match_is_refused_before_any_game_is_played(
    command: str,
    held: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def played(_: object) -> None:
        raise AssertionError("games were played to tell the time")

    monkeypatch.setattr(expected_time, "expected_of_rounds", played)
    monkeypatch.setattr(expected_time, "expected_of_ablation", played)
    (tmp_path / f"{held}.sqlite").touch()
    words = [command, "heuristic", "heuristic:v1", "--third", "random", "--size", "5"]
    assert call([*words, "--out", str(tmp_path), "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert f"the folder holds a {held}" in error
    assert "choose another --out" in error
    assert [path.name for path in tmp_path.iterdir()] == [f"{held}.sqlite"]
