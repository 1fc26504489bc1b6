"""KataGo itself loads what is exported here, and says of it what we say.

The program is named by MARIAGO_KATAGO, a binary or an AppImage; it is asked by
``tools/katago_check.py``, whose way of comparing is tried on a program that only claims to be it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.reference.plain_katago_net import random_file
from tests.reference.random_nets import random_weights

from mariago.nets import NetConfig, read_katago, write_katago

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "katago_check.py"
FAKE = ROOT / "tests" / "reference" / "fake_katago.py"
NETWORK = "nets/g170-b6c96-s175395328-d26788732.bin.gz"
ANSWERS = "tactics/katago/raw_nn_b6c96.json"
SMALL = NetConfig.of_size(2, 8)


@pytest.fixture
def katago() -> str:
    named = os.environ.get("MARIAGO_KATAGO", "")
    if not named:
        pytest.skip("MARIAGO_KATAGO names no KataGo")
    return named


def check(katago: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), "--katago", katago, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def agrees(katago: str, *words: object) -> None:
    done = check(katago, *words)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_katago_says_the_same_of_its_own_net_and_of_our_export(
    katago: str, peer_data: Path, tmp_path: Path
):
    write_katago(tmp_path / "again.bin.gz", *read_katago(peer_data / NETWORK))
    positions = ("--positions", peer_data / ANSWERS, "--count", 60)
    agrees(katago, *positions, "--analysed", 12, peer_data / NETWORK, tmp_path / "again.bin.gz")


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".bin.gz", ".txt.gz"])
def test_katago_says_the_same_of_a_net_of_ours(katago: str, tmp_path: Path, ending: str):
    config = NetConfig.of_size(4, 48)
    weights = {name: array / 4 for name, array in random_weights(config, 3).items()}
    write_katago(tmp_path / f"ours{ending}", config, weights)
    agrees(katago, "--count", 30, "--analysed", 10, tmp_path / f"ours{ending}")


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["rank_5k", "preaz_1d", "proyear_1985"])
def test_katago_says_the_same_of_a_net_that_imitates_people(
    katago: str, tmp_path: Path, profile: str
):
    path = tmp_path / "people.bin"
    path.write_bytes(random_file(15, ["ordinary", "gpool"], "MISH", 0, 7, people=True))
    agrees(katago, "--profile", profile, "--count", 10, "--analysed", 0, path)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    weights = random_weights(SMALL)
    weights["value.v3.bias"][2] = -50  # no result, which KataGo reads in its own way, never comes
    write_katago(tmp_path / "small.bin.gz", SMALL, weights)
    return tmp_path / "small.bin.gz"


def fake(tmp_path: Path, fault: str) -> str:
    program = tmp_path / "katago"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "{fault}" "$@"\n')
    program.chmod(0o755)
    return str(program)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_what_another_program_says_otherwise_is_found(tmp_path: Path, small: Path):
    out = tmp_path / "table.md"
    done = check(fake(tmp_path, "none"), "--count", 4, "--analysed", 2, "--out", out, small)
    assert done.returncode == 0, done.stderr
    assert "| kata-raw-nn | 4 | 4 | 0 |" in out.read_text()
    assert "| analysis | 2 | 2 | 0 |" in out.read_text()
    assert "kata-raw-nn 4/4" in done.stderr
    done = check(fake(tmp_path, "each"), "--count", 4, "--analysed", 0, small)
    assert done.returncode == 1, done.stderr
    assert "| kata-raw-nn | 4 | 1 | " in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_a_program_that_is_none_is_one_line(tmp_path: Path, small: Path):
    done = check(str(tmp_path / "nothing"), small)
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot start ")
    done = check(fake(tmp_path, "crash"), "--count", 1, small)
    assert done.returncode == 2
    assert "the engine ended" in done.stderr
