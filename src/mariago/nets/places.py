"""Places in which batches are asked: arrays bound to a session once and used again.

Binding spares what ONNX Runtime does for each call with names and new arrays, which weighs on
small nets: after a net has run, little of that code and data lies in a near cache.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from onnxruntime import InferenceSession, OrtValue

from mariago.nets.config import GLOBALS, PLANES, SCORE_OUTPUTS, VALUE_OUTPUTS

__all__ = ["OUTPUT_NAMES", "Place", "Places"]

OUTPUT_NAMES = ("policy", "value", "score", "ownership")

Floats = npt.NDArray[np.float32]
_CPU = "CPUExecutionProvider"
MOST_KEPT = 8  # places of a net; one of 128 boards of 19x19 has four megabytes


class Place:
    """Room for one batch.

    Attributes:
        key: batch, H, W.
        planes: (batch, 22, H, W), to be filled before ``ask``.
        globals: (batch, 19), likewise.
        legal: (batch, H * W + 1) uint8, room for the moves that count.
        outputs: policy logits, value logits, scores, ownership; each ``ask`` writes them anew.
    """

    def __init__(self, session: InferenceSession, batch: int, height: int, width: int) -> None:
        self.key = batch, height, width
        self.planes = _aligned(batch, PLANES, height, width)
        self.globals = _aligned(batch, GLOBALS)
        self.legal = np.ones((batch, height * width + 1), np.uint8)
        self.outputs: list[Floats] = [
            _aligned(batch, height * width + 1),
            _aligned(batch, VALUE_OUTPUTS),
            _aligned(batch, SCORE_OUTPUTS),
            _aligned(batch, height, width),
        ]
        self._session = session
        self._binding = None
        # To a card ONNX Runtime copies bound inputs when they are bound, not when it is asked.
        if session.get_providers()[0] == _CPU:
            self._binding = session.io_binding()
            for name, array in (("planes", self.planes), ("globals", self.globals)):
                self._binding.bind_ortvalue_input(name, OrtValue.ortvalue_from_numpy(array))
            for name, array in zip(OUTPUT_NAMES, self.outputs, strict=True):
                self._binding.bind_ortvalue_output(name, OrtValue.ortvalue_from_numpy(array))

    def fill(self, planes: npt.NDArray[Any], global_inputs: npt.NDArray[Any]) -> None:
        """Take over the inputs of positions."""
        self.planes[: len(planes)] = planes
        self.globals[: len(planes)] = global_inputs
        self.leave(len(planes))

    def leave(self, first: int) -> None:
        """Put empty boards into the places from ``first`` on, whose answers nobody reads."""
        if first < len(self.planes):
            self.planes[first:] = 0
            self.planes[first:, 0] = 1  # no division by a board without points
            self.globals[first:] = 0

    def ask(self) -> None:
        """Let the net answer; ONNX Runtime's errors have no common name."""
        if self._binding is not None:
            self._session.run_with_iobinding(self._binding)
            return
        found: Any = self._session.run(
            list(OUTPUT_NAMES), {"planes": self.planes, "globals": self.globals}
        )
        for array, part in zip(self.outputs, found, strict=True):
            array[:] = part


class Places:
    """The places of one net. Two threads never get the same one at a time."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session
        self._free: dict[tuple[int, int, int], Place] = {}

    def take(self, batch: int, height: int, width: int) -> Place:
        """Return a place that nobody else uses until it is given back."""
        found = self._free.pop((batch, height, width), None)
        return found or Place(self._session, batch, height, width)

    def give_back(self, place: Place) -> None:
        """Keep a place for the next batch of its size."""
        if len(self._free) >= MOST_KEPT:
            self._free.clear()
        self._free[place.key] = place


def _aligned(*shape: int) -> Floats:
    """Return an array of zeros that begins with a line of the cache, 64 bytes."""
    count = math.prod(shape)
    room = np.zeros(count + 16, np.float32)
    first = -room.ctypes.data % 64 // 4
    return room[first : first + count].reshape(shape)
