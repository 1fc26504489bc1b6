"""Low-rank adapters: a net's weights stay as they are, and small factors beside them learn.

Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models", arXiv:2106.09685. A
convolution's weight K, read as a matrix (out, in * H * W), becomes K + B A with A (rank,
in * H * W) random and B (out, rank) zero, so that a net with new adapters answers as it did.
Merged, K + B A is an ordinary weight: a tuned net has the form of any other.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from mariago.nets.architecture import GoNet

__all__ = ["LowRank", "add_adapters", "merged_state"]


class LowRank(nn.Module):
    """The change B A of one convolution's weight."""

    def __init__(self, weight: Tensor, rank: int, generator: torch.Generator) -> None:
        super().__init__()
        outputs, inputs = weight.shape[0], weight[0].numel()
        rank = min(rank, outputs, inputs)
        start = torch.randn(rank, inputs, generator=generator) / math.sqrt(inputs)
        self.a = nn.Parameter(start)
        self.b = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, weight: Tensor) -> Tensor:
        return weight + (self.b @ self.a).view(weight.shape)


def add_adapters(net: GoNet, rank: int, seed: int) -> GoNet:
    """Freeze ``net`` and give every convolution an adapter that learns; return the net."""
    generator = torch.Generator().manual_seed(seed)
    net.requires_grad_(False)
    for convolution in list(net.modules()):
        if isinstance(convolution, nn.Conv2d):
            adapter = LowRank(convolution.weight, rank, generator)
            parametrize.register_parametrization(convolution, "weight", adapter)
    return net


def merged_state(net: GoNet) -> dict[str, Tensor]:
    """Return the arrays of ``net`` by their ordinary names, adapters merged into the weights."""
    held = net.state_dict()
    state = {name: array for name, array in held.items() if ".parametrizations." not in name}
    for name, module in net.named_modules():
        if isinstance(module, nn.Conv2d):
            state[f"{name}.weight"] = module.weight.detach()
    return state
