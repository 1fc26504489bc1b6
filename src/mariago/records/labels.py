"""A teacher's labels beside the shards of a data set: policy, value, lead and ownership.

``labels-TEACHER-SHARD.parquet`` holds the labels of ``SHARD.parquet``, keyed by the number of the
row in it; rows without a label are left out. All labels are for the side to move.
``docs/reference/samples.md`` describes the columns.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mariago.errors import RecordsError
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.stored import open_shard

__all__ = [
    "LABELS_VERSION",
    "LABEL_SCHEMA",
    "Labels",
    "about_labels",
    "are_whole",
    "check_teacher",
    "join_labels",
    "labels_path",
    "read_labels",
    "table_of_labels",
    "teachers_of",
    "write_labels",
]

LABELS_VERSION = 1
OWNERSHIP_STEPS = 127  # ownership 1 is stored as 127
GROUP_ROWS = 8_192
_SUM_TOLERANCE = 1e-3
_TEACHER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.]*")
_UNREADABLE = (OSError, pa.ArrowException, ValueError, KeyError)

LABEL_SCHEMA = pa.schema(
    [
        pa.field("shard", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("row", pa.uint32(), nullable=False),
        pa.field("visits", pa.uint32(), nullable=False),
        pa.field("policy", pa.list_(pa.float32())),
        pa.field("value", pa.float32()),
        pa.field("lead", pa.float32()),
        pa.field("ownership", pa.list_(pa.int8())),
    ]
)


@dataclass(frozen=True)
class Labels:
    """Labels of N rows of a shard; what the teacher does not tell is None for all of them.

    ``policy`` and ``ownership`` are flat, since boards may differ in size: row after row, by move
    index, ``rows * columns + 1`` shares (the last for a pass) and ``rows * columns`` points.
    """

    rows: NDArray[np.uint32]  # (N,) number of the row in the shard, rising
    visits: NDArray[np.uint32]  # (N,) visits of the search, 0 for the net alone
    policy: NDArray[np.float32] | None = None  # shares of a row sum to 1
    value: NDArray[np.float32] | None = None  # (N,) from -1, lost, to 1, won
    lead: NDArray[np.float32] | None = None  # (N,) points ahead
    ownership: NDArray[np.float32] | None = None  # from -1, the opponent's, to 1, own

    def __len__(self) -> int:
        return len(self.rows)


def check_teacher(name: str) -> None:
    """Refuse what cannot stand in the name of a file of labels.

    Raises:
        RecordsError: it holds other characters than letters, digits, ``_`` and ``.``, or begins
            with none of the first two.
    """
    if not _TEACHER.fullmatch(name):
        raise RecordsError(
            f"{name!r} is no name for a teacher",
            hint="a letter or digit, then letters, digits, _ and . alone",
        )


def labels_path(folder: "str | Path", shard: str, teacher: str) -> Path:
    """Return where the labels of a shard (``train-00000.parquet``) by a teacher lie."""
    return Path(folder) / f"labels-{teacher}-{shard}"


def write_labels(
    folder: "str | Path", shard: str, teacher: str, labels: Labels, about: str = ""
) -> Path:
    """Check the labels of a shard, write them whole, and return the file.

    Args:
        teacher: a short name of letters, digits, ``_`` and ``.``; ``about`` says who that is: the
            net's hash, the engine, the settings.

    Raises:
        RecordsError: no such data set or shard, or labels that do not fit its rows.
    """
    check_teacher(teacher)
    table = table_of_labels(read_manifest(folder), shard, labels)
    return join_labels(folder, shard, teacher, [table], about)


def table_of_labels(manifest: Manifest, shard: str, labels: Labels) -> pa.Table:
    """Check labels of some rows of a shard and return them as they are stored.

    Raises:
        RecordsError: no such shard, or labels that do not fit its rows.
    """
    cells = _check(manifest, shard, labels)
    n = len(labels)
    ownership = labels.ownership
    if ownership is not None:
        ownership = np.rint(ownership * OWNERSHIP_STEPS).astype(np.int8)
    arrays = [
        pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([shard])),
        pa.array(labels.rows.astype(np.uint32)),
        pa.array(labels.visits.astype(np.uint32)),
        _ragged(labels.policy, cells + 1, pa.float32()),
        pa.nulls(n, pa.float32()) if labels.value is None else pa.array(labels.value, pa.float32()),
        pa.nulls(n, pa.float32()) if labels.lead is None else pa.array(labels.lead, pa.float32()),
        _ragged(ownership, cells, pa.int8()),
    ]
    return pa.Table.from_arrays(arrays, schema=LABEL_SCHEMA)


def join_labels(
    folder: "str | Path", shard: str, teacher: str, tables: Iterable[pa.Table], about: str = ""
) -> Path:
    """Write tables of ``table_of_labels`` whole as the labels of a shard, and return the file.

    The tables come in order of their rows. No more than :data:`GROUP_ROWS` rows, and one table, are
    in memory at a time, however many there are.

    Raises:
        RecordsError: no name for a teacher, no such shard, or rows that do not rise.
    """
    check_teacher(teacher)
    manifest = read_manifest(folder)
    metadata = {
        "mariago.labels_version": str(LABELS_VERSION),
        "mariago.teacher": teacher,
        "mariago.about": about,
        "mariago.shard_sha256": _entry(manifest, shard)["sha256"],
    }
    schema = LABEL_SCHEMA.with_metadata(metadata)
    path = labels_path(folder, shard, teacher)
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with pq.ParquetWriter(
            aside, schema, compression="zstd", write_page_checksum=True
        ) as writer:
            for group in _groups(tables, f"labels of {shard}"):
                writer.write_table(group.replace_schema_metadata(metadata), GROUP_ROWS)
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    return path


def _groups(tables: Iterable[pa.Table], where: str) -> Iterator[pa.Table]:
    """Yield the rows of ``tables`` as row groups; their size hangs on nothing but the rows."""
    waiting: list[pa.Table] = []
    count, last = 0, -1
    for table in tables:
        if table.num_rows:
            rows = table.column("row").to_numpy().astype(np.int64)
            if rows[0] <= last:
                raise RecordsError(f"row {rows[0]} comes after row {last}", where=where)
            last = int(rows[-1])
        waiting.append(table)
        count += table.num_rows
        while count >= GROUP_ROWS:
            held = pa.concat_tables(waiting)
            yield held.slice(0, GROUP_ROWS).combine_chunks()
            waiting, count = [held.slice(GROUP_ROWS)], count - GROUP_ROWS
    if count:
        yield pa.concat_tables(waiting).combine_chunks()


def about_labels(folder: "str | Path", shard: str, teacher: str) -> str | None:
    """Return what the labels of a shard say of their teacher; None where there are none that fit.

    Labels of another build of the shard, or of another version, are none.
    """
    try:
        told = pq.read_schema(labels_path(folder, shard, teacher)).metadata or {}
    except _UNREADABLE:
        return None
    sha256 = _entry(read_manifest(folder), shard)["sha256"]
    expected = {b"mariago.labels_version": str(LABELS_VERSION), b"mariago.shard_sha256": sha256}
    if any(told.get(name) != value.encode() for name, value in expected.items()):
        return None
    return told.get(b"mariago.about", b"").decode(errors="replace")


def are_whole(folder: "str | Path", shard: str, teacher: str, rows: NDArray[np.uint32]) -> bool:
    """Tell whether a file holds labels of just these ``rows`` of a shard, undamaged.

    All of it is read, a row group at a time: the checksums of its pages, which files of earlier
    versions lack, and what the numbers may be.
    """
    manifest = read_manifest(folder)
    sides, done = _sides(manifest, shard), 0
    try:
        file: Any = pq.ParquetFile(
            labels_path(folder, shard, teacher), page_checksum_verification=True
        )
        for group in range(file.num_row_groups):
            labels = _labels_of(file.read_row_group(group))
            if not np.array_equal(labels.rows, rows[done : done + len(labels)]):
                return False
            _check(manifest, shard, labels, sides)
            done += len(labels)
    except (*_UNREADABLE, RecordsError):
        return False
    return done == len(rows)


def read_labels(folder: "str | Path", shard: str, teacher: str) -> Labels:
    """Read the labels of a shard by a teacher and check that they fit.

    Raises:
        RecordsError: there are none, or they are of another build of the shard, of a version that
            is not known, or do not fit its rows.
    """
    manifest = read_manifest(folder)
    path = labels_path(folder, shard, teacher)
    again = f"{_command(manifest, shard, teacher)} --overwrite"
    if path.is_dir():
        raise RecordsError(
            "is a folder, not labels", where=path, hint=f"move it away, then {again}"
        )
    try:
        table = pq.read_table(path, page_checksum_verification=True)
    except FileNotFoundError:
        raise _none_there(manifest, shard, teacher) from None
    except _UNREADABLE as error:
        raise RecordsError("the labels are damaged", where=path, hint=again) from error
    told = table.schema.metadata or {}
    version = told.get(b"mariago.labels_version", b"none").decode(errors="replace")
    if version != str(LABELS_VERSION) or table.schema.names != LABEL_SCHEMA.names:
        raise RecordsError(
            f"labels of version {version}, this reads {LABELS_VERSION}", where=path, hint=again
        )
    if told.get(b"mariago.shard_sha256", b"") != _entry(manifest, shard)["sha256"].encode():
        raise RecordsError("the labels are of another build of the shard", where=path, hint=again)
    sides = _sides(manifest, shard)
    try:
        labels = _labels_of(table)
        _check(manifest, shard, labels, sides)
    except RecordsError as error:
        raise RecordsError(f"the labels are damaged: {error}", where=path, hint=again) from error
    except _UNREADABLE as error:
        raise RecordsError("the labels are damaged", where=path, hint=again) from error
    return labels


def _none_there(manifest: Manifest, shard: str, teacher: str) -> RecordsError:
    """Return the error of a shard without labels: of this teacher, or of his for this split."""
    teachers, split = teachers_of(manifest.folder), _entry(manifest, shard)["split"]
    hint = f"label it: {_command(manifest, shard, teacher)}"
    others = teachers.get(teacher, [])
    if not others:
        hint = f"there are: {', '.join(teachers) or 'none'}; or {hint}"
    elif any(_entry(manifest, other)["split"] == split for other in others):
        hint += " --resume"
    return RecordsError(
        f"no labels by {teacher!r} of {shard}, in its {split} split",
        where=manifest.folder,
        hint=hint,
    )


def _command(manifest: Manifest, shard: str, teacher: str) -> str:
    """Return the command that labels the split of a shard."""
    split = _entry(manifest, shard)["split"]
    return (
        f"mariago records label {manifest.folder} --teacher PLAYER --name {teacher} --split {split}"
    )


def teachers_of(folder: "str | Path") -> dict[str, list[str]]:
    """Return the teachers that have labelled a data set, and which shards."""
    found: dict[str, list[str]] = {}
    for shard in read_manifest(folder).shards:
        for path in sorted(Path(folder).glob(f"labels-*-{shard['file']}")):
            teacher = path.name.removeprefix("labels-").removesuffix(f"-{shard['file']}")
            if not _TEACHER.fullmatch(teacher):
                continue
            found.setdefault(teacher, []).append(str(shard["file"]))
    return found


def _labels_of(table: pa.Table) -> Labels:
    columns = {name: table.column(name).combine_chunks() for name in LABEL_SCHEMA.names}
    held = {name: column for name, column in columns.items() if column.null_count < len(column)}
    given: dict[str, Any] = {
        name: held[name].to_numpy(zero_copy_only=False)
        for name in ("value", "lead")
        if name in held
    }
    for name in ("policy", "ownership"):
        if name in held:
            given[name] = held[name].flatten().to_numpy()
    if "ownership" in given:
        given["ownership"] = (given["ownership"] / OWNERSHIP_STEPS).astype(np.float32)
    return Labels(columns["row"].to_numpy(), columns["visits"].to_numpy(), **given)


def _entry(manifest: Manifest, shard: str) -> dict[str, Any]:
    for entry in manifest.shards:
        if entry["file"] == shard:
            return entry
    raise RecordsError(f"no shard is named {shard!r}", where=manifest.folder)


def _sides(manifest: Manifest, shard: str) -> NDArray[np.int64]:
    """Return the rows and columns (rows of the shard, 2) of the boards of a shard."""
    boards = open_shard(manifest, manifest.folder / shard).read(["rows", "columns"])
    held = [boards.column(name).to_numpy().astype(np.int64) for name in ("rows", "columns")]
    return np.stack(held, axis=1)


def _check(
    manifest: Manifest, shard: str, labels: Labels, sides: "NDArray[np.int64] | None" = None
) -> NDArray[np.int64]:
    """Check labels against the rows of their shard; return the points (N,) of each board."""
    total = int(_entry(manifest, shard)["rows"])
    where = f"labels of {shard}"
    rows = labels.rows.astype(np.int64)
    if len(rows) and (rows[-1] >= total or (np.diff(rows) <= 0).any()):
        raise RecordsError(f"rows do not rise from 0 to {total - 1}", where=where)
    sides = _sides(manifest, shard) if sides is None else sides
    cells = sides[rows].prod(axis=1)
    wanted = {
        "visits": (len(rows), 0.0, 2.0**32),
        "policy": (int((cells + 1).sum()), 0.0, 1.0),
        "value": (len(rows), -1.0, 1.0),
        "lead": (len(rows), -1000.0, 1000.0),
        "ownership": (int(cells.sum()), -1.0, 1.0),
    }
    for name, (length, least, most) in wanted.items():
        values = getattr(labels, name)
        if values is None:
            continue
        if values.shape != (length,):
            raise RecordsError(f"{name} has {values.size} numbers, not {length}", where=where)
        if not ((values >= least) & (values <= most)).all():
            raise RecordsError(f"{name} lies outside {least:g} to {most:g}", where=where)
    if labels.policy is not None and len(rows):
        starts = np.cumsum(cells + 1) - (cells + 1)
        sums = np.add.reduceat(labels.policy.astype(np.float64), starts)
        if (np.abs(sums - 1) > _SUM_TOLERANCE).any():
            row = int(rows[int(np.argmax(np.abs(sums - 1)))])
            raise RecordsError(f"the policy of row {row} does not sum to 1", where=where)
    return cells


def _ragged(
    values: "NDArray[Any] | None", lengths: NDArray[np.int64], kind: pa.DataType
) -> pa.Array:
    if values is None:
        return pa.nulls(len(lengths), pa.list_(kind))
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return pa.ListArray.from_arrays(pa.array(ends.astype(np.int32)), pa.array(values, kind))
