"""``mariago gtp`` as other programs start it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def run(*words: str, script: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "mariago", "gtp", *words]
    return subprocess.run(command, input=script, capture_output=True, timeout=300, check=False)


def test_the_end_of_the_input_is_quit() -> None:
    done = run("random", "--size", "9x13", "--komi", "0", script=b"query_boardsize\n2 get_komi\n")
    assert (done.returncode, done.stdout) == (0, b"= 9 13\n\n=2 0\n\n")
    done = run("random", script=b"quit\nname\n")
    assert (done.returncode, done.stdout) == (0, b"= \n\n")
    assert run("random", script=b"").returncode == 0


def test_replies_come_at_once() -> None:
    command = [sys.executable, "-m", "mariago", "gtp", "random"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (b"1", b"2"):
            process.stdin.write(number + b" name\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"=" + number + b" MariaGO (random)\n"
            assert process.stdout.readline() == b"\n"


def test_the_same_seed_gives_the_same_moves() -> None:
    script = b"genmove b\ngenmove w\nclear_board\ngenmove b\n"
    first, again = (run("random", "--seed", "7", script=script).stdout for _ in range(2))
    assert first == again != run("random", "--seed", "8", script=script).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nobody"], b"unknown player 'nobody'"),
        (["net:no/such/folder"], b"error: "),
        (["random", "--size", "99"], b"not supported"),
        (["random", "--rules", "klingon"], b"klingon"),
        (["random", "--komi", "nan"], b"komi"),
    ],
)
def test_what_cannot_be_is_told_before_the_first_command(words: list[str], said: bytes) -> None:
    done = run(*words, script=b"name\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_log_holds_both_sides(tmp_path: Path) -> None:
    log = tmp_path / "session.log"
    run("random", "--log", str(log), script=b"# begin\r\n1 version\nplay b \xff\n")
    said = log.read_bytes().split(b"\n")
    assert said[:2] == [b"# begin", b"1 version"]
    assert said[2].startswith(b"=1 ")
    assert said[4:6] == [b"play b \xff", b"? syntax error"]


def test_an_engine_can_stand_behind_the_server() -> None:
    fake = Path(__file__).resolve().parents[1] / "reference" / "fake_engine.py"
    engine = f"gtp:\"'{sys.executable}' '{fake}' crash\""
    done = run(engine, "--size", "9", script=b"genmove b\nplay b D4\ngenmove w\nlist_stones b\n")
    failed = b"? the engine ended with exit code 7 at 'genmove %s' (segmentation fault, it seems)"
    assert done.stdout.split(b"\n\n") == [
        *(failed % b"black", b"= ", failed % b"white", b"= D4", b"")
    ]
    assert done.returncode == 0
