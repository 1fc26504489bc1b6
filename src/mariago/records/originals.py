"""The records behind a data set, read again from its sources where these still lie there."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mariago.errors import MariagoError
from mariago.records.manifest import Manifest
from mariago.records.sources import open_source
from mariago.sgf.games import ReadGame, read_games

__all__ = ["Originals", "Place", "read_originals"]

Place = tuple[int, str, int]
"""Index of the source, path within it, index of the game in the file."""


@dataclass
class Originals:
    """The games that were found, by place, and the sources that could not be read, with why."""

    games: dict[Place, ReadGame] = field(default_factory=dict[Place, ReadGame])
    missing: dict[str, str] = field(default_factory=dict[str, str])


def read_originals(manifest: Manifest, wanted: Iterable[Place]) -> Originals:
    """Read the games at the places ``wanted`` from the sources of a data set.

    A source that is gone, or whose checksum is not that of the manifest, is told in ``missing``;
    an archive is read up to the last file that is asked for.
    """
    found = Originals()
    by_source: dict[int, dict[str, set[int]]] = {}
    for source, path, index in wanted:
        by_source.setdefault(source, {}).setdefault(path, set()).add(index)
    for source, paths in sorted(by_source.items()):
        entry = manifest.sources[source]
        try:
            _read_source(entry, source, dict(paths), found)
        except (MariagoError, OSError) as error:
            found.missing[str(entry["path"])] = str(error)
    return found


def _read_source(
    entry: dict[str, object], index: int, paths: dict[str, set[int]], found: Originals
) -> None:
    source = open_source(str(entry["path"]))
    if source.sha256 and source.sha256 != entry["sha256"]:
        found.missing[str(entry["path"])] = "it has changed since the data set was built"
        return
    if source.kind == "folder":  # most files lie in a folder as they are: no need to walk it
        folder = Path(str(entry["path"]))
        for path in list(paths):
            place = folder / path
            is_within = not Path(path).is_absolute() and ".." not in Path(path).parts
            if is_within and place.suffix.lower() == ".sgf" and place.is_file():
                _take(place.read_bytes(), index, path, paths.pop(path), found)
    if not paths:
        return
    for file in source.read():
        if file.path in paths and file.data is not None:
            _take(file.data, index, file.path, paths.pop(file.path), found)
            if not paths:
                return
    found.missing[str(entry["path"])] = f"{len(paths)} of its files are gone"


def _take(data: bytes, source: int, path: str, wanted: set[int], found: Originals) -> None:
    games = read_games(data)
    for index in wanted:
        if index < len(games):
            found.games[source, path, index] = games[index]
