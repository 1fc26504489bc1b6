"""Labels by a teacher for the rows of a data set: chosen, shared out, kept part by part, joined."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mariago.errors import RecordsError
from mariago.players import resolve_name
from mariago.records.labels import check_teacher, join_labels, labels_path, table_of_labels
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.pool import Workers
from mariago.records.stored import open_shard
from mariago.teaching.settings import LabelSettings
from mariago.teaching.teachers import LEAST_SHARE, Teacher, make_teacher
from mariago.teaching.work import Part, WorkFolder, read_part, write_part

__all__ = ["Labelled", "Tell", "chosen_rows", "label_data_set"]

FORM = 1  # goes up when the same teacher would label the same rows otherwise

Tell = Callable[[int, int, int], None]
"""Called with rows labelled by this run, rows that were labelled before it, and rows in all."""


@dataclass(frozen=True)
class Labelled:
    """What a run of labels came to."""

    teacher: str
    about: str
    rows: int
    """Rows with a label by this teacher, in the shards that were asked for."""
    made: int
    """Those among them that this run has made."""
    seconds: float
    size_bytes: int
    files: tuple[str, ...]

    @property
    def rows_per_s(self) -> float:
        """Rows that this run has labelled in a second."""
        return self.made / self.seconds

    @property
    def bytes_a_row(self) -> float:
        """What a label takes on disk."""
        return self.size_bytes / max(1, self.rows)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        figures = {"rows_per_s": self.rows_per_s, "bytes_a_row": self.bytes_a_row}
        rounded = {name: round(value, 1) for name, value in figures.items()}
        return {**asdict(self), "seconds": round(self.seconds, 1), **rounded}


@dataclass(frozen=True)
class _Job:
    """A part, and what a worker needs to label it."""

    folder: str
    teacher: str
    symmetries: int | None
    part: Part


def label_data_set(
    folder: str | Path,
    settings: LabelSettings,
    *,
    jobs: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    tell: Tell | None = None,
) -> Labelled:
    """Label the rows of a data set and write the files of labels beside its shards.

    The files hang on data set and settings alone: not on ``jobs``, nor on how often the run was
    killed and gone on with.

    Args:
        resume, overwrite: see ``WorkFolder``.

    Raises:
        RecordsError: no whole data set, no such rows, or labels of this name stand there.
        PlayerError: no player of this name, or one that does not teach.
        NetError: its net cannot be used.
    """
    started = time.monotonic()
    manifest = read_manifest(folder)
    held = [shard for shard in manifest.shards if settings.split in ("", shard["split"])]
    shards = [str(shard["file"]) for shard in held]
    if not shards:
        splits = dict.fromkeys(str(shard["split"]) for shard in manifest.shards)
        raise RecordsError(
            f"no samples in split {settings.split!r}",
            where=manifest.folder,
            hint=f"there are: {', '.join(splits)}; without --split all are labelled",
        )
    if settings.name:
        check_teacher(settings.name)
    resolved = resolve_name(settings.teacher)
    teacher = make_teacher(resolved, settings.symmetries)
    name = settings.name or teacher.name
    check_teacher(name)
    about = f"{teacher.about}; {_told_choice(settings)}; shares from {LEAST_SHARE:g} on"
    order = {
        "teacher, or another choice of rows": about,
        "split": settings.split or "all",
        "build of the data set": [shard["sha256"] for shard in held],
        "version": [FORM, teacher.rows_at_once],
    }
    with (
        WorkFolder(
            manifest, name, about, shards, order, resume=resume, overwrite=overwrite
        ) as work,
        Workers(jobs) as workers,
    ):
        plan = _plan(manifest, shards, settings, teacher, work)
        made = 0
        for shard, parts in _labelled(plan, work, workers, str(manifest.folder), settings, tell):
            made += parts
            tables = (read_part(part) for part in plan[shard])
            join_labels(manifest.folder, shard, name, tables, about)
            for part in plan[shard]:
                part.path.unlink()
        work.leave()
    files = [labels_path(manifest.folder, shard, name) for shard in shards]
    return Labelled(
        teacher=name,
        about=about,
        rows=sum(len(part.rows) for parts in plan.values() for part in parts),
        made=made,
        seconds=time.monotonic() - started,
        size_bytes=sum(file.stat().st_size for file in files),
        files=tuple(file.name for file in files),
    )


def _told_choice(settings: LabelSettings) -> str:
    """Return in words which rows of a shard are labelled."""
    told = ["all rows" if settings.every == 1 else f"every {settings.every}. move of a game"]
    if settings.most:
        told.append(f"at most {settings.most} of a game")
    return ", ".join(told)


# -- which rows, and in which parts ----------------------------------------------------------


def chosen_rows(
    manifest: Manifest, shard: str, every: int = 1, most: int = 0
) -> npt.NDArray[np.uint32]:
    """Return the numbers, rising, of the rows of a shard that are labelled; see LabelSettings."""
    table = open_shard(manifest, manifest.folder / shard).read(["game", "move_number"])
    games, numbers = (
        table.column(name).to_numpy().astype(np.int64) for name in ("game", "move_number")
    )
    rows = np.flatnonzero((numbers + games) % every == 0)
    if most:
        order = np.argsort(games[rows], kind="stable")
        rows = rows[order]
        _, first, counts = np.unique(games[rows], return_index=True, return_counts=True)
        spread = [
            at + np.linspace(0, count - 1, min(most, count)).round().astype(np.int64)
            for at, count in zip(first, counts, strict=True)
        ]
        rows = np.sort(rows[np.concatenate([np.empty(0, np.int64), *spread])])
    return rows.astype(np.uint32)


def _plan(
    manifest: Manifest,
    shards: list[str],
    settings: LabelSettings,
    teacher: Teacher,
    work: WorkFolder,
) -> dict[str, list[Part]]:
    """Return the parts of each shard; they hang on nothing but the rows and the teacher.

    Raises:
        RecordsError: no row is chosen.
    """
    plan: dict[str, list[Part]] = {}
    for shard in shards:
        rows = chosen_rows(manifest, shard, settings.every, settings.most)
        stem = shard.removesuffix(".parquet")
        plan[shard] = [
            Part(shard, rows[start : start + teacher.rows_at_once],
                 work.folder / f"{stem}-{number:06d}.parquet")
            for number, start in enumerate(range(0, len(rows), teacher.rows_at_once))
        ]  # fmt: skip
    if not any(plan.values()):
        raise RecordsError(
            "no row is chosen", where=manifest.folder, hint="choose a smaller --every"
        )
    return plan


# -- the work --------------------------------------------------------------------------------


def _labelled(
    plan: dict[str, list[Part]],
    work: WorkFolder,
    workers: Workers,
    folder: str,
    settings: LabelSettings,
    tell: Tell | None,
) -> Iterator[tuple[str, int]]:
    """Yield each shard that was not finished when its parts are, and rows made for it now."""
    unfinished = {
        shard: parts
        for shard, parts in plan.items()
        if not work.is_finished(shard, _rows_of(parts))
    }
    total = sum(len(part.rows) for parts in plan.values() for part in parts)
    todo = [part for parts in unfinished.values() for part in parts if not part.is_done]
    before = total - sum(len(part.rows) for part in todo)
    made = 0
    if tell is not None:
        tell(made, before, total)
    teacher = resolve_name(settings.teacher)
    jobs = [_Job(folder, teacher, settings.symmetries, part) for part in todo]
    # The first part here: it compiles the kernels that are used, once rather than in every worker.
    results = chain(map(_label_part, jobs[:1]), workers.in_order(_label_part, jobs[1:]))
    left = {part.path for part in todo}
    for shard, parts in unfinished.items():
        before_shard = made
        for part in parts:
            if part.path in left:
                made += next(results)
                if tell is not None:
                    tell(made, before, total)
        yield shard, made - before_shard


def _rows_of(parts: list[Part]) -> npt.NDArray[np.uint32]:
    return np.concatenate([np.empty(0, np.uint32), *(part.rows for part in parts)])


def _label_part(job: _Job) -> int:
    """Label the rows of a part, keep them in its file, and return how many they are."""
    manifest = read_manifest(job.folder)
    teacher = _teacher(job.teacher, job.symmetries)
    table = _stored(manifest, job.part.shard, job.part.rows)
    labels = teacher.label(manifest, table, job.part.rows)
    write_part(job.part, table_of_labels(manifest, job.part.shard, labels))
    return len(job.part.rows)


@lru_cache(maxsize=1)
def _teacher(name: str, symmetries: int | None) -> Teacher:
    return make_teacher(name, symmetries)


def _stored(manifest: Manifest, shard: str, rows: npt.NDArray[np.uint32]) -> pa.Table:
    """Return some rows of a shard; ``rows`` rise."""
    sha256 = next(str(entry["sha256"]) for entry in manifest.shards if entry["file"] == shard)
    path = str(manifest.folder / shard)
    parts: list[pa.Table] = []
    start = group = 0
    while start <= rows[-1]:
        stop = start + _group_rows(path, sha256, group)
        a, b = np.searchsorted(rows, [start, stop])
        if a < b:
            held = _group(path, sha256, group)
            parts.append(held.take(pa.array(rows[a:b].astype(np.int64) - start)))
        start, group = stop, group + 1
    return pa.concat_tables(parts).combine_chunks()


@lru_cache(maxsize=4096)
def _group_rows(path: str, sha256: str, group: int) -> int:
    return open_shard(read_manifest(Path(path).parent), Path(path)).group_rows(group)


@lru_cache(maxsize=2)
def _group(path: str, sha256: str, group: int) -> pa.Table:
    """Return a row group; ``sha256``, the build of the shard, keeps an old one from being told."""
    return open_shard(read_manifest(Path(path).parent), Path(path)).read_row_group(group)
