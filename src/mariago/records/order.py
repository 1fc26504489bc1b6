"""What is checked before a build starts: the paper trail, and what stands in the way."""

import os
from collections.abc import Sequence
from pathlib import Path

from mariago.errors import BadInputError, RecordsError
from mariago.records.manifest import MANIFEST, Manifest, read_manifest
from mariago.records.options import BuildOptions
from mariago.records.sources import Source, shown

__all__ = ["check_paper_trail", "shown_path", "what_stands"]


def check_paper_trail(origin: str, terms: str) -> None:
    missing = [name for name, text in (("origin", origin), ("terms", terms)) if not text.strip()]
    if missing:
        raise BadInputError(
            f"no {' and no '.join(missing)}: samples are made only of records whose source and "
            "terms of reuse are known",
            hint="say --origin 'who made them, where from' and --terms 'the licence or rule'",
        )


def what_stands(
    place: Path,
    opened: Sequence[Source],
    options: BuildOptions,
    origin: str,
    terms: str,
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
            (held["origin"], held["terms"], held["kind"]) == (origin, terms, source.kind)
            and held["path"] == shown_path(source)
            and (source.kind == "folder" or held["sha256"] == source.sha256)
            for held, source in zip(manifest.sources, opened, strict=True)
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
