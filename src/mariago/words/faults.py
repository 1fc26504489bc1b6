"""What an error of a library says, fit for a message of ours."""

from __future__ import annotations

__all__ = ["one_line"]

MOST_SHOWN = 160  # characters


def one_line(error: BaseException) -> str:
    """Return what an error says in one line, cut where it is long.

    Of an error of the system its reason alone, without number and file; of one that says nothing
    its kind.
    """
    told = getattr(error, "strerror", None) or str(error)
    text = " ".join(str(told).split()) or type(error).__name__
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"
