"""What is checked before a build starts: whether a data set stands in the way, and which."""

import os
from collections.abc import Sequence
from pathlib import Path

from mariago.errors import RecordsError
from mariago.records.manifest import MANIFEST, Manifest, read_manifest
from mariago.records.options import BuildOptions
from mariago.records.papers import Paper
from mariago.records.source_places import is_there
from mariago.records.sources import Source, shown

__all__ = ["shown_path", "what_stands"]


def what_stands(
    place: Path,
    opened: Sequence[Source],
    options: BuildOptions,
    papers: Sequence[Paper],
    resume: bool,
    overwrite: bool,
) -> Manifest | None:
    """Return the finished data set of the same order, None where the way is free."""
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return None
    if not (place / MANIFEST).is_file():
        raise RecordsError(
            "is in the way and is no data set", where=place, hint="choose another --out"
        )
    if overwrite:
        return None
    if not resume:
        raise RecordsError(
            "a data set stands there already",
            where=place,
            hint="--overwrite replaces it, --resume keeps it if it is the same",
        )
    manifest = read_manifest(place)
    same = (
        manifest.options == options.as_dict()
        and len(manifest.sources) == len(opened)
        and all(
            held["kind"] == source.kind
            and all(held.get(name) == told for name, told in paper.as_dict().items())
            and (held["path"] == shown_path(source) or is_there(manifest, held, source.path))
            and (source.kind == "folder" or held["sha256"] == source.sha256)
            for held, source, paper in zip(manifest.sources, opened, papers, strict=True)
        )
    )
    if not same:
        raise RecordsError(
            "the data set there is of other sources or options",
            where=place,
            hint="choose another --out",
        )
    return manifest


def shown_path(source: Source) -> str:
    """Return the path of a source as text that a JSON file can hold."""
    return shown(os.fsencode(source.path))
