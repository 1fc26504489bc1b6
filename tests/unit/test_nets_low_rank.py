"""Low-rank adapters: nothing before they learn, and the same merged as beside the weights."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch.nn import functional

from mariago.nets import NetConfig, parameter_shapes
from mariago.nets.architecture import GoNet
from mariago.nets.low_rank import add_adapters, merged_state

CONFIG = NetConfig.of_size(2, 8)


def inputs() -> tuple[torch.Tensor, torch.Tensor]:
    rng = np.random.default_rng(0)
    planes = torch.from_numpy(rng.random((3, 22, 5, 5)).astype(np.float32))
    planes[:, 0] = 1
    planes[0, 0, 4] = 0
    return planes, torch.from_numpy(rng.random((3, 19)).astype(np.float32))


def fresh(rank: int = 3) -> tuple[GoNet, GoNet]:
    torch.manual_seed(4)
    plain = GoNet(CONFIG).eval()
    adapted = GoNet(CONFIG)
    adapted.load_state_dict(plain.state_dict())
    return plain, add_adapters(adapted, rank, seed=1).eval()


def stir(net: GoNet) -> None:
    """Give every adapter something to add."""
    torch.manual_seed(5)
    with torch.no_grad():
        for name, array in net.named_parameters():
            if name.endswith(".b"):
                array.normal_(0, 0.3)


def test_new_adapters_change_no_answer():
    plain, adapted = fresh()
    with torch.no_grad():
        for before, after in zip(plain(*inputs()), adapted(*inputs()), strict=True):
            assert torch.equal(before, after)


def test_merged_weights_answer_as_the_adapters_do():
    plain, adapted = fresh()
    stir(adapted)
    merged = GoNet(CONFIG).eval()
    merged.load_state_dict(merged_state(adapted))
    with torch.no_grad():
        base, beside, inside = (net(*inputs()) for net in (plain, adapted, merged))
    for one, two in zip(beside, inside, strict=True):
        torch.testing.assert_close(one, two)
    assert not torch.allclose(base.policy, inside.policy, atol=1e-2)


def test_a_merged_convolution_is_the_base_one_and_two_small_ones_behind_each_other():
    plain, adapted = fresh()
    stir(adapted)
    x = torch.randn(2, 8, 7, 7)
    base = plain.get_submodule("blocks.0.w1").weight
    low = adapted.get_submodule("blocks.0.w1.parametrizations.weight.0")
    narrow = functional.conv2d(x, low.a.view(-1, *base.shape[1:]), padding=1)
    wanted = functional.conv2d(x, base, padding=1) + functional.conv2d(
        narrow, low.b[:, :, None, None]
    )
    merged = merged_state(adapted)["blocks.0.w1.weight"]
    torch.testing.assert_close(functional.conv2d(x, merged, padding=1), wanted)


def test_only_the_adapters_learn_and_their_rank_fits_the_layer():
    _, adapted = fresh(rank=6)
    learning = [name for name, array in adapted.named_parameters() if array.requires_grad]
    assert learning
    assert all(name.endswith((".a", ".b")) for name in learning)
    assert adapted.get_parameter("policy.p2.parametrizations.weight.0.b").shape == (1, 1)
    assert adapted.get_parameter("blocks.0.w1.parametrizations.weight.0.b").shape == (8, 6)


def test_a_merged_state_has_the_arrays_of_any_net():
    _, adapted = fresh()
    state = merged_state(adapted)
    assert {name: tuple(a.shape) for name, a in state.items()} == parameter_shapes(CONFIG)
