"""Files of other formats than SGF: which it is, told by the content, and what all share."""

import re
from typing import TYPE_CHECKING

from mariago.board.points import BLACK, Size
from mariago.sgf.encodings import Decoded, decode_file
from mariago.sgf.problems import Problem

if TYPE_CHECKING:
    from mariago.sgf.games import ReadGame

__all__ = ["FORMATS", "format_of", "handicap_stones", "read_other"]

FORMATS = ("sgf", "gib", "ngf", "ugf")
_HEAD = 4096
_GIB = re.compile(rb"\s*+\\HS\b|\s*+\\\[GIBOKIND=", re.IGNORECASE)
_UGF = re.compile(rb"\s*+\[(?:Header|Data)\][ \t\r]*$", re.MULTILINE)
_NGF = re.compile(rb"^PM[A-Z]{2}[BW][A-Z]{2}", re.MULTILINE)
_SGF = re.compile(rb"\(\s*+;")
_UTF8_MARK = b"\xef\xbb\xbf"


def format_of(data: bytes) -> str:
    """Return the format of a file: ``gib``, ``ngf``, ``ugf``, and ``sgf`` for all others."""
    head = data[:_HEAD].removeprefix(_UTF8_MARK)
    if _GIB.match(head):
        return "gib"
    if _UGF.match(head):
        return "ugf"
    if _SGF.search(head) is None and _NGF.search(head):
        return "ngf"
    return "sgf"


def read_other(data: bytes, kind: str, source: str) -> "ReadGame":
    """Read the game of a file whose format is not SGF; its problems are placed in the file."""
    # Each of these modules takes what is above in this one.
    from mariago.sgf.gib import read_gib
    from mariago.sgf.ngf import read_ngf
    from mariago.sgf.repairs import Repair
    from mariago.sgf.ugf import read_ugf

    decoded = decode_file(data)
    text = decoded.data.decode("utf-8", "replace")
    game = {"gib": read_gib, "ngf": read_ngf, "ugf": read_ugf}[kind](text)
    game.source, game.encoding = source, decoded.encoding
    game.problems = _in_file(decoded, [*decoded.problems, *game.problems])
    if any(problem.code == "guessed_encoding" for problem in decoded.problems):
        game.repairs.insert(0, Repair("encoding_guessed", "CA", "", decoded.encoding))
    return game


def _in_file(decoded: Decoded, problems: list[Problem]) -> list[Problem]:
    return sorted(decoded.in_file(problems), key=lambda problem: problem.where)


def handicap_stones(handicap: int, size: Size) -> list[tuple[int, int, int]]:
    """Return the set-up of a handicap on 19x19 as the Asian servers place it.

    Points in order: upper right, lower left, upper left, lower right, then the sides. The third
    stone is in the upper left corner, not, as in the West, in the lower right one (seen in the
    first moves of the files: White plays into the corner that is left).
    """
    if size != (19, 19) or not 2 <= handicap <= 9:
        return []
    low, mid, high = 3, 9, 15
    points = [(low, high), (high, low), (low, low), (high, high)][: min(handicap, 4)]
    sides = [(mid, low), (mid, high), (low, mid), (high, mid)]
    if handicap >= 6:
        points += sides[:2]
    if handicap >= 8:
        points += sides[2:]
    if handicap in (5, 7, 9):
        points.append((mid, mid))
    return [(0, BLACK, row * 19 + column) for row, column in points]
