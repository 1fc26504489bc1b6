"""The kernels' tests once more with every array index checked.

Compiled code reads past the end of an array without a word. Numba can check each index; that is
another compilation, so it has a process and a cache folder of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = [
    "tests/unit/test_board_kernels.py",
    "tests/unit/test_rules_position.py",
    "tests/property/test_board_symmetry.py",
    "tests/property/test_board_reference.py",
]


def run_checked(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "MARIAGO_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def cache_of_checked_kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checked_kernels")


@pytest.mark.slow
def test_the_check_catches_an_index_outside(cache_of_checked_kernels: Path) -> None:
    code = "from mariago.board import kernels; kernels.play(kernels.new_state(2, 2), 9999)"
    done = run_checked(["-c", code], cache_of_checked_kernels)
    assert "IndexError" in done.stderr


@pytest.mark.slow
def test_no_kernel_of_the_board_reads_outside_its_arrays(cache_of_checked_kernels: Path) -> None:
    done = run_checked(["-m", "pytest", "-q", "-x", *TESTS], cache_of_checked_kernels)
    assert done.returncode == 0, done.stdout[-3000:]
