"""Progress of long work."""

from __future__ import annotations

import pytest

from mariago.cli import progress


def test_without_a_terminal_progress_is_a_few_lines_on_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress.track(3, "games") as games:
        for _ in range(3):
            games.advance()
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "games: 3/3 (0 s)\n"


def test_lines_come_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.0)
    with progress.track(None, "games") as games:
        games.advance(2)
        games.advance(3, text="games, 1 refused")
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["games: 2 (0 s)", "games, 1 refused: 5 (0 s)"]


def test_the_last_line_tells_what_was_not_told_yet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.0)
    with progress.track(3, "games") as games:
        games.advance(2)
        monkeypatch.setattr(progress, "LINE_EVERY_S", 99.0)
        games.advance()
    with progress.track(0, "reports"):
        pass
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["games: 2/3 (0 s)", "games: 3/3 (0 s)", "reports: 0/0 (0 s)"]


def test_on_a_terminal_progress_is_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress.track(2, "games") as games:
        games.advance()
        games.advance(1, text="games [all]")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "games [all]" in shown.err
    assert "2/2" in shown.err


def test_an_interruption_stays_one_where_nothing_more_can_be_loaded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken() -> bool:
        raise ImportError("cannot load module more than once per process")

    with pytest.raises(KeyboardInterrupt), progress.kept("the games are", broken):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == ""
    with pytest.raises(KeyboardInterrupt), progress.kept("the games are"):
        raise KeyboardInterrupt
    assert "the games are kept" in capsys.readouterr().err
