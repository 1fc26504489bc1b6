"""What people wrote into files is shown on a terminal, never obeyed by it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mariago.cli.progress import say
from mariago.cli.terminal import tell, visible

MARIAGO = (sys.executable, "-m", "mariago")


def test_controls_and_marks_of_direction_become_escapes() -> None:
    assert visible("\x1b]0;owned\x07") == "\\x1b]0;owned\\x07"
    assert visible("a\u202eb\u2066c\x9bd\x7f\r") == "a\\u202eb\\u2066c\\x9bd\\x7f\\r"
    assert visible("\udce5") == "\\udce5"


@pytest.mark.parametrize(
    "text", ["柯洁 9p", "two\nlines\tand a tab", "이세돌", "א ב", "👩\u200d🏫"]
)
def test_what_people_write_stays(text: str) -> None:
    assert visible(text) == text


def test_results_and_logs_go_through_it(capsys: pytest.CaptureFixture[str]) -> None:
    tell("a\x1b[2Jb")
    say("c\x1b[2Jd")
    told = capsys.readouterr()
    assert told.out == "a\\x1b[2Jb\n"
    assert told.err == "c\\x1b[2Jd\n"


@pytest.mark.skipif(os.name != "posix", reason="closed streams by a shell")
@pytest.mark.parametrize(
    ("closed", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("<&- >&- 2>&-", 0)]
)
def test_closed_streams_end_no_command(closed: str, code: int) -> None:
    line = " ".join(MARIAGO) + f" version {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
