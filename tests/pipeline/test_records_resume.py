"""A build that was killed, interrupted or stopped goes on to the bytes of one that was not."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_records_build import checksums
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.errors import RecordsError
from mariago.records import BuildOptions, Manifest, build_records, read_manifest
from mariago.records import build as build_module
from mariago.records import journal as journal_module

BUILD = """
import sys
from mariago.records import BuildOptions, build, pool
build.BATCH_FILES, pool.FEW_ITEMS = 5, 1
if __name__ == "__main__":
    build.build_records(
        [sys.argv[1]], origin="o", terms="t", out=sys.argv[2], jobs=int(sys.argv[3]), resume=True,
        options=BuildOptions(size="9", shard_rows=100),
        tell=lambda stage, done, total: print(stage, flush=True),
        say=lambda line: print("said", line, flush=True),
    )
"""
GOING_ON = "going on where the last run stopped"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(
        tmp_path_factory.mktemp("records") / "source", random_records(range(60), moves=80)
    )


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_module, "BATCH_FILES", 5)


def built(source: Path, out: Path, said: list[str] | None = None, **given: Any) -> Manifest:
    options = BuildOptions(size="9", shard_rows=100, seed=given.pop("seed", 0))
    hears = (lambda line: None) if said is None else said.append
    return build_records(
        [source], origin="o", terms="t", out=out, options=options, say=hears, **given
    )


def kill_and_go_on(folder: Path, source: Path, jobs: int, kills: int) -> int:
    """Kill a build so many times at random moments; return how many runs found work of others."""
    script = folder / "script.py"
    script.write_text(BUILD, encoding="utf-8")

    def start(out: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(script), str(source), str(out), str(jobs)]
        return subprocess.Popen(command, stdout=subprocess.PIPE)

    whole, out = folder / "whole" / "set", folder / "sets" / "set"
    first = start(whole)
    told = first.communicate()[0].splitlines()
    assert first.returncode == 0
    rng = random.Random(jobs)
    went_on = 0
    for heard in sorted(rng.randrange(len(told)) for _ in range(kills)):
        process = start(out)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(heard)]
        time.sleep(rng.random() * 0.02)
        process.kill()
        process.wait()
        process.stdout.close()
        went_on += any(GOING_ON.encode() in line for line in lines)
        if out.exists():
            read_manifest(out)
            break
    if not out.exists():
        assert start(out).wait() == 0
    assert checksums(out) == checksums(whole)
    held, wanted = (read_manifest(place) for place in (out, whole))
    assert held.shards == wanted.shards
    assert {**held.counts, "seconds": 0} == {**wanted.counts, "seconds": 0}
    assert held.sources == wanted.sources
    assert [path.name for path in out.parent.iterdir()] == ["set"]
    return went_on


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_build_killed_twice_goes_on_to_the_same_bytes(
    records: Path, tmp_path: Path, jobs: int
) -> None:
    kill_and_go_on(tmp_path, records, jobs, kills=2)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_build_killed_at_ten_random_moments_goes_on_to_the_same_bytes(
    records: Path, tmp_path: Path, jobs: int
) -> None:
    assert kill_and_go_on(tmp_path, records, jobs, kills=10) >= 5


def stop_after(n: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, interrupted at the call with number ``n``."""
    calls = 0

    def wrapped(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > n:
            raise KeyboardInterrupt
        return function(*args)

    return wrapped


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """Note each call of a function of a module."""
    calls: list[Any] = []
    function = getattr(module, name)

    def wrapped(*args: Any) -> Any:
        calls.append(args)
        return function(*args)

    monkeypatch.setattr(module, name, wrapped)
    return calls


@pytest.mark.usefixtures("small_batches")
def test_batches_that_were_judged_are_not_judged_again(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(build_module, "take_in", stop_after(7, build_module.take_in))
        with pytest.raises(KeyboardInterrupt, match="--resume goes on from there"):
            built(records, tmp_path / "set")
    said: list[str] = []
    calls = counted(monkeypatch, build_module, "take_in")
    built(records, tmp_path / "set", said, resume=True)
    assert len(calls) == 60 // 5 - 7
    assert said == [GOING_ON]
    built(records, tmp_path / "whole")
    assert checksums(tmp_path / "set") == checksums(tmp_path / "whole")


@pytest.mark.usefixtures("small_batches")
def test_shards_that_stand_whole_are_not_written_again(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "write_shard", stop_after(4, journal_module.write_shard))
        with pytest.raises(KeyboardInterrupt):
            built(records, tmp_path / "set")
    room = tmp_path / ".set.partial"
    stand = sorted((room / "set").glob("*.parquet"))
    assert len(stand) == 4
    stand[1].write_bytes(stand[1].read_bytes()[:-1])  # as a crash of the machine may leave it
    judged = counted(monkeypatch, build_module, "take_in")
    written = counted(monkeypatch, journal_module, "write_shard")
    manifest = built(records, tmp_path / "set", resume=True)
    assert judged == []
    assert len(written) == len(manifest.shards) - 3
    built(records, tmp_path / "whole")
    assert checksums(tmp_path / "set") == checksums(tmp_path / "whole")


def stopped(records: Path, out: Path, monkeypatch: pytest.MonkeyPatch, after: int = 7) -> Path:
    """Stop a build in its first pass and return its room."""
    with monkeypatch.context() as patch:
        patch.setattr(build_module, "take_in", stop_after(after, build_module.take_in))
        with pytest.raises(KeyboardInterrupt):
            built(records, out)
    return out.parent / f".{out.name}.partial"


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    "harm", [lambda data: data[:-30], lambda data: data[:-30] + bytes(30), lambda data: data + b"x"]
)
def test_a_batch_that_is_cut_off_or_damaged_in_the_journal_is_judged_again(
    records: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    harm: Callable[[bytes], bytes],
) -> None:
    room = stopped(records, tmp_path / "set", monkeypatch)
    journal = room / "spool" / "judged.bin"
    journal.write_bytes(harm(journal.read_bytes()))
    built(records, tmp_path / "set", resume=True)
    built(records, tmp_path / "whole")
    assert checksums(tmp_path / "set") == checksums(tmp_path / "whole")


@pytest.mark.usefixtures("small_batches")
def test_a_file_that_changed_in_between_is_said_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_files(tmp_path / "source", random_records(range(60), moves=80))
    stopped(source, tmp_path / "set", monkeypatch)
    (source / "00012.sgf").write_bytes(random_records([99], moves=70)[0])
    said: list[str] = []
    calls = counted(monkeypatch, build_module, "take_in")
    built(source, tmp_path / "set", said, resume=True)
    assert len(calls) == 60 // 5 - 2
    assert said[1] == "files from 00010.sgf on changed since the last run: reading them again"
    built(source, tmp_path / "whole")
    assert checksums(tmp_path / "set") == checksums(tmp_path / "whole")


@pytest.mark.usefixtures("small_batches")
def test_an_archive_or_an_option_that_changed_starts_again_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = random_records(range(30), moves=60)
    source = tmp_path / "games.sgf"
    source.write_bytes(b"".join(games))
    stopped(source, tmp_path / "set", monkeypatch, after=0)
    said: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(build_module, "take_in", stop_after(0, build_module.take_in))
        with pytest.raises(KeyboardInterrupt):
            built(source, tmp_path / "set", said, resume=True, seed=5)
    source.write_bytes(b"".join(games[1:]))
    built(source, tmp_path / "set", said, resume=True, seed=5)
    assert said == [
        "the options changed since the last run stopped: starting again",
        "the sources changed since the last run stopped: starting again",
    ]


@pytest.mark.usefixtures("small_batches")
def test_without_resume_a_build_starts_afresh(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(records, tmp_path / "set", monkeypatch)
    calls = counted(monkeypatch, build_module, "take_in")
    said: list[str] = []
    built(records, tmp_path / "set", said)
    assert len(calls) == 60 // 5
    assert said == []


@pytest.mark.usefixtures("small_batches")
def test_a_set_that_is_replaced_stands_until_the_new_one_is_whole(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built(records, tmp_path / "set", seed=3)
    with monkeypatch.context() as patch:
        patch.setattr(build_module, "take_in", stop_after(7, build_module.take_in))
        with pytest.raises(KeyboardInterrupt):
            built(records, tmp_path / "set", overwrite=True)
    assert read_manifest(tmp_path / "set") == first
    with pytest.raises(RecordsError, match="stands there already"):
        built(records, tmp_path / "set")
    calls = counted(monkeypatch, build_module, "take_in")
    built(records, tmp_path / "set", overwrite=True, resume=True)
    assert len(calls) == 60 // 5 - 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set"]


def test_what_a_run_left_when_killed_after_the_exchange_goes_with_the_next(
    records: Path, tmp_path: Path
) -> None:
    manifest = built(records, tmp_path / "set")
    (tmp_path / ".set.partial" / "spool").mkdir(parents=True)
    (tmp_path / ".set.partial" / "spool" / "judged.bin").write_bytes(b"left")
    assert built(records, tmp_path / "set", resume=True) == manifest
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_with_one_line_that_says_how_to_go_on(tmp_path: Path, jobs: str) -> None:
    if sys.platform == "win32":  # Ctrl-C is no signal to one process there
        return
    source = write_files(tmp_path / "source", random_records(range(40), moves=80) * 400)
    out = tmp_path / "sets" / "set"
    command = [sys.executable, "-m", "mariago", "records", "build", str(source), "--origin", "o"]
    command += ["--terms", "t", "--size", "9", "--jobs", jobs, "--resume", "--out", str(out)]
    # A shell that runs the tests in the background has its children ignore Ctrl-C.
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    journal = out.parent / ".set.partial" / "spool" / "judged.bin"
    limit_s = time.monotonic() + 60
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < limit_s:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate()
    if process.returncode == 0:
        pytest.fail("the build was over before it could be interrupted")
    assert process.returncode == 130
    told = [line for line in shown.decode().splitlines() if not line.startswith("reading records")]
    assert told == [
        "nothing there yet: beginning",
        "interrupted: the same command with --resume goes on from there",
    ]
    again = subprocess.run([*command, "--json"], capture_output=True)
    assert again.returncode == 0, again.stderr.decode()
    assert GOING_ON in again.stderr.decode()
    assert json.loads(again.stdout)["games_kept"] == 40
