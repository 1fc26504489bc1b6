"""The shape of a net: what its layers are called, how large they are, and what they mean.

The form is the one that a KataGo network file of version 8 holds, layer for layer, so that such a
file can be read into it and any net of this form can be written as such a file. Facts about the
format: https://github.com/lightvector/KataGo, ``cpp/neuralnet/desc.cpp`` (order and meaning of the
layers), ``nneval.cpp`` (scales of the outputs). The architecture: Wu 2019, "Accelerating Self-Play
Learning in Go", arXiv:1902.10565.

Axes: B boards of a batch, C channels, H rows, W columns of the (padded) board.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = [
    "GLOBALS",
    "NORM_FIELDS",
    "PLANES",
    "SCORE_SCALE",
    "BlockKind",
    "NetConfig",
    "parameter_count",
    "parameter_shapes",
]

PLANES = 22  # spatial inputs, KataGo's V7 order
GLOBALS = 19  # global inputs, likewise
VALUE_OUTPUTS = 3  # win, loss, no result, for the side to move
SCORE_OUTPUTS = 4  # score, its spread, lead, variance of the time left
SCORE_SCALE = 20.0  # points in one unit of the score outputs
NORM_FIELDS = ("scale", "bias", "mean", "variance")

BlockKind = Literal["ordinary", "gpool"]


class NetConfig(BaseModel):
    """The architecture of a net. Frozen; an unknown key is an error.

    ``blocks`` is the list of residual blocks from input to output. An ``ordinary`` block is
    norm, ReLU, 3x3 convolution to ``mid_channels``, norm, ReLU, 3x3 convolution back. A ``gpool``
    block convolves to ``regular_channels`` and, beside them, to ``gpool_channels``, whose averages
    and maxima over the board are added to the regular channels as biases.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    blocks: tuple[BlockKind, ...] = Field(min_length=1)
    channels: int = Field(ge=1)
    mid_channels: int = Field(ge=2)
    regular_channels: int = Field(ge=1)
    gpool_channels: int = Field(ge=1)
    policy_channels: int = Field(ge=1)
    value_channels: int = Field(ge=1)
    value_hidden: int = Field(ge=1)
    first_kernel: Literal[1, 3, 5, 7] = 5
    norm_epsilon: float = Field(default=1e-5, gt=0)

    @model_validator(mode="after")
    def _fits_the_format(self) -> Self:
        if self.regular_channels >= self.mid_channels:
            # The format stores mid = regular + "dilated" channels, both positive.
            raise ValueError("regular_channels must be smaller than mid_channels")
        return self

    @classmethod
    def of_size(cls, blocks: int, channels: int, *, pool_every: int = 3) -> NetConfig:
        """Return the usual net of ``blocks`` x ``channels``; every ``pool_every``-th block pools.

        Where there are two blocks or more at least the last one pools. The widths of the heads
        follow from ``channels`` in the proportions of KataGo's 96-channel net.
        """
        third = max(4, (channels // 3 + 3) // 4 * 4)
        pools = {i for i in range(blocks) if (i + 1) % pool_every == 0}
        if blocks >= 2 and not pools:
            pools = {blocks - 1}
        return cls(
            blocks=tuple("gpool" if i in pools else "ordinary" for i in range(blocks)),
            channels=channels,
            mid_channels=channels,
            regular_channels=max(1, channels - third),
            gpool_channels=third,
            policy_channels=third,
            value_channels=third,
            value_hidden=max(16, 2 * third),
        )

    def __str__(self) -> str:
        return f"{len(self.blocks)} blocks x {self.channels} channels"


def parameter_shapes(config: NetConfig) -> dict[str, tuple[int, ...]]:
    """Return the name and shape of every array of a net, in the order of the KataGo file.

    Convolutions are (out, in, H, W), matrices (out, in), norms four arrays of (C,).
    """
    shapes: dict[str, tuple[int, ...]] = {}
    c, mid, third = config.channels, config.mid_channels, config.gpool_channels

    def conv(name: str, inputs: int, outputs: int, side: int) -> None:
        shapes[f"{name}.weight"] = (outputs, inputs, side, side)

    def norm(name: str, channels: int) -> None:
        for field in NORM_FIELDS:
            shapes[f"{name}.{field}"] = (channels,)

    def matrix(name: str, inputs: int, outputs: int, bias: bool = False) -> None:
        shapes[f"{name}.weight"] = (outputs, inputs)
        if bias:
            shapes[f"{name}.bias"] = (outputs,)

    conv("conv1", PLANES, c, config.first_kernel)
    matrix("ginput", GLOBALS, c)
    for i, kind in enumerate(config.blocks):
        block = f"blocks.{i}"
        norm(f"{block}.norm1", c)
        if kind == "ordinary":
            conv(f"{block}.w1", c, mid, 3)
            norm(f"{block}.norm2", mid)
            conv(f"{block}.w2", mid, c, 3)
        else:
            conv(f"{block}.w1a", c, config.regular_channels, 3)
            conv(f"{block}.w1b", c, third, 3)
            norm(f"{block}.norm1b", third)
            matrix(f"{block}.w1r", 3 * third, config.regular_channels)
            norm(f"{block}.norm2", config.regular_channels)
            conv(f"{block}.w2", config.regular_channels, c, 3)
    norm("trunk_norm", c)
    p, v, hidden = config.policy_channels, config.value_channels, config.value_hidden
    conv("policy.p1", c, p, 1)
    conv("policy.g1", c, p, 1)
    norm("policy.g1_norm", p)
    matrix("policy.g2", 3 * p, p)
    norm("policy.p1_norm", p)
    conv("policy.p2", p, 1, 1)
    matrix("policy.pass", 3 * p, 1)
    conv("value.v1", c, v, 1)
    norm("value.v1_norm", v)
    matrix("value.v2", 3 * v, hidden, bias=True)
    matrix("value.v3", hidden, VALUE_OUTPUTS, bias=True)
    matrix("value.sv3", hidden, SCORE_OUTPUTS, bias=True)
    conv("value.ownership", v, 1, 1)
    return shapes


def parameter_count(config: NetConfig) -> int:
    """Return how many numbers a net of this shape holds, running statistics included."""
    total = 0
    for shape in parameter_shapes(config).values():
        size = 1
        for side in shape:
            size *= side
        total += size
    return total
