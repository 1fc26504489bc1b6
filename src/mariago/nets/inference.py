"""Asking a net about positions, through ONNX Runtime and without torch.

Axes: B positions, H rows and W columns of the planes (the board, or a larger field with the board
in the top left corner).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mariago.errors import NetError
from mariago.nets.config import (
    GLOBALS,
    PLANES,
    SCORE_OUTPUTS,
    SCORE_SCALE,
    VALUE_OUTPUTS,
    parameter_count,
)
from mariago.nets.folder import AGAIN, MODEL, NetInfo, read_info, read_metrics, read_part
from mariago.nets.int8 import Int8Place, kept_report, read_int8
from mariago.nets.places import Place, Places
from mariago.nets.sessions import new_session, providers_of
from mariago.words.faults import one_line

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["BATCH_SIZES", "Evaluation", "Net", "PositionEvaluation", "crop_policy", "load_net"]

BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
"""Batches are filled up to one of these, so that a result never hangs on an odd batch size."""

# What the graph takes and gives: how many axes, and the length of the second where it is fixed.
INPUTS = {"planes": (4, PLANES), "globals": (2, GLOBALS)}
OUTPUTS = {
    "policy": (2, None),
    "value": (2, VALUE_OUTPUTS),
    "score": (2, SCORE_OUTPUTS),
    "ownership": (3, None),
}
NO_NUMBER = "its weights or its inputs are damaged: copy or make the net again"
_ALL_LEGAL = np.zeros((0, 0), np.uint8)
_FLOAT = np.dtype(np.float32)

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a net says of B positions. All for the side to move."""

    policy: Floats
    """(B, H * W + 1) sums to 1; last is pass, 0 outside the board."""
    value: Floats
    """(B,) chance of winning less chance of losing, in [-1, 1]."""
    outcome: Floats
    """(B, 3) chances of win, loss, no result; sums to 1. No result is 0 under superko and area
    counting."""
    score: Floats
    """(B,) expected lead in points, komi included, no result counted as 0."""
    ownership: Floats
    """(B, H, W) in [-1, 1], 1 = owned by the side to move; 0 outside the board."""


class PositionEvaluation(NamedTuple):
    """What a net says of one position, on the position's own board. For the side to move."""

    policy: Floats  # (rows * columns + 1,) sums to 1 over the legal moves, last is pass
    value: float  # in [-1, 1]
    outcome: Floats  # (3,) win, loss, no result
    score: float  # points
    ownership: Floats  # (rows, columns) in [-1, 1]


