"""The manifest: where a data set came from, how it was made, and what is in it.

It is written last. A folder without a manifest is no data set.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from mariago.errors import RecordsError
from mariago.records.manifest_form import fault_of_manifest
from mariago.records.names import check_utf8, plain
from mariago.records.schema import READABLE_VERSIONS, SCHEMA_VERSION

__all__ = ["GAMES", "MANIFEST", "Manifest", "games_entry", "read_manifest"]

MANIFEST = "manifest.json"
GAMES = "games.parquet"
FORMAT = "mariago records"


@dataclass(frozen=True)
class Manifest:
    """What ``manifest.json`` holds; ``docs/reference/samples.md`` explains the counts."""

    sources: list[dict[str, Any]]  # path, path_from_set, kind, sha256, ..., Paper.as_dict
    options: dict[str, Any]
    counts: dict[str, Any]
    shards: list[dict[str, Any]]  # file, split, rows, size_bytes, sha256, flagged
    provenance: dict[str, Any]  # command, seed, date, versions, machine
    left_out: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])  # by --allow-terms
    games_file: dict[str, Any] = field(default_factory=dict[str, Any])  # rows, size_bytes, sha256
    schema_version: int = SCHEMA_VERSION
    format: str = FORMAT
    folder: Path = field(default=Path(), compare=False)

    def to_json(self) -> str:
        """Return the text of ``manifest.json``."""
        fields = asdict(self)
        del fields["folder"]
        order = ["format", "schema_version"]
        ordered = {name: fields.pop(name) for name in order} | fields
        return json.dumps(plain(ordered), indent=2, ensure_ascii=False) + "\n"

    def shard_paths(self, split: str) -> list[Path]:
        """Return the shards of a split in order."""
        return [self.folder / shard["file"] for shard in self.shards if shard["split"] == split]

    def samples(self, split: str) -> int:
        """Return the number of samples of a split."""
        return sum(int(shard["rows"]) for shard in self.shards if shard["split"] == split)


def games_entry(folder: Path) -> dict[str, Any]:
    """Return what the manifest says of the table of games that has been written to ``folder``."""
    path = folder / GAMES
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    rows = int(pq.read_metadata(path).num_rows)
    return {"rows": rows, "size_bytes": path.stat().st_size, "sha256": digest}


def read_manifest(folder: "str | Path") -> Manifest:
    """Read the manifest of a data set and check that its files are there.

    Raises:
        RecordsError: the folder is missing or no whole data set, or its schema is not known here.
    """
    place = Path(folder)
    check_utf8(place)
    hint = "make one with: mariago records build SOURCE --origin TEXT --terms TEXT --out DIR"
    if not place.is_dir():
        raise RecordsError("no such data set", where=place, hint=hint)
    try:
        held = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecordsError(f"no data set: it has no {MANIFEST}", where=place, hint=hint) from None
    except (OSError, ValueError, RecursionError) as error:
        raise RecordsError("cannot be read", where=place / MANIFEST, hint=hint) from error
    manifest = _checked(held, place)
    files = [(shard["file"], shard["size_bytes"]) for shard in manifest.shards]
    files.append((GAMES, manifest.games_file.get("size_bytes")))
    missing = [name for name, size in files if not _is_there(place / name, size)]
    if missing:
        raise RecordsError(
            f"{missing[0]} is missing or not as it was written", where=place, hint="build it again"
        )
    return manifest


def _checked(held: Any, place: Path) -> Manifest:
    if not isinstance(held, Mapping) or held.get("format") != FORMAT:  # pyright: ignore[reportUnknownMemberType]
        raise RecordsError("not a manifest of records", where=place / MANIFEST)
    fields: dict[str, Any] = dict(held)  # pyright: ignore[reportUnknownArgumentType]
    version = fields.get("schema_version")
    if type(version) is not int or version not in READABLE_VERSIONS:
        told = version if type(version) is int else repr(version)[:80]
        raise RecordsError(
            f"schema version {told}, this reads {SCHEMA_VERSION}",
            where=place,
            hint="build the data set again with this version",
        )
    fault = fault_of_manifest(fields)
    if fault:
        raise RecordsError(
            f"not a whole manifest: {fault}", where=place / MANIFEST, hint="build it again"
        )
    return Manifest(**fields, folder=place)


def _is_there(path: Path, size_bytes: int | None) -> bool:
    return path.is_file() and size_bytes in (None, path.stat().st_size)
