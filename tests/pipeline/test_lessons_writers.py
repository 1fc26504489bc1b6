"""Several processes write one book, and some are killed while they do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mariago.lessons import Book

WRITER = """
import sys
from mariago.board.points import BLACK
from mariago.lessons import Book, Lesson, PlayedGame
from mariago.rules import Position

path, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
start = Position.empty(9)
for number in range(first, last):
    game = PlayedGame(start, ((BLACK, 1),), black="a", white="b", match="m", number=number)
    lessons = [Lesson("capture", 1, 1, 1, 2, 1, 1.0, number, 0) for _ in range(5)]
    with Book.open(path, write=True) as book:
        book.add(game, lessons)
    print(number, flush=True)
"""


def writer(path: Path, first: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(first), str(last)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def is_whole(path: Path) -> int:
    """Check that every game has its five lessons, and return how many games there are."""
    with Book.open(path) as book:
        lessons = list(book.lessons())
        games = book.game_count()
    assert len(lessons) == 5 * games
    assert all(sum(x.number == n for x in lessons) == 5 for n in {x.number for x in lessons})
    return games


def test_writers_do_not_get_in_each_others_way(tmp_path: Path) -> None:
    path = tmp_path / "lessons.db"  # not there: they make it at the same time
    running = [writer(path, *part) for part in ((0, 30), (15, 45), (0, 45))]
    for one in running:
        _, error = one.communicate(timeout=300)
        assert one.returncode == 0, error
    assert is_whole(path) == 45


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_killed_writer_leaves_whole_games(tmp_path: Path) -> None:
    path = tmp_path / "lessons.db"
    done = 0
    for wait_s in (0.0, 0.013, 0.031):
        one = writer(path, 0, 10_000)
        assert one.stdout is not None
        while int(one.stdout.readline()) < done + 3:
            pass
        time.sleep(wait_s)
        os.kill(one.pid, signal.SIGKILL)
        one.communicate()
        games = is_whole(path)
        assert games >= done + 3, "what was told to be kept is there"
        done = games
    last = writer(path, 0, done + 2)
    last.communicate(timeout=300)
    assert is_whole(path) == done + 2
