"""The net in torch, for training only; playing needs no torch (see :mod:`mariago.nets.inference`).

Module names give parameters the names of :func:`mariago.nets.config.parameter_shapes`. Boards
smaller than the batch's H x W lie in the top left corner; the mask (B, 1, H, W) is input plane 0,
and every average, maximum and batch statistic is taken over the board alone, so that padding
changes nothing. ``mask`` is ``None`` where every board of the batch fills it: then the plain and
faster operations give the same.

Axes: B boards of a batch, C channels, H rows, W columns.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mariago.nets.config import (
    GLOBALS,
    PLANES,
    SCORE_OUTPUTS,
    VALUE_OUTPUTS,
    NetConfig,
)

__all__ = ["Board", "GoNet", "Outputs"]

OFF_BOARD = 1e9  # subtracted from policy logits outside the board
NORM_MOMENTUM = 0.1


class Outputs(NamedTuple):
    """What a net says of a batch, before any softmax; all for the side to move."""

    policy: Tensor  # (B, H * W + 1) logits, last is pass, off-board ones very small
    value: Tensor  # (B, 3) logits of win, loss, no result
    score: Tensor  # (B, 4) score, spread before softplus, lead, time; units of SCORE_SCALE
    ownership: Tensor  # (B, H, W) in [-1, 1], 0 outside the board


class Board(NamedTuple):
    """Where the boards of a batch lie and how large they are."""

    mask: Tensor | None  # (B, 1, H, W) 1 on the board; None where all boards fill the batch
    points: Tensor  # (B, 1) number of points of each board
    total: Tensor  # () number of points of all boards

    @classmethod
    def of_planes(cls, planes: Tensor) -> Board:
        """Read the boards' extents from input plane 0."""
        mask = planes[:, :1]
        points = mask.sum(dim=(2, 3))
        total = points.sum()
        full = int(total) == mask.numel()
        return cls(None if full else mask, points, total)

    def keep(self, x: Tensor) -> Tensor:
        """Return ``x`` (B, C, H, W) with zeros outside the boards."""
        return x if self.mask is None else x * self.mask

    def width(self) -> Tensor:
        """Return the boards' side (B, 1), counted from 14, in tens: the unit of the poolings."""
        return (self.points.sqrt() - 14.0) * 0.1

    def mean(self, x: Tensor) -> Tensor:
        """Return the average (B, C) of masked ``x`` over each board."""
        return x.sum(dim=(2, 3)) / self.points


class Norm(nn.Module):
    """Batch norm over the points on the boards, with ReLU and mask: what precedes a convolution."""

    mean: Tensor
    variance: Tensor

    def __init__(self, channels: int, epsilon: float) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))
        self.epsilon = epsilon

    def forward(self, x: Tensor, board: Board) -> Tensor:
        if board.mask is None or not self.training:
            x = functional.batch_norm(
                x,
                self.mean,
                self.variance,
                self.scale,
                self.bias,
                self.training,
                NORM_MOMENTUM,
                self.epsilon,
            )
        else:
            x = self._masked(x, board.mask, board.total)
        return board.keep(functional.relu(x))

    def _masked(self, x: Tensor, mask: Tensor, total: Tensor) -> Tensor:
        kept = x.float() * mask
        mean = kept.sum(dim=(0, 2, 3)) / total
        spread = (kept - mean.view(1, -1, 1, 1)) * mask
        variance = (spread * spread).sum(dim=(0, 2, 3)) / total
        with torch.no_grad():
            unbiased = variance * (total / (total - 1).clamp(min=1))
            self.mean.lerp_(mean, NORM_MOMENTUM)
            self.variance.lerp_(unbiased, NORM_MOMENTUM)
        factor = self.scale * torch.rsqrt(variance + self.epsilon)
        return x * factor.view(1, -1, 1, 1) + (self.bias - mean * factor).view(1, -1, 1, 1)


def _conv(inputs: int, outputs: int, side: int) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, side, padding=side // 2, bias=False)


def pool(x: Tensor, board: Board) -> Tensor:
    """Return (B, 3 C): average, average times the board's width, maximum of masked ``x`` >= 0."""
    mean = board.mean(x)
    return torch.cat((mean, mean * board.width(), x.amax(dim=(2, 3))), dim=1)


def pool_for_value(x: Tensor, board: Board) -> Tensor:
    """Return (B, 3 C): average times 1, the board's width, and the width's square less 0.1."""
    mean, width = board.mean(x), board.width()
    return torch.cat((mean, mean * width, mean * (width * width - 0.1)), dim=1)


