"""Making books of lessons: each game is read once, and what is done is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.small_runs import SMALL_RUN

from mariago.cli.main import call
from mariago.teaching import side_books
from mariago.teaching.expected_time import Expected, expected_of_ablation

COMMANDS = {
    "teach": [
        "heuristic:v3",
        "heuristic:v2",
        "--rounds",
        "2",
        "--games",
        "4",
        "--third-games",
        "2",
    ],
    "ablate": ["heuristic:v3", "heuristic:v2", "--games", "2", "--lesson-games", "4"],
}
READ = {"teach": 8, "ablate": 4}
"""How many games teach; in both commands several books are made of each."""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_game_is_read_once_for_all_books_and_each_book_is_told(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    read: list[Any] = []
    good_moves = side_books.good_moves

    def counted(game: Any) -> Any:
        read.append(game)
        return good_moves(game)

    monkeypatch.setattr(side_books, "good_moves", counted)
    monkeypatch.setattr("mariago.cli.progress.LINE_EVERY_S", 0.0)
    out = tmp_path / "run"
    assert call([command, *COMMANDS[command], *SMALL_RUN, "--out", str(out)]) == 0
    assert len(read) == READ[command]
    told = set(re.findall(r"lessons for (\S+), game 4 of 4", capsys.readouterr().err))
    assert told == {book.name for book in (out / "books").iterdir()}
    assert len(told) > 1


def test_reading_for_lessons_is_in_the_expected_time_and_is_not_shared_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mariago.arena.settings import settings_of
    from mariago.teaching import expected_time
    from mariago.teaching.cross_settings import AblationSettings, checked

    terms = settings_of(player_a="heuristic:v3", player_b="heuristic:v2", games=10, size="5")
    settings = checked(AblationSettings, terms, ["random"], games=2, cells=("none", "own"))
    monkeypatch.setattr(
        expected_time, "_seconds_a_game", lambda _: ((1.0, 2.0), (3.0, 4.0))
    )  # (CPU, wall) of playing, of reading
    expected = expected_of_ablation(settings)
    assert expected == Expected(games=14, cpu_s=14 * 1 + 10 * 3, wall_s=14 * 2 + 10 * 4, alone_s=40)
    assert "with 1 worker 68 s" in expected.in_words(1)
    assert "with 2 workers 54 s" in expected.in_words(2)
