"""GIB, the format of the Tygem server.

A head of lines ``\\[NAME=value\\]``, then a body whose line ``INI 0 1 H &4`` holds the handicap and
whose lines ``STO 0 N C X Y`` hold the moves: number, colour (1 Black), column and row from 0, rows
from the top. There is no published description; the meaning of fields was found by comparing
them in real files, where each fact stands up to three times: as words, in ``GAMEINFOMAIN`` and in
``GAMETAG``.
"""

import re

from mariago.board.points import BLACK, WHITE, Size
from mariago.sgf.decimals import whole_number
from mariago.sgf.formats import handicap_stones
from mariago.sgf.games import ReadGame, assemble
from mariago.sgf.problems import Problem
from mariago.sgf.repairs import Repair
from mariago.sgf.results import read_result

__all__ = ["read_gib"]

_FIELD = re.compile(r"\\\[(\w+)=(.*?)\\\]", re.DOTALL)
_PLAYER = re.compile(r"(.*?)\s*\(\s*([^()]*?)\s*\)\s*", re.DOTALL)
_INI = re.compile(r"^INI\s+\d+\s+\d+\s+(\d+)", re.MULTILINE)
_STONE = re.compile(r"^STO\s+(.*)$", re.MULTILINE)
_MOVE = re.compile(r"-?\d+\s+-?\d+\s+([12])\s+(\d{1,3})\s+(\d{1,3})\b")
_DATE = re.compile(r"(\d{4})\D\s*(\d{1,2})\D\s*(\d{1,2})")
_TAG_DATE = re.compile(r"\bC(\d{4}):(\d\d):(\d\d)")
_ENDINGS: dict[int | None, str] = {0: "B+{}", 1: "W+{}", 3: "B+R", 4: "W+R", 7: "B+T", 8: "W+T"}
_SIZE = Size(19, 19)


def read_gib(text: str) -> ReadGame:
    """Return the game of a GIB file, its facts in SGF's names and forms."""
    fields = dict(_FIELD.findall(text))
    main = dict(part.partition(":")[::2] for part in fields.get("GAMEINFOMAIN", "").split(","))
    info = {
        "GN": fields.get("GAMENAME", "").strip(),
        "PC": fields.get("GAMEPLACE", "").strip(),
        "DT": _date(fields),
        "RE": _result(fields, main),
    }
    info["PB"], info["BR"] = _player(fields.get("GAMEBLACKNAME", ""))
    info["PW"], info["WR"] = _player(fields.get("GAMEWHITENAME", ""))
    handicap_line = _INI.search(text)
    handicap = (whole_number(handicap_line[1]) or 0) if handicap_line else 0
    setup = handicap_stones(handicap, _SIZE)
    repairs: list[Repair] = []
    if handicap >= 2:
        info["HA"] = str(handicap)
    if setup:
        placed = f"the {handicap} points of the server"
        repairs.append(Repair("handicap_placed", "AB", handicap_line[0], placed))  # type: ignore[index]
    komi, komi_repair = _komi(main)
    if komi_repair is not None:
        repairs.append(komi_repair)
    if komi:
        info["KM"] = komi
    moves, problem = _moves(text)
    game = assemble(
        _SIZE,
        moves,
        setup,
        {name: value.encode() for name, value in info.items() if value},
        refusal=None if problem is None else "bad_coordinate",
    )
    game.repairs = [*repairs, *game.repairs]
    game.problems += [] if problem is None else [problem]
    return game


def _player(text: str) -> tuple[str, str]:
    match = _PLAYER.fullmatch(text)
    return (match[1].strip(), match[2]) if match and match[1] else (text.strip(), "")


def _date(fields: dict[str, str]) -> str:
    match = _TAG_DATE.search(fields.get("GAMETAG", "")) or _DATE.search(fields.get("GAMEDATE", ""))
    return "-".join(f"{int(part):02}" for part in match.groups()) if match else ""


def _result(fields: dict[str, str], main: dict[str, str]) -> str:
    """Return RE: by the code GRLT and the tenths of points ZIPSU, else what the words say."""
    code, tenths = main.get("GRLT", ""), main.get("ZIPSU", "0")
    form, points = _ENDINGS.get(whole_number(code)), whole_number(tenths, 5)
    if form is not None and points is not None:
        return form.format(f"{points / 10:g}")
    words = fields.get("GAMERESULT", "").strip()
    return words if read_result(words) is not None else ""


def _komi(main: dict[str, str]) -> tuple[str, Repair | None]:
    """Return KM from GONGJE, in tenths; a DUM beside it has a meaning that is not known."""
    tenths, other = main.get("GONGJE", ""), main.get("DUM", "0")
    number = whole_number(tenths, 5)
    if number is None:
        return "", None
    if other not in ("", "0") and number == 0:
        return "", Repair("komi_unknown", "KM", f"GONGJE:{tenths},DUM:{other}", "")
    return f"{number / 10:g}", None


def _moves(text: str) -> tuple[list[tuple[int, int]], Problem | None]:
    """Return the moves up to the first that names no point, and what was wrong with that."""
    moves: list[tuple[int, int]] = []
    for line in _STONE.finditer(text):
        match = _MOVE.match(line[1])
        column, row = (int(match[2]), int(match[3])) if match else (99, 99)
        if match is None or column >= _SIZE.columns or row >= _SIZE.rows:
            where = len(text[: line.start()].encode("utf-8", "replace"))
            return moves, Problem("bad_coordinate", f"move {line[0].strip()[:40]!r}", where)
        moves.append((BLACK if match[1] == "1" else WHITE, row * _SIZE.columns + column))
    return moves, None
