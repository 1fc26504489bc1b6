"""The ONNX graph of a net, built from its weights alone; torch is not needed.

Inputs ``planes`` (B, 22, H, W) and ``globals`` (B, 19) float32; outputs ``policy``
(B, H * W + 1) logits, ``value`` (B, 3) logits, ``score`` (B, 4) and ``ownership`` (B, H, W), all
as :class:`mariago.nets.architecture.Outputs` describes them. B, H and W are free.

Norms that follow a convolution at once are folded into it. A second graph without masks, for boards
that fill H x W, was tried: 3 to 5 in a hundred faster on a CPU, not worth keeping.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from mariago.nets.config import GLOBALS, PLANES, SCORE_OUTPUTS, VALUE_OUTPUTS, NetConfig

__all__ = ["OPSET", "Builder", "Weights", "build_graph"]

OPSET = 18
IR_VERSION = 9
OFF_BOARD = 1e9  # subtracted from policy logits outside the board

Weights = Mapping[str, npt.NDArray[np.float32]]


def build_graph(config: NetConfig, weights: Weights) -> bytes:
    """Return the serialised ONNX model of a net.

    ``weights`` holds the arrays of :func:`mariago.nets.config.parameter_shapes`. The bytes depend
    on nothing but the arguments and the version of the onnx package.
    """
    return _NetBuilder(config, weights).model().SerializeToString(deterministic=True)


class Builder(ABC):
    """Collects nodes; every method adds some and returns the name of their result."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        self._net()
        batch, rows, columns = "batch", "rows", "columns"
        graph = helper.make_graph(
            self.nodes,
            "mariago_net",
            [
                _value("planes", [batch, PLANES, rows, columns]),
                _value("globals", [batch, GLOBALS]),
            ],
            [
                _value("policy", [batch, "moves"]),
                _value("value", [batch, VALUE_OUTPUTS]),
                _value("score", [batch, SCORE_OUTPUTS]),
                _value("ownership", [batch, rows, columns]),
            ],
            list(self.constants.values()),
        )
        return helper.make_model(
            graph,
            producer_name="mariago",
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
        )

    # -- the net, from input to output ------------------------------------------------------

    @abstractmethod
    def _net(self) -> None:
        """The whole net; it ends in :meth:`_policy` and :meth:`_value`."""

    def _board(self) -> None:
        # Plane 0 is 1 on the board and 0 beside it.
        starts, ends, axes = (
            self._constant(name, np.array([x], np.int64))
            for name, x in (("zero", 0), ("one", 1), ("plane_axis", 1))
        )
        self.mask = self._node("Slice", ["planes", starts, ends, axes], "mask")
        self.points = self._sum(self.mask, "points")
        side = self._node("Sqrt", [self.points], "side")
        side = self._node("Sub", [side, self._number("fourteen", 14.0)], "side_from_14")
        self.width = self._node("Mul", [side, self._number("tenth", 0.1)], "width")

    def _ordinary(self, x: str, block: str) -> str:
        active = self._norm(x, f"{block}.norm1")
        active = self._normed_conv(active, f"{block}.w1", f"{block}.norm2")
        return self._conv(active, f"{block}.w2", self._weight(f"{block}.w2"))

    def _pooling(self, x: str, block: str) -> str:
        active = self._norm(x, f"{block}.norm1")
        pooled = self._pool(self._normed_conv(active, f"{block}.w1b", f"{block}.norm1b"), block)
        mixed = self._biased_conv(active, f"{block}.w1a", pooled, f"{block}.w1r", f"{block}.norm2")
        return self._conv(mixed, f"{block}.w2", self._weight(f"{block}.w2"))

    def _policy(self, trunk: str) -> None:
        pooled = self._pool(self._normed_conv(trunk, "policy.g1", "policy.g1_norm"), "policy")
        plane = self._biased_conv(trunk, "policy.p1", pooled, "policy.g2", "policy.p1_norm")
        plane = self._conv(plane, "policy.p2", self._weight("policy.p2"))
        off = self._node("Sub", [self._number("one_float", 1.0), self.mask], "off_board")
        off = self._node("Mul", [off, self._number("huge", OFF_BOARD)], "off_board_logit")
        plane = self._node("Sub", [plane, off], "policy.plane")
        flat = self._node("Flatten", [plane], "policy.flat", axis=1)
        self._node("Concat", [flat, self._pass(pooled)], "policy", axis=1)

    def _pass(self, pooled: str) -> str:
        return self._matrix(pooled, "policy.pass")

    def _value(self, trunk: str) -> None:
        v1 = self._normed_conv(trunk, "value.v1", "value.v1_norm")
        mean = self._mean(v1, "value")
        square = self._node("Mul", [self.width, self.width], "width_squared")
        square = self._node("Sub", [square, self._number("tenth", 0.1)], "width_squared_less")
        parts = [
            mean,
            self._node("Mul", [mean, self.width], "value.mean_width"),
            self._node("Mul", [mean, square], "value.mean_square"),
        ]
        pooled = self._node("Concat", parts, "value.pooled", axis=1)
        hidden = self._active(self._matrix(pooled, "value.v2", bias=True), "value.v2")
        self._matrix(hidden, "value.v3", bias=True, result="value")
        self._matrix(hidden, "value.sv3", bias=True, result="score")
        plane = self._conv(v1, "value.ownership", self._weight("value.ownership"))
        plane = self._keep(self._node("Tanh", [plane], "value.tanh"), "value.owned")
        self._node("Squeeze", [plane, self._constant("plane_axis")], "ownership")

    # -- layers --------------------------------------------------------------------------------

    def _norm_factors(self, name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return (factor, shift), both (C,): what a norm does when not training."""
        scale, bias, mean, variance = (
            self.weights[f"{name}.{field}"].astype(np.float64)
            for field in ("scale", "bias", "mean", "variance")
        )
        factor = scale / np.sqrt(variance + self._epsilon(name))
        return factor.astype(np.float32), (bias - mean * factor).astype(np.float32)

    @abstractmethod
    def _epsilon(self, norm: str) -> float:
        """What the norm of this name adds to its variance."""

    def _norm(self, x: str, name: str) -> str:
        """Norm, ReLU and mask of a sum, which no convolution can take in."""
        factor, shift = self._norm_factors(name)
        count = len(factor)
        fields = (
            ("factor", factor),
            ("shift", shift),
            ("no_mean", np.zeros(count, np.float32)),
            ("no_variance", np.ones(count, np.float32)),
        )
        constants = [self._constant(f"{name}.{field}", data) for field, data in fields]
        y = self._node("BatchNormalization", [x, *constants], f"{name}.normed", epsilon=0.0)
        return self._keep(self._active(y, name), name)

    def _active(self, x: str, name: str) -> str:
        """The activation that follows the norm or matrix of this name."""
        return self._node("Relu", [x], f"{name}.active")

    def _normed_conv(self, x: str, conv: str, norm: str) -> str:
        factor, shift = self._norm_factors(norm)
        y = self._conv(x, conv, self._weight(conv) * factor[:, None, None, None], shift)
        return self._keep(self._active(y, norm), norm)

    def _biased_conv(self, x: str, conv: str, pooled: str, matrix: str, norm: str) -> str:
        """A convolution plus a bias per board and channel, the norm folded into both."""
        factor, shift = self._norm_factors(norm)
        y = self._conv(x, conv, self._weight(conv) * factor[:, None, None, None], shift)
        weight = self.weights[f"{matrix}.weight"] * factor[:, None]
        y = self._add_per_channel(y, self._matrix(pooled, matrix, weight=weight), conv)
        return self._keep(self._active(y, norm), norm)

    def _conv(
        self,
        x: str,
        name: str,
        weight: npt.NDArray[np.float32],
        bias: npt.NDArray[np.float32] | None = None,
    ) -> str:
        side = weight.shape[2]
        inputs = [x, self._constant(f"{name}.weight", weight)]
        if bias is not None:
            inputs.append(self._constant(f"{name}.bias", bias))
        pads = [side // 2] * 4
        return self._node("Conv", inputs, f"{name}.out", kernel_shape=[side, side], pads=pads)

    def _matrix(
        self,
        x: str,
        name: str,
        *,
        weight: npt.NDArray[np.float32] | None = None,
        bias: bool = False,
        result: str | None = None,
    ) -> str:
        weight = self.weights[f"{name}.weight"] if weight is None else weight
        inputs = [x, self._constant(f"{name}.weight", weight)]
        if bias:
            inputs.append(self._constant(f"{name}.bias", self.weights[f"{name}.bias"]))
        return self._node("Gemm", inputs, result or f"{name}.out", transB=1)

    def _pool(self, x: str, name: str) -> str:
        mean = self._mean(x, name)
        scaled = self._node("Mul", [mean, self.width], f"{name}.mean_width")
        parts = [mean, scaled, self._largest(x, name)]
        return self._node("Concat", parts, f"{name}.pooled", axis=1)

    def _largest(self, x: str, name: str) -> str:
        largest = self._node("GlobalMaxPool", [x], f"{name}.largest")
        return self._node("Flatten", [largest], f"{name}.max", axis=1)

    def _mean(self, x: str, name: str) -> str:
        return self._node("Div", [self._sum(x, f"{name}.sum"), self.points], f"{name}.mean")

    def _sum(self, x: str, result: str) -> str:
        axes = self._constant("board_axes", np.array([2, 3], np.int64))
        return self._node("ReduceSum", [x, axes], result, keepdims=0)

    def _add_per_channel(self, x: str, bias: str, name: str) -> str:
        axes = self._constant("board_axes", np.array([2, 3], np.int64))
        bias = self._node("Unsqueeze", [bias, axes], f"{name}.board_bias")
        return self._node("Add", [x, bias], f"{name}.biased")

    def _keep(self, x: str, name: str) -> str:
        return self._node("Mul", [x, self.mask], f"{name}.kept")

    # -- parts of the file ---------------------------------------------------------------------

    def _weight(self, name: str) -> npt.NDArray[np.float32]:
        return self.weights[f"{name}.weight"]

    def _number(self, name: str, value: float) -> str:
        return self._constant(name, np.array(value, np.float32))

    def _constant(self, name: str, data: npt.NDArray[np.generic] | None = None) -> str:
        """Keep ``data`` under ``name``, once; without data, the name must be known."""
        if name not in self.constants and data is not None:
            tensor = np.ascontiguousarray(data)
            self.constants[name] = numpy_helper.from_array(tensor.reshape(data.shape), name)
        return self.constants[name].name

    def _node(self, kind: str, inputs: list[str], result: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [result], name=result, **attributes))
        return result


class _NetBuilder(Builder):
    """The graph of a net in this package's form."""

    def __init__(self, config: NetConfig, weights: Weights) -> None:
        self.config = config
        super().__init__(weights)

    def _net(self) -> None:
        self._board()
        x = self._conv("planes", "conv1", self._weight("conv1"))
        x = self._add_per_channel(x, self._matrix("globals", "ginput"), "input")
        for i, kind in enumerate(self.config.blocks):
            block = self._ordinary if kind == "ordinary" else self._pooling
            x = self._node("Add", [x, block(x, f"blocks.{i}")], f"blocks.{i}")
        trunk = self._norm(x, "trunk_norm")
        self._policy(trunk)
        self._value(trunk)

    def _epsilon(self, norm: str) -> float:
        return self.config.norm_epsilon


def _value(name: str, shape: list[str | int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
