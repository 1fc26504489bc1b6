"""What a reader found wrong in a file, as data."""

from typing import NamedTuple

from mariago.errors import SgfError

__all__ = ["REFUSALS", "Problem", "raise_first"]

# Why a game cannot be used as a record; the first that applies.
REFUSALS = ("unreadable", "not_go", "board_size", "bad_coordinate", "no_moves")


class Problem(NamedTuple):
    """One departure from the format, met while reading.

    ``code`` is one of the names listed in ``docs/reference/sgf.md``; ``text`` says it in words;
    ``where`` is the offset in bytes from the start of the file.
    """

    code: str
    text: str
    where: int


def raise_first(problems: list[Problem], source: str = "") -> None:
    """Raise the earliest problem of the file as an error, if there is one.

    Raises:
        SgfError: ``problems`` is not empty.
    """
    if not problems:
        return
    first = min(problems, key=lambda problem: problem.where)
    place = f"byte {first.where}"
    raise SgfError(
        f"{first.text} ({first.code})",
        where=f"{source}, {place}" if source else place,
        hint="read without strict to get what can be read, with a list of problems",
    )
