"""The net that a tuning starts from: a net folder, or a network file of KataGo."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.nets.config import NetConfig
from mariago.nets.folder import read_weights
from mariago.nets.katago_files import net_of_file
from mariago.nets.katago_layers import read_file

__all__ = ["BaseNet", "read_base"]

NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True)
class BaseNet:
    """A net and its papers."""

    config: NetConfig
    weights: dict[str, npt.NDArray[np.float32]]
    origin: str
    terms: str
    sizes: tuple[str, ...]
    """Board sizes it was trained on; empty where that is not known, as of KataGo's nets."""
    papers: dict[str, Any]
    """What ``net.json`` of a tuned net keeps of it: name, hash, origin, terms, its own base."""


def read_base(net: str | Path, *, origin: str = "", terms: str = "") -> BaseNet:
    """Read a net folder, or import a network file of KataGo on the way.

    ``origin`` and ``terms`` are told of a file, which has none of its own.

    Raises:
        NetError: no net, a damaged one, or a file that holds what a net folder cannot.
    """
    path = Path(net)
    if path.is_file():
        return _of_file(path, origin.strip(), terms.strip() or NOT_STATED)
    info, weights = read_weights(path)
    data: dict[str, Any] = info.training.get("data") or {}
    own = str(info.imported.get("terms") or data.get("terms") or NOT_STATED)
    earlier = info.training.get("tuning")
    papers: dict[str, Any] = {
        "name": path.resolve().name,
        "sha256": info.files.get("weights.safetensors", ""),
        "origin": info.origin or NOT_STATED,
        "terms": own,
    }
    if info.imported:
        papers["imported"] = info.imported
    if isinstance(earlier, dict):
        papers["base"] = earlier.get("base")
        papers["terms"] = own = str(earlier.get("terms") or own)
    return BaseNet(info.config, weights, papers["origin"], own, info.sizes, papers)


def _of_file(path: Path, origin: str, terms: str) -> BaseNet:
    found = read_file(path)
    config, weights = net_of_file(found)
    with path.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    origin = origin or f"the network {found.name} of KataGo"
    papers = {
        "name": found.name,
        "file": path.name,
        "sha256": digest,
        "format_version": found.version,
        "origin": origin,
        "terms": terms,
    }
    return BaseNet(config, weights, origin, terms, (), papers)
