"""What teachers say of one sample of a data set, and how many samples each has labelled."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mariago.board.points import BLACK
from mariago.records.labels import about_labels, labels_path, teachers_of
from mariago.records.manifest import Manifest
from mariago.records.stored import open_shard

__all__ = ["Said", "labelled_rows", "said_of_sample"]

FIRST_MOVES = 3


@dataclass(frozen=True)
class Said:
    """What a teacher says of a sample; what it does not tell is None. Value and lead: for Black."""

    teacher: str
    visits: int
    moves: tuple[tuple[int, float], ...]  # the first moves with their shares
    win_rate: float | None  # Black's chance in [0, 1], no results as halves
    lead: float | None  # points that Black is ahead


def labelled_rows(manifest: Manifest) -> dict[str, int]:
    """Return how many rows each teacher has labelled; labels of another build do not count."""
    counts: dict[str, int] = {}
    for teacher, shards in teachers_of(manifest.folder).items():
        for shard in shards:
            if about_labels(manifest.folder, shard, teacher) is not None:
                held = pq.read_metadata(labels_path(manifest.folder, shard, teacher)).num_rows
                counts[teacher] = counts.get(teacher, 0) + int(held)
    return counts


def said_of_sample(manifest: Manifest, split: str, game: int, move_number: int) -> list[Said]:
    """Return what each teacher says of the sample before a move, in order of their names."""
    teachers = teachers_of(manifest.folder)
    if not teachers:
        return []
    found = _place_of(manifest, split, game, move_number)
    if found is None:
        return []
    shard, row, to_move = found
    known = [name for name, shards in sorted(teachers.items()) if shard in shards]
    said = (_said(manifest, shard, row, to_move, name) for name in known)
    return [one for one in said if one is not None]


def _place_of(
    manifest: Manifest, split: str, game: int, move_number: int
) -> "tuple[str, int, int] | None":
    """Return shard, row and side to move of a sample."""
    for path in manifest.shard_paths(split):
        file, start = open_shard(manifest, path), 0
        for group in range(file.num_row_groups):
            span = file.least_and_most(group)
            if span is None or span[0] <= game <= span[1]:
                table = file.read_row_group(group, ["game", "move_number", "to_move"])
                games, numbers = (table.column(name).to_numpy() for name in ("game", "move_number"))
                rows = np.flatnonzero((games == game) & (numbers == move_number))
                if len(rows):
                    to_move = table.column("to_move")[int(rows[0])].as_py()
                    return path.name, start + int(rows[0]), int(to_move)
            start += file.group_rows(group)
    return None


def _said(manifest: Manifest, shard: str, row: int, to_move: int, teacher: str) -> Said | None:
    if about_labels(manifest.folder, shard, teacher) is None:
        return None
    held = _row_of(labels_path(manifest.folder, shard, teacher), row)
    if held is None:
        return None
    policy = np.array(held["policy"] or [], np.float32)
    order = np.argsort(-policy, kind="stable")[:FIRST_MOVES]
    sign = 1 if to_move == BLACK else -1
    value, lead = held["value"], held["lead"]
    return Said(
        teacher,
        int(held["visits"]),
        tuple((int(move), float(policy[move])) for move in order if policy[move] > 0),
        None if value is None else (1 + sign * value) / 2,
        None if lead is None else sign * lead,
    )


def _row_of(path: Any, row: int) -> "dict[str, Any] | None":
    """Return the label of a row; None where it has none, or where the file cannot be read."""
    try:
        file: Any = pq.ParquetFile(path)
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group, ["row"]).column(0).to_numpy()
            at = int(np.searchsorted(rows, row))
            if at < len(rows) and rows[at] == row:
                return file.read_row_group(group).slice(at, 1).to_pylist()[0]
    except (OSError, pa.ArrowException):
        return None
    return None
