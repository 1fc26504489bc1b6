"""What a source holds, found by reading it; and whether it is still what a catalogue says."""

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from mariago.errors import BadInputError
from mariago.records.catalogue import Catalogue, CatalogueEntry, checked_entry
from mariago.records.papers import source_path
from mariago.records.sources import Source, SourceFile, open_source, shown
from mariago.records.told import UNKNOWN_LEVEL, level_name, level_of
from mariago.sgf.dates import read_date
from mariago.sgf.fast import read_many

__all__ = ["Check", "Survey", "check_sources", "entry_of", "survey"]

_AT_ONCE_BYTES = 2 * 2**20


@dataclass(frozen=True)
class Survey:
    """A source's checksum, numbers of files, records and games, and the ranges over its games.

    ``records`` count what is cut off or of another game too, as a build counts what it reads.
    Dates are ISO texts cut to what is known, ranks such as ``6d``; "" where no game tells any.
    Games whose moves cannot be used count among ``games``, as long as something could be read.
    """

    sha256: str
    size_bytes: int
    files: int
    records: int
    games: int
    first_date: str
    last_date: str
    lowest_rank: str
    highest_rank: str


def survey(path: "str | Path", tell: "Callable[[int], None] | None" = None) -> Survey:
    """Read a source through and return what it holds; ``tell`` hears how many files were read.

    Raises:
        BadInputError: the source is missing or damaged, or holds no game.
    """
    source = open_source(path)
    records = games = 0
    dates: set[str] = set()
    levels: set[int] = set()
    for batch in _batches(source):
        for held in read_many([file.data or b"" for file in batch]):
            records += len(held)
            for game in held:
                if game.refusal in ("unreadable", "not_go"):
                    continue
                games += 1
                levels.update(level_of(rank) for rank in game.ranks)
                date = read_date(game.date) if game.date else None
                if date is not None:
                    dates.update((date.first, date.last))
        if tell is not None:
            tell(len(batch))
    if games == 0:
        raise BadInputError(
            "holds no game record", where=shown(os.fsencode(source.path)), hint="is the path right?"
        )
    levels.discard(UNKNOWN_LEVEL)
    return Survey(
        source.sha256,
        source.size_bytes,
        source.files,
        records,
        games,
        min(dates, default=""),
        max(dates, default=""),
        level_name(min(levels)) if levels else "",
        level_name(max(levels)) if levels else "",
    )


def _batches(source: Source) -> Iterator[list[SourceFile]]:
    batch: list[SourceFile] = []
    size = 0
    for file in source.read():
        batch.append(file)
        size += len(file.data or b"")
        if size >= _AT_ONCE_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class Check(NamedTuple):
    """Whether a source is as the catalogue says; ``words`` tell what is wrong."""

    name: str
    path: str
    state: Literal["ok", "changed", "missing", "damaged"]
    words: str = ""


def check_sources(catalogue: Catalogue, place: Path) -> Iterator[Check]:
    """Check each source of the catalogue at ``place`` against its checksum."""
    for entry in catalogue.source:
        yield _check(entry, source_path(entry, place))


def _check(entry: CatalogueEntry, path: Path) -> Check:
    where = shown(os.fsencode(path))
    if not path.exists():
        return Check(entry.name, where, "missing")
    try:
        source = open_source(path)
        if source.kind == "folder":  # whose checksum is known once it is read
            for _ in source.read():
                pass
    except BadInputError as error:
        return Check(entry.name, where, "damaged", error.what)
    if source.sha256 == entry.sha256:
        return Check(entry.name, where, "ok")
    words = f"SHA-256 {source.sha256[:12]}... and not {entry.sha256[:12]}..."
    if source.size_bytes != entry.size_bytes:
        words += f", {source.size_bytes:,} bytes and not {entry.size_bytes:,}"
    return Check(entry.name, where, "changed", words)


def entry_of(
    path: Path,
    catalogue: Path,
    *,
    name: str,
    origin: str,
    terms: str,
    url: str = "",
    trust: str = "unknown",
    note: str = "",
    tell: "Callable[[int], None] | None" = None,
) -> CatalogueEntry:
    """Return the entry of a source for the catalogue at ``catalogue``, reading it through.

    A path in or below the folder of the catalogue is noted from there on, another one in full.

    Raises:
        BadInputError: the source cannot be read, or a word of the entry makes no sense.
    """
    told = {"name": name, "origin": origin, "terms": terms, "url": url, "trust": trust}
    blank = {"path": "-", "sha256": "0" * 64, "size_bytes": 0, "files": 0, "games": 0}
    checked_entry(told | blank)  # before the long reading
    full, home = Path(os.path.abspath(path)), Path(os.path.abspath(catalogue)).parent
    noted = full.relative_to(home).as_posix() if full.is_relative_to(home) else str(full)
    found = survey(path, tell)
    return checked_entry(told | {"path": noted, "note": note} | asdict(found))
