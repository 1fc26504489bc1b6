"""The command ``mariago net tune``: its table, its errors in one line, a run that is killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.reference.person_records import PERSON, person_data
from tests.reference.plain_katago_net import random_file
from tests.reference.random_nets import random_weights

from mariago.cli.main import call
from mariago.nets import NetConfig, NetInfo, read_info, read_weights, write_net

CONFIG = NetConfig.of_size(1, 8)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return person_data(tmp_path_factory.mktemp("person"), games=40)


def write_base(folder: Path, *sizes: str) -> Path:
    info = NetInfo(config=CONFIG, origin="random numbers", sizes=sizes)
    write_net(folder, info, random_weights(CONFIG), card="# base\n")
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_base(tmp_path_factory.mktemp("nets") / "base", "5x5")


def command(base: Path, data: Path, out: Path, *more: str) -> list[str]:
    words = ["--steps", "4", "--batch", "8", "--jobs", "1", "--device", "cpu", *more]
    return ["net", "tune", str(base), str(data), "--out", str(out), *words]


def refused(capsys: pytest.CaptureFixture[str], words: list[str]) -> tuple[str, str]:
    """Return the one line of an error and its hint."""
    capsys.readouterr()
    assert call(words) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("tuning")]
    assert len(lines) == 2, lines
    return lines[0], lines[1]


def test_it_prints_what_changed_and_info_tells_it_again(
    base: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "net"
    assert call(command(base, data, out, "--player", PERSON.upper())) == 0
    told = capsys.readouterr().out
    assert "figure" in told
    assert "95% interval of the change" in told
    for row in ("moves right", "policy loss (nats)", "value loss (nats)"):
        assert told.count(row) == 2  # his moves, his opponents'
    assert "too few to tell" in told or "base net" in told
    assert call(["net", "info", str(out)]) == 0
    told = capsys.readouterr().out
    assert "tuned from     base" in told
    assert "all layers" in told
    assert call(command(base, data, out, "--player", PERSON.upper(), "--resume", "--json")) == 0
    said = capsys.readouterr()
    assert "nothing was done" in said.err
    assert json.loads(said.out)["training"]["tuning"]["plan"]["player"] == PERSON.upper()


def test_without_a_player_everybodys_moves_are_learnt(base: Path, data: Path, tmp_path: Path):
    assert call(command(base, data, tmp_path / "net", "--what", "head")) == 0
    found = read_info(tmp_path / "net")
    assert set(found.training["tuning"]["held_out"]) == {"own"}
    assert "moves of" not in found.origin


def test_a_name_that_nobody_has_is_answered_with_those_near_it(
    base: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    error, hint = refused(capsys, command(base, data, tmp_path / "n", "--player", "frst point"))
    assert "no game of 'frst point' is in it" in error
    assert hint == "hint: names near it: First Point, First Paint"
    _, hint = refused(capsys, command(base, data, tmp_path / "n", "--player", "Zzz 9"))
    assert hint.startswith("hint: who played most: First Point")
    # A part of a name is no name: someone else may have it, too.
    error, _ = refused(capsys, command(base, data, tmp_path / "n", "--player", "First"))
    assert "no game of 'First'" in error


def test_a_network_of_another_form_is_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "new.bin"
    file.write_bytes(random_file(15, ["attention"], "MISH", 1, 1))
    error, hint = refused(capsys, command(file, data, tmp_path / "n"))
    assert "attention blocks, which a net folder cannot hold (format version 15)" in error
    assert "katago:FILE" in hint


def test_boards_that_the_net_was_not_trained_on_are_asked_about(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    nine = write_base(tmp_path / "nine", "9x9")
    error, hint = refused(capsys, command(nine, data, tmp_path / "n"))
    assert "holds boards of 5x5, the net was trained on 9x9" in error
    assert hint == "hint: --size 5x5 tunes it on them all the same"
    assert call(command(nine, data, tmp_path / "n", "--size", "5x5")) == 0
    assert read_info(tmp_path / "n").sizes == ("5x5",)
    error, hint = refused(capsys, command(nine, data, tmp_path / "m", "--size", "7,9"))
    assert "holds no boards of 7x7, 9x9" in error
    error, _ = refused(capsys, command(nine, data, tmp_path / "m", "--size", "0"))
    assert "sizes" in error


def test_other_bad_input_is_one_line(
    base: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert "no such folder" in refused(capsys, command(tmp_path / "no", data, tmp_path / "n"))[0]
    refused(capsys, command(base, tmp_path / "no", tmp_path / "n"))
    assert "is there already" in refused(capsys, command(base, data, base))[0]
    error, _ = refused(capsys, command(base, data, tmp_path / "n", "--rate", "-1"))
    assert "rate" in error
    assert not (tmp_path / "n").exists()


def test_another_tuning_is_not_handed_out_as_this_one(
    base: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "net"
    assert call(command(base, data, out)) == 0
    error, _ = refused(capsys, command(base, data, out, "--resume", "--rank", "3"))
    assert "was tuned with another plan: rank was 8, is 3" in error
    other = write_base(tmp_path / "base", "5x5", "7x7")
    weights = read_weights(other)[1]
    weights["conv1.weight"] = weights["conv1.weight"] + 1
    write_net(other, read_info(other), weights, card="# other\n", replace=True)
    error, _ = refused(capsys, command(other, data, out, "--resume"))
    assert "was tuned with another base" in error
    error, _ = refused(capsys, command(base, data, base, "--resume"))
    assert "is a net that was not tuned" in error


def test_a_person_with_too_few_games_is_told_so(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    few = person_data(tmp_path / "few", games=1)
    error, hint = refused(capsys, command(base, few, tmp_path / "n", "--player", PERSON))
    assert "split holds no moves of 'First Point', who played 1 games" in error
    assert "--validation" in hint


def test_without_games_left_out_nothing_is_claimed(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    few = person_data(tmp_path / "few", games=3, test=0.0)
    assert call(command(base, few, tmp_path / "n", "--player", PERSON)) == 0
    told = capsys.readouterr().out
    assert "no held-out games: whether it helps is not known" in told or "base net" in told
    assert "moves right" not in told


@pytest.mark.slow
def test_a_killed_run_leaves_no_net_and_resumes_to_the_same_one(
    base: Path, data: Path, tmp_path: Path
):
    words = ["--steps", "300", "--player", PERSON]
    assert call(command(base, data, tmp_path / "whole", *words)) == 0
    out, checkpoint = tmp_path / "net", tmp_path / "net.training" / "checkpoint.pt"
    line = [sys.executable, "-m", "mariago", *command(base, data, out, *words)]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    process.kill()
    process.wait()
    assert checkpoint.exists()
    assert not out.exists()
    subprocess.run([*line, "--resume"], capture_output=True, check=True)
    for name, array in read_weights(tmp_path / "whole")[1].items():
        np.testing.assert_array_equal(read_weights(out)[1][name], array, err_msg=name)
