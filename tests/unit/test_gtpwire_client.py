"""The client against engines that misbehave: every fault has a name, and no process is left."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from mariago.errors import EngineError
from mariago.gtpwire import Engine

FAKE = Path(__file__).resolve().parents[1] / "reference" / "fake_engine.py"


def command(how: str, moves: str = "") -> str:
    return shlex.join([sys.executable, str(FAKE), how, *([moves] if moves else [])])


@contextmanager
def engine(how: str, moves: str = "", timeout_s: float = 20) -> Iterator[Engine]:
    running = Engine(command(how, moves), timeout_s=timeout_s)
    try:
        yield running
    finally:
        running.close()


def is_gone(pid: int) -> bool:
    """Say whether no process, not even a zombie, has this number."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


@pytest.mark.parametrize(
    "how", ["", "split", "crlf", "stray", "no_id", "old_id", "noisy", "controls"]
)
def test_replies_are_read_however_they_come(how: str) -> None:
    with engine(how, "D4,E5") as running:
        assert running.ask("name") == "Fake"
        assert running.knows("genmove")
        assert not running.knows("loadsgf")
        assert [running.ask(f"genmove {c}") for c in "bw"] == ["D4", "E5"]
        assert running.ask("version") == "0"


def test_the_last_reply_may_lack_its_empty_line() -> None:
    with engine("last_line_open", "D4") as running:
        assert running.ask("genmove b") == "D4"
        with pytest.raises(EngineError, match="exit code 0") as caught:
            running.ask("genmove w")
        assert caught.value.fault == "crash"


@pytest.mark.parametrize(
    ("how", "fault", "said"),
    [
        ("crash", "crash", "exit code 7"),
        ("signal", "crash", "signal 9"),
        ("refuse", "refused", "I would rather not"),
        ("wrong_id", "garbage", "99999"),
        ("hang", "time_out", "no reply to 'genmove b' in 1 s"),
        ("flood", "time_out", "no reply"),
        ("endless", "garbage", "without end"),
        ("close_output", "crash", "ended"),
    ],
)
def test_a_fault_has_a_kind_and_says_what_was_asked(how: str, fault: str, said: str) -> None:
    with engine(how) as running:
        running.ask("name")
        with pytest.raises(EngineError, match=said) as caught:
            running.ask("genmove b", 20 if how == "endless" else 1)
        assert caught.value.fault == fault
        assert "genmove b" in str(caught.value) or how == "wrong_id"
        assert running.is_running == (fault == "refused")
        assert is_gone(running.pid) != running.is_running


def test_an_engine_that_cannot_be_started_is_a_fault(tmp_path: Path) -> None:
    for command_line in ("no-such-engine-here --gtp", shlex.quote(str(tmp_path))):
        with pytest.raises(EngineError) as caught:
            Engine(command_line)
        assert caught.value.fault == "start"
        assert caught.value.hint


def test_last_words_come_from_standard_error() -> None:
    with engine("crash") as running:
        with pytest.raises(EngineError) as caught:
            running.ask("genmove b")
        assert caught.value.last_words == "segmentation fault, it seems"
        assert "segmentation fault" in (caught.value.hint or "")
        with pytest.raises(EngineError, match="has ended"):
            running.ask("genmove b")


def test_an_engine_that_ends_at_once_says_why() -> None:
    with engine("no_start") as running:
        with pytest.raises(EngineError, match="exit code 4") as caught:
            running.ask("name")
        assert caught.value.last_words == "no licence found"


def test_close_ends_an_engine_that_does_not_listen() -> None:
    running = Engine(command("deaf"))
    running.ask("name")
    running.close()
    assert is_gone(running.pid)
    running.close()


def test_close_leaves_no_zombie() -> None:
    running = Engine(command(""))
    running.ask("name")
    running.close()
    assert is_gone(running.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="looks at /proc")
def test_children_of_an_engine_end_with_it() -> None:
    def children(pid: int) -> list[int]:
        found = Path(f"/proc/{pid}/task/{pid}/children")
        return [int(word) for word in found.read_text().split()] if found.exists() else []

    with engine("hang_with_child") as running:
        running.ask("name")
        below: list[int] = []
        with pytest.raises(EngineError):
            running.ask("genmove b", 1.0)
        assert is_gone(running.pid)
    with engine("hang_with_child") as running:
        running.ask("name")
        running._process.write(b"99 genmove b\n")
        for _ in range(200):
            below = children(running.pid)
            if below:
                break
            time.sleep(0.05)
        else:
            pytest.skip("no /proc children here")
    for pid in below:
        for _ in range(100):  # its new parent still has to take note
            state = Path(f"/proc/{pid}/stat")
            if is_gone(pid) or ") Z" in state.read_text():
                break
            time.sleep(0.05)
        else:
            pytest.fail(f"process {pid} is left")


def test_a_forgotten_engine_ends_too() -> None:
    running = Engine(command(""))
    running.ask("name")
    pid = running.pid
    del running
    assert is_gone(pid)


def test_engines_do_not_hold_each_other_open() -> None:
    with engine("") as first, engine("") as second:
        first.ask("name")
        second.ask("name")
        first.close()
        assert is_gone(first.pid)
        assert second.ask("name") == "Fake"
