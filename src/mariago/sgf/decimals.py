"""Whole numbers in ASCII digits: what ``str.isdigit`` takes for one, ``int`` may refuse."""

__all__ = ["whole_number"]


def whole_number(text: str, digits: int = 9) -> int | None:
    """Return the number of a text of 1 to ``digits`` ASCII digits, None for anything else.

    Leading zeros count as digits; superscripts, circled and full-width digits are none.
    """
    if text.isascii() and text.isdigit() and len(text) <= digits:
        return int(text)
    return None
