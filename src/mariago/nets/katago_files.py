"""Reading a network file of KataGo, format version 8, into this package's architecture.

The file is text with binary stretches: names and sizes as words, each array after ``@BIN@`` as
little-endian float32. Convolutions are stored [y, x, in, out], matrices [in, out]. The order of
the layers is that of :func:`mariago.nets.config.parameter_shapes` (facts from
https://github.com/lightvector/KataGo, ``cpp/neuralnet/desc.cpp``).
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.errors import NetError
from mariago.nets.config import GLOBALS, PLANES, BlockKind, NetConfig

__all__ = ["KATAGO_VERSION", "read_katago"]

KATAGO_VERSION = 8
ARRAY_MARK = b"@BIN@"
LONGEST_WORD = 200  # bytes; anything longer is no word of such a file
BLOCK_KINDS: dict[str, BlockKind] = {"ordinary_block": "ordinary", "gpool_block": "gpool"}

Arrays = dict[str, npt.NDArray[np.float32]]


def read_katago(path: str | Path) -> tuple[NetConfig, Arrays]:
    """Return the architecture and the arrays of a ``.bin`` or ``.bin.gz`` file.

    Norms without a scale or bias get ones and zeros; the small number that each norm adds to its
    variance is added here, so that the net's own is next to nothing.

    Raises:
        NetError: not such a file, another version, or a kind of layer that is not known here.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise NetError(f"cannot be read: {error}", where=path) from error
    return _Reader(data, path).net()


class _Reader:
    """Walks through a file; every method reads one layer and keeps its arrays under a name."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.data = data
        self.path = path
        self.at = 0
        self.arrays: Arrays = {}

    def net(self) -> tuple[NetConfig, Arrays]:
        self._word()  # the net's own name
        version = self._number()
        if version != KATAGO_VERSION:
            raise NetError(
                f"is of version {version}, version {KATAGO_VERSION} is read here", where=self.path
            )
        if (self._number(), self._number()) != (PLANES, GLOBALS):
            raise NetError("has other inputs than 22 planes and 19 globals", where=self.path)
        kinds, widths = self._trunk()
        self._policy()
        self._value()
        shapes = {name: array.shape for name, array in self.arrays.items()}
        side: Any = shapes["conv1.weight"][2]
        config = NetConfig(
            blocks=tuple(kinds),
            policy_channels=shapes["policy.p1.weight"][0],
            value_channels=shapes["value.v1.weight"][0],
            value_hidden=shapes["value.v2.weight"][0],
            first_kernel=side,
            norm_epsilon=1e-20,
            **widths,
        )
        return config, self.arrays

    def _trunk(self) -> tuple[list[BlockKind], dict[str, int]]:
        self._word()
        count = self._number()
        names = ("channels", "mid_channels", "regular_channels", "dilated", "gpool_channels")
        widths = {name: self._number() for name in names}
        del widths["dilated"]  # mid less regular
        self._conv("conv1")
        self._matrix("ginput")
        kinds: list[BlockKind] = []
        for i in range(count):
            word = self._word()
            if word not in BLOCK_KINDS:
                raise NetError(f"holds a block of an unknown kind {word!r}", where=self.path)
            self._word()
            kinds.append(BLOCK_KINDS[word])
            self._norm(f"blocks.{i}.norm1")
            if kinds[-1] == "ordinary":
                self._conv(f"blocks.{i}.w1")
            else:
                self._conv(f"blocks.{i}.w1a")
                self._conv(f"blocks.{i}.w1b")
                self._norm(f"blocks.{i}.norm1b")
                self._matrix(f"blocks.{i}.w1r")
            self._norm(f"blocks.{i}.norm2")
            self._conv(f"blocks.{i}.w2")
        self._norm("trunk_norm")
        return kinds, widths

    def _policy(self) -> None:
        self._word()
        self._conv("policy.p1")
        self._conv("policy.g1")
        self._norm("policy.g1_norm")
        self._matrix("policy.g2")
        self._norm("policy.p1_norm")
        self._conv("policy.p2")
        self._matrix("policy.pass")

    def _value(self) -> None:
        self._word()
        self._conv("value.v1")
        self._norm("value.v1_norm")
        self._matrix("value.v2")
        self._bias("value.v2")
        self._word()  # its ReLU
        for name in ("value.v3", "value.sv3"):
            self._matrix(name)
            self._bias(name)
        self._conv("value.ownership")

    # -- layers --------------------------------------------------------------------------------

    def _conv(self, name: str) -> None:
        self._word()
        rows, columns, inputs, outputs, *dilation = (self._number() for _ in range(6))
        if dilation != [1, 1]:
            raise NetError("holds a dilated convolution, unknown here", where=self.path)
        array = self._array(rows, columns, inputs, outputs)
        self.arrays[f"{name}.weight"] = np.ascontiguousarray(array.transpose(3, 2, 0, 1))

    def _matrix(self, name: str) -> None:
        self._word()
        inputs, outputs = self._number(), self._number()
        self.arrays[f"{name}.weight"] = np.ascontiguousarray(self._array(inputs, outputs).T)

    def _bias(self, name: str) -> None:
        self._word()
        self.arrays[f"{name}.bias"] = self._array(self._number())

    def _norm(self, name: str) -> None:
        """A norm and the ReLU that follows it."""
        self._word()
        channels = self._number()
        epsilon = float(self._word())
        has_scale, has_bias = self._number(), self._number()
        self.arrays[f"{name}.mean"] = self._array(channels)
        self.arrays[f"{name}.variance"] = self._array(channels) + np.float32(epsilon)
        scale = self._array(channels) if has_scale else np.ones(channels, np.float32)
        bias = self._array(channels) if has_bias else np.zeros(channels, np.float32)
        self.arrays[f"{name}.scale"], self.arrays[f"{name}.bias"] = scale, bias
        self._word()

    # -- words and arrays ----------------------------------------------------------------------

    def _word(self) -> str:
        data, start = self.data, self.at
        while data[start : start + 1].isspace():
            start += 1
        end = start
        while end < len(data) and not data[end : end + 1].isspace() and end - start < LONGEST_WORD:
            end += 1
        word = data[start:end]
        if not word or len(word) == LONGEST_WORD or not word.isascii():
            raise self._broken("a word")
        self.at = end
        return word.decode("ascii")

    def _number(self) -> int:
        word = self._word()
        if not word.isdigit() or len(word) > 6:
            raise self._broken("a whole number")
        return int(word)

    def _array(self, *shape: int) -> npt.NDArray[np.float32]:
        while self.data[self.at : self.at + 1].isspace():
            self.at += 1
        count = int(np.prod(shape))
        start = self.at + len(ARRAY_MARK)
        if self.data[self.at : start] != ARRAY_MARK or start + 4 * count > len(self.data):
            raise self._broken(f"an array of {count} numbers")
        self.at = start + 4 * count
        return np.frombuffer(self.data, "<f4", count, start).reshape(shape).astype(np.float32)

    def _broken(self, wanted: str) -> NetError:
        return NetError(
            f"is no KataGo network of version {KATAGO_VERSION}: "
            f"byte {self.at} should begin {wanted}",
            where=self.path,
            hint="a network file of the g170 series (.bin.gz) is read here",
        )
