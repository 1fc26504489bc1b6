"""The main line of one tree: the facts of the game, its moves and its set-up stones."""

import re
from typing import Any

from mariago.board.points import BLACK, EMPTY, MAX_SIZE, SGF_LETTERS, WHITE, Size, vertex_to_move
from mariago.errors import CoordinateError
from mariago.sgf.decimals import whole_number
from mariago.sgf.grammar import GameTree, unescaped
from mariago.sgf.names import INFO_NAMES
from mariago.sgf.problems import REFUSALS, Problem
from mariago.sgf.repairs import Repair
from mariago.sgf.values import MAX_LETTERS, read_size

__all__ = ["MainLine"]

BOARDS_OF_SETUP = 64
_COLORS = {"B": BLACK, "W": WHITE}
_SETUP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
_VERTEX = re.compile(r"[A-Za-z][0-9]{1,2}")
_LETTER = {letter: index for index, letter in enumerate(SGF_LETTERS.encode())}


def most_setup(cells: int) -> int:
    """Return how many set-up points a game may name: 64 full boards, of 19x19 where smaller.

    A rectangle of four letters names a whole board, so without a bound a file of some hundred
    kilobytes becomes gigabytes. ``scan_kernels`` hands over above the lower bound.
    """
    return BOARDS_OF_SETUP * max(cells, 361)


class MainLine:
    """Reads the main line of one tree: first the facts of the game, then its moves."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.line = tree.main_line()
        self.size = Size(19, 19)
        self.moves: list[tuple[int, int]] = []
        self.setup: list[tuple[int, int, int]] = []
        self.raw_info: dict[str, bytes] = {}
        self.is_fox = False
        self.stones_moved = False  # set-up stones before the first move, behind the first node
        self.repairs: list[Repair] = []
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
            number = whole_number(text)
            if number is None:
                self.note("bad_game", f"GM is {text[:20]!r}, taken as Go", node)
            elif number != 1:
                self.refuse("not_go", f"game number {number} is not Go", node)
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
            value = f"{size[1]}:{size[0]}" if size[0] != size[1] else str(size[0])
            self.repairs.append(Repair("size_words", "SZ", text, value))
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
            self.stones_moved = self.stones_moved or (has_setup and ply == 0 and node > 0)
            played = len(self.moves) - ply
            if played > 1:
                self.note("several_moves", f"{played} moves in one node", node)
            if played and has_setup:
                self.note("setup_and_move", "set-up stones and a move in one node", node)

    def _add_moves(self, color: int, values: list[bytes], node: int) -> bool:
        for value in values:
            move = self._move(value, node)
            if move is None:
                self.refuse("bad_coordinate", f"move {_said(value)} on {self.size}", node)
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
            if points is not None and len(self.setup) + len(points) > most_setup(self.size.cells):
                self.note("too_many_stones", "more set-up stones than any game has", node)
                self.refusal = "unreadable"
                return False
            if points is None:
                self.refuse("bad_coordinate", f"set-up {_said(value)} on {self.size}", node)
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
            self.note("odd_rectangle", f"the corners of {_said(value)} are swapped", node)
        rows = range(min(top, bottom), max(top, bottom) + 1)
        columns = range(min(left, right), max(left, right) + 1)
        return [row * self.size.columns + column for row in rows for column in columns]


def _said(value: bytes) -> str:
    """Return what a file says as text, in quotes and cut short."""
    return repr(value[:20].decode("utf-8", "replace"))
