"""Static quantisation: a graph whose blocks compute in eight-bit integers, checked before kept.

Ranges of numbers are taken from positions of packaged games, and the answers compared with
float32's on positions of other packaged games. The first convolution, norms, poolings and heads
stay in float32. Zero is among the numbers that eight bits hold exactly, so what lies beside a small
board stays zero.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mariago.board.files import write_whole
from mariago.errors import NetError
from mariago.nets.folder import MODEL, read_info, read_part
from mariago.nets.inference import Evaluation, Net
from mariago.nets.int8 import Agreement, Bounds, Int8Place, Int8Report
from mariago.nets.katago_net import katago_model
from mariago.nets.packaged import packaged_net

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["quantise_net", "steps_of"]

SIDES = (9, 13, 19)  # boards of the packaged games
RANGE_POSITIONS = 64  # of each size, from which the ranges are taken
CHECK_POSITIONS = 128  # of each size, on which the answers are compared
BATCH = 8

Inputs = tuple[Any, Any, Any]


def steps_of(net: str | Path) -> int:
    """Return how many batches of positions ``quantise_net`` asks about.

    Raises:
        NetError: the net cannot be read.
    """
    return len(_sides_of(Path(net))) * (RANGE_POSITIONS + CHECK_POSITIONS) // BATCH


def quantise_net(
    net: str | Path,
    bounds: Bounds | None = None,
    *,
    out: str | Path | None = None,
    advance: Callable[[], None] | None = None,
) -> Int8Report:
    """Write the int8 graph of a net folder or a network file of KataGo, and return its report.

    With ``out`` the net folder stays as it is, and a copy of it there gets the graph. ``advance``
    is called after each of ``steps_of(net)`` batches.

    Raises:
        NetError: the net cannot be read or is the packaged one and there is no ``out``, it has no
            block to quantise, int8 answers too differently, ``out`` is there already, or a folder
            stands where a file is to be; what was there before stays then.
        OSError: it cannot be written; what was there before stays.
    """
    net, bounds = Path(net), bounds or Bounds()
    advance = advance or _tell_nobody
    if net.is_file():
        model, made_of = katago_model(net)
    else:
        info = read_info(net)
        model, made_of = read_part(net, info, MODEL), info.files[MODEL]
    if out is None:
        _check_place(net)
    else:
        _check_copy(net, Path(out))
    sides = _sides_of(net)
    for_ranges, for_check = _packaged_inputs(sides)
    data = _quantised(net, model, for_ranges, advance)
    one = Net(model, None, net, device="cpu")
    other = Net(data, None, net, device="cpu", source=Int8Place.of(net).model)
    checked = {f"{s}x{s}": _compared(one, other, for_check[s], advance) for s in sides}
    for size, agreement in checked.items():
        if fault := agreement.fault(bounds):
            raise NetError(
                f"int8 answers too differently on {size}: {fault}; nothing was written",
                where=net,
                hint="play it in float32",
            )
    import onnxruntime

    report = Int8Report(
        made_of=made_of,
        sha256=hashlib.sha256(data).hexdigest(),
        checked=checked,
        bounds=bounds,
        versions={"onnxruntime": onnxruntime.__version__},
    )
    text = report.model_dump_json(indent=2) + "\n"
    if out is None:
        _write_pair(Int8Place.of(net), data, text)
    else:
        _write_copy(net, Path(out), data, text)
    return report


def _tell_nobody() -> None:
    """Do nothing."""


def _sides_of(net: Path) -> tuple[int, ...]:
    """Return the sizes of packaged games that the net was trained on; all where that is unknown."""
    known = () if net.is_file() else read_info(net).sizes
    return tuple(s for s in SIDES if f"{s}x{s}" in known) or SIDES


def _check_place(net: Path) -> None:
    """Find out before the work whether both files can be written beside or into the net.

    Raises:
        NetError: it is the packaged net, or a folder stands in the place of a file.
        OSError: the folder takes no file.
    """
    if net.resolve() == packaged_net().resolve():
        hint = "--out DIR makes a copy with the graph: mariago net quantise packaged --out DIR"
        raise NetError("comes with the package and stays as it is", where=net, hint=hint)
    place = Int8Place.of(net)
    for path in place:
        if path.is_dir():
            hint = "move it away: a file of this name is written here"
            raise NetError("is a folder", where=path, hint=hint)
    tempfile.TemporaryFile(dir=place.model.parent).close()


def _check_copy(net: Path, out: Path) -> None:
    """Find out before the work whether a copy of the net can be made.

    Raises:
        NetError: the net is no folder, or something is there already.
    """
    if net.is_file():
        hint = "leave --out out, the graph is written beside the file; or copy the file first"
        raise NetError("is a network file, and --out is for net folders", where=net, hint=hint)
    if out.exists():
        raise NetError("is there already", where=out, hint="name another folder for the net")
    if out.resolve().is_relative_to(net.resolve()):
        raise NetError("lies in the net itself", where=out, hint="name a folder beside the net")
    out.parent.mkdir(parents=True, exist_ok=True)


def _write_copy(net: Path, out: Path, graph: bytes, report: str) -> None:
    """Write a copy of the net folder with its int8 graph, whole or not at all.

    Raises:
        NetError: a file of the net cannot be copied; nothing is left then.
    """
    aside = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".part", dir=out.parent))
    try:
        copy = Path(shutil.copytree(net, aside / out.name, ignore=_left_out))
        copy.chmod(0o755)
        place = Int8Place.of(copy)
        write_whole(place.model, graph)
        write_whole(place.report, report)
        copy.rename(out)
    except shutil.Error as error:  # a list of files, each with what the system said as text
        why = str(error.args[0][0][2]).split(": ")[0]
        raise NetError(
            f"cannot be copied: {why}", where=net, hint=f"look at {out.parent}"
        ) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _left_out(_: str, names: list[str]) -> list[str]:
    """Return what of a net folder is no part of the net: what was written aside, caches."""
    return [name for name in names if name.startswith((".", "__"))]


def _write_pair(place: Int8Place, graph: bytes, report: str) -> None:
    """Write both files aside, then put the graph in its place, and the report after it.

    Between the two the old report tells of another graph, which ``read_int8`` refuses.
    """
    parent = place.model.parent
    aside = Path(tempfile.mkdtemp(prefix=f".{place.model.name}.", suffix=".part", dir=parent))
    try:
        write_whole(aside / place.model.name, graph)
        write_whole(aside / place.report.name, report)
        (aside / place.model.name).replace(place.model)
        (aside / place.report.name).replace(place.report)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@lru_cache(maxsize=1)
def _packaged_inputs(
    sides: tuple[int, ...],
) -> tuple[dict[int, list[Inputs]], dict[int, list[Inputs]]]:
    """Return batches of inputs by board, for the ranges and for the check, of different games."""
    from mariago.features import inputs_of_positions

    kinds: tuple[dict[int, list[Position]], ...] = tuple({s: [] for s in sides} for _ in range(2))
    most = (RANGE_POSITIONS, CHECK_POSITIONS)
    for number, positions in enumerate(_packaged_games(sides)):
        kind = number % 2
        held = kinds[kind][positions[0].size.rows]
        step = max(1, len(positions) // 8)
        held += positions[number // 2 % step :: step][: most[kind] - len(held)]
        if all(len(held) >= n for by, n in zip(kinds, most, strict=True) for held in by.values()):
            break
    ranges, check = (
        {
            side: [inputs_of_positions(held[i : i + BATCH]) for i in range(0, len(held), BATCH)]
            for side, held in by.items()
        }
        for by in kinds
    )
    return ranges, check


def _packaged_games(sides: tuple[int, ...]) -> Iterator[list[Position]]:
    """Yield the positions of packaged games in which a move was asked for, sizes in turn."""
    from mariago.records.bundled import bundled_records
    from mariago.sgf import read_games

    waiting: dict[int, list[list[Position]]] = {side: [] for side in sides}
    enough = (RANGE_POSITIONS + CHECK_POSITIONS) // 4
    with tarfile.open(bundled_records()) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith(".sgf") else None
            if file is None:
                continue
            game = read_games(file.read())[0]
            side = game.size.rows
            if side not in waiting or len(waiting[side]) >= enough:
                continue
            found = [p for p in game.to_game().positions() if not p.is_over]
            if found:
                waiting[side].append(found)
            if all(len(games) >= enough for games in waiting.values()):
                break
    for games in waiting.values():
        yield from games[: len(games) // 2 * 2]


def _quantised(
    net: Path, model: bytes, inputs: dict[int, list[Inputs]], advance: Callable[[], None]
) -> bytes:
    """Return the graph with the convolutions of its blocks in eight bits."""
    import onnx
    from onnxruntime.quantization import (
        CalibrationDataReader,
        CalibrationMethod,
        QuantFormat,
        QuantType,
        quantize_static,
    )

    found = onnx.load_from_string(model)
    blocks = [
        node.name
        for node in found.graph.node
        if node.op_type == "Conv" and node.name.startswith("blocks.")
    ]
    if not blocks:
        raise NetError("has no convolution in its blocks that could be quantised", where=net)
    batches = [
        {"planes": planes.astype(np.float32), "globals": values}
        for by_size in inputs.values()
        for planes, values, _ in by_size
    ]

    class Reader(CalibrationDataReader):
        def __init__(self) -> None:
            self._left = iter(batches)

        def get_next(self) -> Any:
            batch = next(self._left, None)
            if batch is not None:
                advance()
            return batch

    with tempfile.TemporaryDirectory() as scratch, _quiet():
        out = Path(scratch) / "int8.onnx"
        quantize_static(
            found,
            str(out),
            Reader(),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv"],
            nodes_to_quantize=blocks,
            per_channel=True,
            # Weights of seven bits: sums of two products overflow 16 bits on AVX2 without VNNI.
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
        )
        return out.read_bytes()


def _compared(one: Net, other: Net, inputs: list[Inputs], advance: Callable[[], None]) -> Agreement:
    """Compare the answers of float32, ``one``, and int8."""
    parts: list[Any] = []
    for batch in inputs:
        parts.append(_differences(one.evaluate(*batch), other.evaluate(*batch)))
        advance()
    same, divergence, value, lead = np.concatenate(parts, axis=1)
    return Agreement(
        positions=len(same),
        top1=float(same.mean()),
        policy_kl=float(divergence.mean()),
        value=float(value.mean()),
        lead=float(lead.mean()),
    )


def _differences(a: Evaluation, b: Evaluation) -> Any:
    """Return (4, B): the same best move, divergence of the policies, of values, of leads."""
    p, q = a.policy.astype(np.float64), b.policy.astype(np.float64)
    ratio = np.log(np.where(p > 0, p, 1)) - np.log(np.where(p > 0, np.maximum(q, 1e-30), 1))
    return np.stack(
        [
            p.argmax(axis=1) == q.argmax(axis=1),
            (p * ratio).sum(axis=1),
            np.abs(a.value - b.value),
            np.abs(a.score - b.score),
        ]
    )


@contextmanager
def _quiet() -> Generator[None]:
    """Keep the quantiser's advice out of people's logs."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)
