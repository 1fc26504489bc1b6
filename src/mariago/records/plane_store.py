"""Input planes made once and kept beside a data set, a bit a point, to be read at any place.

For each shard there are three files of equal length, so that row i of all three is row i of the
shard. They are plain ``.npy`` files; ``planes.json``, written last, says what they are made of and
holds their SHA-256, which are checked when a file is opened.

=========================  =====================  =================================================
file                       a row                  holds
=========================  =====================  =================================================
``train-00000.planes.npy``  (22, ceil(P*P/8)) u1   planes as in KataGo's ``binaryInputNCHWPacked``
``train-00000.globals.npy`` (19,) f4               global inputs
``train-00000.rows.npy``    ``ROW`` (structured)   what is to be learnt, and the size of the board
=========================  =====================  =================================================
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.board.files import write_whole
from mariago.errors import RecordsError
from mariago.features.planes import GLOBALS, PLANES, PLANES_VERSION, planes_of_rows
from mariago.records import unpack_kernels
from mariago.records.disk_arrays import map_new_array
from mariago.records.load import Targets, rows_of_table
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.pool import Workers
from mariago.records.spans import largest_side
from mariago.records.stored import open_shard
from mariago.records.workplace import Workplace

__all__ = ["PLANES_FOLDER", "PlaneStore", "make_plane_store"]

PLANES_FOLDER = "planes-v7"
NOTE = "planes.json"
STORE_VERSION = 2
CODE_VERSION = 2  # goes up when the same rows give other planes than before
ROWS_AT_ONCE = 8_192

ROW = np.dtype(
    [
        ("move", "<i2"),
        ("rows", "u1"),
        ("columns", "u1"),
        ("winner", "<f4"),
        ("score", "<f4"),
        ("weight", "<f4"),
        ("tactical", "?"),
        ("game", "<u4"),
        ("move_number", "<i2"),
    ]
)
"""Targets as ``load.Targets`` has them, for the side to move; moves are of the row's own board."""


@dataclass(frozen=True)
class _Shard:
    shard: str
    target: str
    pad: int


def make_plane_store(
    folder: "str | Path",
    *,
    jobs: int = 1,
    overwrite: bool = False,
    tell: "Callable[[int, int], None] | None" = None,
) -> "PlaneStore":
    """Make the planes of every sample of a data set, in its folder ``planes-v7``.

    A row takes 1,128 bytes at 19x19. A store of the same data set that stands there is checked
    and kept.

    Args:
        tell: called with rows done just now and all rows.

    Raises:
        RecordsError: no whole data set, or a store of another one, or a damaged one, stands there;
            or there is no room.
    """
    manifest = read_manifest(folder)
    place = manifest.folder / PLANES_FOLDER
    if place.exists():
        standing = _standing(manifest)
        if standing is None and not overwrite:
            raise RecordsError(
                "planes of another data set or version stand there",
                where=place,
                hint="--overwrite replaces them",
            )
        if standing is not None and (not overwrite or standing.is_whole):
            standing.check()
            return standing
    pad = largest_side(manifest)
    total = sum(int(shard["rows"]) for shard in manifest.shards)
    unpack_kernels.warm()
    with Workplace(place) as workplace, Workers(jobs) as workers:
        workplace.clear()
        plan = [
            _Shard(str(manifest.folder / shard["file"]), str(workplace.folder), pad)
            for shard in manifest.shards
        ]
        files: dict[str, str] = {}
        for rows, digests in workers.in_order(_make_shard, plan):
            files.update(digests)
            if tell is not None:
                tell(rows, total)
        note = {**_identity(manifest), "pad": pad, "rows": total, "files": files}
        write_whole(workplace.folder / NOTE, json.dumps(note, indent=2) + "\n")
        workplace.finish()
    return PlaneStore(folder)


def _identity(manifest: Manifest) -> dict[str, Any]:
    """Return what a store must agree on with its data set and with this version."""
    shards = hashlib.sha256()
    for shard in manifest.shards:
        shards.update(f"{shard['file']} {shard['sha256']}\n".encode())
    return {
        "format": "mariago planes",
        "store_version": STORE_VERSION,
        "planes": PLANES_VERSION,
        "code_version": CODE_VERSION,
        "shards_sha256": shards.hexdigest(),
    }


def _standing(manifest: Manifest) -> "PlaneStore | None":
    try:
        return PlaneStore(manifest.folder)
    except RecordsError:
        return None


