"""What a KataGo network file holds, layer by layer, for the format's versions 8 to 17.

Convolutions are stored [y, x, in, out], matrices [in, out]. The layers of version 8 have the names
of :func:`mariago.nets.config.parameter_shapes` here; what later versions add is named alike. Facts
from https://github.com/lightvector/KataGo, ``cpp/neuralnet/desc.cpp`` (order of the layers) and
``modelversion.cpp``:

========  ==========================================================================================
version   adds
========  ==========================================================================================
9         two score outputs more: short-term errors of value and score
11        the kind of each activation (ReLU alone before)
12        a second policy, "optimistic"; 16: two more channels, Q values
13        the scales of the outputs
15        a hidden layer before the pass logit; what is known of the players as input; a trunk that
          may end in an RMS norm; attention blocks; 17: the policy says how many channels it has
========  ==========================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NoReturn

import numpy as np
import numpy.typing as npt

from mariago.errors import NetError
from mariago.nets.config import GLOBALS, PLANES, SCORE_SCALE
from mariago.nets.katago_people import PEOPLE_INPUTS
from mariago.nets.katago_source import Source

__all__ = ["ACTIVATIONS", "NEWEST", "OLDEST", "Block", "KatagoFile", "read_file"]

OLDEST, NEWEST = 8, 17
DEEPEST = 8  # blocks inside blocks
BlockKind = Literal["ordinary", "gpool", "nested", "attention", "feed_forward"]
BLOCK_KINDS: dict[str, BlockKind] = {
    "ordinary_block": "ordinary",
    "gpool_block": "gpool",
    "nested_bottleneck_block": "nested",
    "transformer_attention_block": "attention",
    "transformer_ffn_block": "feed_forward",
}
ACTIVATIONS = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
}
USUAL_SCALES = (20.0, 20.0, 20.0, 20.0, 40.0)
"""Of the score at the end of a game, the score, its spread, the lead, the time left."""
ATTENTION_NUMBERS = ("heads", "key_heads", "query_width", "value_width", "turns", "learned_turns")

Arrays = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Block:
    """A residual block; its arrays have names that begin with ``name``."""

    kind: BlockKind
    name: str
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    parts: tuple[Block, ...] = ()  # of a nested block


@dataclass
class KatagoFile:
    """What a file holds. ``epsilons`` and ``activations`` are by the names of norms."""

    path: Path
    name: str = ""
    version: int = 0
    scales: tuple[float, ...] = USUAL_SCALES
    widths: dict[str, int] = field(default_factory=dict[str, int])
    blocks: tuple[Block, ...] = ()
    arrays: Arrays = field(default_factory=dict[str, npt.NDArray[np.float32]])
    epsilons: dict[str, float] = field(default_factory=dict[str, float])
    activations: dict[str, str] = field(default_factory=dict[str, str])
    tip: Literal["norm", "rms", "rms_board"] = "norm"
    """What ends the trunk; ``rms_board`` takes its mean over the whole board."""

    @property
    def lead_scale(self) -> float:
        """What the lead, the third score output, is to be multiplied by to be in SCORE_SCALE."""
        return self.scales[3] / SCORE_SCALE

    @property
    def imitates_people(self) -> bool:
        """Whether it takes what is known of the players (:mod:`mariago.nets.katago_people`)."""
        return "people.m1.weight" in self.arrays

    @property
    def parameters(self) -> int:
        """How many numbers all arrays hold."""
        return sum(array.size for array in self.arrays.values())

    def all_blocks(self) -> list[Block]:
        """Return every block, those inside others after these."""
        found = list(self.blocks)
        for block in found:  # grows as it goes
            found += block.parts
        return found


def read_file(path: str | Path) -> KatagoFile:
    """Return what a ``.bin``, ``.txt``, ``.bin.gz`` or ``.txt.gz`` file holds.

    Raises:
        NetError: not such a file, or one with something that is not known here, which is named.
    """
    with Source(Path(path)) as source:
        return _Reader(source).file()


class _Reader:
    """Walks through a file; every method reads one part of it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found = KatagoFile(source.path)
        self.arrays = self.found.arrays
        self.channels = 0
        self._people_kind = 0

    def file(self) -> KatagoFile:
        found, source = self.found, self.source
        found.name = source.word()
        version = found.version = source.number()
        if not OLDEST <= version <= NEWEST:
            self._refuse(f"is of version {version}; versions {OLDEST} to {NEWEST} are read here")
        if (source.number(), source.number()) != (PLANES, GLOBALS):
            self._refuse(f"has other inputs than {PLANES} planes and {GLOBALS} globals")
        if version >= 13:
            found.scales = tuple(source.decimal() for _ in range(7))[:5]
        if version >= 15:
            self._people_kind = source.number()
            if self._people_kind > 1:
                self._refuse("takes what is known of the players in a form not known here")
            self._no_options(7)
        self._trunk()
        self._policy()
        self._value()
        return found

    def _trunk(self) -> None:
        source, found = self.source, self.found
        source.word()
        count = source.number()
        names = ("channels", "mid_channels", "regular_channels", "dilated", "gpool_channels")
        found.widths = {name: source.number() for name in names}
        self.channels = found.widths["channels"]
        has_rms = source.number() if found.version >= 15 else 0
        if has_rms > 1:
            self._refuse(f"ends its trunk in a norm of an unknown kind {has_rms}")
        self._no_options(5 if found.version >= 15 else 0)
        self._conv("conv1", PLANES, self.channels)
        self._matrix("ginput", GLOBALS, self.channels)
        if self._people_kind:
            self._people()
        found.blocks = self._stack("blocks", count, self.channels, 1)
        if has_rms:
            self._board_rms("trunk_norm")
        else:
            self._norm("trunk_norm", self.channels)
        self._activation("trunk_norm")

    def _people(self) -> None:
        """Read what turns what is known of the players into a bias of the trunk's channels."""
        self.source.word()
        self._fits("people", (self.source.number(),), (PEOPLE_INPUTS,))
        width = PEOPLE_INPUTS
        for name in ("people.m1", "people.m2"):
            width = self._matrix(name, width)
            self._bias(name, width)
            self._activation(name)
        self._matrix("people.m3", width, self.channels)

    def _stack(self, name: str, count: int, channels: int, depth: int) -> tuple[Block, ...]:
        if depth > DEEPEST:
            self._refuse(f"nests blocks more than {DEEPEST} deep")
        return tuple(self._block(f"{name}.{i}", channels, depth) for i in range(count))

    def _block(self, name: str, channels: int, depth: int) -> Block:
        word = self.source.word()
        if word not in BLOCK_KINDS:
            self._refuse(f"holds a block of an unknown kind {word!r}")
        kind = BLOCK_KINDS[word]
        self.source.word()
        if kind == "nested":
            count = self.source.number()
            self._active_norm(f"{name}.norm1", channels)
            inner = self._conv(f"{name}.w1", channels)
            parts = self._stack(f"{name}.parts", count, inner, depth + 1)
            self._active_norm(f"{name}.norm2", inner)
            self._conv(f"{name}.w2", inner, channels)
            return Block(kind, name, parts=parts)
        if kind == "attention":
            return Block(kind, name, self._attention(name, channels))
        if kind == "feed_forward":
            return Block(kind, name, self._feed_forward(name, channels))
        self._active_norm(f"{name}.norm1", channels)
        if kind == "ordinary":
            middle = self._conv(f"{name}.w1", channels)
        else:
            middle = self._conv(f"{name}.w1a", channels)
            pooled = self._conv(f"{name}.w1b", channels)
            self._active_norm(f"{name}.norm1b", pooled)
            self._matrix(f"{name}.w1r", 3 * pooled, middle)
        self._active_norm(f"{name}.norm2", middle)
        self._conv(f"{name}.w2", middle, channels)
        return Block(kind, name)

    def _attention(self, name: str, channels: int) -> dict[str, int]:
        numbers = {key: self.source.number() for key in ATTENTION_NUMBERS}
        heads, keys = numbers["heads"], numbers["key_heads"]
        queries, values = numbers["query_width"], numbers["value_width"]
        if not (heads and keys and queries and values) or heads % keys or queries % 2:
            self._refuse(f"has attention heads that do not fit together in {name}")
        self._rms(f"{name}.norm", channels)
        self._matrix(f"{name}.q", channels, heads * queries)
        self._matrix(f"{name}.k", channels, keys * queries)
        self._matrix(f"{name}.v", channels, keys * values)
        self._matrix(f"{name}.out", heads * values, channels)
        if numbers["turns"] and not numbers["learned_turns"]:
            self._refuse("turns its attention by fixed angles, which is not supported here")
        if numbers["turns"]:
            self.source.word()
            shape = (self.source.number(), self.source.number(), self.source.number())
            self._fits(f"{name}.turns", shape, (keys, queries // 2, 2))
            self.arrays[f"{name}.turns"] = self.source.array(*shape)
        return numbers

    def _feed_forward(self, name: str, channels: int) -> dict[str, int]:
        inputs, hidden, gated = (self.source.number() for _ in range(3))
        self._fits(name, (inputs,), (channels,))
        if gated != 1:
            self._refuse("has a feed-forward block without a gate, which is not supported here")
        self._rms(f"{name}.norm", channels)
        self._matrix(f"{name}.w1", channels, hidden)
        self._matrix(f"{name}.gate", channels, hidden)
        self._matrix(f"{name}.w2", hidden, channels)
        return {"hidden": hidden}

    def _policy(self) -> None:
        version = self.found.version
        self.source.word()
        outputs = 1 if version < 12 else 2 if version < 16 else 4
        if version >= 17:
            outputs = self.source.number()
            self._no_options(3)
        p = self._conv("policy.p1", self.channels)
        g = self._conv("policy.g1", self.channels)
        self._active_norm("policy.g1_norm", g)
        self._matrix("policy.g2", 3 * g, p)
        self._active_norm("policy.p1_norm", p)
        self._conv("policy.p2", p, outputs)
        if version < 15:
            self._matrix("policy.pass", 3 * g, outputs)
            return
        self._matrix("policy.pass1", 3 * g, p)
        self._bias("policy.pass1", p)
        self._activation("policy.pass1")
        self._matrix("policy.pass", p, outputs)

    def _value(self) -> None:
        self.source.word()
        self._no_options(3 if self.found.version >= 17 else 0)
        v = self._conv("value.v1", self.channels)
        self._active_norm("value.v1_norm", v)
        hidden = self._matrix("value.v2", 3 * v)
        self._bias("value.v2", hidden)
        self._activation("value.v2")
        for name, outputs in (("value.v3", 3), ("value.sv3", 4 if self.found.version < 9 else 6)):
            self._matrix(name, hidden, outputs)
            self._bias(name, outputs)
        self._conv("value.ownership", v, 1)

    # -- layers --------------------------------------------------------------------------------

    def _conv(self, name: str, wanted: int, outputs_wanted: int | None = None) -> int:
        """Read a convolution of ``wanted`` channels and return how many it makes."""
        self.source.word()
        rows, columns, inputs, outputs, *dilation = (self.source.number() for _ in range(6))
        if dilation != [1, 1]:
            self._refuse("holds a dilated convolution, which is not supported here")
        if rows != columns or rows % 2 == 0 or outputs == 0:
            self._refuse(f"holds a convolution {rows}x{columns} to {outputs} channels, {name}")
        self._fits(name, (inputs, outputs), (wanted, outputs_wanted or outputs))
        array = self.source.array(rows, columns, inputs, outputs)
        self.arrays[f"{name}.weight"] = np.ascontiguousarray(array.transpose(3, 2, 0, 1))
        return outputs

    def _matrix(self, name: str, wanted: int, outputs_wanted: int | None = None) -> int:
        self.source.word()
        inputs, outputs = self.source.number(), self.source.number()
        self._fits(name, (inputs, outputs), (wanted, outputs_wanted or max(outputs, 1)))
        array = self.source.array(inputs, outputs)
        self.arrays[f"{name}.weight"] = np.ascontiguousarray(array.T)
        return outputs

    def _bias(self, name: str, wanted: int) -> None:
        self.source.word()
        self._fits(name, (self.source.number(),), (wanted,))
        self.arrays[f"{name}.bias"] = self.source.array(wanted)

    def _active_norm(self, name: str, channels: int) -> None:
        self._norm(name, channels)
        self._activation(name)

    def _norm(self, name: str, channels: int) -> None:
        self.source.word()
        self._fits(name, (self.source.number(),), (channels,))
        self._epsilon(name)
        has_scale, has_bias = self.source.number(), self.source.number()
        array = self.source.array
        self.arrays[f"{name}.mean"] = array(channels)
        self.arrays[f"{name}.variance"] = array(channels)
        if (self.arrays[f"{name}.variance"] < 0).any():
            self._refuse(f"has a variance below 0 in {name}")
        scale = array(channels) if has_scale else np.ones(channels, np.float32)
        bias = array(channels) if has_bias else np.zeros(channels, np.float32)
        self.arrays[f"{name}.scale"], self.arrays[f"{name}.bias"] = scale, bias

    def _rms(self, name: str, channels: int) -> None:
        self.source.word()
        self._fits(name, (self.source.number(),), (channels,))
        self._epsilon(name)
        self.arrays[f"{name}.scale"] = self.source.array(channels)

    def _board_rms(self, name: str) -> None:
        self.source.word()
        self._fits(name, (self.source.number(),), (self.channels,))
        self._epsilon(name)
        self.found.tip = "rms_board" if self.source.number() else "rms"
        if self.source.number():
            self._refuse("norms its channels in groups, which is not supported here")
        self.arrays[f"{name}.scale"] = self.source.array(self.channels)
        self.arrays[f"{name}.bias"] = self.source.array(self.channels)

    def _epsilon(self, name: str) -> None:
        epsilon = self.source.decimal()
        if not 0 < epsilon <= 1:
            self._refuse(f"adds {epsilon} to a variance in {name}")
        self.found.epsilons[name] = epsilon

    def _activation(self, name: str) -> None:
        self.source.word()
        word = "ACTIVATION_RELU" if self.found.version < 11 else self.source.word()
        if word not in ACTIVATIONS:
            self._refuse(f"has an activation of an unknown kind {word!r}")
        self.found.activations[name] = ACTIVATIONS[word]

    def _no_options(self, count: int) -> None:
        if any(self.source.number() for _ in range(count)):
            self._refuse("uses an option that is not known here")

    def _fits(self, name: str, found: tuple[int, ...], wanted: tuple[int, ...]) -> None:
        if found != wanted:
            told, right = (" to ".join(map(str, sizes)) for sizes in (found, wanted))
            self._refuse(f"does not fit together: {name} has {told} channels, not {right}")

    def _refuse(self, why: str) -> NoReturn:
        raise NetError(why, where=self.source.path)
