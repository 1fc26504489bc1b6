"""The plain reader: the main line of each game of a file, in numbers.

This is the reference for the fast reader in ``scan_kernels``. What it puts up with is listed in
``docs/reference/sgf.md``; each leniency leaves a ``Problem``.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mariago.board.points import BLACK, EMPTY, MAX_SIZE, SGF_LETTERS, WHITE, Size, vertex_to_move
from mariago.errors import CoordinateError
from mariago.rules.result import Result
from mariago.sgf.grammar import Collection, GameTree, parse_collection, unescaped
from mariago.sgf.names import INFO_NAMES
from mariago.sgf.problems import Problem, raise_first
from mariago.sgf.values import (
    MAX_LETTERS,
    read_handicap,
    read_komi,
    read_result,
    read_rules,
    read_size,
)

if TYPE_CHECKING:
    from mariago.rules.game import Game
    from mariago.rules.rule_sets import RuleSet

__all__ = ["REFUSALS", "ReadGame", "assemble", "read_games"]

REFUSALS = ("unreadable", "not_go", "board_size", "bad_coordinate", "no_moves")

_COLORS = {"B": BLACK, "W": WHITE}
_SETUP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
_VERTEX = re.compile(r"[A-Za-z]\d{1,2}")
_LETTER = {letter: index for index, letter in enumerate(SGF_LETTERS.encode())}


@dataclass
class ReadGame:
    """The main line of one game as it stands in a file; nothing has been replayed.

    ``moves`` are (color, move) with move = row * columns + column and rows * columns for a pass;
    ``setup`` are (ply, color, move): before the move with index ``ply``, the point gets a stone of
    ``color`` or, with 0, is cleared. ``komi`` is in points, None where unknown; ``result`` is None
    where RE says nothing that is known. ``info`` holds the texts of the
    properties in ``INFO_NAMES`` as they stand. ``refusal`` is None, or one of ``REFUSALS``: why the
    game cannot be used as a record; what could be read is there all the same.
    """

    size: Size
    moves: list[tuple[int, int]]
    setup: list[tuple[int, int, int]]
    first_player: int
    handicap: int
    komi: float | None
    rules: str | None
    result: Result | None
    info: dict[str, str]
    refusal: str | None = None
    problems: list[Problem] = field(default_factory=list[Problem], compare=False)
    source: str = field(default="", compare=False)
    is_fox: bool = False  # bears the marks of the Fox server

    @property
    def players(self) -> tuple[str, str]:
        """The names of Black and White, "" where there is none."""
        return self.info.get("PB", ""), self.info.get("PW", "")

    @property
    def ranks(self) -> tuple[str, str]:
        """The ranks of Black and White as written, "" where there is none."""
        return self.info.get("BR", ""), self.info.get("WR", "")

    @property
    def date(self) -> str:
        """The text of DT."""
        return self.info.get("DT", "")

    def to_game(self, rules: "str | RuleSet | None" = None) -> "Game":
        """Return the game played through; see ``conversion.game_of`` for what it raises."""
        from mariago.sgf.conversion import game_of

        return game_of(self, rules)

    @property
    def komi_text(self) -> str:
        """The text of KM, before any repair."""
        return self.info.get("KM", "")

    @property
    def rules_text(self) -> str:
        """The text of RU."""
        return self.info.get("RU", "")

    @property
    def result_text(self) -> str:
        """The text of RE."""
        return self.info.get("RE", "")


def read_games(data: bytes | str | PathLike[str], strict: bool = False) -> list[ReadGame]:
    """Read every game of a file, given as its bytes or its path.

    Always returns at least one game: a file without a game gives one whose refusal is
    ``unreadable``. A game whose main line is cut off by the end of the file is ``unreadable`` too.

    Raises:
        SgfError: strict, and the file departs from the format.
        OSError: the path cannot be read.
    """
    source = "" if isinstance(data, bytes) else str(data)
    raw = data if isinstance(data, bytes) else Path(data).read_bytes()
    collection = parse_collection(raw)
    games = [_read_tree(tree, collection, source) for tree in collection.trees]
    if not games:
        games = [assemble(Size(19, 19), [], [], {}, refusal="unreadable", source=source)]
    _share_out(collection, games)
    if strict:
        raise_first([problem for game in games for problem in game.problems], source)
    return games


def assemble(
    size: Size,
    moves: list[tuple[int, int]],
    setup: list[tuple[int, int, int]],
    raw_info: dict[str, bytes],
    *,
    is_fox: bool = False,
    refusal: str | None = None,
    where: int = 0,
    source: str = "",
) -> ReadGame:
    """Make a ReadGame of its numbers and the raw values of its texts.

    Both readers end here, so that they give the same game.
    """
    problems: list[Problem] = []
    info = {name: unescaped(raw).strip() for name, raw in raw_info.items()}
    handicap = _handicap(info, moves, setup, problems, where)
    komi_text = info.get("KM", "")
    komi = read_komi(komi_text, is_fox=is_fox, handicap=handicap)
    if komi.repair is not None:
        text = f"komi {komi_text[:20]!r} is read as {komi.points}"
        problems.append(Problem(komi.repair, text, where))
    result = read_result(info["RE"]) if info.get("RE") else None
    if info.get("RE") and result is None:
        problems.append(Problem("bad_result", f"result {info['RE'][:40]!r}", where))
    if refusal is None and not moves:
        refusal = "no_moves"
    return ReadGame(
        size=size,
        moves=moves,
        setup=setup,
        first_player=_first_player(info, moves, handicap),
        handicap=handicap,
        komi=komi.points,
        rules=read_rules(info["RU"]) if info.get("RU") else None,
        result=result,
        info=info,
        refusal=refusal,
        problems=problems,
        source=source,
        is_fox=is_fox,
    )


def _handicap(
    info: dict[str, str],
    moves: list[tuple[int, int]],
    setup: list[tuple[int, int, int]],
    problems: list[Problem],
    where: int,
) -> int:
    """Return HA; where the file has none, the number of black stones before White's first move."""
    text = info.get("HA", "")
    if text:
        handicap = read_handicap(text)
        if handicap is None:
            problems.append(Problem("bad_handicap", f"handicap {text[:20]!r}", where))
        return handicap or 0
    counted = counted_handicap(moves, setup)
    if counted:
        text = f"{counted} black stones and White to move: a handicap"
        problems.append(Problem("handicap_counted", text, where))
    return counted


