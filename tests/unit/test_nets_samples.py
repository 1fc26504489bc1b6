"""Batches of samples: whose view the answers take, symmetries, padding; losses; validation."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mariago.board.geometry import move_table, symmetric_size  # noqa: E402
from mariago.board.points import Size  # noqa: E402
from mariago.features import Rows, apply_symmetry, rows_of_positions  # noqa: E402
from mariago.nets.architecture import GoNet, Outputs  # noqa: E402
from mariago.nets.batches import prepared  # noqa: E402
from mariago.nets.config import NetConfig  # noqa: E402
from mariago.nets.losses import Goals, losses  # noqa: E402
from mariago.nets.recipe import Losses  # noqa: E402
from mariago.nets.samples import Samples  # noqa: E402
from mariago.nets.schedule import Draw  # noqa: E402
from mariago.nets.validation import measure, spread_choice  # noqa: E402
from mariago.records import Targets  # noqa: E402
from mariago.rules import Position  # noqa: E402

SIZES = [Size(5, 5), Size(7, 7), Size(4, 6)]


def make_samples(count: int = 60, seed: int = 0, **options: int) -> Samples:
    """Random games on three sizes, every move a sample, the last one a pass."""
    rng = np.random.default_rng(seed)
    positions: list[Position] = []
    moves: list[int] = []
    while len(positions) < count:
        size = SIZES[len(positions) // 20 % len(SIZES)]
        position = Position.empty(size, "chinese")
        for number in range(20):
            legal = np.flatnonzero(position.legal_mask()[:-1])
            move = size.cells if number == 19 or not len(legal) else int(rng.choice(legal))
            positions.append(position)
            moves.append(move)
            position = position.play(move)
    positions, moves = positions[:count], moves[:count]
    targets = Targets(
        move=np.array(moves, np.int16),
        winner=np.resize(np.array([1, -1, 0, np.nan], np.float32), count),
        score=np.resize(np.array([7.5, -7.5, 0, np.nan], np.float32), count),
        weight=np.ones(count, np.float32),
        tactical=np.arange(count) % 3 == 0,
        game=np.zeros(count, np.uint32),
        move_number=np.array([p.move_number + 1 for p in positions], np.int16),
    )
    rows: Rows = rows_of_positions(positions)
    return Samples(rows, targets, **options)


def test_turned_samples_are_the_turned_planes_and_moves():
    samples = make_samples()
    indices = np.arange(len(samples))
    plain = samples.batch(Draw(indices, np.zeros(len(indices), np.int64)))
    rng = np.random.default_rng(1)
    symmetries = rng.integers(0, 8, len(indices))
    turned = samples.batch(Draw(indices, symmetries))
    field = plain.planes.shape[-1]
    assert field == 7
    for i, symmetry in enumerate(symmetries):
        size = Size(*(int(side) for side in samples.sides[i]))
        after = symmetric_size(size, int(symmetry))
        np.testing.assert_array_equal(
            turned.planes[i], apply_symmetry(int(symmetry), plain.planes[i], size)
        )
        move = int(move_table(size, int(symmetry))[samples.targets.move[i]])
        if move == size.cells:
            assert turned.move[i] == field * field
        else:
            row, column = divmod(move, after.columns)
            assert turned.move[i] == row * field + column
            # The move goes to an empty point of the board, turned or not.
            assert turned.planes[i, 0, row, column] == 1
            assert turned.planes[i, 1:3, row, column].sum() == 0


def test_outcomes_are_those_of_the_side_to_move():
    batch = make_samples(4).batch(Draw(np.arange(4), np.zeros(4, np.int64)))
    np.testing.assert_array_equal(batch.outcome, [[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0], [0, 0, 0]])


def test_scores_beyond_the_board_are_unknown():
    samples = make_samples(60)
    samples.targets.score[:5] = [25, -25, 25.5, 1e10, -np.inf]  # on 5x5
    samples.targets.score[20:22] = [49, -50]  # on 7x7
    chosen = np.array([0, 1, 2, 3, 4, 20, 21])
    found = samples.batch(Draw(chosen, np.zeros(7, np.int64))).score
    np.testing.assert_array_equal(found, [25, -25, np.nan, np.nan, np.nan, 49, np.nan])


@pytest.mark.parametrize("cache_bytes", [0, 10**9])
def test_kept_planes_are_those_made_afresh(cache_bytes: int):
    samples = make_samples(cache_bytes=cache_bytes)
    small = np.flatnonzero(samples.sides[:, 0] == 5)[:8]
    draw = Draw(small, np.arange(8))
    first, second = samples.batch(draw), samples.batch(draw)
    fresh = make_samples(cache_bytes=0).batch(draw)
    for batch in (first, second):
        np.testing.assert_array_equal(batch.planes, fresh.planes)
        np.testing.assert_array_equal(batch.globals, fresh.globals)
    assert first.planes.shape == (8, 22, 5, 5)


def test_batches_come_in_order_and_errors_reach_the_reader():
    samples = make_samples(30)
    draws = [Draw(np.array([i]), np.zeros(1, np.int64)) for i in range(30)]
    found = [int(b.move[0]) for b in prepared(samples, draws.__getitem__, 3, 9)]
    assert found == [int(samples.batch(draws[i]).move[0]) for i in range(3, 9)]
    with pytest.raises(IndexError):
        list(prepared(samples, draws.__getitem__, 28, 33))


def outputs_of(policy: list[list[float]], value: list[list[float]]) -> Outputs:
    batch = len(policy)
    return Outputs(
        torch.tensor(policy), torch.tensor(value), torch.zeros(batch, 4), torch.zeros(batch, 1, 2)
    )


def goals(
    move: list[int], outcome: list[list[float]], score: list[float], weight: list[float]
) -> Goals:
    return Goals(
        torch.tensor(move), torch.tensor(outcome), torch.tensor(score), torch.tensor(weight)
    )


def test_losses_of_an_undecided_net_are_the_logarithms_of_the_choices():
    parts = losses(
        outputs_of([[0.0, 0, 0]], [[0.0, 0, 0]]),
        goals([1], [[1.0, 0, 0]], [math.nan], [1.0]),
        Losses(),
    )
    assert float(parts.policy) == pytest.approx(math.log(3))
    assert float(parts.value) == pytest.approx(math.log(3))
    assert float(parts.score) == 0


def test_unknown_results_and_zero_weights_teach_nothing():
    out = outputs_of([[0.0, 0, 5], [9.0, 0, 0]], [[3.0, 0, 0], [0.0, 9, 0]])
    parts = losses(
        out, goals([2, 1], [[0.0, 0, 0], [1.0, 0, 0]], [math.nan, 40.0], [1.0, 0.0]), Losses()
    )
    assert float(parts.value) == 0
    assert float(parts.score) == 0
    assert float(parts.policy) == pytest.approx(math.log(1 + 2 * math.exp(-5)), rel=1e-4)


def test_ownership_is_learnt_only_where_it_is_known():
    out = outputs_of([[0.0, 0, 0]], [[0.0, 0, 0]])
    plain = goals([0], [[0.0, 0, 0]], [math.nan], [1.0])
    known = Goals(
        plain.move, plain.outcome, plain.score, plain.weight, torch.tensor([[[1.0, math.nan]]])
    )
    without, with_it = (float(losses(out, g, Losses(ownership=0.5)).total) for g in (plain, known))
    assert with_it - without == pytest.approx(0.5)


def test_validation_counts_every_sample_once_and_top5_holds_top1():
    samples = make_samples(60)
    torch.manual_seed(0)
    net = GoNet(NetConfig.of_size(1, 8))
    found = measure(net, samples, torch.device("cpu"))
    assert found["samples"] == 60
    assert found["tactical"]["samples"] == 20
    assert sum(band["samples"] for band in found["bands"].values()) == 60
    assert 0 <= found["top1"] <= found["top5"] <= 1
    assert net.training


def test_a_net_that_says_nothing_gets_no_move_right():
    """Equal logits everywhere are no answer: ties count against the net."""
    net = GoNet(NetConfig.of_size(1, 8))
    torch.nn.init.zeros_(net.policy.p2.weight)
    torch.nn.init.zeros_(net.policy.get_submodule("pass").weight)
    found = measure(net, make_samples(20), torch.device("cpu"))
    assert found["top1"] == found["top5"] == 0


def test_the_held_out_choice_is_always_the_same():
    np.testing.assert_array_equal(spread_choice(100, 7, 1), spread_choice(100, 7, 1))
    assert len(set(spread_choice(100, 7, 1))) == 7
    np.testing.assert_array_equal(spread_choice(5, 7, 1), np.arange(5))
