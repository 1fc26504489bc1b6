"""Asking a net on one core: from positions to answers, beside ONNX Runtime alone and int8.

Theirs is ONNX Runtime given the same batches as ready arrays. Ours begins at live positions, and
counts input planes, legal moves and what is made of the answers. One thread; CPU time throughout,
both in turn, so that both meet the same machine. The notes say how many floating-point operations a
second ONNX Runtime reached with the net in float32, and with a product of two matrices beside it.

KataGo's b6c96 is asked where the folder of real input (``MARIAGO_PEER_DATA``) holds it. The other
nets have random weights: the time is the same.
"""

from __future__ import annotations

import math
import statistics
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from benchmarks.frame import Row, told
from benchmarks.search import peer_network, spent
from mariago.features import planes_of_positions
from mariago.nets import Net, NetConfig, load_net, parameter_shapes, read_katago, write_net
from mariago.nets.folder import NetInfo
from mariago.nets.inference import OUTPUTS
from mariago.nets.int8 import Bounds
from mariago.nets.quantising import quantise_net
from mariago.records.bundled import bundled_records
from mariago.rules import Position
from mariago.sgf import read_games

SIDES = (9, 19)
BATCHES = (1, 4, 16)
POSITIONS = 32  # asked about in one round, whatever the batch
REQUIRED = 0.9  # of the rate of ONNX Runtime alone
MATRIX = 768  # side of the matrices whose product shows what the machine can do
INT8_BATCH = 4
ANY_ANSWER = Bounds(least_top1=0, most_policy_kl=1e9, most_value=1e9, most_lead=1e9)
AT_LEAST_S = 0.3  # CPU time of a round; small nets go several times through the positions

Arrays = tuple[np.ndarray, np.ndarray]


class Subject(NamedTuple):
    """A net to be asked."""

    name: str
    folder: Path
    config: NetConfig


def random_net(folder: Path, blocks: int, channels: int) -> Subject:
    """Write a net of random weights."""
    config = NetConfig.of_size(blocks, channels)
    rng = np.random.default_rng(0)
    weights = {}
    for name, shape in parameter_shapes(config).items():
        around = 1.0 if name.endswith((".scale", ".variance")) else 0.0
        spread = 0.1 if len(shape) == 1 else math.prod(shape[1:]) ** -0.5
        weights[name] = np.float32(around) + rng.normal(0, spread, shape).astype(np.float32)
    name = f"{blocks}x{channels}"
    write_net(folder / name, NetInfo(config=config), weights, card="")
    return Subject(name, folder / name, config)


def subjects(folder: Path) -> list[Subject]:
    """Return the nets, written below ``folder``."""
    found = [random_net(folder, 4, 48), random_net(folder, 6, 64)]
    network = peer_network()
    if network is not None:
        config, weights = read_katago(network)
        write_net(folder / "b6c96", NetInfo(config=config), weights, card="")
        found.append(Subject("b6c96", folder / "b6c96", config))
    return found


@cache
def game_positions(side: int) -> list[Position]:
    """Return positions from all parts of packaged games on this board."""
    found: list[Position] = []
    with tarfile.open(bundled_records()) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith(".sgf") else None
            game = read_games(file.read())[0].to_game() if file else None
            if game is None or game.start.size != (side, side):
                continue
            played = [p for p in game.positions() if not p.is_over]
            share = len(found) % 16 / 16
            found += played[int(share * len(played))], played[int((1 - share) * len(played)) - 1]
            if len(found) >= POSITIONS:
                break
    return found[:POSITIONS]


def operations(config: NetConfig, cells: int) -> float:
    """Return the multiplications and additions of one evaluation, convolutions and matrices."""
    shapes = [s for n, s in parameter_shapes(config).items() if n.endswith(".weight")]
    return float(sum(2 * math.prod(s) * (cells if len(s) == 4 else 1) for s in shapes))