def counted_handicap(moves: list[tuple[int, int]], setup: list[tuple[int, int, int]]) -> int:
    """Return how many black stones alone stand before a first move by White; 0 if under two."""
    if not moves or moves[0][0] != WHITE:
        return 0
    before = [color for ply, color, _ in setup if ply == 0]
    if any(color != BLACK for color in before) or not 2 <= len(before) <= 25:
        return 0
    return len(before)


def _first_player(info: dict[str, str], moves: list[tuple[int, int]], handicap: int) -> int:
    """Return the color of the first move; without moves what PL says, or the handicap."""
    if moves:
        return moves[0][0]
    said = info.get("PL", "").upper()
    if said[:1] in ("B", "1"):
        return BLACK
    if said[:1] in ("W", "2"):
        return WHITE
    return WHITE if handicap >= 2 else BLACK


def _share_out(collection: Collection, games: list[ReadGame]) -> None:
    """Give each game the problems of the file that lie in it, those before the first to it."""
    marks = [Problem("", "", tree.offsets[0]) for tree in collection.trees]
    starts = [mark.where for mark in collection.decoded.in_file(marks)] or [0]
    for problem in collection.problems:
        owner = max(bisect_right(starts, problem.where) - 1, 0)
        games[owner].problems.append(problem)
    for game in games:
        game.problems.sort(key=lambda problem: problem.where)


def _read_tree(tree: GameTree, collection: Collection, source: str) -> ReadGame:
    reader = _MainLine(tree)
    reader.read_info()
    reader.read_moves()
    refusal = reader.refusal if tree.is_whole else "unreadable"
    if tree.is_garbled and not reader.moves:
        reader.note("garbled", "more stray text than properties, and no moves", 0)
        refusal = "unreadable"
    game = assemble(
        reader.size,
        reader.moves,
        reader.setup,
        reader.raw_info,
        is_fox=reader.is_fox,
        refusal=refusal,
        where=tree.offsets[0],
        source=source,
    )
    game.problems = collection.decoded.in_file([*reader.problems, *game.problems])
    return game


