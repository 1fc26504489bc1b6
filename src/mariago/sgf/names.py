"""The properties that both readers keep."""

__all__ = ["INFO_NAMES", "one_line"]

_WHITE_SPACE = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")

# Those whose first text on the main line is kept in ``ReadGame.info``.
INFO_NAMES = (
    "KM", "RE", "RU", "HA", "PB", "PW", "BR", "WR", "DT",
    "EV", "RO", "GN", "PC", "SO", "AP", "TM", "PL", "BT", "WT",
    "OT", "US", "AN", "CP", "ON", "GC",
)  # fmt: skip


def one_line(name: str, text: str) -> str:
    """Return a text without white space at its ends and, but for comments, without line breaks.

    SGF calls such values simple texts: all white space in them is a space.
    """
    text = text.strip()
    if name != "GC" and not text.isprintable():
        text = text.translate(_WHITE_SPACE)
    return text
