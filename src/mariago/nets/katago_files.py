"""Nets from and to KataGo's network files.

What is read becomes this package's own form, that of the format's version 8, and what is written
is of version 8: a net that was trained here runs inside KataGo. Later versions are read where they
hold nothing that this form lacks; see :mod:`mariago.nets.katago_layers` for what they may hold.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from mariago.board.files import write_whole
from mariago.errors import NetError, first_fault
from mariago.nets.config import (
    GLOBALS,
    NORM_FIELDS,
    PLANES,
    SCORE_OUTPUTS,
    NetConfig,
    parameter_shapes,
)
from mariago.nets.katago_layers import USUAL_SCALES, KatagoFile, read_file
from mariago.nets.katago_source import ARRAY_MARK, KATAGO_ENDINGS

__all__ = ["KATAGO_VERSION", "net_of_file", "read_katago", "write_katago"]

KATAGO_VERSION = 8
LONGEST_NAME = 96  # KataGo refuses a longer one, and anything but letters, digits, _ and -
NO_EPSILON = 1e-20
PLAYED = "the player katago:FILE can use it as it is"

Arrays = dict[str, npt.NDArray[np.float32]]


def read_katago(path: str | Path) -> tuple[NetConfig, Arrays]:
    """Return the architecture and the arrays of a KataGo network file.

    The arrays are the file's own, to the bit; norms without a scale or bias get ones and zeros.
    Where norms add different small numbers to their variances these are added here. What later
    versions hold beside the outputs of version 8 (short-term errors, further policies) is left out.

    Raises:
        NetError: not such a file, or a net that this package's form cannot hold; what it is that
            does not fit is named.
    """
    return net_of_file(read_file(path))


def net_of_file(found: KatagoFile) -> tuple[NetConfig, Arrays]:
    """Return the architecture and the arrays of a file that was read; see :func:`read_katago`."""
    _check_form(found)
    arrays = dict(found.arrays)
    for name in ("value.sv3.weight", "value.sv3.bias"):
        arrays[name] = arrays[name][:SCORE_OUTPUTS].copy()
    for name in ("policy.p2.weight", "policy.pass.weight"):
        arrays[name] = arrays[name][:1].copy()
    epsilons = set(found.epsilons.values())
    epsilon = epsilons.pop() if len(epsilons) == 1 else NO_EPSILON
    if epsilons:
        for name, own in found.epsilons.items():
            arrays[f"{name}.variance"] = arrays[f"{name}.variance"] + np.float32(own)
    side: Any = arrays["conv1.weight"].shape[2]
    widths = {name: width for name, width in found.widths.items() if name != "dilated"}
    try:
        config = NetConfig(
            blocks=tuple(block.kind for block in found.blocks),  # pyright: ignore[reportArgumentType]
            policy_channels=len(arrays["policy.p1.weight"]),
            value_channels=len(arrays["value.v1.weight"]),
            value_hidden=len(arrays["value.v2.weight"]),
            first_kernel=side,
            norm_epsilon=epsilon,
            **widths,
        )
    except ValidationError as error:
        _refuse(found, f"holds {first_fault(error)}")
    wanted = parameter_shapes(config)
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            _refuse(found, f"holds {name} with shape {arrays[name].shape} in place of {shape}")
    return config, {name: arrays[name] for name in wanted}


def _check_form(found: KatagoFile) -> None:
    """Refuse what the form of version 8 has no place for."""
    if found.imitates_people:
        _refuse(found, "takes what is known of the players")
    kinds = {block.kind for block in found.all_blocks()} - {"ordinary", "gpool"}
    curves = set(found.activations.values()) - {"relu"}
    if kinds:
        words = {"nested": "nested bottleneck", "feed_forward": "feed-forward"}
        told = " and ".join(sorted(words.get(kind, kind) for kind in kinds))
        _refuse(found, f"holds {told} blocks")
    if curves:
        _refuse(found, f"holds the activation {' and '.join(sorted(curves))}")
    if found.tip != "norm":
        _refuse(found, "ends its trunk in an RMS norm")
    if "policy.pass1.weight" in found.arrays:
        _refuse(found, "holds a hidden layer before the pass")
    if found.scales != USUAL_SCALES:
        _refuse(found, f"holds other scales of its outputs: {found.scales}")


def _refuse(found: KatagoFile, why: str) -> NoReturn:
    raise NetError(
        f"{why}, which a net folder cannot hold (format version {found.version})",
        where=found.path,
        hint=PLAYED,
    )


def write_katago(
    path: str | Path,
    config: NetConfig,
    weights: Mapping[str, npt.NDArray[np.float32]],
    *,
    name: str = "mariago",
) -> None:
    """Write a net as a KataGo network file of version 8, whole or not at all; folders are made.

    The ending of ``path`` says which: ``.bin.gz``, ``.txt.gz``, ``.bin`` or ``.txt``. The same
    net makes the same bytes. What KataGo allows in a net's name is kept of ``name``.

    Raises:
        NetError: another ending, weights of other shapes, a weight that is no finite number, or
            the file cannot be written.
    """
    path = Path(path)
    if not path.name.endswith(KATAGO_ENDINGS):
        raise NetError(
            "has no ending of a KataGo network file",
            where=path,
            hint=f"end the name in one of {', '.join(KATAGO_ENDINGS)}",
        )
    for key, shape in parameter_shapes(config).items():
        if key not in weights or tuple(weights[key].shape) != shape:
            raise NetError(f"the net lacks {key} of shape {shape}", where=path)
        if not np.isfinite(weights[key]).all():
            raise NetError(f"the net holds a number that is none, in {key}", where=path)
    packed = path.name.endswith(".gz")
    data = _Writer(config, weights, path.name.removesuffix(".gz").endswith(".bin")).net(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, gzip.compress(data, 6, mtime=0) if packed else data)
    except OSError as error:
        hint = "choose another place"
        raise NetError(f"cannot be written: {error.strerror}", where=path, hint=hint) from error


class _Writer:
    """Collects the parts of a file; every method adds one layer."""

    def __init__(
        self, config: NetConfig, weights: Mapping[str, npt.NDArray[np.float32]], binary: bool
    ) -> None:
        self.config = config
        self.weights = weights
        self.binary = binary
        self.parts: list[bytes] = []

    def net(self, name: str) -> bytes:
        config = self.config
        kept = re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:LONGEST_NAME]
        self._words(kept or "net", KATAGO_VERSION, PLANES, GLOBALS, "trunk", len(config.blocks))
        dilated = config.mid_channels - config.regular_channels
        self._words(config.channels, config.mid_channels, config.regular_channels, dilated)
        self._words(config.gpool_channels)
        self._conv("conv1")
        self._matrix("ginput")
        for i, kind in enumerate(config.blocks):
            self._block(f"blocks.{i}", kind)
        self._norm("trunk_norm")
        self._words("policy")
        self._conv("policy.p1")
        self._conv("policy.g1")
        self._norm("policy.g1_norm")
        self._matrix("policy.g2")
        self._norm("policy.p1_norm")
        self._conv("policy.p2")
        self._matrix("policy.pass")
        self._words("value")
        self._conv("value.v1")
        self._norm("value.v1_norm")
        self._matrix("value.v2")
        self._bias("value.v2")
        self._words("value.v2.relu")
        for name in ("value.v3", "value.sv3"):
            self._matrix(name)
            self._bias(name)
        self._conv("value.ownership")
        return b"".join(self.parts)

    def _block(self, name: str, kind: str) -> None:
        self._words(f"{kind}_block", name)
        self._norm(f"{name}.norm1")
        if kind == "ordinary":
            self._conv(f"{name}.w1")
        else:
            self._conv(f"{name}.w1a")
            self._conv(f"{name}.w1b")
            self._norm(f"{name}.norm1b")
            self._matrix(f"{name}.w1r")
        self._norm(f"{name}.norm2")
        self._conv(f"{name}.w2")

    def _conv(self, name: str) -> None:
        weight = self.weights[f"{name}.weight"]
        outputs, inputs, rows, columns = weight.shape
        self._words(name, rows, columns, inputs, outputs, 1, 1)
        self._array(weight.transpose(2, 3, 1, 0))

    def _matrix(self, name: str) -> None:
        weight = self.weights[f"{name}.weight"].T
        self._words(name, *weight.shape)
        self._array(weight)

    def _bias(self, name: str) -> None:
        bias = self.weights[f"{name}.bias"]
        self._words(f"{name}.bias", len(bias))
        self._array(bias)

    def _norm(self, name: str) -> None:
        """A norm and the ReLU that follows it."""
        arrays = {field: self.weights[f"{name}.{field}"] for field in NORM_FIELDS}
        self._words(name, len(arrays["mean"]), repr(self.config.norm_epsilon), 1, 1)
        for field in ("mean", "variance", "scale", "bias"):
            self._array(arrays[field])
        self._words(f"{name}.relu")

    def _words(self, *words: object) -> None:
        self.parts += [f"{word}\n".encode("ascii") for word in words]

    def _array(self, array: npt.NDArray[np.float32]) -> None:
        if self.binary:
            self.parts += [ARRAY_MARK, np.ascontiguousarray(array, "<f4").tobytes(), b"\n"]
        else:  # nine digits tell a float32 from its neighbours
            numbers = np.asarray(array, np.float32).ravel().tolist()
            self.parts += [" ".join([f"{number:.9g}" for number in numbers]).encode(), b"\n"]
