"""A KataGo network file as a net that can be asked, without a net folder.

Every version that :mod:`mariago.nets.katago_layers` reads can be asked, also what a net folder has
no form for.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from mariago.errors import NetError
from mariago.nets.inference import Net
from mariago.nets.int8 import Int8Place, kept_report, read_int8
from mariago.nets.katago_graph import build_katago_graph
from mariago.nets.katago_layers import KatagoFile, read_file
from mariago.nets.katago_people import DEFAULT_PROFILE, people_row
from mariago.nets.katago_source import NOT_THERE
from mariago.nets.sessions import providers_of

__all__ = ["KatagoNet", "describe_file", "katago_model", "load_katago_net"]

_KIND_WORDS = {
    "ordinary": "ordinary",
    "gpool": "global pooling",
    "nested": "nested bottleneck",
    "attention": "attention",
    "feed_forward": "feed-forward",
}


class KatagoNet(Net):
    """A net of a KataGo network file. Made by :func:`load_katago_net`."""

    def __init__(
        self,
        found: KatagoFile,
        sha256: str,
        *,
        threads: int = 1,
        device: str | None = None,
        int8: bytes | None = None,
        profile: str = DEFAULT_PROFILE,
    ) -> None:
        model = build_katago_graph(found, profile) if int8 is None else int8
        source = found.path if int8 is None else Int8Place.of(found.path).model
        super().__init__(model, None, found.path, threads=threads, device=device, source=source)
        self._described = {**describe_file(found), "sha256": sha256}
        if found.imitates_people:
            self._described["profile"] = profile

    def describe(self) -> dict[str, Any]:
        """Return what a report needs to say which net this was."""
        return {**super().describe(), **self._described}


def describe_file(found: KatagoFile) -> dict[str, Any]:
    """Return what a file holds, as figures and words for people."""
    kinds = Counter(block.kind for block in found.all_blocks())
    channels = found.widths["channels"]
    return {
        "name": found.name,
        "format_version": found.version,
        "size": f"{len(found.blocks)} blocks x {channels} channels",
        "blocks": {_KIND_WORDS[kind]: count for kind, count in kinds.items()},
        "activations": sorted(set(found.activations.values())),
        "parameters": found.parameters,
        "sizes": [],
        "origin": "a network file of KataGo",
    }


def load_katago_net(
    path: str | Path,
    *,
    threads: int = 1,
    device: str | None = None,
    precision: str = "float32",
    profile: str = "",
) -> Net:
    """Load a KataGo network file for playing.

    A file that was loaded before and has not changed since is handed out again. ``device`` and
    ``precision`` are those of :func:`mariago.nets.load_net`. ``profile`` says whom a network that
    imitates people plays like (:mod:`mariago.nets.katago_people`); where empty, DEFAULT_PROFILE.

    Raises:
        NetError: it cannot be read; what is wrong with it, or what in it is not known here; or
            there is a profile and the network imitates nobody.
        BadInputError: there is no such profile.
    """
    path = Path(path)
    try:
        held = path.stat()
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise NetError(what, where=path, hint=NOT_THERE) from error
    place = tuple(providers_of(device))
    int8 = kept_report(path, precision)
    whole = path.resolve()
    return _load(whole, held.st_size, held.st_mtime_ns, threads, device, place, int8, profile)


@lru_cache(maxsize=4)
def _load(
    path: Path,
    size_bytes: int,
    changed_ns: int,
    threads: int,
    device: str | None,
    place: tuple[str, ...],
    int8: bytes | None,
    profile: str,
) -> KatagoNet:
    found = read_file(path)
    if profile:
        _check_profile(found, profile, int8)
    digest = _digest(path)
    model = None if int8 is None else read_int8(path, digest)[1]
    profile = profile or DEFAULT_PROFILE
    return KatagoNet(found, digest, threads=threads, device=device, int8=model, profile=profile)


def _check_profile(found: KatagoFile, profile: str, int8: bytes | None) -> None:
    people_row(profile)
    if not found.imitates_people:
        hint = "leave the profile out; it is for networks trained on people's games"
        raise NetError(f"imitates nobody, so not {profile!r:.40}", where=found.path, hint=hint)
    if int8 is not None and profile != DEFAULT_PROFILE:
        hint = "leave precision out"
        raise NetError(f"plays like {DEFAULT_PROFILE} alone in int8", where=found.path, hint=hint)


def katago_model(path: Path) -> tuple[bytes, str]:
    """Return the ONNX model of a network file, and the file's SHA-256."""
    return build_katago_graph(read_file(path)), _digest(path)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