class _MainLine:
    """Reads the main line of one tree: first the facts of the game, then its moves."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.line = tree.main_line()
        self.size = Size(19, 19)
        self.moves: list[tuple[int, int]] = []
        self.setup: list[tuple[int, int, int]] = []
        self.raw_info: dict[str, bytes] = {}
        self.is_fox = False
        self.refusal: str | None = None
        self.problems: list[Problem] = []
        self._wanted = {*INFO_NAMES, "SZ", "GM", "TC", "TT"}

    def note(self, code: str, text: str, node: int) -> None:
        self.problems.append(Problem(code, text, self.tree.offsets[node]))

    def refuse(self, code: str, text: str, node: int) -> None:
        """Note a problem that makes the game unusable; the earlier reason in REFUSALS stays."""
        self.note(code, text, node)
        if self.refusal is None or REFUSALS.index(code) < REFUSALS.index(self.refusal):
            self.refusal = code

    def read_info(self) -> None:
        found: dict[str, tuple[bytes, int]] = {}
        for node in self.line:
            for name, values in self.tree.nodes[node]:
                if name not in self._wanted:
                    continue
                if name == "AP" and any(value.startswith(b"foxwq") for value in values):
                    self.is_fox = True
                if name not in found:
                    found[name] = (values[0], node)
                elif name not in ("AP", "PL", "TC", "TT") and found[name][0] != values[0]:
                    self.note("contradiction", f"{name} stands twice with two values", node)
        # Older files of the Fox server are known by two properties of their own alone.
        self.is_fox = self.is_fox or ("TC" in found and "TT" in found)
        self._read_size_and_game(found)
        self.raw_info = {name: found[name][0] for name in INFO_NAMES if name in found}

    def _read_size_and_game(self, found: dict[str, tuple[bytes, int]]) -> None:
        if "GM" in found:
            raw, node = found["GM"]
            text = unescaped(raw).strip()
            if not text.isdigit():
                self.note("bad_game", f"GM is {text[:20]!r}, taken as Go", node)
            elif int(text) != 1:
                self.refuse("not_go", f"game number {int(text)} is not Go", node)
        if "SZ" not in found:
            return
        raw, node = found["SZ"]
        text = unescaped(raw)
        size = read_size(text)
        if size is None or not all(1 <= side <= MAX_LETTERS for side in size):
            self.refuse("board_size", f"board size {text[:20]!r}", node)
            return
        self.size = Size(*size)
        if "x" in text.lower():
            self.note("odd_size", f"board size written {text[:20]!r}", node)
        if max(size) > MAX_SIZE:
            self.refuse("board_size", f"boards go up to {MAX_SIZE}, this is {self.size}", node)

    def read_moves(self) -> None:
        """Read moves and set-up stones up to the first coordinate that names no point."""
        for node in self.line:
            ply = len(self.moves)
            has_setup = False
            for name, values in self.tree.nodes[node]:
                if name in _COLORS:
                    if not self._add_moves(_COLORS[name], values, node):
                        return
                elif name in _SETUP:
                    has_setup = True
                    if not self._add_setup(ply, _SETUP[name], values, node):
                        return
            played = len(self.moves) - ply
            if played > 1:
                self.note("several_moves", f"{played} moves in one node", node)
            if played and has_setup:
                self.note("setup_and_move", "set-up stones and a move in one node", node)

    def _add_moves(self, color: int, values: list[bytes], node: int) -> bool:
        for value in values:
            move = self._move(value, node)
            if move is None:
                self.refuse("bad_coordinate", f"move {value[:20]!r} on {self.size}", node)
                return False
            self.moves.append((color, move))
        return True

    def _move(self, value: bytes, node: int) -> int | None:
        point = self._point(value)
        if point is not None:
            return point
        text = value.strip().decode("utf-8", "replace")
        if text == "" or (text == "tt" and max(self.size) <= 19):
            return self.size.cells
        if text.lower() == "pass":
            self.note("odd_pass", f"a pass written {text!r}", node)
            return self.size.cells
        if _VERTEX.fullmatch(text) and max(self.size) <= MAX_SIZE:
            try:
                move = int(vertex_to_move(text, self.size))
            except CoordinateError:
                return None
            self.note("vertex", f"a point written {text!r}", node)
            return move
        return self._point(value.strip())

    def _point(self, value: bytes) -> int | None:
        """Return the point of two letters on this board, column first, else None."""
        if len(value) != 2:
            return None
        column, row = _LETTER.get(value[0], 99), _LETTER.get(value[1], 99)
        if row >= self.size.rows or column >= self.size.columns:
            return None
        return row * self.size.columns + column

    def _add_setup(self, ply: int, color: int, values: list[bytes], node: int) -> bool:
        for value in values:
            points = self._points(value.strip(), node)
            if points is None:
                self.refuse("bad_coordinate", f"set-up {value[:20]!r} on {self.size}", node)
                return False
            self.setup.extend((ply, color, point) for point in points)
        return True

    def _points(self, value: bytes, node: int) -> list[int] | None:
        """Return the points of ``dd`` or of the rectangle ``aa:cc``, rows from the top."""
        if not value:
            self.note("empty_setup", "a set-up property without a point", node)
            return []
        corners: list[Any] = [self._point(part) for part in value.split(b":")]
        if None in corners or len(corners) > 2:
            return None
        (top, left), (bottom, right) = (
            divmod(c, self.size.columns) for c in (corners[0], corners[-1])
        )
        if top > bottom or left > right:
            self.note("odd_rectangle", f"the corners of {value!r} are swapped", node)
        rows = range(min(top, bottom), max(top, bottom) + 1)
        columns = range(min(left, right), max(left, right) + 1)
        return [row * self.size.columns + column for row in rows for column in columns]
