"""UGF and UGI, the formats of the PandaNET (IGS) clients.

``[Header]`` holds ``Name=value`` lines, ``[Data]`` one move a line: point, colour, number, seconds.
With ``CoordinateType=IGS`` a point is two letters from A, none left out, column first and rows
from the bottom; without it rows count from the top. A point off the board is a pass (``YA``).
``[ReviewNode]`` and ``[ReviewComment]`` are for people. There is no published description: this is
what real files show (their review nodes give the same points in numbers).
"""

import re

from mariago.board.points import BLACK, MAX_SIZE, WHITE, Size
from mariago.sgf.decimals import whole_number
from mariago.sgf.formats import handicap_stones
from mariago.sgf.games import ReadGame, assemble
from mariago.sgf.problems import Problem
from mariago.sgf.repairs import Repair

__all__ = ["read_ugf"]

_SECTION = re.compile(r"^\s*\[(\w+)\]\s*$", re.MULTILINE)
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?")
_MOVE = re.compile(r"([A-Za-z]{2}),([BW])([0-9]*)\s*(?:,\s*([0-9]+).*)?")
_RULES = {"JPN": "Japanese", "CHN": "Chinese", "KOR": "Korean", "AGA": "AGA", "ING": "GOE"}
_WINNERS = {"B": "B+", "W": "W+"}
_ENDINGS = {"C": "R", "R": "R", "T": "T", "F": "F"}


def read_ugf(text: str) -> ReadGame:
    """Return the game of a UGF or UGI file, its facts in SGF's names and forms."""
    sections = _sections(text)
    head: dict[str, str] = {}
    for line in sections.get("Header", ("", 0))[0].splitlines():
        name, _, value = line.partition("=")
        head.setdefault(name.strip(), value.strip())
    side = head.get("Size", "19")
    side = whole_number(side, 3)
    side = 19 if side is None else side
    size = Size(side, side)
    info, handicap = _info(head)
    data, offset = sections.get("Data", ("", 0))
    moves, setup, problem = _moves(data, size, head.get("CoordinateType", "") == "IGS")
    repairs: list[Repair] = []
    if handicap >= 2 and not setup:
        setup = handicap_stones(handicap, size)
        if setup:
            placed = f"the {handicap} points of the server"
            repairs.append(Repair("handicap_placed", "AB", head["Hdcp"], placed))
    refusal = None if 1 <= side <= MAX_SIZE else "board_size"
    game = assemble(
        size,
        moves,
        setup,
        {name: value.encode() for name, value in info.items() if value},
        refusal=refusal or (None if problem is None else "bad_coordinate"),
    )
    game.repairs = [*repairs, *game.repairs]
    if problem is not None:
        before = len(text[:offset].encode("utf-8", "replace"))
        game.problems.append(problem._replace(where=before + problem.where))
    return game


def _sections(text: str) -> dict[str, tuple[str, int]]:
    """Return the first of each section's text and where it starts."""
    marks = list(_SECTION.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found: dict[str, tuple[str, int]] = {}
    for mark, end in zip(marks, ends, strict=False):
        found.setdefault(mark[1], (text[mark.end() : end], mark.end()))
    return found


def _info(head: dict[str, str]) -> tuple[dict[str, str], int]:
    """Return the facts in SGF's names, and the handicap."""
    handicap, komi, *_ = [*(part.strip() for part in head.get("Hdcp", "").split(",")), "", ""]
    winner, how, *_ = [*(part.strip() for part in head.get("Winner", "").split(",")), "", ""]
    info = {
        "GN": head.get("Title", "").strip(", "),
        "PC": head.get("Place", ""),
        "CP": head.get("Copyright", ""),
        "AP": head.get("Writer", ""),
        "RU": _RULES.get(head.get("Rule", "").upper(), head.get("Rule", "")),
        "KM": f"{float(komi):g}" if _NUMBER.fullmatch(komi) else komi,
        "RE": _result(winner, how),
        "DT": head.get("Date", "").partition(",")[0].replace("/", "-"),
    }
    for side in "BW":
        name, rank, *_ = [*head.get("Player" + side, "").split(","), "", ""]
        info["P" + side], info[side + "R"] = name.strip(), rank.strip()
    stones = whole_number(handicap, 2) or 0
    if stones >= 2:
        info["HA"] = str(stones)
    return info, stones


def _result(winner: str, how: str) -> str:
    start = _WINNERS.get(winner.upper()[:1])
    if start is None:
        return "0" if winner.upper().startswith(("D", "J")) else ""
    if _NUMBER.fullmatch(how):
        return f"{start}{float(how):g}"
    return start + _ENDINGS.get(how.upper()[:1], "")


def _moves(
    data: str, size: Size, from_bottom: bool
) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]], Problem | None]:
    """Return moves and set-up stones (those numbered 0) up to the first line that is neither."""
    moves: list[tuple[int, int]] = []
    setup: list[tuple[int, int, int]] = []
    where = 0
    for line in data.splitlines(keepends=True):
        text = line.strip()
        match = _MOVE.fullmatch(text)
        if match is None and text:
            return moves, setup, Problem("bad_coordinate", f"move {text[:40]!r}", where)
        where += len(line.encode("utf-8", "replace"))
        if match is None:
            continue
        move = _point(match[1].upper(), size, from_bottom)
        color = BLACK if match[2] == "B" else WHITE
        if match[4] is not None and not match[4].strip("0") and move != size.cells and not moves:
            setup.append((0, color, move))
        else:
            moves.append((color, move))
    return moves, setup, None


def _point(letters: str, size: Size, from_bottom: bool) -> int:
    """Return the point of two letters, a pass for one off the board."""
    column, row = (ord(letter) - ord("A") for letter in letters)
    if from_bottom:
        row = size.rows - 1 - row
    if not (0 <= column < size.columns and 0 <= row < size.rows):
        return size.cells
    return row * size.columns + column
