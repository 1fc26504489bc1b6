"""The papers of the sources of a build: origin and terms, said on the spot or by the catalogue."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mariago.errors import BadInputError
from mariago.records.catalogue import CATALOGUE, Catalogue, CatalogueEntry, read_catalogue
from mariago.records.names import shown_text
from mariago.records.sources import Source, shown
from mariago.records.terms import KNOWN_TERMS, PURPOSES, are_allowed, terms_of

__all__ = ["Paper", "check_checksum", "papers_of", "source_path"]

_TOLD = ("name", "url", "trust", "note", "first_date", "last_date", "lowest_rank", "highest_rank")


@dataclass(frozen=True)
class Paper:
    """A source's path, its origin and terms, and its entry in the catalogue where it has one."""

    path: Path
    origin: str
    terms: str
    entry: CatalogueEntry | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return what the manifest keeps of it beside what was met in reading."""
        terms = terms_of(self.terms)
        told = {} if self.entry is None else self.entry.model_dump(include=set(_TOLD))
        return {
            "origin": self.origin,
            "terms": self.terms,
            "terms_id": terms.id,
            "may_train": terms.may_train,
            "may_republish": terms.may_republish,
            **{name: told[name] for name in _TOLD if told.get(name)},
        }


def papers_of(
    sources: Sequence["str | Path"],
    origin: str,
    terms: str,
    catalogue: "str | Path | None" = None,
    allow_terms: Sequence[str] = (),
) -> tuple[list[Paper], list[Paper]]:
    """Return the papers of the sources that may be used, and of those whose terms are not allowed.

    A source is a path, or the name of one in the catalogue: ``@name``, or the plain name where
    there is no file or folder of that name. ``origin`` and ``terms`` are those of the paths.

    Raises:
        BadInputError: a source without origin or terms, a name that is not known, or no source
            whose terms are allowed.
    """
    if not sources:
        raise BadInputError("no source is given", hint="name a folder, tar, zip or SGF file")
    place = Path(catalogue) if catalogue is not None else None
    origin, terms = shown_text(origin), shown_text(terms)
    known = Catalogue() if place is None else read_catalogue(place)
    papers: list[Paper] = []
    for source in sources:
        entry = _named(source, known, place)
        if entry is not None and place is not None:
            papers.append(_paper_of(entry, place))
        else:
            _check_paper_trail(origin, terms)
            papers.append(Paper(Path(source), origin, terms))
    if (origin.strip() or terms.strip()) and all(paper.entry is not None for paper in papers):
        raise BadInputError(
            "the catalogue tells origin and terms of all these sources",
            hint="leave out --origin and --terms",
        )
    wanted = [paper for paper in papers if are_allowed(paper.terms, allow_terms)]
    if not wanted:
        held = ", ".join(sorted({f"{p.terms!r} ({terms_of(p.terms).id})" for p in papers}))
        raise BadInputError(
            f"no source has terms that are allowed; they have {held}",
            where="--allow-terms " + " ".join(allow_terms),
            hint=f"--allow-terms takes {', '.join(PURPOSES)}, or terms: {', '.join(KNOWN_TERMS)}",
        )
    return wanted, [paper for paper in papers if paper not in wanted]


def _paper_of(entry: CatalogueEntry, catalogue: Path) -> Paper:
    path = source_path(entry, catalogue)
    if not path.exists():
        raise BadInputError(
            f"the source {entry.name!r} of the catalogue is not there any more",
            where=shown(os.fsencode(path)),
            hint=f"enter it again: mariago records add PATH --name {entry.name} --replace ...",
        )
    return Paper(path, entry.origin, entry.terms, entry)


def source_path(entry: CatalogueEntry, catalogue: Path) -> Path:
    """Return where a source of a catalogue lies."""
    return catalogue.parent / entry.path


def check_checksum(paper: Paper, source: Source) -> None:
    """Check that a source is what the catalogue says; a folder's checksum is known once read.

    Raises:
        BadInputError: it has changed.
    """
    entry = paper.entry
    if entry is not None and source.sha256 and source.sha256 != entry.sha256:
        raise BadInputError(
            f"{entry.name!r} has changed since it was put into the catalogue",
            where=shown(os.fsencode(source.path)),
            hint="look at it, then enter it again: mariago records add PATH --replace ...",
        )


def _named(source: "str | Path", known: Catalogue, place: Path | None) -> CatalogueEntry | None:
    """Return the entry that a source names, None where it is a path."""
    text = str(source)
    if not text.strip():
        raise BadInputError(
            "a source without a name", hint="name a folder, tar, zip or SGF file; . is this folder"
        )
    if not text.startswith("@") and (place is None or Path(source).exists()):
        return None
    entry = known.entry(text.removeprefix("@"))
    if entry is None:
        names = ", ".join(held.name for held in known.source) or "none"
        raise BadInputError(
            "no such file or folder, and no source of that name in the catalogue",
            where=shown(os.fsencode(source)),
            hint=f"in {place or CATALOGUE} are: {names}",
        )
    return entry


def _check_paper_trail(origin: str, terms: str) -> None:
    missing = [name for name, text in (("origin", origin), ("terms", terms)) if not text.strip()]
    if missing:
        raise BadInputError(
            f"no {' and no '.join(missing)}: samples are made only of records whose source and "
            "terms of reuse are known",
            hint="say --origin 'who made them, where from' and --terms 'the licence or rule'",
        )