class OrdinaryBlock(nn.Module):
    """norm1, w1, norm2, w2, added to the input."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        c, mid, epsilon = config.channels, config.mid_channels, config.norm_epsilon
        self.norm1 = Norm(c, epsilon)
        self.w1 = _conv(c, mid, 3)
        self.norm2 = Norm(mid, epsilon)
        self.w2 = _conv(mid, c, 3)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        return x + self.w2(self.norm2(self.w1(self.norm1(x, board)), board))


class PoolingBlock(nn.Module):
    """Like an ordinary block, with pooled channels (w1b, norm1b, w1r) added to w1a's as biases."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        c, epsilon = config.channels, config.norm_epsilon
        regular, pooled = config.regular_channels, config.gpool_channels
        self.norm1 = Norm(c, epsilon)
        self.w1a = _conv(c, regular, 3)
        self.w1b = _conv(c, pooled, 3)
        self.norm1b = Norm(pooled, epsilon)
        self.w1r = nn.Linear(3 * pooled, regular, bias=False)
        self.norm2 = Norm(regular, epsilon)
        self.w2 = _conv(regular, c, 3)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        active = self.norm1(x, board)
        bias = self.w1r(pool(self.norm1b(self.w1b(active), board), board))
        mixed = self.w1a(active) + bias[:, :, None, None]
        return x + self.w2(self.norm2(mixed, board))


class PolicyHead(nn.Module):
    """One plane of logits from p1 biased by pooled g1, and the pass logit from pooled g1."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        c, p, epsilon = config.channels, config.policy_channels, config.norm_epsilon
        self.p1 = _conv(c, p, 1)
        self.g1 = _conv(c, p, 1)
        self.g1_norm = Norm(p, epsilon)
        self.g2 = nn.Linear(3 * p, p, bias=False)
        self.p1_norm = Norm(p, epsilon)
        self.p2 = _conv(p, 1, 1)
        self.add_module("pass", nn.Linear(3 * p, 1, bias=False))

    def forward(self, trunk: Tensor, board: Board) -> Tensor:
        pooled = pool(self.g1_norm(self.g1(trunk), board), board)
        plane = self.p1(trunk) + self.g2(pooled)[:, :, None, None]
        plane = self.p2(self.p1_norm(plane, board))
        if board.mask is not None:
            plane = plane - (1.0 - board.mask) * OFF_BOARD
        return torch.cat((plane.flatten(1), self.get_submodule("pass")(pooled)), dim=1)


class ValueHead(nn.Module):
    """Win, loss, no result; the score outputs; ownership from v1."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        c, v, hidden = config.channels, config.value_channels, config.value_hidden
        self.v1 = _conv(c, v, 1)
        self.v1_norm = Norm(v, config.norm_epsilon)
        self.v2 = nn.Linear(3 * v, hidden)
        self.v3 = nn.Linear(hidden, VALUE_OUTPUTS)
        self.sv3 = nn.Linear(hidden, SCORE_OUTPUTS)
        self.ownership = _conv(v, 1, 1)

    def forward(self, trunk: Tensor, board: Board) -> tuple[Tensor, Tensor, Tensor]:
        v1 = self.v1_norm(self.v1(trunk), board)
        hidden = functional.relu(self.v2(pool_for_value(v1, board)))
        ownership = board.keep(torch.tanh(self.ownership(v1)))
        return self.v3(hidden), self.sv3(hidden), ownership[:, 0]


class GoNet(nn.Module):
    """The whole net: any board size, 22 planes and 19 globals in, :class:`Outputs` out."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.config = config
        self.conv1 = _conv(PLANES, config.channels, config.first_kernel)
        self.ginput = nn.Linear(GLOBALS, config.channels, bias=False)
        self.blocks = nn.ModuleList(
            OrdinaryBlock(config) if kind == "ordinary" else PoolingBlock(config)
            for kind in config.blocks
        )
        self.trunk_norm = Norm(config.channels, config.norm_epsilon)
        self.policy = PolicyHead(config)
        self.value = ValueHead(config)
        self._start()

    def _start(self) -> None:
        """Start the weights so that signals keep their size and the outputs start near even.

        He et al. 2015 (arXiv:1502.01852) for layers before a ReLU; the last layer of every
        residual branch and of every head starts small.
        """
        depth = len(self.blocks)
        for name, layer in self.named_modules():
            if not isinstance(layer, nn.Conv2d | nn.Linear):
                continue
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
            with torch.no_grad():
                if name.endswith(".w2"):
                    layer.weight.mul_(depth**-0.5)
                elif name in ("policy.p2", "policy.pass", "value.v3", "value.sv3"):
                    layer.weight.mul_(0.3)
                elif name == "ginput" or name.endswith((".w1r", ".g2")):
                    layer.weight.mul_(0.5)

    def forward(self, planes: Tensor, global_inputs: Tensor) -> Outputs:
        """Evaluate ``planes`` (B, 22, H, W) and ``global_inputs`` (B, 19)."""
        board = Board.of_planes(planes)
        x = self.conv1(planes) + self.ginput(global_inputs)[:, :, None, None]
        for block in self.blocks:
            x = block(x, board)
        trunk = self.trunk_norm(x, board)
        value, score, ownership = self.value(trunk, board)
        return Outputs(self.policy(trunk, board), value, score, ownership)