class Net:
    """A net ready to be asked. Made by :func:`load_net`.

    ``folder`` is where it was read from. ``info`` is None where that was no net folder
    (:class:`mariago.nets.katago_net.KatagoNet`).
    """

    def __init__(
        self,
        model: bytes,
        info: NetInfo | None,
        folder: Path,
        *,
        threads: int = 1,
        device: str | None = None,
        source: Path | None = None,
    ) -> None:
        self.folder = folder
        self.info = info
        self.config = None if info is None else info.config
        self._source = source or folder / MODEL
        try:
            self.session = new_session(model, threads=threads, device=device)
        except NetError:
            raise
        except Exception as error:  # ONNX Runtime has errors of many kinds and no common name
            raise NetError(
                f"is no net that ONNX Runtime can load: {one_line(error)}",
                where=self._source,
                hint=AGAIN,
            ) from error
        self._check_graph()
        self._places = Places(self.session)

    def _check_graph(self) -> None:
        """Refuse a graph that does not ask and answer what this class does."""
        inputs = {tensor.name: tensor.shape for tensor in self.session.get_inputs()}
        outputs = {tensor.name: tensor.shape for tensor in self.session.get_outputs()}
        for found, wanted in ((inputs, INPUTS), (outputs, OUTPUTS)):
            for name, (axes, channels) in wanted.items():
                shape = found.get(name)
                if shape is None or len(shape) != axes or channels not in (None, shape[1]):
                    said = "is not there" if shape is None else f"has shape {shape}"
                    raise NetError(
                        f"is the graph of something else: its {name} {said}",
                        where=self._source,
                        hint=AGAIN,
                    )
        if foreign := sorted(set(inputs) - set(INPUTS)):
            raise NetError(
                f"is the graph of something else: it wants {foreign[0]!r:.40}",
                where=self._source,
                hint=AGAIN,
            )

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    def describe(self) -> dict[str, Any]:
        """Return what a report needs to say which net this was."""
        found: dict[str, Any] = {"name": self.name}
        if self.info is not None:
            found |= {
                "size": str(self.info.config),
                "parameters": parameter_count(self.info.config),
                "sha256": self.info.files.get("weights.safetensors", ""),
                "sizes": list(self.info.sizes),
                "origin": self.info.origin,
            }
        if self._source.name.endswith(".int8.onnx"):
            found["precision"] = "int8"
        return found | {"provider": self.session.get_providers()[0]}

    def metrics(self) -> list[dict[str, Any]]:
        """Return the rows that training logged, oldest first."""
        return read_metrics(self.folder)

    def evaluate(
        self,
        planes: npt.NDArray[Any],
        global_inputs: npt.NDArray[Any],
        legal: npt.NDArray[Any] | None = None,
    ) -> Evaluation:
        """Evaluate ``planes`` (B, 22, H, W) and ``global_inputs`` (B, 19).

        ``legal`` (B, H * W + 1), where given, takes the other moves' probabilities away; a row
        without any legal move passes. Where the globals tell of superko and area counting no game
        ends without a result, and the chance of it is 0.

        Raises:
            NetError: the arrays do not have these shapes, or what the net says is no number.
        """
        if planes.ndim != 4 or planes.shape[1] != PLANES:
            raise NetError(f"planes have shape {planes.shape}, not (B, {PLANES}, H, W)")
        if global_inputs.shape != (len(planes), GLOBALS):
            raise NetError(
                f"globals have shape {global_inputs.shape}, not ({len(planes)}, {GLOBALS})"
            )
        if legal is not None:
            if legal.shape != (len(planes), math.prod(planes.shape[2:]) + 1):
                raise NetError(f"legal mask has shape {legal.shape}, planes {planes.shape}")
            legal = np.ascontiguousarray(legal, np.bool_).view(np.uint8)
        count, most = len(planes), BATCH_SIZES[-1]
        if 0 < count <= most:
            return Evaluation(*self._answers(planes, global_inputs, legal))
        parts = [
            self._answers(planes[at], global_inputs[at], None if legal is None else legal[at])
            for at in (slice(i, i + most) for i in range(0, max(1, count), most))
        ]
        return Evaluation(*(np.concatenate(found) for found in zip(*parts, strict=True)))

    def evaluate_positions(self, positions: Sequence[Position]) -> list[PositionEvaluation]:
        """Evaluate positions of any sizes, illegal moves taken out, in the order given.

        Raises:
            NetError: what the net says is no number.
        """
        if not positions:
            return []
        size = positions[0].size
        if len(positions) == 1 or all(position.size == size for position in positions):
            return self._evaluate_alike(positions, size)
        places: dict[tuple[int, int], list[int]] = {}
        for i, position in enumerate(positions):
            places.setdefault(position.size, []).append(i)
        results: dict[int, PositionEvaluation] = {}
        for size, members in places.items():
            said = self._evaluate_alike([positions[i] for i in members], size)
            results.update(zip(members, said, strict=True))
        return [results[i] for i in range(len(positions))]

    def _evaluate_alike(
        self, positions: Sequence[Position], size: tuple[int, int]
    ) -> list[PositionEvaluation]:
        """Evaluate positions of one size."""
        count, most = len(positions), BATCH_SIZES[-1]
        if count > most:
            parts = (positions[i : i + most] for i in range(0, count, most))
            return [found for part in parts for found in self._evaluate_alike(part, size)]
        place = self._places.take(_filled_up(count), *size)
        _kernels().fill_inputs(positions, place.planes, place.globals, place.legal)
        place.leave(count)
        policy, value, outcome, score, ownership = self._ask(place, count, place.legal)
        rows = zip(policy, value.tolist(), outcome, score.tolist(), ownership)  # noqa: B905 - alike
        return list(map(PositionEvaluation._make, rows))

    def _answers(
        self,
        planes: npt.NDArray[Any],
        global_inputs: npt.NDArray[Any],
        legal: npt.NDArray[np.uint8] | None,
    ) -> tuple[Floats, ...]:
        """Return the fields of an Evaluation of at most BATCH_SIZES[-1] positions."""
        place = self._places.take(_filled_up(len(planes)), *planes.shape[2:])
        place.fill(planes, global_inputs)
        return self._ask(place, len(planes), legal)

    def _ask(
        self, place: Place, count: int, legal: npt.NDArray[np.uint8] | None
    ) -> tuple[Floats, ...]:
        """Return what is said of the first ``count`` positions of a place, and give it back."""
        try:
            place.ask()
        except Exception as error:  # ONNX Runtime has errors of many kinds, as above
            raise NetError(
                f"gives no answer: {one_line(error)}", where=self._source, hint=AGAIN
            ) from error
        logits, outcome_logits, scores, ownership = place.outputs
        policy = np.empty((count, logits.shape[1]), _FLOAT)
        outcome = np.empty((count, VALUE_OUTPUTS), _FLOAT)
        value, score = np.empty(count, _FLOAT), np.empty(count, _FLOAT)
        owned = np.empty((count, *ownership.shape[1:]), _FLOAT)
        all_numbers = _kernels().decode(
            *(logits, outcome_logits, scores, ownership, _ALL_LEGAL if legal is None else legal),
            *(place.globals, SCORE_SCALE, policy, outcome, value, score, owned),
        )
        self._places.give_back(place)
        if not all_numbers:
            raise NetError("gives what is no number", where=self._source, hint=NO_NUMBER)
        return policy, value, outcome, score, owned


