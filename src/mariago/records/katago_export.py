"""A split of a data set as KataGo's training files, many rows a file."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.board.files import write_whole
from mariago.errors import BadInputError, RecordsError
from mariago.records.katago_rows import ROWS_AHEAD, katago_arrays
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.names import plain
from mariago.records.pool import Workers
from mariago.records.spans import check_split, largest_side, read_span
from mariago.records.workplace import Workplace
from mariago.reports.origin import provenance

__all__ = ["EXPORT_NOTE", "export_katago"]

EXPORT_NOTE = "export.json"
ROWS_PER_FILE = 20_000  # 150 MB of arrays while a file is packed, 1 MB on disk


@dataclass(frozen=True)
class _FileJob:
    folder: str
    target: str
    split: str
    start: int
    stop: int
    pad: int
    q_values: bool
    score_as_lead: bool


def export_katago(
    folder: "str | Path",
    out: "str | Path",
    *,
    split: str = "train",
    rows_per_file: int = ROWS_PER_FILE,
    pad: int = 19,
    q_values: bool = True,
    score_as_lead: bool = False,
    jobs: int = 1,
    overwrite: bool = False,
    command: str = "",
    tell: "Callable[[int, int], None] | None" = None,
) -> dict[str, Any]:
    """Write a split as ``SPLIT-00000.npz`` and so on into ``out``; return ``export.json``.

    The folder appears when it is whole; the same data set and options give the same bytes,
    whatever ``jobs`` is. For ``pad``, ``q_values`` and ``score_as_lead`` see ``katago_arrays``.

    Args:
        tell: called with rows written just now and all rows.

    Raises:
        BadInputError: a board is larger than ``pad``, or ``rows_per_file`` makes no sense.
        RecordsError: no whole data set, no rows in the split, or ``out`` is in the way.
    """
    manifest = read_manifest(folder)
    total = check_split(manifest, split)
    if rows_per_file < 1:
        raise BadInputError("a file has at least one row", where="--rows-per-file")
    side = largest_side(manifest)
    if side > pad:
        raise BadInputError(
            f"boards with a side of {side} do not fit planes of {pad}x{pad}",
            where=manifest.folder,
            hint=f"use --pad {side}, or build a data set of smaller boards",
        )
    place = free_place(out, overwrite)
    with Workplace(place) as workplace, Workers(jobs) as workers:
        workplace.clear()
        plan = [
            _FileJob(
                str(manifest.folder), str(workplace.folder / f"{split}-{number:05d}.npz"), split,
                start, min(start + rows_per_file, total), pad, q_values, score_as_lead,
            )
            for number, start in enumerate(range(0, total, rows_per_file))
        ]  # fmt: skip
        files: list[dict[str, Any]] = []
        for entry in workers.in_order(_write_file, plan):
            files.append(entry)
            if tell is not None:
                tell(entry["rows"], total)
        note = {
            "format": "katago",
            "split": split,
            "rows": total,
            "pad": pad,
            "q_values": q_values,
            "score_as_lead": score_as_lead,
            "files": files,
            **trail_of(manifest, command or f"export_katago(split={split!r})"),
        }
        write_note(workplace.folder, note)
        workplace.finish()
    return note


def free_place(out: "str | Path", overwrite: bool) -> Path:
    """Return ``out`` as a path where an export may appear.

    Only an earlier export is ever replaced, and only when asked.

    Raises:
        RecordsError: something stands there.
    """
    place = Path(out)
    if place.exists() and not (place.is_dir() and not any(place.iterdir())):
        if not place.is_dir() or not (place / EXPORT_NOTE).is_file():
            raise RecordsError(
                "is in the way and is no export", where=place, hint="choose another --out"
            )
        if not overwrite:
            raise RecordsError("an export stands there", where=place, hint="--overwrite it")
    return place


def trail_of(manifest: Manifest, command: str) -> dict[str, Any]:
    """Return where an export came from: sources with their terms, the data set, the command."""
    names = ("path", "sha256", "origin", "terms")
    data_set = hashlib.sha256((manifest.folder / "manifest.json").read_bytes()).hexdigest()
    return {
        "sources": [{name: held.get(name) for name in names} for held in manifest.sources],
        "data_set": {"path": str(manifest.folder), "manifest_sha256": data_set},
        "provenance": provenance(command, manifest.options.get("seed", 0)).as_dict(),
    }


def write_note(folder: Path, note: dict[str, Any]) -> None:
    """Write ``export.json``, which is last and says that the export is whole."""
    text = json.dumps(plain(note), indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / EXPORT_NOTE, text)


@lru_cache(maxsize=1)
def _manifest(folder: str) -> Manifest:
    return read_manifest(folder)


def _write_file(job: _FileJob) -> dict[str, Any]:
    table = read_span(_manifest(job.folder), job.split, job.start, job.stop + ROWS_AHEAD)
    arrays = katago_arrays(
        table,
        job.stop - job.start,
        job.pad,
        q_values=job.q_values,
        score_as_lead=job.score_as_lead,
    )
    data = npz_bytes(arrays)
    target = Path(job.target)
    write_whole(target, data)
    targets = arrays["globalTargetsNC"]
    known = {
        name: int(np.count_nonzero(targets[:, column] if by_weight else 1 - targets[:, column]))
        for name, column, by_weight in _COUNTED
    }
    return {
        "file": target.name,
        "rows": job.stop - job.start,
        "sha256": hashlib.sha256(data).hexdigest(),
        "known": known,
    }


def npz_bytes(arrays: "dict[str, NDArray[Any]]") -> bytes:
    """Return arrays as ``numpy.savez_compressed`` stores them, packed quickly: level 1 of 9."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    return data.getvalue()


_COUNTED = (("next_move", 28, True), ("value", 35, False), ("future", 33, True), ("lead", 29, True))


def counts_of(files: "Iterator[dict[str, Any]] | list[dict[str, Any]]") -> dict[str, int]:
    """Return in how many rows each target is known, over all files."""
    totals = {name: 0 for name, _, _ in _COUNTED}
    for entry in files:
        for name, count in entry["known"].items():
            totals[name] += count
    return totals
