"""Message texts and Go terms in English, Chinese, Japanese and Korean.

The catalogues are gettext's: ``locale/LANG/LC_MESSAGES/mariago.po`` is edited by people,
``mariago.mo`` beside it is compiled from it by ``python tools/compile_words.py``.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = [
    "BEGINNING",
    "LANGUAGES",
    "LOCALE_DIR",
    "TERM_CONTEXT",
    "Texts",
    "UnknownLanguage",
    "counted",
    "term",
    "texts",
]

LANGUAGES = {"en": "English", "zh": "中文", "ja": "日本語", "ko": "한국어"}
"""Code -> the language's own name."""

LOCALE_DIR = Path(__file__).resolve().parent / "locale"
TERM_CONTEXT = "term"  # gettext's context of Go's own words, apart from the report's texts


class UnknownLanguage(ValueError):
    """A language that has no catalogue; the message names those that have."""

    def __init__(self, lang: str) -> None:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        super().__init__(f"no texts in language {lang!r}; there are {known}")
        self.lang = lang


class Texts:
    """The texts of one language; call it with an English text to get the translation."""

    def __init__(self, lang: str, catalogue: gettext.NullTranslations) -> None:
        self.lang = lang
        self._catalogue = catalogue

    def __call__(self, message: str, /, **values: object) -> str:
        """Return ``message`` in this language, its ``{names}`` filled with ``values``.

        A text without a translation comes back in English.
        """
        text = self._catalogue.gettext(message)
        return text.format(**values) if values else text

    def several(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Return ``one`` or ``many``, as this language has it for ``count`` things.

        ``{count}`` is filled with the number, and with ``values`` as in a call.
        """
        text = self._catalogue.ngettext(one, many, count)
        return text.format(**{"count": f"{count:,}", **values})

    def term(self, name: str) -> str:
        """Return the Go term ``name`` (its English word, ``"tiger's mouth"``) in this language.

        Raises:
            KeyError: not one of the terms of the catalogue.
        """
        if name not in term_names():
            raise KeyError(name)
        return self._catalogue.pgettext(TERM_CONTEXT, name)


BEGINNING = "nothing there yet: beginning"
"""What a command says that was to go on and found nothing to go on with."""


def counted(count: int, one: str, many: str = "") -> str:
    """Return ``1 game`` or ``2 games`` for the lines that are English in every language.

    ``many`` is the word for several where it is not ``one`` with an s.
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


@cache
def _catalogue(lang: str) -> gettext.GNUTranslations:
    with (LOCALE_DIR / lang / "LC_MESSAGES" / "mariago.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def texts(lang: str = "en") -> Texts:
    """Return the texts of ``lang`` (``en``, ``zh``, ``ja`` or ``ko``).

    Raises:
        UnknownLanguage: there is no such catalogue.
    """
    if lang not in LANGUAGES:
        raise UnknownLanguage(lang)
    return Texts(lang, _catalogue(lang))


def term(name: str, lang: str = "en") -> str:
    """Return the Go term ``name`` in ``lang``; errors as for :func:`texts` and ``Texts.term``."""
    return texts(lang).term(name)


def _message_ids(catalogue: gettext.GNUTranslations) -> Iterator[str]:
    # The table of a loaded catalogue has no public name in the standard library.
    for key in catalogue._catalog:  # type: ignore[attr-defined] # pyright: ignore
        if isinstance(key, str):
            yield key


@cache
def term_names() -> tuple[str, ...]:
    """Return the names of all Go terms, sorted."""
    start = TERM_CONTEXT + "\x04"  # gettext joins context and message with EOT
    keys = _message_ids(_catalogue("en"))
    return tuple(sorted(key.removeprefix(start) for key in keys if key.startswith(start)))
