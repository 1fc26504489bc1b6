"""The records behind a data set, read again from its sources where these still lie there."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mariago.errors import MariagoError
from mariago.records.archives import MAX_FILE_BYTES, SourceFile
from mariago.records.manifest import Manifest
from mariago.records.source_places import find_source
from mariago.sgf.fast import read_many
from mariago.sgf.games import ReadGame, read_games

__all__ = ["Originals", "Place", "read_originals"]

Place = tuple[int, str, int]
"""Index of the source, path within it, index of the game in the file."""

FILES_AT_ONCE = 512


@dataclass
class Originals:
    """The games that were found, by place, and why sources (by index) could not be read.

    An archive may hold several files of one name: ``later`` has the games of all but the first.
    """

    games: dict[Place, ReadGame] = field(default_factory=dict[Place, ReadGame])
    later: dict[Place, list[ReadGame]] = field(default_factory=dict[Place, list[ReadGame]])
    missing: dict[int, str] = field(default_factory=dict[int, str])


def read_originals(
    manifest: Manifest,
    wanted: Iterable[Place],
    *,
    with_problems: bool = False,
    to_the_end: bool = False,
) -> Originals:
    """Read the games at the places ``wanted`` from the sources of a data set.

    A source that is gone, or whose checksum is not that of the manifest, is told in ``missing``;
    an archive is read up to the last file that is asked for, or ``to_the_end``, since it may hold
    several files of one name. Some files are read without the
    problems of their grammar, which is much faster, unless ``with_problems``.
    """
    found = Originals()
    by_source: dict[int, dict[str, set[int]]] = {}
    for source, path, index in wanted:
        by_source.setdefault(source, {}).setdefault(path, set()).add(index)
    for source, paths in sorted(by_source.items()):
        try:
            waiting: list[SourceFile] = []
            for file in _files(manifest, source, paths, to_the_end):
                waiting.append(file)
                if len(waiting) >= FILES_AT_ONCE:
                    _take(waiting, source, paths, found, with_problems)
                    waiting = []
            _take(waiting, source, paths, found, with_problems)
        except (MariagoError, OSError) as error:
            found.missing[source] = str(error)
    return found


def _files(
    manifest: Manifest, index: int, paths: dict[str, set[int]], to_the_end: bool
) -> Iterator[SourceFile]:
    """Yield the files of a source that are asked for.

    Raises:
        MariagoError: the source is gone, damaged or another one.
    """
    source = find_source(manifest, manifest.sources[index])
    left = set(paths)
    if source.kind == "folder":  # most files lie in a folder as they are: no need to walk it
        for path in sorted(left):
            place = source.path / path
            is_within = not Path(path).is_absolute() and ".." not in Path(path).parts
            if is_within and place.suffix.lower() == ".sgf" and _is_small(place):
                yield SourceFile(path, place.read_bytes())
                left.remove(path)
    if not left:
        return
    for file in source.read():
        if file.path in left:
            yield file
            if not to_the_end:
                left.remove(file.path)
            if not left:
                return


def _is_small(place: Path) -> bool:
    return place.is_file() and place.stat().st_size <= MAX_FILE_BYTES


def _take(
    files: list[SourceFile],
    source: int,
    paths: dict[str, set[int]],
    found: Originals,
    with_problems: bool,
) -> None:
    held = [file.data or b"" for file in files]
    read = map(read_games, held) if with_problems else read_many(held)
    for file, games in zip(files, read, strict=True):
        for index in paths[file.path]:
            if index < len(games):
                place = source, file.path, index
                if place in found.games:
                    found.later.setdefault(place, []).append(games[index])
                else:
                    found.games[place] = games[index]
