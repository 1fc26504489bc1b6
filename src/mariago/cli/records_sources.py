"""``mariago records add``, ``list`` and ``verify``: the catalogue of sources."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mariago.cli.options import JsonOption
from mariago.cli.terminal import tell

CatalogueOption = Annotated[
    Path, typer.Option("--catalogue", metavar="FILE", help="The catalogue of sources.")
]
DEFAULT_CATALOGUE = Path("sources.toml")


def add(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A folder, tar, zip or SGF file.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What it is called from now on.")],
    origin: Annotated[
        str, typer.Option(metavar="TEXT", help="Who made the records, and where they are from.")
    ],
    terms: Annotated[
        str, typer.Option(metavar="TEXT", help="Terms of use: CC0-1.0, GPL-3.0, ... or a sentence.")
    ],
    url: Annotated[str, typer.Option(metavar="URL", help="Where it was fetched.")] = "",
    trust: Annotated[
        str, typer.Option(metavar="WORD", help="high, medium, low or unknown.")
    ] = "unknown",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What else should be known.")] = "",
    catalogue: CatalogueOption = DEFAULT_CATALOGUE,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put it in the place of the source of that name.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Enter a source into the catalogue: reads it through for its checksum, dates and ranks."""
    import json

    from mariago.cli.progress import track
    from mariago.records.catalogue import Catalogue, read_catalogue
    from mariago.records.survey import entry_of
    from mariago.records.terms import terms_of

    held = read_catalogue(catalogue) if catalogue.exists() else Catalogue()
    with track(None, "reading records (files)") as progress:
        entry = entry_of(
            path, catalogue, name=name, origin=origin, terms=terms, url=url, trust=trust,
            note=note, tell=progress.advance,
        )  # fmt: skip
    held.with_entry(entry, replace).write(catalogue)
    known = terms_of(terms)
    if as_json:
        print(json.dumps(entry.model_dump(), ensure_ascii=False))
        return
    tell("\n".join(f"{key:<13}{value}" for key, value in entry.model_dump().items() if value))
    if known.id == "unknown":
        tell("These terms are not among the known ones: --allow-terms must name them.")
    else:
        tell(f"terms are known as {known.id}: {_allowed(known.may_train, known.may_republish)}")


def list_sources(
    catalogue: CatalogueOption = DEFAULT_CATALOGUE, as_json: JsonOption = False
) -> None:
    """Show the sources of the catalogue."""
    import json

    from mariago.records.catalogue import read_catalogue
    from mariago.records.terms import terms_of

    entries = read_catalogue(catalogue).source
    if as_json:
        listed = [
            entry.model_dump()
            | {
                "terms_id": (known := terms_of(entry.terms)).id,
                "may_train": known.may_train,
                "may_republish": known.may_republish,
            }
            for entry in entries
        ]
        print(json.dumps({"catalogue": str(catalogue), "sources": listed}, ensure_ascii=False))
        return
    rows = [("name", "games", "dates", "ranks", "terms", "train", "republish", "trust", "path")]
    for entry in entries:
        known = terms_of(entry.terms)
        rows.append(
            (
                entry.name,
                f"{entry.games:,}",
                _span(entry.first_date, entry.last_date),
                _span(entry.lowest_rank, entry.highest_rank),
                known.id,
                "yes" if known.may_train else "no",
                "yes" if known.may_republish else "no",
                entry.trust,
                entry.path,
            )
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        tell(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def verify(catalogue: CatalogueOption = DEFAULT_CATALOGUE, as_json: JsonOption = False) -> None:
    """Check every source against its checksum; exit code 2 where one is not as it was."""
    import json

    from mariago.errors import RecordsError
    from mariago.records.catalogue import read_catalogue
    from mariago.records.survey import check_sources

    checks = []
    for check in check_sources(read_catalogue(catalogue), catalogue):
        checks.append(check)
        if not as_json:
            told = f"  {check.words}" if check.words else ""
            tell(f"{check.state:<8} {check.name}  {check.path}{told}", flush=True)
    if as_json:
        print(json.dumps([check._asdict() for check in checks], ensure_ascii=False))
    bad = [f"{check.name} {check.state}" for check in checks if check.state != "ok"]
    if bad:
        raise RecordsError(
            f"{len(bad)} of {len(checks)} sources are not as they were: {', '.join(bad)}",
            where=catalogue,
            hint="fetch them again, or look at them and enter them again with --replace",
        )


def _span(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _allowed(may_train: bool, may_republish: bool) -> str:
    if may_republish:
        return "may be trained on and republished"
    return "may be trained on, not republished" if may_train else "allow neither training nor more"
