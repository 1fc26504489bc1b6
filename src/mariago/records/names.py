"""Names of files as text that a terminal and a JSON file can hold, whatever bytes they are."""

import unicodedata

__all__ = ["shown"]

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
