"""Results on the terminal: what people wrote into files is shown, never obeyed."""

import unicodedata

__all__ = ["tell", "visible"]

# Controls could clear a screen or set its title, and marks of direction could turn a line round.
_NEVER_RAW = {"Cc", "Cs", "Zl", "Zp"}
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """Return a text whose control characters and marks of direction have become escapes.

    Ends of lines and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(_shown(c) for c in text)


def _shown(c: str) -> str:
    if c in "\n\t" or (unicodedata.category(c) not in _NEVER_RAW and c not in _TURNS):
        return c
    return c.encode("unicode_escape").decode("ascii")


def tell(text: object = "", *, flush: bool = False) -> None:
    """Print a result for people; programs read ``--json``."""
    print(visible(str(text)), flush=flush)
