"""The manifest: where a data set came from, how it was made, and what is in it.

It is written last. A folder without a manifest is no data set.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mariago.errors import RecordsError
from mariago.records.schema import SCHEMA_VERSION

__all__ = ["MANIFEST", "Manifest", "read_manifest"]

MANIFEST = "manifest.json"
FORMAT = "mariago records"


@dataclass(frozen=True)
class Manifest:
    """What ``manifest.json`` holds; ``docs/reference/samples.md`` explains the counts."""

    sources: list[dict[str, Any]]  # path, kind, sha256, size_bytes, files, skipped, Paper.as_dict
    options: dict[str, Any]
    counts: dict[str, Any]
    shards: list[dict[str, Any]]  # file, split, rows, size_bytes, sha256, flagged
    provenance: dict[str, Any]  # command, seed, date, versions, machine
    left_out: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])  # by --allow-terms
    schema_version: int = SCHEMA_VERSION
    format: str = FORMAT
    folder: Path = field(default=Path(), compare=False)

    def to_json(self) -> str:
        """Return the text of ``manifest.json``."""
        fields = asdict(self)
        del fields["folder"]
        order = ["format", "schema_version"]
        ordered = {name: fields.pop(name) for name in order} | fields
        return json.dumps(ordered, indent=2, ensure_ascii=False) + "\n"

    def shard_paths(self, split: str) -> list[Path]:
        """Return the shards of a split in order."""
        return [self.folder / shard["file"] for shard in self.shards if shard["split"] == split]

    def samples(self, split: str) -> int:
        """Return the number of samples of a split."""
        return sum(int(shard["rows"]) for shard in self.shards if shard["split"] == split)


def read_manifest(folder: "str | Path") -> Manifest:
    """Read the manifest of a data set and check that its files are there.

    Raises:
        RecordsError: the folder is missing or no whole data set, or its schema is not known here.
    """
    place = Path(folder)
    hint = "make one with: mariago records build SOURCE --origin TEXT --terms TEXT --out DIR"
    if not place.is_dir():
        raise RecordsError("no such data set", where=place, hint=hint)
    try:
        held = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecordsError(f"no data set: it has no {MANIFEST}", where=place, hint=hint) from None
    except (OSError, ValueError) as error:
        raise RecordsError("cannot be read", where=place / MANIFEST, hint=hint) from error
    manifest = _checked(held, place)
    missing = [
        shard["file"]
        for shard in manifest.shards
        if not (place / shard["file"]).is_file()
        or (place / shard["file"]).stat().st_size != shard["size_bytes"]
    ]
    if missing:
        raise RecordsError(
            f"{missing[0]} is missing or not as it was written", where=place, hint="build it again"
        )
    return manifest


def _checked(held: Any, place: Path) -> Manifest:
    if not isinstance(held, Mapping) or held.get("format") != FORMAT:  # pyright: ignore[reportUnknownMemberType]
        raise RecordsError("not a manifest of records", where=place / MANIFEST)
    fields: dict[str, Any] = dict(held)  # pyright: ignore[reportUnknownArgumentType]
    if fields.get("schema_version") != SCHEMA_VERSION:
        raise RecordsError(
            f"schema version {fields.get('schema_version')}, this reads {SCHEMA_VERSION}",
            where=place,
            hint="build the data set again with this version",
        )
    try:
        return Manifest(**fields, folder=place)
    except TypeError as error:
        raise RecordsError("not a whole manifest", where=place / MANIFEST) from error
