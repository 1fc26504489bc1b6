"""NGF, the format of WBaduk and CyberOro.

Lines without names: title, size, White and Black with a rank at the end, place, handicap, a number
of unknown meaning, komi, date, another number, result, count of moves, then ``PM``, a running
number in letters, the colour, and twice the point, whose letters start at ``B`` from the upper
left. Older files, whose head lines start with ``GI``, have title, two players, two empty lines,
date, size, handicap, a number, komi and the count. There is no published description: this is
what real files show.
"""

import re

from mariago.board.points import BLACK, MAX_SIZE, WHITE, Size
from mariago.sgf.decimals import whole_number
from mariago.sgf.formats import handicap_stones
from mariago.sgf.games import ReadGame, assemble
from mariago.sgf.problems import Problem
from mariago.sgf.repairs import Repair

__all__ = ["read_ngf"]

_MOVE = re.compile(r"^PM[A-Z]{2}([BW])(\S*).*$", re.MULTILINE)
_PLAYER = re.compile(r"(.+?)\s+(\S+)\s*")
_RESULT = re.compile(r"^IDB\[\d*\]\s*(.*?)(?:\[EndTxt\])?\s*$", re.MULTILINE)
_HEAD = {"GN": 0, "SZ": 1, "W": 2, "B": 3, "PC": 4, "HA": 5, "KM": 7, "DT": 8, "RE": 10}
_OLD_HEAD = {"GN": 0, "W": 1, "B": 2, "DT": 5, "SZ": 6, "HA": 7, "KM": 9}
_FIRST_LETTER = ord("B")


def read_ngf(text: str) -> ReadGame:
    """Return the game of an NGF file, its facts in SGF's names and forms."""
    first = _MOVE.search(text)
    head = text[: first.start() if first else len(text)].splitlines()
    is_old = bool(head) and all(line.startswith("GI") for line in head)
    places = _OLD_HEAD if is_old else _HEAD
    lines = [line.removeprefix("GI").strip() if is_old else line.strip() for line in head]
    found = {name: lines[at] if at < len(lines) else "" for name, at in places.items()}
    info = {name: found.get(name, "") for name in ("GN", "PC", "RE")}
    if is_old:
        words = _RESULT.search(text)
        info["RE"] = words[1].strip() if words else ""
    info["DT"] = _date(found["DT"])
    for side in "BW":
        info["P" + side], info[side + "R"] = _player(found[side])
    size = _size(found["SZ"])
    handicap = _number(found["HA"])
    setup = handicap_stones(handicap, size)
    repairs: list[Repair] = []
    if handicap >= 2:
        info["HA"] = str(handicap)
    if setup:
        placed = f"the {handicap} points of the server"
        repairs.append(Repair("handicap_placed", "AB", found["HA"], placed))
    info["KM"] = _komi(found["KM"], handicap, repairs)
    moves, problem = _moves(text, size)
    refusal = "board_size" if not 1 <= size.rows <= MAX_SIZE else None
    game = assemble(
        size,
        moves,
        setup,
        {name: value.encode() for name, value in info.items() if value},
        refusal=refusal or (None if problem is None else "bad_coordinate"),
    )
    game.repairs = [*repairs, *game.repairs]
    game.problems += [] if problem is None else [problem]
    return game


def _number(text: str) -> int:
    return whole_number(text, 3) or 0


def _size(text: str) -> Size:
    side = _number(text) or 19
    return Size(side, side)


def _player(text: str) -> tuple[str, str]:
    match = _PLAYER.fullmatch(text)
    return (match[1], match[2]) if match else (text, "")


def _date(text: str) -> str:
    """Return the date without the time of day that stands behind it in brackets."""
    day = text.partition("[")[0].strip()
    if len(day) == 8 and whole_number(day) is not None:
        return f"{day[:4]}-{day[4:6]}-{day[6:]}"
    return day


def _komi(text: str, handicap: int, repairs: list[Repair]) -> str:
    """Return KM. The format holds whole points: an even game's has a half point more."""
    if whole_number(text) is None:
        return text
    if handicap == 0 and text != "0":
        repairs.append(Repair("komi_half_added", "KM", text, f"{text}.5"))
        return f"{text}.5"
    return text


def _moves(text: str, size: Size) -> tuple[list[tuple[int, int]], Problem | None]:
    """Return the moves up to the first that names no point, and what was wrong with that."""
    moves: list[tuple[int, int]] = []
    for line in _MOVE.finditer(text):
        point = line[2][:2]
        column, row = (
            (ord(letter) - _FIRST_LETTER for letter in point) if len(point) == 2 else (-9, -9)
        )
        if (column, row) == (-1, -1):
            move = size.cells
        elif 0 <= column < size.columns and 0 <= row < size.rows:
            move = row * size.columns + column
        else:
            where = len(text[: line.start()].encode("utf-8", "replace"))
            return moves, Problem("bad_coordinate", f"move {line[0].strip()[:40]!r}", where)
        moves.append((BLACK if line[1] == "B" else WHITE, move))
    return moves, None
