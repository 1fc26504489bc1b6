"""A build that is killed leaves no data set; the next run makes the same one and clears up."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.pipeline.test_records_build import checksums
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.errors import RecordsError
from mariago.records import read_manifest

BUILD = """
import sys
from mariago.records import BuildOptions, build, pool
build.BATCH_FILES, pool.FEW_ITEMS = 5, 1
if __name__ == "__main__":
    build.build_records(
        [sys.argv[1]], origin="o", terms="t", out=sys.argv[2], jobs=int(sys.argv[3]),
        options=BuildOptions(size="9", shard_rows=200),
        tell=lambda stage, done, total: print(stage, flush=True),
    )
"""


def started(script: Path, source: Path, out: Path, jobs: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(script), str(source), str(out), str(jobs)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_build_killed_at_any_moment_leaves_nothing_half_written(
    tmp_path: Path, jobs: int
) -> None:
    source = write_files(tmp_path / "source", random_records(range(40), moves=80))
    script = tmp_path / "script.py"
    script.write_text(BUILD, encoding="utf-8")
    out = tmp_path / "sets" / "set"
    whole = started(script, source, tmp_path / "whole" / "set", jobs)
    told = whole.communicate()[0].split()
    assert whole.returncode == 0
    assert {b"read", b"write"} <= set(told)
    rng = random.Random(jobs)
    for heard in (0, 1, 4, told.index(b"write") + 1, len(told) - 1):
        process = started(script, source, out, jobs)
        assert process.stdout is not None
        for _ in range(heard):
            process.stdout.readline()
        time.sleep(rng.random() * 0.02)
        process.kill()
        process.wait()
        process.stdout.close()
        if out.exists():  # the last moment of all: then it must be whole
            read_manifest(out)
            break
        with pytest.raises(RecordsError):
            read_manifest(out)
    if not out.exists():
        assert started(script, source, out, jobs).wait() == 0
    read_manifest(out)
    assert checksums(out) == checksums(tmp_path / "whole" / "set")
    assert [path.name for path in out.parent.iterdir()] == ["set"]
