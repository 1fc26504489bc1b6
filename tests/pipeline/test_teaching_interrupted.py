"""Ctrl-C before the first game of a run of lessons: what is said is true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.small_runs import SMALL_RUN

from mariago.cli.main import call

COMMANDS = {
    "teach": ("teach", "heuristic:v3", "heuristic:v2", "--rounds", "1", "--games", "2",
              "--third-games", "2"),
    "ablate": ("ablate", "heuristic:v3", "heuristic:v2", "--games", "2", "--lesson-games", "2",
               "--cell", "none", "--cell", "own"),
}  # fmt: skip
GOES_ON = "everything so far is kept; the same command with --resume goes on"
TRIED = "interrupted: games were tried to see how long it takes; the run had not begun"
MOMENTS = {
    "mariago.teaching.expected_time._seconds_a_game": (TRIED, False),
    "mariago.teaching.{room}.begin_run": ("interrupted", False),
    "mariago.teaching.{room}.play_once": (GOES_ON, True),
}


def pressed(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_says_whether_there_is_something_to_go_on_with(
    command: str,
    moment: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said, begun = MOMENTS[moment]
    out = tmp_path / "run"
    words = [*COMMANDS[command], *SMALL_RUN, "--out", str(out)]
    room = {"teach": "rounds", "ablate": "ablation"}[command]
    with monkeypatch.context() as patch:
        patch.setattr(moment.format(room=room), pressed)
        assert call(words) == 130
    lines = capsys.readouterr().err.strip().splitlines()
    assert said in lines[-2:]
    assert (GOES_ON in lines) == begun
    assert (out / "settings.json").exists() == begun
    assert call([*words, *(["--resume"] if begun else [])]) == 0
