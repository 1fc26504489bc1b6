"""The ONNX graph of a KataGo network file of any version that is read here.

Inputs and outputs are those of :mod:`mariago.nets.graph`. Of several policies the first is taken,
which KataGo plays by where it is not told to be optimistic; the scores are the first four outputs,
in SCORE_SCALE. Facts: KataGo's ``eigenbackend.cpp`` and ``desc.cpp`` (``computeRopeCosSin``).

Axes: B boards, C channels, H rows, W columns, S = H * W points, D numbers of one attention head.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mariago.nets.config import SCORE_OUTPUTS, SCORE_SCALE
from mariago.nets.graph import OFF_BOARD, Builder
from mariago.nets.katago_layers import Block, KatagoFile
from mariago.nets.katago_people import AREA_PLACE, DEFAULT_PROFILE, people_row

__all__ = ["build_katago_graph"]


def build_katago_graph(found: KatagoFile, profile: str = DEFAULT_PROFILE) -> bytes:
    """Return the serialised ONNX model of what a file holds.

    ``profile`` says whom a network that imitates people plays like; others have no use for it.

    Raises:
        BadInputError: there is no such profile.
    """
    return _KatagoBuilder(found, profile).model().SerializeToString(deterministic=True)


class _KatagoBuilder(Builder):
    """As Builder; the layers of later versions come on top."""

    def __init__(self, found: KatagoFile, profile: str) -> None:
        self.found = found
        weights = dict(found.arrays)
        # One policy, four scores.
        for name in ("policy.p2.weight", "policy.pass.weight"):
            weights[name] = weights[name][:1]
        scale = np.ones(SCORE_OUTPUTS, np.float32)
        scale[0], scale[2] = found.scales[1] / SCORE_SCALE, found.lead_scale
        weights["value.sv3.weight"] = weights["value.sv3.weight"][:SCORE_OUTPUTS] * scale[:, None]
        weights["value.sv3.bias"] = weights["value.sv3.bias"][:SCORE_OUTPUTS] * scale
        if found.imitates_people:  # all numbers of a profile are known but the board's area
            first = weights["people.m1.weight"].astype(np.float64)
            known = first @ people_row(profile) + weights["people.m1.bias"]
            weights["people.area.bias"] = known.astype(np.float32)
            weights["people.area.weight"] = weights["people.m1.weight"][:, AREA_PLACE, None]
        super().__init__(weights)

    # -- the net, from input to output ------------------------------------------------------

    def _net(self) -> None:
        self._board()
        off = self._node("Sub", [self.mask, self._number("one_float", 1.0)], "off")
        self._node("Mul", [off, self._number("huge", OFF_BOARD)], "beside")  # 0 on the board
        if any(block.kind == "attention" for block in self.found.all_blocks()):
            self._prepare_attention()
        x = self._conv("planes", "conv1", self._weight("conv1"))
        x = self._add_per_channel(x, self._matrix("globals", "ginput"), "input")
        if self.found.imitates_people:
            x = self._add_per_channel(x, self._people(), "people")
        for block in self.found.blocks:
            x = self._with_block(x, block)
        trunk = self._norm(x, "trunk_norm") if self.found.tip == "norm" else self._tip(x)
        self._policy(trunk)
        self._value(trunk)

    def _people(self) -> str:
        """The bias (B, C) of a profile."""
        share = self._node("Div", [self.points, self._number("full_board", 361.0)], "share")
        area = self._node(
            "Mul", [self._node("Log", [share], "log"), self._number("half", 0.5)], "area"
        )
        hidden = self._matrix(area, "people.area", bias=True)
        hidden = self._active(hidden, "people.m1")
        hidden = self._active(self._matrix(hidden, "people.m2", bias=True), "people.m2")
        return self._matrix(hidden, "people.m3")

    def _with_block(self, x: str, block: Block) -> str:
        if block.kind == "nested":
            y = self._nested(x, block)
        elif block.kind == "attention":
            y = self._attention(x, block)
        elif block.kind == "feed_forward":
            y = self._feed_forward(x, block.name)
        else:
            y = (self._ordinary if block.kind == "ordinary" else self._pooling)(x, block.name)
        return self._node("Add", [x, y], block.name)

    def _nested(self, x: str, block: Block) -> str:
        name = block.name
        inner = self._norm(x, f"{name}.norm1")
        inner = self._conv(inner, f"{name}.w1", self._weight(f"{name}.w1"))
        for part in block.parts:
            inner = self._with_block(inner, part)
        inner = self._norm(inner, f"{name}.norm2")
        return self._conv(inner, f"{name}.w2", self._weight(f"{name}.w2"))

    def _tip(self, x: str) -> str:
        """The RMS norm that ends a trunk: over the channels, or over them and the board."""
        name = "trunk_norm"
        channels = len(self.weights[f"{name}.scale"])
        x = self._keep(x, f"{name}.in")
        square = self._node("Mul", [x, x], f"{name}.square")
        whole = self.found.tip == "rms_board"
        axes = [1, 2, 3] if whole else [1]
        axes_name = self._constant(f"{name}.axes", np.array(axes, np.int64))
        total = self._node("ReduceSum", [square, axes_name], f"{name}.total", keepdims=1)
        count = self._number(f"{name}.channels", channels)
        if whole:
            shape = self._constant("per_board", np.array([-1, 1, 1, 1], np.int64))
            points = self._node("Reshape", [self.points, shape], f"{name}.points")
            count = self._node("Mul", [points, count], f"{name}.count")
        y = self._divided(x, self._node("Div", [total, count], f"{name}.mean"), name)
        for kind, field in (("Mul", "scale"), ("Add", "bias")):
            array = self.weights[f"{name}.{field}"].reshape(1, -1, 1, 1)
            y = self._node(kind, [y, self._constant(f"{name}.{field}", array)], f"{name}.{kind}")
        return self._keep(self._active(y, name), name)

    def _pass(self, pooled: str) -> str:
        if "policy.pass1.weight" in self.weights:
            hidden = self._matrix(pooled, "policy.pass1", bias=True)
            pooled = self._active(hidden, "policy.pass1")
        return self._matrix(pooled, "policy.pass")

    # -- attention -----------------------------------------------------------------------------

    def _prepare_attention(self) -> None:
        """Make what all attention blocks share: places of points, and which are off the board."""
        starts, ends = self._constant("zero"), self._constant("one")
        first_axis = self._constant("batch_axis", np.array([0], np.int64))
        first = self._node("Slice", [self.mask, starts, ends, first_axis], "first_mask")
        noughts = self._node("Mul", [first, self._number("nought", 0.0)], "noughts")
        ones = self._node("Add", [noughts, self._number("one_float", 1.0)], "ones")
        column = self._constant("one_column", np.array([1, 1, -1, 1], np.int64))
        for name, axis in (("at_column", 3), ("at_row", 2)):
            along = self._constant(f"{name}.axis", np.array(axis, np.int64))
            count = self._node("CumSum", [ones, along], f"{name}.count", exclusive=1)
            self._node("Reshape", [count, column], name)  # (1, 1, S, 1)
        line = self._constant("one_line", np.array([0, 1, 1, -1], np.int64))
        self._node("Reshape", ["beside", line], "off_line_logit")  # (B, 1, 1, S)

    def _attention(self, x: str, block: Block) -> str:
        name, n = block.name, block.numbers
        points = self._rms(self._in_rows(x, name), f"{name}.norm")
        widths = {"q": n["query_width"], "k": n["query_width"], "v": n["value_width"]}
        heads: dict[str, str] = {}
        for part, width in widths.items():
            own = n["heads"] if part == "q" else n["key_heads"]
            y = self._split(self._product(points, f"{name}.{part}"), f"{name}.{part}", own, width)
            if part != "v" and n["turns"]:
                y = self._turned(y, f"{name}.{part}", self.weights[f"{name}.turns"], own)
            if own < n["heads"]:  # several queries share a key
                order = np.repeat(np.arange(own, dtype=np.int64), n["heads"] // own)
                order_name = self._constant(f"{name}.{part}.order", order)
                y = self._node("Gather", [y, order_name], f"{name}.{part}.repeated", axis=1)
            heads[part] = y
        keys = self._node("Transpose", [heads["k"]], f"{name}.keys", perm=[0, 1, 3, 2])
        logits = self._node("MatMul", [heads["q"], keys], f"{name}.products")
        sharpness = self._number(f"{name}.sharpness", n["query_width"] ** -0.5)
        logits = self._node("Mul", [logits, sharpness], f"{name}.scaled")
        logits = self._node("Add", [logits, "off_line_logit"], f"{name}.logits")
        shares = self._node("Softmax", [logits], f"{name}.shares", axis=-1)
        y = self._node("MatMul", [shares, heads["v"]], f"{name}.seen")
        y = self._node("Transpose", [y], f"{name}.seen_rows", perm=[0, 2, 1, 3])
        joined = self._constant("join_heads", np.array([0, 0, -1], np.int64))
        y = self._node("Reshape", [y, joined], f"{name}.joined")
        return self._on_board(self._product(y, f"{name}.out"), x, name)

    def _feed_forward(self, x: str, name: str) -> str:
        points = self._rms(self._in_rows(x, name), f"{name}.norm")
        y = self._curve(self._product(points, f"{name}.w1"), f"{name}.w1", "silu")
        y = self._node("Mul", [y, self._product(points, f"{name}.gate")], f"{name}.gated")
        return self._on_board(self._product(y, f"{name}.w2"), x, name)

    def _in_rows(self, x: str, name: str) -> str:
        """Return ``x`` (B, C, H, W) as (B, S, C)."""
        flat = self._constant("flat_board", np.array([0, 0, -1], np.int64))
        y = self._node("Reshape", [x, flat], f"{name}.flat")
        return self._node("Transpose", [y], f"{name}.rows", perm=[0, 2, 1])

    def _on_board(self, y: str, like: str, name: str) -> str:
        """Return ``y`` (B, S, C) as (B, C, H, W), zero outside the board."""
        y = self._node("Transpose", [y], f"{name}.back", perm=[0, 2, 1])
        shape = self._node("Shape", [like], f"{name}.shape")
        return self._keep(self._node("Reshape", [y, shape], f"{name}.board"), f"{name}.end")

    def _product(self, x: str, name: str) -> str:
        weight = self._constant(f"{name}.weight", np.ascontiguousarray(self._weight(name).T))
        return self._node("MatMul", [x, weight], f"{name}.product")

    def _split(self, x: str, name: str, heads: int, width: int) -> str:
        """Return ``x`` (B, S, heads * D) as (B, heads, S, D)."""
        sizes = self._constant(f"{name}.sizes", np.array([0, 0, heads, width], np.int64))
        y = self._node("Reshape", [x, sizes], f"{name}.split")
        return self._node("Transpose", [y], f"{name}.heads", perm=[0, 2, 1, 3])

    def _turned(self, x: str, name: str, turns: npt.NDArray[np.float32], heads: int) -> str:
        """Return ``x`` (B, heads, S, D) with every pair of numbers (2p, 2p + 1) turned.

        The angle at a point is column * turns[head, p, 0] + row * turns[head, p, 1]. The first of
        all pairs come first, then the second: queries and keys get the same order, which leaves
        their products alone.
        """
        turns = np.repeat(turns, heads // len(turns), axis=0)
        parts: list[str] = []
        for axis, place in enumerate(("at_column", "at_row")):
            speed = self._constant(f"{name}.speed{axis}", turns[None, :, None, :, axis])
            parts.append(self._node("Mul", [place, speed], f"{name}.angle{axis}"))
        angle = self._node("Add", parts, f"{name}.angle")
        cosine = self._node("Cos", [angle], f"{name}.cosine")
        sine = self._node("Sin", [angle], f"{name}.sine")
        pairs = 2 * np.arange(turns.shape[1], dtype=np.int64)
        first, second = (
            self._node(
                "Gather", [x, self._constant(f"{name}.of{k}", pairs + k)], f"{name}.at{k}", axis=3
            )
            for k in (0, 1)
        )
        products = [
            self._node("Mul", [part, by], f"{name}.part{i}")
            for i, (part, by) in enumerate(
                ((first, cosine), (second, sine), (first, sine), (second, cosine))
            )
        ]
        left = self._node("Sub", products[:2], f"{name}.left")
        right = self._node("Add", products[2:], f"{name}.right")
        return self._node("Concat", [left, right], f"{name}.turned", axis=3)

    # -- layers --------------------------------------------------------------------------------

    def _epsilon(self, norm: str) -> float:
        return self.found.epsilons[norm]

    def _active(self, x: str, name: str) -> str:
        return self._curve(x, name, self.found.activations[name])

    def _curve(self, x: str, name: str, kind: str) -> str:
        if kind == "identity":
            return x
        if kind == "silu":
            gate = self._node("Sigmoid", [x], f"{name}.sigmoid")
            return self._node("Mul", [x, gate], f"{name}.active")
        return self._node({"relu": "Relu", "mish": "Mish"}[kind], [x], f"{name}.active")

    def _rms(self, x: str, name: str) -> str:
        """Norm the channels of ``x`` (B, S, C) at every point."""
        square = self._node("Mul", [x, x], f"{name}.square")
        last = self._constant("last_axis", np.array([-1], np.int64))
        mean = self._node("ReduceMean", [square, last], f"{name}.mean", keepdims=1)
        y = self._divided(x, mean, name)
        scale = self._constant(f"{name}.scale", self.weights[f"{name}.scale"])
        return self._node("Mul", [y, scale], f"{name}.normed")

    def _divided(self, x: str, mean: str, name: str) -> str:
        """Return ``x`` over the root of a mean square."""
        small = self._number(f"{name}.small", self._epsilon(name))
        spread = self._node(
            "Sqrt", [self._node("Add", [mean, small], f"{name}.sum")], f"{name}.rms"
        )
        return self._node("Div", [x, spread], f"{name}.divided")

    def _largest(self, x: str, name: str) -> str:
        # Other activations than ReLU go below 0: what lies beside the board must stay below them.
        return super()._largest(self._node("Add", [x, "beside"], f"{name}.lowered"), name)
