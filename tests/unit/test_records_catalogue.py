"""The file of the catalogue: written and read back, strict about its keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mariago.errors import BadInputError
from mariago.records.catalogue import Catalogue, CatalogueEntry, checked_entry, read_catalogue

VALUES: dict[str, Any] = {
    "name": "kgs-2001", "path": "kgs.tar.gz", "origin": "a collection", "terms": "GPL-3.0",
    "sha256": "0123456789abcdef" * 4, "size_bytes": 10, "files": 2, "games": 2,
}  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=("Cs",))).map(lambda text: f"x{text}")


@given(TEXTS, TEXTS, TEXTS)
def test_any_text_comes_back_from_the_file(origin: str, terms: str, note: str) -> None:
    import tomllib

    entry = checked_entry({**VALUES, "origin": origin, "terms": terms, "note": note})
    held = tomllib.loads(Catalogue(source=(entry,)).to_toml())
    assert Catalogue.model_validate(held).source == (entry,)


def test_a_catalogue_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    first = CatalogueEntry(**VALUES, trust="high", first_date="2001", note='日本語 "q" \\ \n')
    second = CatalogueEntry(**{**VALUES, "name": "two"}, lowest_rank="3k", highest_rank="9p")
    catalogue = Catalogue().with_entry(first).with_entry(second)
    catalogue.write(tmp_path / "sources.toml")
    assert read_catalogue(tmp_path / "sources.toml") == catalogue
    assert [path.name for path in tmp_path.iterdir()] == ["sources.toml"]
    assert catalogue.entry("two") == second
    assert catalogue.entry("three") is None


def test_a_name_is_replaced_only_when_asked() -> None:
    entry = CatalogueEntry(**VALUES)
    catalogue = Catalogue().with_entry(entry).with_entry(CatalogueEntry(**{**VALUES, "name": "b"}))
    newer = entry.model_copy(update={"games": 3})
    with pytest.raises(BadInputError, match="in the catalogue already"):
        catalogue.with_entry(newer)
    replaced = catalogue.with_entry(newer, replace=True)
    assert [held.name for held in replaced.source] == ["kgs-2001", "b"]
    assert replaced.entry("kgs-2001") == newer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("format = 'mariago sources'\nversion = 1\ntrust = 1", "trust"),
        ("version = 2", "version"),
        ("[[source]]\nname = 'a'\ncolour = 'red'", "source.0"),
        ("[[source", "no TOML"),
        ("\udcff", "no TOML"),
    ],
)
def test_a_file_with_unknown_keys_or_no_sense_is_refused(
    tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "sources.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadInputError, match=words):
        read_catalogue(tmp_path / "sources.toml")


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "@kgs"},
        {"name": "two words"},
        {"origin": " "},
        {"terms": ""},
        {"trust": "much"},
        {"sha256": "abc"},
        {"games": -1},
    ],
)
def test_an_entry_without_papers_or_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match=next(iter(wrong))):
        checked_entry({**VALUES, **wrong})


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    entry = CatalogueEntry(**VALUES)
    text = Catalogue(source=(entry,)).to_toml()
    again = text + text[text.index("[[source]]") :]
    (tmp_path / "sources.toml").write_text(again, encoding="utf-8")
    with pytest.raises(BadInputError, match="two sources are named 'kgs-2001'"):
        read_catalogue(tmp_path / "sources.toml")
