"""Engines that fail in the middle of a match: one game is lost by it, named, and all goes on."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from mariago.arena import MatchResult, play_match
from mariago.arena.outputs import summary_text, write_results
from mariago.arena.report import write_report
from mariago.arena.settings import settings_of
from mariago.reports import provenance

FAKE = Path(__file__).resolve().parents[1] / "reference" / "fake_engine.py"
BAD = 2  # the number of the process that fails, and of its game
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "pids"
    monkeypatch.setenv("FAKE_ENGINE_PIDS", str(path))
    return path


def name(how: str, moves: str = "", **keys: object) -> str:
    command = shlex.join([sys.executable, str(FAKE), how, *([moves] if moves else [])])
    return f'gtp:"{command}"' + "".join(f",{key}={value}" for key, value in keys.items())


def left_of(pids: Path) -> list[int]:
    """Return the processes that are still there, be they zombies."""
    left: list[int] = []
    for number in map(int, pids.read_text().split() if pids.exists() else []):
        with suppress(ProcessLookupError):
            os.kill(number, 0)
            left.append(number)
    return left


def play(folder: Path, engine: str) -> MatchResult:
    settings = settings_of(
        player_a=engine, player_b="random", games=4, size=5, komi=0.5, move_limit=12
    )
    return play_match(settings, folder)


CASES = [
    # what the engine does, how its game ends, what is said of it
    ("signal", "fault", "crash: the engine ended by signal 9 at 'genmove "),
    ("crash", "fault", "exit code 7 at 'genmove "),
    ("crash", "fault", "; its last words: segmentation fault, it seems"),
    ("stop", "fault", "time_out: no reply to 'genmove "),
    ("hang_with_child", "fault", "in 1.5 s; its last words: waiting"),
    ("close_output", "fault", "crash: the engine ended by signal 9 at 'genmove "),
    ("close_input", "fault", "crash: the engine ended by signal 9 at "),
    ("refuse", "fault", "refused: the engine refuses 'genmove "),
    ("refuse_aloud", "fault", "I would rather not; its last words: it is my birthday"),
    ("garbage", "fault", "garbage: the engine answers 'banana split' to genmove"),
    ("long_reply", "fault", "garbage: the engine answers 'passxxxxx"),
    (
        "not_utf8",
        "fault",
        "garbage: the engine answers '���' to genmove; its last words: �[31mcafe�",
    ),
    ("wrong_id", "fault", "garbage: a reply with id 99999 to "),
    ("flood", "fault", "time_out: no reply to 'genmove "),
    ("no_start", "fault", "crash: the engine ended with exit code 4 at 'name'"),
    ("no_start", "fault", "; its last words: no licence found"),
    ("small", "fault", "refused: the engine refuses 'boardsize 5': unacceptable size"),
    ("long_stray", "limit", ""),
    ("noisy", "limit", ""),
]


@pytest.mark.parametrize(("how", "ending", "said"), CASES)
def test_one_bad_process_costs_one_game_and_the_next_is_a_normal_one(
    tmp_path: Path, pids: Path, monkeypatch: pytest.MonkeyPatch, how: str, ending: str, said: str
) -> None:
    monkeypatch.setenv("FAKE_ENGINE_ONCE", str(BAD))
    result = play(tmp_path / "out", name(how, timeout_s=1.5))
    endings = [game.ending for game in result.games]
    assert endings.pop(BAD - 1) == ending
    assert set(endings) <= {"limit", "passes"}
    assert said in result.games[BAD - 1].detail
    assert not any(game.detail for game in result.games if game.number != BAD - 1)
    assert result.summary.a.faults == (ending == "fault")
    assert result.summary.b.faults == 0
    assert len(pids.read_text().split()) >= 4
    assert left_of(pids) == []


def test_reports_count_the_faults_and_name_them(
    tmp_path: Path, pids: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_ENGINE_ONCE", str(BAD))
    result = play(tmp_path / "out", name("not_utf8"))
    origin = provenance("mariago match", 0)
    write_results(result, origin)
    page = write_report(result, origin, "en").read_text("utf-8")
    told = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert told["summary"]["a"]["faults"] == 1
    assert told["summary"]["b"]["wins"] - told["summary"]["b"]["wins_without_faults"] == 1
    assert "�[31mcafe�" in told["games"][BAD - 1]["detail"]
    assert "�[31mcafe�" in page
    assert "�[31mcafe�" in summary_text(result)
    assert "\x00" not in page + summary_text(result)


def test_an_illegal_move_is_the_engines_own_loss(
    tmp_path: Path, pids: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_ENGINE_ONCE", str(BAD))
    result = play(tmp_path / "out", name("", ",".join(["C3"] * 9)))
    assert {game.ending for game in result.games} == {"illegal"}
    assert all("C3: occupied" in game.detail for game in result.games)
    assert left_of(pids) == []


def test_a_program_that_vanishes_costs_the_games_that_it_cannot_begin(
    tmp_path: Path, pids: Path
) -> None:
    program = tmp_path / "engine"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {FAKE} ""\n')
    program.chmod(0o755)
    settings = settings_of(
        player_a=f'gtp:"{program}"', player_b="random", games=4, size=5, move_limit=8
    )

    def take_away(game: object) -> None:
        program.unlink(missing_ok=True)

    result = play_match(settings, tmp_path / "out", on_game=take_away)
    assert [game.ending for game in result.games] == ["limit", "fault", "fault", "fault"]
    assert f"start: cannot start '{program}': No such file" in result.games[1].detail
    assert left_of(pids) == []


def wait_for(number: int, pids: Path, since: float) -> None:
    """Wait until so many engines have started and stopped themselves."""
    while time.monotonic() < since + 400:
        found = pids.read_text().split() if pids.exists() else []
        states = [Path(f"/proc/{pid}/stat") for pid in found]
        if sum(s.exists() and s.read_text().split()[2] == "T" for s in states) == number:
            return
        time.sleep(0.05)
    pytest.fail("the engines were not asked")


@pytest.mark.slow  # workers load every kernel
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at states of processes by /proc")
@pytest.mark.parametrize(
    ("how", "jobs"),
    [("SIGINT", 1), ("SIGTERM", 1), ("SIGINT", 2), ("SIGTERM", 2), ("SIGKILL", 2)],
)  # one process that is killed leaves nobody to end an engine that does not notice
def test_no_engine_outlives_its_match_even_one_that_hangs(
    tmp_path: Path, pids: Path, how: str, jobs: int
) -> None:
    words = ["match", name("stop"), "random", "--size", "5", "--games", "8", "--move-limit", "9"]
    match = subprocess.Popen(
        [sys.executable, "-m", "mariago", *words, f"--jobs={jobs}", f"--out={tmp_path / 'out'}"],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        wait_for(jobs, pids, time.monotonic())
        os.kill(match.pid, getattr(signal, how))
        said = match.communicate(timeout=60)[1].decode()
        if how == "SIGINT":
            assert match.returncode == 130
            assert "kept; the same command with --resume goes on" in said
        assert "Traceback" not in said
        until = time.monotonic() + 10
        while left_of(pids) and time.monotonic() < until:
            time.sleep(0.1)
        assert left_of(pids) == []
    finally:
        with suppress(ProcessLookupError):
            os.killpg(match.pid, signal.SIGKILL)
        for number in left_of(pids):
            os.kill(number, signal.SIGKILL)
