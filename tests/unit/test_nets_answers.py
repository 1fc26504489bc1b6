"""A teacher's labels as the right answers of a batch: whose view, symmetries, mixing, reading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mariago.board.geometry import symmetric_size  # noqa: E402
from mariago.board.points import Size  # noqa: E402
from mariago.features import (  # noqa: E402
    apply_symmetry,
    apply_symmetry_to_policy,
    rows_of_positions,
)
from mariago.nets.answers import answers_of_labels  # noqa: E402
from mariago.nets.architecture import Outputs  # noqa: E402
from mariago.nets.losses import Goals, losses  # noqa: E402
from mariago.nets.recipe import Losses, Teacher  # noqa: E402
from mariago.nets.samples import Samples  # noqa: E402
from mariago.nets.schedule import Draw  # noqa: E402
from mariago.records import Labels, Targets  # noqa: E402
from mariago.rules import Position  # noqa: E402

SIZES = [Size(5, 5), Size(7, 7), Size(4, 6)]
COUNT = 24


def boards() -> list[Size]:
    return [SIZES[i % 3] for i in range(COUNT)]


def make_labels(seed: int = 0) -> Labels:
    rng = np.random.default_rng(seed)
    policies, owned = [], []
    for size in boards():
        policy = rng.random(size.cells + 1) ** 6
        policies.append((policy / policy.sum()).astype(np.float32))
        owned.append(rng.uniform(-1, 1, size.cells).astype(np.float32))
    return Labels(
        rows=np.arange(COUNT, dtype=np.uint32),
        visits=np.zeros(COUNT, np.uint32),
        policy=np.concatenate(policies),
        value=rng.uniform(-1, 1, COUNT).astype(np.float32),
        lead=rng.uniform(-10, 10, COUNT).astype(np.float32),
        ownership=np.concatenate(owned),
    )


def make_samples(labels: Labels, teacher: Teacher) -> Samples:
    positions = [Position.empty(size, "chinese") for size in boards()]
    targets = Targets(
        move=np.arange(COUNT, dtype=np.int16),
        winner=np.resize(np.array([1, -1, 0, np.nan], np.float32), COUNT),
        score=np.full(COUNT, 3.5, np.float32),
        weight=np.ones(COUNT, np.float32),
        tactical=np.zeros(COUNT, bool),
        game=np.zeros(COUNT, np.uint32),
        move_number=np.ones(COUNT, np.int16),
    )
    cells = np.array([size.cells for size in boards()])
    answers = answers_of_labels(labels, cells, int(cells.max()))
    return Samples(rows_of_positions(positions), targets, answers, teacher)


def policies_of(labels: Labels) -> list[np.ndarray]:
    assert labels.policy is not None
    ends = np.cumsum([size.cells + 1 for size in boards()])
    return np.split(labels.policy, ends[:-1])


def test_policies_and_owners_are_turned_as_the_boards_are():
    labels = make_labels()
    samples = make_samples(labels, Teacher(name="t"))
    symmetries = np.arange(COUNT) % 8
    batch = samples.batch(Draw(np.arange(COUNT), symmetries))
    assert batch.policy is not None
    assert batch.ownership is not None
    assert labels.ownership is not None
    ends = np.cumsum([size.cells for size in boards()])
    owned = np.split(labels.ownership, ends[:-1])
    for i, (size, policy) in enumerate(zip(boards(), policies_of(labels), strict=True)):
        symmetry = int(symmetries[i])
        after = symmetric_size(size, symmetry)
        found = batch.policy[i, :-1].reshape(7, 7)[: after.rows, : after.columns].ravel()
        wanted = apply_symmetry_to_policy(symmetry, policy, size)
        np.testing.assert_allclose(found, wanted[:-1], atol=3e-3)
        np.testing.assert_allclose(batch.policy[i, -1], wanted[-1], atol=3e-3)
        np.testing.assert_allclose(batch.policy[i].sum(), 1, atol=1e-5)
        points = apply_symmetry(symmetry, owned[i].reshape(size))
        np.testing.assert_allclose(
            batch.ownership[i, : after.rows, : after.columns], points, atol=0.5 / 127 + 1e-6
        )
        assert np.isnan(batch.ownership[i]).sum() == 49 - size.cells


def test_shares_mix_the_teacher_and_the_record():
    labels = make_labels()
    samples = make_samples(labels, Teacher(name="t", policy=0.75, value=0.5))
    batch = samples.batch(Draw(np.arange(COUNT), np.zeros(COUNT, np.int64)))
    assert batch.policy is not None
    assert labels.value is not None
    for i, policy in enumerate(policies_of(labels)[:3]):
        size = boards()[i]
        row, column = divmod(i, size.columns)
        found = float(batch.policy[i, row * 7 + column])
        np.testing.assert_allclose(found, 0.75 * policy[i] + 0.25, atol=3e-3)
    # Won, lost and drawn games pull the value; where the result is unknown the teacher is all.
    values = labels.value[:4]
    results = np.array([1, -1, 0, values[3]])
    np.testing.assert_allclose(
        batch.outcome[:4, 0] - batch.outcome[:4, 1], (values + results) / 2, atol=1e-6
    )
    np.testing.assert_allclose(batch.outcome.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(batch.score, labels.lead)


def test_what_the_teacher_does_not_tell_is_the_records():
    labels = replace(make_labels(), value=None, lead=None, ownership=None)
    batch = make_samples(labels, Teacher(name="t")).batch(Draw(np.arange(4), np.zeros(4, np.int64)))
    np.testing.assert_array_equal(batch.outcome, [[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0], [0, 0, 0]])
    np.testing.assert_array_equal(batch.score, np.full(4, 3.5))
    assert batch.ownership is None


def test_taken_samples_keep_their_own_answers():
    samples = make_samples(make_labels(), Teacher(name="t"))
    wanted = np.array([17, 2, 5, 20])
    plain = np.zeros(4, np.int64)
    straight = samples.batch(Draw(wanted, plain))
    taken = samples.take(wanted).batch(Draw(np.arange(4), plain))
    for name in ("policy", "outcome", "score", "ownership"):
        np.testing.assert_array_equal(getattr(straight, name), getattr(taken, name))


def test_the_loss_is_least_where_the_net_says_what_the_teacher_said():
    """The gradient of a cross-entropy with a whole policy vanishes at that policy alone."""
    policy = torch.tensor([[0.5, 0.3, 0.2, 0.0, 0.0]])
    goals = Goals(
        move=torch.tensor([0]),
        outcome=torch.zeros(1, 3),
        score=torch.full((1,), torch.nan),
        weight=torch.ones(1),
        ownership=torch.tensor([[[0.5, -0.5], [1.0, float("nan")]]]),
        policy=policy,
    )

    def loss_at(logits: torch.Tensor, owned: torch.Tensor) -> torch.Tensor:
        outputs = Outputs(
            policy=logits, value=torch.zeros(1, 3), score=torch.zeros(1, 3), ownership=owned
        )
        return losses(outputs, goals, Losses()).total

    right = torch.tensor([[0.5, -0.5], [1.0, 0.3]])[None].requires_grad_()
    logits = (policy + 1e-9).log().requires_grad_()
    loss_at(logits, right).backward()
    assert logits.grad is not None
    assert right.grad is not None
    assert logits.grad.abs().max() < 1e-6
    assert right.grad.abs().max() == 0
    wrong = torch.tensor([[0.0, -9.0, -9.0, -9.0, -9.0]])
    assert loss_at(wrong, right) > loss_at(logits, right) + 1