def load_net(
    folder: str | Path, *, threads: int = 1, device: str | None = None, precision: str = "float32"
) -> Net:
    """Load a net folder for playing.

    A net that was loaded before and has not changed since is handed out again. ``device`` is auto,
    cpu or cuda, None what ``MARIAGO_DEVICE`` says; ``precision`` float32 or int8, which
    :func:`mariago.nets.quantising.quantise_net` has to have made.

    Raises:
        NetError: what is missing or damaged, and what to do about it.
    """
    folder = Path(folder)
    info = read_info(folder)
    place = tuple(providers_of(device))
    held = kept_report(folder, precision)
    return _load(folder.resolve(), info.model_dump_json(), threads, device, place, held)


@lru_cache(maxsize=8)
def _load(
    folder: Path,
    info_text: str,
    threads: int,
    device: str | None,
    place: tuple[str, ...],
    int8: bytes | None,
) -> Net:
    """``place`` and ``int8``, the report of that graph, are only there to tell nets apart."""
    info = NetInfo.model_validate_json(info_text)
    if int8 is None:
        return Net(read_part(folder, info, MODEL), info, folder, threads=threads, device=device)
    _, model = read_int8(folder, info.files.get(MODEL, ""))
    source = Int8Place.of(folder).model
    return Net(model, info, folder, threads=threads, device=device, source=source)


def crop_policy(policy: Floats, field: tuple[int, int], size: tuple[int, int]) -> Floats:
    """Return (B, rows * columns + 1): a policy over a padded field (H, W) on the board in it."""
    (height, width), (rows, columns) = field, size
    board = policy[:, :-1].reshape(-1, height, width)[:, :rows, :columns]
    return np.concatenate((board.reshape(len(policy), -1), policy[:, -1:]), axis=1)


class _Kernels(NamedTuple):
    fill_inputs: Callable[..., None]
    decode: Callable[..., bool]


@cache
def _kernels() -> _Kernels:
    """Return what loads kernels: late, so that a net can be looked at without any.

    An import inside a function costs a net of 400 us some 4 % of its rate at every call.
    """
    from mariago.features.live import fill_inputs
    from mariago.nets.decoding_kernels import decode

    return _Kernels(fill_inputs, decode)


def _filled_up(count: int) -> int:
    """Return the least of BATCH_SIZES that holds so many."""
    return 1 << max(count - 1, 0).bit_length()
