"""The texts and terms in four languages."""

from __future__ import annotations

import ast
import gettext
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import mariago
from mariago import words
from mariago.words.faults import one_line

SOURCES = Path(mariago.__file__).parent


def source_catalogue(lang: str) -> Catalog:
    with (words.LOCALE_DIR / lang / "LC_MESSAGES" / "mariago.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def entries(lang: str) -> dict[tuple[str | None, str], str]:
    return {
        (m.context, m.id): str(m.string)
        for m in source_catalogue(lang)
        if isinstance(m.id, str) and m.id
    }


def plurals(lang: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the texts of what is counted, by the English ones for one and for several."""
    return {
        (m.id[0], m.id[1]): tuple(m.string or ())
        for m in source_catalogue(lang)
        if not isinstance(m.id, str)
    }


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_texts_of_the_four_languages_differ() -> None:
    assert [words.texts(lang)("Illegal moves") for lang in words.LANGUAGES] == [
        "Illegal moves",
        "违规着手",
        "反則手",
        "반칙수",
    ]


def test_a_text_without_translation_stays_english() -> None:
    assert words.texts("ja")("No such text") == "No such text"


def test_values_fill_the_names_of_a_text() -> None:
    assert words.texts("ko")("{moves} of {all}", moves=3, all=4) == "3 of 4"


# The words that players use, as the project's glossary gives them.
@pytest.mark.parametrize(
    ("name", "lang", "word"),
    [
        ("capture", "zh", "提"),
        ("atari", "zh", "打吃"),
        ("atari", "ja", "アタリ"),
        ("atari", "ko", "단수"),
        ("ladder", "zh", "征子"),
        ("ladder", "ja", "シチョウ"),
        ("ladder", "ko", "축"),
        ("ladder breaker", "zh", "引征"),
        ("net", "zh", "枷"),
        ("snapback", "zh", "倒扑"),
        ("tiger's mouth", "zh", "虎口"),
        ("tiger's mouth", "ko", "호구"),
        ("connect-and-die", "zh", "接不归"),
        ("race", "zh", "对杀"),
        ("seki", "zh", "双活"),
        ("seki", "en", "seki"),
    ],
)
def test_terms_are_the_players_own_words(name: str, lang: str, word: str) -> None:
    assert words.term(name, lang) == word


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(words.UnknownLanguage, match=r"'fr'.*en .*zh .*ja .*ko "):
        words.texts("fr")


def test_an_unknown_term_is_an_error() -> None:
    with pytest.raises(KeyError, match="joseki of the day"):
        words.term("joseki of the day", "ja")


def test_one_thing_is_not_several():
    texts = ("{count} game", "{count} games")
    assert words.texts("en").several(*texts, 1) == "1 game"
    assert words.texts("en").several(*texts, 0) == "0 games"
    assert words.texts("en").several(*texts, 1234) == "1,234 games"
    assert words.texts("zh").several(*texts, 1) == "1 局"
    assert (words.counted(1, "worker"), words.counted(2, "worker")) == ("1 worker", "2 workers")
    assert words.counted(2, "match", "matches") == "2 matches"


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_compiled_catalogue_matches_its_source(lang: str) -> None:
    """Run tools/compile_words.py after editing a .po file."""
    with (words.LOCALE_DIR / lang / "LC_MESSAGES" / "mariago.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    source = entries(lang)
    expected = {id_ if context is None else f"{context}\4{id_}" for context, id_ in source}
    keys = compiled._catalog  # pyright: ignore[reportAttributeAccessIssue]
    assert {key for key in keys if key and isinstance(key, str)} == expected
    for (one, many), texts in plurals(lang).items():
        for n in (0, 1, 2, 7):
            assert compiled.ngettext(one, many, n) == texts[n != 1 if len(texts) == 2 else 0]
    for (context, id_), text in source.items():
        found = compiled.gettext(id_) if context is None else compiled.pgettext(context, id_)
        assert found == text


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_language_has_every_text(lang: str) -> None:
    found = entries(lang)
    assert found.keys() == entries("en").keys()
    assert not [key for key, text in found.items() if not text]
    assert plurals(lang).keys() == plurals("en").keys()
    assert all(all(texts) for texts in plurals(lang).values())
    assert not [str(m.id) for m in source_catalogue(lang) if m.id and m.fuzzy]


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_translations_keep_the_names_to_be_filled(lang: str) -> None:
    for (_, id_), text in entries(lang).items():
        assert names_in(text) == names_in(id_), id_
    for (one, many), texts in plurals(lang).items():
        assert {frozenset(names_in(text)) for text in (one, many, *texts)} == {
            frozenset(names_in(one))
        }


def test_every_text_asked_for_in_the_source_is_in_the_catalogues() -> None:
    known = {id_ for context, id_ in entries("en") if context is None}
    known |= {one for one, _ in plurals("en")}
    missing = [
        f"{path.relative_to(SOURCES)}:{node.lineno}: {node.args[0].value!r}"
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id == "_")
            or (isinstance(node.func, ast.Attribute) and node.func.attr == "several")
            or ast.unparse(node.func) == "Note.of"
        )
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value not in known
    ]
    assert not missing, "add these to the .po files and run tools/compile_words.py"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file or directory", "net"), "No such file or directory"),
        (ValueError("two\n  lines\tand a tab"), "two lines and a tab"),
        (ValueError(" \n "), "ValueError"),
        (EOFError(), "EOFError"),
        (ValueError("x" * 500), "x" * 159 + "…"),
    ],
)
def test_what_a_library_says_becomes_one_short_line(error: Exception, said: str) -> None:
    assert one_line(error) == said
