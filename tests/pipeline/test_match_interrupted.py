"""What matches and leagues say when they are stopped or go on: the same of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from mariago.arena import settings
from mariago.cli.main import call

KEPT = "the games played so far are kept; the same command with --resume goes on"
BEGINS = "nothing there yet: beginning"
TERMS = ("--size", "5", "--games", "2", "--move-limit", "9", "--jobs", "1")


def run(command: str, out: Path, *options: str) -> int:
    return call([command, "random", "random,seed=2", *TERMS, "--out", str(out), *options])


@pytest.mark.parametrize("command", ["match", "league"])
def test_resume_begins_where_nothing_is_and_says_so_once(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new"
    assert run(command, out, "--resume") == 0
    assert capsys.readouterr().err.count(BEGINS) == 1
    assert run(command, out, "--resume") == 0
    assert BEGINS not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["match", "league"])
def test_ctrl_c_while_starting_says_what_is_kept_where_something_is(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there, nothing = tmp_path / "there", tmp_path / "nothing"
    assert run(command, there) == 0

    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(settings, "settings_of", interrupted)
    capsys.readouterr()
    assert run(command, there, "--resume") == 130
    assert capsys.readouterr().err.splitlines() == [KEPT, "interrupted"]
    assert run(command, nothing) == 130
    assert capsys.readouterr().err.splitlines() == ["interrupted"]
    assert not nothing.exists()