def _names(shard: str) -> tuple[str, str, str]:
    stem = Path(shard).stem
    return f"{stem}.planes.npy", f"{stem}.globals.npy", f"{stem}.rows.npy"


def _make_shard(job: _Shard) -> tuple[int, dict[str, str]]:
    """Write the three files of a shard; return its rows and the files' SHA-256 by name."""
    shard = Path(job.shard)
    file = open_shard(read_manifest(shard.parent), shard)
    n = file.num_rows
    n_bytes = (job.pad * job.pad + 7) // 8
    target = Path(job.target)
    shapes = ((n, PLANES, n_bytes), (n, GLOBALS), (n,))
    kinds = (np.dtype(np.uint8), np.dtype(np.float32), ROW)
    planes_out, globals_out, rows_out = (
        map_new_array(target / name, kind, shape)
        for name, kind, shape in zip(_names(job.shard), kinds, shapes, strict=True)
    )
    start = 0
    for table in file.iter_batches(ROWS_AT_ONCE):
        rows, targets = rows_of_table(table)
        stop = start + len(rows)
        planes, globals_out[start:stop] = planes_of_rows(rows, job.pad)
        unpack_kernels.pack(planes.reshape(len(rows), PLANES, -1), planes_out[start:stop])
        rows_out[start:stop] = stored_rows(rows.rows, rows.columns, targets)
        start = stop
    for array in (planes_out, globals_out, rows_out):
        array.flush()
    return n, {name: _digest(target / name) for name in _names(job.shard)}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stored_rows(rows: NDArray[Any], columns: NDArray[Any], targets: Targets) -> NDArray[Any]:
    """Return targets as an array of ``ROW``."""
    out = np.zeros(len(targets), ROW)
    out["rows"], out["columns"] = rows, columns
    for name in ("move", "winner", "score", "weight", "tactical", "game", "move_number"):
        out[name] = getattr(targets, name)
    return out


@lru_cache(maxsize=64)
def _mapped(path: Path, changed_ns: int, digest: str) -> NDArray[Any]:
    if _digest(path) != digest:
        raise ValueError("differs from its SHA-256")
    return np.load(path, mmap_mode="r")


class PlaneStore:
    """The stored planes of a data set.

    Raises:
        RecordsError: there are none, or they are of another data set or version.
    """

    def __init__(self, folder: "str | Path") -> None:
        self.manifest = read_manifest(folder)
        self.place = self.manifest.folder / PLANES_FOLDER
        hint = f"mariago records planes {self.manifest.folder}"
        try:
            note = json.loads((self.place / NOTE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RecordsError("no planes are stored", where=self.place, hint=hint) from None
        except (OSError, ValueError) as error:
            raise RecordsError("cannot be read", where=self.place / NOTE, hint=hint) from error
        if {**note, **_identity(self.manifest)} != note:
            raise RecordsError(
                "the stored planes are of another data set or version",
                where=self.place,
                hint=f"{hint} --overwrite",
            )
        self.pad = int(note["pad"])
        self._digests: dict[str, str] = note["files"]

    def check(self) -> None:
        """Open every file.

        Raises:
            RecordsError: as :meth:`arrays` does.
        """
        for shard in self.manifest.shards:
            self.arrays(shard["file"])

    @property
    def is_whole(self) -> bool:
        """Whether every file is as it was made."""
        try:
            self.check()
        except RecordsError:
            return False
        return True

    def shards(self, split: str) -> list[str]:
        """Return the names of the split's shards in order."""
        return [shard["file"] for shard in self.manifest.shards if shard["split"] == split]

    def arrays(self, shard: str) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[Any]]:
        """Return packed planes, globals and rows of a shard, mapped from disk.

        Raises:
            RecordsError: a file is missing or was damaged since it was made.
        """
        planes, globals_in, rows = (self._opened(name) for name in _names(shard))
        return planes, globals_in, rows

    def _opened(self, name: str) -> NDArray[Any]:
        path = self.place / name
        try:
            return _mapped(path, path.stat().st_mtime_ns, self._digests.get(name, ""))
        except (OSError, ValueError) as error:
            raise RecordsError(
                f"cannot be read ({getattr(error, 'strerror', None) or error})",
                where=path,
                hint=f"mariago records planes {self.manifest.folder} --overwrite",
            ) from error
