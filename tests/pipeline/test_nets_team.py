"""Two processes that train one net together."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

from mariago.nets import read_info, read_metrics
from mariago.records import BuildOptions, build_records
from mariago.records.bundled import BUNDLED_ORIGIN, BUNDLED_TERMS, bundled_records

RECIPE = """
[net]
blocks = 1
channels = 8
[training]
steps = 12
batch = 64
learning_rate = 0.01
warmup_steps = 2
validate_every = 6
validation_samples = 64
checkpoint_every = 4
precision = "float32"
"""


@pytest.mark.slow
def test_torchrun_trains_one_net_in_two_processes(tmp_path: Path):
    build_records(
        [bundled_records()],
        origin=BUNDLED_ORIGIN,
        terms=BUNDLED_TERMS,
        out=tmp_path / "data",
        options=BuildOptions(size="9", max_per_game=8),
    )
    (tmp_path / "recipe.toml").write_text(RECIPE)
    out = tmp_path / "net"
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
    command += ["-m", "mariago", "net", "train", str(tmp_path / "data"), "--device", "cpu"]
    command += ["--recipe", str(tmp_path / "recipe.toml"), "--out", str(out), "--json"]
    done = subprocess.run(command, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["training"]["steps"] == 12  # printed once
    assert read_info(out).training["samples_seen"] == 12 * 64
    losses = [row["policy_loss"] for row in read_metrics(out) if row["kind"] == "validation"]
    assert len(losses) == 3
    assert losses[-1] < losses[0]
