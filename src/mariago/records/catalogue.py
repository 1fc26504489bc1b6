"""The catalogue of sources, ``sources.toml``: where records come from, and on what terms.

``docs/guides/records.md`` shows one. The file is written whole; keys that are not known fail.
"""

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mariago.board.files import read_toml, write_whole
from mariago.errors import BadInputError, first_fault

__all__ = [
    "CATALOGUE",
    "TRUST",
    "Catalogue",
    "CatalogueEntry",
    "checked_entry",
    "read_catalogue",
]

CATALOGUE = "sources.toml"
FORMAT = "mariago sources"

# What the words of ``trust`` mean.
TRUST = {
    "high": "from who made the records: results, ranks and dates are as they were",
    "medium": "gathered by others with care: samples were compared with where they came from",
    "low": "of mixed or unknown making: results, ranks and even moves may be wrong",
    "unknown": "nobody has looked",
}
Told = Annotated[str, Field(pattern=r"\S")]


class CatalogueEntry(BaseModel):
    """One source; a relative ``path`` starts at the folder of the catalogue.

    Dates are ISO texts cut to what is known, ranks such as ``6d``; "" where no record tells any.
    ``sha256`` is as in ``records.sources.Source``. ``records`` are all that the ``files`` hold,
    ``games`` those of them that could be read and are games of Go.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[\w][\w.-]*$")]
    path: Told
    origin: Told
    terms: Told
    url: str = ""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size_bytes: Annotated[int, Field(ge=0)]
    files: Annotated[int, Field(ge=0)]
    records: Annotated[int, Field(ge=0)] | None = None
    games: Annotated[int, Field(ge=0)]
    first_date: str = ""
    last_date: str = ""
    lowest_rank: str = ""
    highest_rank: str = ""
    trust: Literal["high", "medium", "low", "unknown"] = "unknown"
    note: str = ""


class Catalogue(BaseModel):
    """All sources in the order in which they were added."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["mariago sources"] = FORMAT
    version: Literal[1] = 1
    source: tuple[CatalogueEntry, ...] = ()

    @model_validator(mode="after")
    def _names_are_apart(self) -> "Catalogue":
        names = [entry.name for entry in self.source]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two sources are named {twice[0]!r}")
        return self

    def entry(self, name: str) -> CatalogueEntry | None:
        """Return the source of a name, None where there is none."""
        return next((entry for entry in self.source if entry.name == name), None)

    def with_entry(self, entry: CatalogueEntry, replace: bool = False) -> "Catalogue":
        """Return the catalogue with one more source, or another one in the place of its name.

        Raises:
            BadInputError: the name is taken, and it is not to be replaced.
        """
        if self.entry(entry.name) is None:
            return Catalogue(source=(*self.source, entry))
        if not replace:
            raise BadInputError(
                f"a source named {entry.name!r} is in the catalogue already",
                hint="--replace puts this one in its place",
            )
        return Catalogue(
            source=tuple(entry if held.name == entry.name else held for held in self.source)
        )

    def to_toml(self) -> str:
        """Return the text of the file; values that are empty are left out."""
        lines = [
            "# Sources of game records; see `mariago records add --help`.",
            f"format = {_quoted(self.format)}",
            f"version = {self.version}",
        ]
        for entry in self.source:
            lines += ["", "[[source]]"]
            for name, value in entry.model_dump().items():
                if value not in ("", None):
                    text = _quoted(value) if isinstance(value, str) else str(value)
                    lines.append(f"{name} = {text}")
        return "\n".join(lines) + "\n"

    def write(self, path: "str | Path") -> None:
        """Write the file whole."""
        write_whole(Path(path), self.to_toml())


def read_catalogue(path: "str | Path") -> Catalogue:
    """Read a catalogue.

    Raises:
        BadInputError: it is missing, or is not as a catalogue is; the message names the key.
    """
    place = Path(path)
    try:
        return Catalogue.model_validate(read_toml(place))
    except FileNotFoundError:
        raise BadInputError(
            "no such catalogue", where=place, hint="make one with: mariago records add PATH ..."
        ) from None
    except OSError as error:
        raise BadInputError(f"cannot be read ({error.strerror})", where=place) from error
    except ValidationError as error:
        raise BadInputError(first_fault(error, CatalogueEntry.model_fields), where=place) from None
    except ValueError as error:
        raise BadInputError(f"no TOML: {error}", where=place) from error


def checked_entry(values: dict[str, Any]) -> CatalogueEntry:
    """Return an entry of its values.

    Raises:
        BadInputError: a value is missing or makes no sense.
    """
    try:
        return CatalogueEntry.model_validate(values)
    except ValidationError as error:
        trusted = "; ".join(f"{word}: {meaning}" for word, meaning in TRUST.items())
        hint = trusted if error.errors()[0]["loc"] == ("trust",) else None
        raise BadInputError(first_fault(error), hint=hint) from None


def _quoted(text: str) -> str:
    """Return a basic string of TOML, whose escapes are those of JSON; DEL is none in JSON."""
    return re.sub("\x7f", r"\\u007f", json.dumps(text, ensure_ascii=False))
