"""Where the sources of a data set lie, from whatever folder one looks.

The manifest keeps a source's path as it was given, and the path from the folder of the data set, so
that a set and its sources may be moved together.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mariago.errors import BadInputError
from mariago.records.manifest import Manifest
from mariago.records.names import shown
from mariago.records.sources import Source, open_source

__all__ = [
    "FROM_SET",
    "KATAGO",
    "NO_RECORDS",
    "find_source",
    "is_of_rows",
    "is_there",
    "moved_entry",
    "path_from_set",
]

FROM_SET = "path_from_set"
KATAGO = "katago"  # the kind of a source whose files hold rows
NO_RECORDS = "KataGo's files hold rows, not game records"


def path_from_set(source: "str | Path", folder: "str | Path") -> dict[str, str]:
    """Return the manifest's entry for the way from the data set in ``folder`` to ``source``.

    It is empty where there is none, between drives of Windows.
    """
    try:
        found = os.path.relpath(_real(Path(source)), os.path.realpath(folder))
    except ValueError:
        return {}
    return {FROM_SET: shown(os.fsencode(found)).replace(os.sep, "/")}


def _real(path: Path) -> str:
    """Return the full path, of a link that of the link itself: it may be moved with the set."""
    full = os.path.abspath(path)
    return os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))


def _places(manifest: Manifest, entry: Mapping[str, Any]) -> Iterator[Path]:
    """Yield where a source may lie: as seen from the set, then as it was given."""
    if entry.get(FROM_SET):
        yield Path(os.path.normpath(os.path.realpath(manifest.folder) + f"/{entry[FROM_SET]}"))
    yield Path(str(entry["path"]))


def find_source(manifest: Manifest, entry: Mapping[str, Any]) -> Source:
    """Open the source of an entry of ``manifest.sources``; a folder's files are checked one by one.

    Raises:
        BadInputError: it lies nowhere, is another one by its checksum, or holds no game records.
    """
    if entry["kind"] == KATAGO:
        raise BadInputError(NO_RECORDS, where=entry["path"])
    faults: list[BadInputError] = []
    for place in _places(manifest, entry):
        try:
            source = open_source(place)
        except BadInputError as error:
            faults.append(error)
            continue
        if (source.kind == "folder") == (entry["kind"] == "folder") and (
            not source.sha256 or source.sha256 == entry["sha256"]
        ):
            return source
        what = "it has changed since the data set was built"
        faults.insert(0, BadInputError(what, where=shown(os.fsencode(place))))
    raise faults[0]


def is_of_rows(manifest: Manifest) -> bool:
    """Tell whether a data set was made of rows and not of game records."""
    return any(entry["kind"] == KATAGO for entry in manifest.sources)


def is_there(manifest: Manifest, entry: Mapping[str, Any], path: Path) -> bool:
    """Tell whether ``path`` leads to the place where a source of a data set was or is."""
    real = _real(path)
    return any(_real(place) == real for place in _places(manifest, entry))


def moved_entry(manifest: Manifest, entry: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the entry of a source for a copy of the data set in another folder."""
    known = {name: held for name, held in entry.items() if name != FROM_SET}
    there = next((place for place in _places(manifest, entry) if place.exists()), None)
    return known if there is None else known | path_from_set(there, folder)
