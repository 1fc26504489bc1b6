"""Any stretch of a split's rows, read from its shards; splits cut into stretches."""

from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from mariago.errors import RecordsError
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.schema import SAMPLE_SCHEMA, SPLITS
from mariago.records.stored import StoredFile, open_shard, read_games

__all__ = ["check_split", "largest_side", "read_span"]


def check_split(manifest: Manifest, split: str) -> int:
    """Return the number of samples of a split.

    Raises:
        RecordsError: there are none, or there is no such split.
    """
    total = manifest.samples(split)
    if split not in SPLITS or total == 0:
        held = ", ".join(f"{name} {manifest.samples(name)}" for name in SPLITS)
        raise RecordsError(
            f"no samples in split {split!r}", where=manifest.folder, hint=f"there are: {held}"
        )
    return total


def largest_side(manifest: Manifest) -> int:
    """Return the longest side of any board of the data set."""
    games = read_games(manifest, ["rows", "columns"])
    sides = [max(games.column(name).to_pylist(), default=1) for name in ("rows", "columns")]
    return int(max(sides))


@lru_cache(maxsize=8)
def _opened(folder: Path, path: Path, changed_ns: int) -> StoredFile:
    return open_shard(read_manifest(folder), path)


def read_span(
    manifest: Manifest, split: str, start: int, stop: int, columns: "list[str] | None" = None
) -> pa.Table:
    """Return the rows ``start`` to ``stop - 1`` of a split, fewer at its end."""
    parts: list[pa.Table] = []
    first = 0
    for path in manifest.shard_paths(split):
        file = _opened(manifest.folder, path, path.stat().st_mtime_ns)
        for group in range(file.num_row_groups):
            last = first + file.group_rows(group)
            if first < stop and last > start:
                table = file.read_row_group(group, columns)
                a, b = max(start - first, 0), min(stop, last) - first
                parts.append(table.slice(a, b - a))
            first = last
    if not parts:
        return SAMPLE_SCHEMA.empty_table()
    return pa.concat_tables(parts)
