"""The folder of a net: what is in it, how it is written whole, and how it is read.

======================  =============================================================
``net.json``            :class:`NetInfo`: architecture, inputs, sizes, origin, hashes
``weights.safetensors`` the arrays of :func:`mariago.nets.config.parameter_shapes`
``model.onnx``          the same net for ONNX Runtime, made of the weights
``card.md``             what a person needs to know before using it
``metrics.jsonl``       the curves of its training, where it was trained here
======================  =============================================================
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from mariago.errors import NetError, first_fault
from mariago.nets.config import NetConfig, parameter_shapes
from mariago.nets.katago_source import KATAGO_ENDINGS, NOT_THERE

if TYPE_CHECKING:
    from mariago.nets.graph import Weights

__all__ = [
    "FORMAT",
    "NetInfo",
    "check_parts",
    "read_info",
    "read_metrics",
    "read_weights",
    "write_net",
]

FORMAT = 1
AGAIN = "copy the whole folder again, or train the net again"
PLANES_VERSION = "v7"  # as features.PLANES_VERSION, which loads the kernels
INFO, WEIGHTS, MODEL, CARD, METRICS = (
    "net.json",
    "weights.safetensors",
    "model.onnx",
    "card.md",
    "metrics.jsonl",
)


class NetInfo(BaseModel):
    """What ``net.json`` holds. Frozen; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    config: NetConfig
    planes: str = PLANES_VERSION
    sizes: tuple[str, ...] = ()
    """Board sizes it was trained on, as people write them (``"9x9"``), most samples first."""
    origin: str = ""
    """Where its knowledge comes from, in one line."""
    training: dict[str, Any] = Field(default_factory=dict)
    """Recipe, data set, steps and last measurements; empty where it was not trained here."""
    imported: dict[str, Any] = Field(default_factory=dict)
    """File, its SHA-256, name, format version and terms; empty where it was trained here."""
    versions: dict[str, str] = Field(default_factory=dict)
    files: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of the other files."""


def write_net(
    folder: str | Path,
    info: NetInfo,
    weights: Weights,
    *,
    card: str,
    metrics: str | None = None,
    replace: bool = False,
) -> NetInfo:
    """Write a net folder whole: everything aside first, then one rename. Return the info written.

    Raises:
        NetError: the folder exists and ``replace`` is false, or the weights do not have the
            names and shapes of ``info.config``.
    """
    from mariago.nets.graph import build_graph  # playing needs no onnx package

    folder = Path(folder)
    _check_shapes(info.config, weights, folder)
    if folder.exists() and not replace:
        raise NetError("is there already", where=folder, hint="name another folder for the net")
    folder.parent.mkdir(parents=True, exist_ok=True)
    arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}
    contents = {
        WEIGHTS: save_arrays(arrays),
        MODEL: build_graph(info.config, arrays),
        CARD: card.encode("utf-8"),
    }
    if metrics is not None:
        contents[METRICS] = metrics.encode("utf-8")
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
    info = info.model_copy(update={"files": hashes})
    text = json.dumps(info.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    contents[INFO] = text.encode("utf-8")

    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        for name, data in contents.items():
            _write_through(aside / name, data)
        aside.chmod(0o755)
        if folder.exists():
            old = aside.with_suffix(".old")
            folder.rename(old)
            aside.rename(folder)
            shutil.rmtree(old)
        else:
            aside.rename(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return info


def read_info(folder: str | Path) -> NetInfo:
    """Read ``net.json``.

    Raises:
        NetError: no such folder, no net in it, or one of a form that this version cannot read.
    """
    folder = Path(folder)
    if not folder.exists():
        if folder.name.endswith(KATAGO_ENDINGS):
            raise NetError("no such file", where=folder, hint=NOT_THERE)
        hint = "mariago net train makes a net, mariago net import one of KataGo's network file"
        raise NetError("no such folder", where=folder, hint=hint)
    path = folder / INFO
    if not path.is_file():
        raise NetError(
            f"is not a net folder: it has no {INFO}",
            where=folder,
            hint="name the folder that mariago net train wrote as --out",
        )
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise NetError(f"cannot be read: {error}", where=path, hint=AGAIN) from error
    version = cast("dict[str, object]", found).get("format") if isinstance(found, dict) else None
    if version != FORMAT:
        raise NetError(
            f"is of format {version!r:.40}, this version reads format {FORMAT}",
            where=path,
            hint="use the version of mariago that wrote it, or train the net again",
        )
    try:
        info = NetInfo.model_validate(found)
        info.model_dump_json()  # what is nested too deep, or no text, cannot be handed on
    except ValidationError as error:
        raise NetError(
            f"does not describe a net: {first_fault(error)}", where=path, hint=AGAIN
        ) from error
    except (ValueError, RecursionError) as error:
        raise NetError("does not describe a net", where=path, hint=AGAIN) from error
    if info.planes != PLANES_VERSION:
        raise NetError(
            f"wants input planes {info.planes!r:.40}, this version makes {PLANES_VERSION!r}",
            where=path,
            hint="use the version of mariago that wrote it, or train the net again",
        )
    return info


def read_part(folder: str | Path, info: NetInfo, name: str) -> bytes:
    """Return the bytes of one file of a net folder, checked against the hash in ``info``.

    Raises:
        NetError: missing, or not the file that was written with ``net.json``.
    """
    path = Path(folder) / name
    if not path.is_file():
        raise NetError(f"has no {name}", where=folder, hint=AGAIN)
    data = path.read_bytes()
    if info.files.get(name) != hashlib.sha256(data).hexdigest():
        raise NetError(f"is not the file that {INFO} was written with", where=path, hint=AGAIN)
    return data


def check_parts(folder: str | Path, info: NetInfo) -> None:
    """Check the weights and the graph; a card may be written in, and curves be deleted.

    Raises:
        NetError: one is missing, or is not the file that was written with ``net.json``.
    """
    for name in (WEIGHTS, MODEL):
        read_part(folder, info, name)


def read_weights(folder: str | Path) -> tuple[NetInfo, dict[str, npt.NDArray[np.float32]]]:
    """Read the arrays of a net, checked against its architecture.

    Raises:
        NetError: as :func:`read_info`, or the weights are missing, damaged or do not fit.
    """
    info = read_info(folder)
    path = Path(folder) / WEIGHTS
    try:
        weights = load_arrays(read_part(folder, info, WEIGHTS))
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise NetError(f"cannot be read: {error}", where=path, hint=AGAIN) from error
    _check_shapes(info.config, weights, path)
    return info, weights


def read_metrics(folder: str | Path) -> list[dict[str, Any]]:
    """Return the rows of ``metrics.jsonl``, oldest first; none where there is no such file.

    Raises:
        NetError: a line is no JSON object.
    """
    path = Path(folder) / METRICS
    if not path.is_file():
        return []
    rows: list[dict[str, Any]] = []
    number = 1
    try:
        for line in path.read_text("utf-8").split("\n"):
            if line.strip():
                rows.append(_object(json.loads(line)))
            number += 1
    except (ValueError, RecursionError) as error:
        raise NetError(
            f"cannot be read: line {number} is no row of figures",
            where=path,
            hint="delete it: the net can do without its curves",
        ) from error
    return rows


def _object(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return cast("dict[str, Any]", found)


def _check_shapes(config: NetConfig, weights: Mapping[str, Any], where: Path) -> None:
    wanted = parameter_shapes(config)
    if missing := sorted(set(wanted) - set(weights)):
        raise NetError(f"the weights lack {missing[0]} (and {len(missing) - 1} more)", where=where)
    if unknown := sorted(set(weights) - set(wanted)):
        raise NetError(f"the weights hold an unknown array {unknown[0]}", where=where)
    for name, shape in wanted.items():
        if tuple(weights[name].shape) != shape:
            raise NetError(
                f"{name} has shape {tuple(weights[name].shape)}, the architecture wants {shape}",
                where=where,
            )


def _write_through(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