def in_turn(functions: Sequence[Callable[[], object]], repeats: int) -> list[list[float]]:
    """Return the CPU seconds of each function, (functions, repeats).

    They are called one after another, many times in a repeat, so that what else the machine does
    falls on all alike.
    """
    for function in functions:
        function()
    first_s = spent(functions[0])
    calls = max(1, round(AT_LEAST_S / max(first_s, 1e-6)))
    found: list[list[float]] = [[] for _ in functions]
    for _ in range(repeats):
        sums = [0.0] * len(functions)
        for _ in range(calls):
            for i, function in enumerate(functions):
                sums[i] += spent(function)
        for times, total in zip(found, sums, strict=True):
            times.append(total / calls)
    return found


def compared(name: str, ours: list[float], theirs: list[float], **more: object) -> Row:
    """Return the row of both times of POSITIONS evaluations; the ratio is that of each round."""
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    middle = statistics.median(ratios)
    return Row(
        name,
        POSITIONS / statistics.median(ours),
        "evals/s",
        theirs=POSITIONS / statistics.median(theirs),
        ratio=middle,
        spread=(max(ratios) - min(ratios)) / middle,
        **more,  # pyright: ignore[reportArgumentType]
    )


def asking(net: Net, batches: Sequence[Arrays]) -> Callable[[], object]:
    """Return a call of ONNX Runtime alone on ready arrays; as ours, it hands all answers out."""
    names = list(OUTPUTS)
    return lambda: [
        net.session.run(names, {"planes": planes, "globals": values}) for planes, values in batches
    ]


def product() -> tuple[Callable[[], object], float]:
    """Return a product of two matrices in ONNX Runtime on one thread, and its operations."""
    tensors = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [MATRIX, MATRIX])
        for name in ("a", "b", "c")
    ]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["a", "b"], ["c"])], "g", tensors[:2], tensors[2:]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    a, b = np.random.default_rng(0).random((2, MATRIX, MATRIX), np.float32)
    return lambda: session.run(["c"], {"a": a, "b": b}), 2.0 * MATRIX**3


def measured(subject: Subject, side: int, batch: int, repeats: int) -> Row:
    """Measure one net on one board with one size of batch."""
    net = load_net(subject.folder)
    positions = game_positions(side)
    parts = [positions[i : i + batch] for i in range(0, len(positions), batch)]
    ready = [
        (planes.astype(np.float32), values)
        for planes, values in (planes_of_positions(part, side) for part in parts)
    ]
    multiply, multiplications = product()
    # Not in turn with these: what comes after the matrices finds no weights in the caches.
    [matrices] = in_turn([multiply], repeats)
    whole, bare = in_turn(
        [lambda: [net.evaluate_positions(part) for part in parts], asking(net, ready)], repeats
    )
    billions = operations(subject.config, side * side) * POSITIONS / statistics.median(bare) / 1e9
    peak = multiplications / statistics.median(matrices) / 1e9
    return compared(
        f"inference, {subject.name}, {side}x{side}, batches of {batch}",
        whole,
        bare,
        required=REQUIRED,
        note=f"ONNX Runtime {billions:.0f} GFLOP/s, a product of matrices {peak:.0f}",
    )


def eight_bits(subject: Subject, side: int, repeats: int) -> Row:
    """Measure ONNX Runtime alone with the int8 graph beside float32, whatever it answers."""
    positions = game_positions(side)
    ready = [
        (planes.astype(np.float32), values)
        for planes, values in (
            planes_of_positions(positions[i : i + INT8_BATCH], side)
            for i in range(0, len(positions), INT8_BATCH)
        )
    ]
    ours, theirs = in_turn(
        [
            asking(load_net(subject.folder, precision="int8"), ready),
            asking(load_net(subject.folder), ready),
        ],
        repeats,
    )
    name = f"int8, {subject.name}, {side}x{side}, batches of {INT8_BATCH}"
    return compared(name, ours, theirs, note="theirs: the same net in float32")


def rows(repeats: int) -> list[Row]:
    """Measure every net, board and batch, then every net in int8."""
    with tempfile.TemporaryDirectory() as scratch:
        nets = subjects(Path(scratch))
        found = [
            told(measured(subject, side, batch, repeats))
            for subject in nets
            for side in SIDES
            for batch in BATCHES
        ]
        for subject in nets:
            quantise_net(subject.folder, ANY_ANSWER)
        return found + [
            told(eight_bits(subject, side, repeats)) for subject in nets for side in SIDES
        ]
