"""Names of files as text that a terminal and a JSON file can hold, whatever bytes they are."""

import os
import unicodedata
from typing import Any

from mariago.errors import BadInputError

__all__ = ["check_utf8", "plain", "shown", "shown_text"]

# Control characters, formats (which turn the direction of text), line and paragraph separators.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def shown(name: bytes) -> str:
    """Return a name in UTF-8, with escapes for what is not UTF-8 and for what cannot be seen."""
    text = name.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(
        c.encode("unicode_escape").decode("ascii") if unicodedata.category(c) in _UNSEEN else c
        for c in text
    )


def shown_text(text: str) -> str:
    """Return a text whose lone surrogates, bytes that are not UTF-8, have become escapes."""
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a pair, which no byte stands for
        raw = text.encode("utf-8", "backslashreplace")
    return raw.decode("utf-8", "backslashreplace")


def plain(value: Any) -> Any:
    """Return a value for JSON, all texts in it and the keys of dictionaries fit for UTF-8."""
    if isinstance(value, str):
        return shown_text(value)
    if isinstance(value, dict):
        return {plain(key): plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    return value


def check_utf8(path: "os.PathLike[str]") -> None:
    """Check that the name of a data set can be given to libraries that take UTF-8 alone.

    Raises:
        BadInputError: it holds bytes that are none.
    """
    text = os.fspath(path)
    if shown_text(text) != text:
        raise BadInputError(
            "the name is not UTF-8", where=shown_text(text), hint="choose or make a plain name"
        )
