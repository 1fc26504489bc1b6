"""What a sample weighs in training: its share of the loss and of the gradient."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from tests.reference.person_records import person_game

from mariago.nets import NetConfig
from mariago.nets.architecture import GoNet
from mariago.nets.batches import goals_of, inputs_of
from mariago.nets.losses import losses
from mariago.nets.recipe import Losses
from mariago.nets.samples import Samples, load_samples
from mariago.nets.schedule import Draw
from mariago.records import BuildOptions, build_records
from mariago.records.lesson_weights import read_lessons
from mariago.sgf import write_game

FACTOR = 4.0
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of 5x5 games in which move 9 of every game is a lesson."""
    folder = tmp_path_factory.mktemp("lessons")
    taught = folder / "taught"
    taught.mkdir()
    lines: list[str] = []
    for seed in range(12):
        game = person_game(seed, 5)
        (taught / f"{seed}.sgf").write_bytes(write_game(game))
        told = {"file": f"{seed}.sgf", "move_number": 9, "move": game.moves[8][1], "weight": 2.0}
        lines.append(json.dumps(told))
    (taught / "lessons.jsonl").write_text("\n".join(lines), "utf-8")
    lessons = read_lessons(taught / "lessons.jsonl", FACTOR / 2)
    options = BuildOptions(size="5", validation=0, test=0, max_per_position=9, lessons=lessons)
    build_records([taught], origin="o", terms="t", out=folder / "data", options=options)
    return folder / "data"


@pytest.fixture(scope="module")
def samples(data: Path) -> Samples:
    return load_samples(data, "train")


def policy_gradients(samples: Samples, chosen: list[int]) -> tuple[float, np.ndarray]:
    """Return the policy loss of a batch, and how hard each sample pulls at its own policy (B,)."""
    torch.manual_seed(1)
    net = GoNet(NetConfig.of_size(1, 8)).eval()
    zeros = np.zeros(len(chosen), np.int64)
    batch = samples.batch(Draw(np.array(chosen), zeros))
    outputs = net(*inputs_of(batch, CPU))
    outputs.policy.retain_grad()
    parts = losses(outputs, goals_of(batch, CPU, 1.0), Losses())
    parts.policy.backward()
    pulls = outputs.policy.grad
    assert pulls is not None
    return parts.policy.item(), pulls.norm(dim=1).numpy()


def test_lessons_come_to_the_net_with_their_weights(samples: Samples) -> None:
    is_lesson = samples.targets.move_number == 9
    assert is_lesson.sum() > 5
    assert set(samples.targets.weight[is_lesson].tolist()) == {FACTOR}
    assert set(samples.targets.weight[~is_lesson].tolist()) == {1.0}


def test_a_lesson_pulls_as_many_times_as_it_weighs(samples: Samples) -> None:
    lesson = int(np.flatnonzero(samples.targets.weight == FACTOR)[0])
    other = int(np.flatnonzero(samples.targets.weight == 1)[0])
    loss, heavy = policy_gradients(samples, [lesson, other])
    same = replace(samples.targets, weight=np.ones_like(samples.targets.weight))
    plain_loss, plain = policy_gradients(Samples(samples.rows, same), [lesson, other])
    assert heavy[0] / heavy[1] == pytest.approx(FACTOR * plain[0] / plain[1], rel=1e-4)
    assert loss != pytest.approx(plain_loss, rel=1e-3)
    alone, _ = policy_gradients(samples, [lesson])
    beside, _ = policy_gradients(samples, [other])
    assert loss == pytest.approx((FACTOR * alone + beside) / (FACTOR + 1), rel=1e-4)
