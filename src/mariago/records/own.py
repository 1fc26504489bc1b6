"""The data set of our own: samples of the packaged games, with card and licence."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from mariago.board.files import write_whole
from mariago.errors import RecordsError
from mariago.records.build import Tell, build_records
from mariago.records.bundled import (
    BUNDLED_LICENCE,
    BUNDLED_ORIGIN,
    BUNDLED_TERMS,
    bundled_records,
)
from mariago.records.card import card_of
from mariago.records.manifest import MANIFEST, Manifest, read_manifest
from mariago.records.options import BuildOptions
from mariago.records.order import what_stands
from mariago.records.source_places import FROM_SET
from mariago.records.workplace import StoppedError, Workplace

__all__ = ["build_own"]

COMMAND = "mariago records own --out DIR"
MADE = "2026-11-30 00:00 UTC"  # when the packaged games were complete
OPTIONS = BuildOptions(size="any", validation=0.1, test=0.1)


def build_own(
    out: "str | Path", *, jobs: int = 1, overwrite: bool = False, tell: "Tell | None" = None
) -> Manifest:
    """Build the data set in the folder ``out``, with ``README.md`` and ``LICENSE``.

    The same versions of the packages give the same bytes in every file, the manifest included: it
    names no path, no time and no machine.

    Raises:
        RecordsError: ``out`` is in the way, or there is no room.
    """
    place = Path(out)
    with Workplace(place) as workplace:
        what_stands(place, [], OPTIONS, [], False, overwrite)
        workplace.clear()
        made = _built(workplace, jobs, tell)
        for file in sorted(made.folder.iterdir()):
            shutil.move(file, workplace.folder / file.name)
        records = workplace.folder / "records" / bundled_records().name
        records.parent.mkdir()
        shutil.copyfile(bundled_records(), records)
        manifest = _placeless(made)
        write_whole(workplace.folder / MANIFEST, manifest.to_json())
        write_whole(workplace.folder / "README.md", card_of(manifest))
        shutil.copyfile(BUNDLED_LICENCE, workplace.folder / "LICENSE")
        workplace.finish()
    return read_manifest(place)


def _built(workplace: Workplace, jobs: int, tell: "Tell | None") -> Manifest:
    try:
        return build_records(
            [bundled_records()],
            origin=BUNDLED_ORIGIN,
            terms=BUNDLED_TERMS,
            out=workplace.spool / "own",
            options=OPTIONS,
            jobs=jobs,
            tell=tell,
        )
    except StoppedError as error:  # nothing goes on from here
        hint = "make room, or try fewer --jobs"
        raise RecordsError(error.what, where=workplace.out, hint=hint) from error


def _placeless(manifest: Manifest) -> Manifest:
    """Return the manifest without what is of this machine and this hour."""
    path = f"records/{bundled_records().name}"
    source = {**manifest.sources[0], "path": path, FROM_SET: path}
    told: dict[str, Any] = {
        **manifest.provenance,
        "command": COMMAND,
        "date": MADE,
        "machine": "any",
    }
    counts = {**manifest.counts, "seconds": {}}
    return replace(manifest, sources=[source], counts=counts, provenance=told)
