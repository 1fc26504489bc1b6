"""A game that the reader of a page steps through, move by move.

The positions travel as differences between one board and the next, so that the page needs to know
no rules, and set-up stones in the middle of a game are shown like any other change.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mariago.board.points import (
    BLACK,
    EMPTY,
    VERTEX_LETTERS,
    WHITE,
    Size,
    opponent,
    size_of,
)
from mariago.errors import BadInputError
from mariago.reports.diagram import (
    ON_STONE,
    STONE_EDGE,
    STONE_FILL,
    STONE_RADIUS,
    STONE_RIM,
    BoardPicture,
    Layout,
    plan_board,
)
from mariago.reports.drawing import clean, number, to_svg

__all__ = ["Stepper", "played_out"]

CELL = 24.0


@dataclass(frozen=True, slots=True)
class Stepper:
    """A viewer of a game.

    Raises:
        BadInputError: the boards do not fit each other or the moves.
    """

    boards: Sequence[np.ndarray]
    """The start and the board after every move, each (rows, columns), 0, 1 and 2."""
    moves: Sequence[tuple[int, int]]
    """(color, move) of every move; one fewer than the boards."""
    title: str = ""
    notes: Sequence[str] = ()
    """A line for each board, shown when the reader is there; empty for none."""
    opens_at: int | None = None
    """The board that is shown first; the last one by default."""

    def __post_init__(self) -> None:
        where = self.title or "game viewer"
        if not self.boards or len(self.boards) != len(self.moves) + 1:
            raise BadInputError(f"{len(self.boards)} boards, {len(self.moves)} moves", where=where)
        if self.notes and len(self.notes) != len(self.boards):
            raise BadInputError(f"{len(self.notes)} notes, {len(self.boards)} boards", where=where)
        shapes = {np.asarray(board).shape for board in self.boards}
        if len(shapes) != 1:
            raise BadInputError(f"boards of several sizes: {sorted(shapes)}", where=where)
        cells = self.size.cells
        if any(color not in (BLACK, WHITE) or not 0 <= move <= cells for color, move in self.moves):
            raise BadInputError("a move of no colour or off the board", where=where)

    @property
    def size(self) -> Size:
        """The board's size."""
        rows, columns = np.asarray(self.boards[0]).shape
        return size_of((int(rows), int(columns)))

    def data(self) -> dict[str, object]:
        """Return what the viewer reads.

        ``start`` is one digit a point. A step is ``[color, move, point, old, new, ...]``, the last
        three repeated for every point that changed.
        """
        layout = Layout(self.size, CELL)
        boards = [np.asarray(board, dtype=np.int8).ravel() for board in self.boards]
        steps: list[list[int]] = []
        for (color, move), before, after in zip(self.moves, boards, boards[1:], strict=False):
            step = [int(color), int(move)]
            for point in np.flatnonzero(before != after):
                step += [int(point), int(before[point]), int(after[point])]
            steps.append(step)
        return {
            "rows": self.size.rows,
            "columns": self.size.columns,
            "cell": CELL,
            "margin": float(number(layout.margin)),
            "radius": STONE_RADIUS * CELL,
            "edge": STONE_RIM * CELL,
            "fill": ["", STONE_FILL[BLACK], STONE_FILL[WHITE]],
            "rim": ["", STONE_EDGE[BLACK], STONE_EDGE[WHITE]],
            "mark": ["", ON_STONE[BLACK], ON_STONE[WHITE]],
            "letters": VERTEX_LETTERS,
            "start": "".join(map(str, boards[0])),
            "steps": steps,
            "notes": [clean(note) for note in self.notes],
            "at": len(self.moves) if self.opens_at is None else self.opens_at,
        }

    def json(self) -> str:
        """Return :meth:`data` as JSON that cannot end the script element it stands in."""
        text = json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

    def last_board_svg(self, lang: str = "en") -> str:
        """Return the last board, shown where scripts are off and in print; words in ``lang``."""
        last = int(self.moves[-1][1]) if self.moves else None
        on_board = last is not None and last < self.size.cells
        picture = BoardPicture(np.asarray(self.boards[-1]), last_move=last if on_board else None)
        return to_svg(plan_board(picture, CELL, lang), kind="board still")

    def empty_board_svg(self, lang: str = "en") -> str:
        """Return the board without stones, on which the viewer puts them."""
        picture = BoardPicture(np.zeros(self.size, dtype=np.uint8))
        drawing = plan_board(picture, CELL, lang)
        return to_svg(drawing, kind="board live", extra='<g class="stones"></g>')


def _chain(board: list[int], point: int, neighbours: list[list[int]]) -> tuple[set[int], bool]:
    chain, waiting, free = {point}, [point], False
    while waiting:
        for near in neighbours[waiting.pop()]:
            if board[near] == EMPTY:
                free = True
            elif board[near] == board[point] and near not in chain:
                chain.add(near)
                waiting.append(near)
    return chain, free


def _neighbours(size: Size) -> list[list[int]]:
    around: list[list[int]] = []
    for row in range(size.rows):
        for column in range(size.columns):
            steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            inside = [(r, c) for r, c in steps if 0 <= r < size.rows and 0 <= c < size.columns]
            around.append([r * size.columns + c for r, c in inside])
    return around


def played_out(
    size: "int | str | tuple[int, int]",
    moves: Iterable[tuple[int, int]],
    start: np.ndarray | None = None,
    *,
    title: str = "",
    notes: Sequence[str] = (),
) -> Stepper:
    """Return the viewer of ``moves`` (color, move) played from ``start`` or an empty board.

    Captured stones leave the board, own ones after a suicide; nothing else of the rules is
    checked, so that a game with a fault in it can be looked at.
    """
    board_size = size_of(size)
    neighbours = _neighbours(board_size)
    first = np.zeros(board_size, dtype=np.uint8) if start is None else np.asarray(start)
    board: list[int] = [int(stone) for stone in first.ravel()]
    boards, played = [first], list(moves)
    for color, move in played:
        if color not in (BLACK, WHITE) or not 0 <= move <= board_size.cells:
            raise BadInputError(f"move {move} of colour {color}", where=title or "game viewer")
        if move < board_size.cells:
            board[move] = color
            rivals = [n for n in neighbours[move] if board[n] == opponent(color)]
            for point in (*rivals, move):
                chain, free = _chain(board, point, neighbours)
                if board[point] != EMPTY and not free:
                    for stone in chain:
                        board[stone] = EMPTY
        boards.append(np.array(board, dtype=np.uint8).reshape(board_size))
    return Stepper(boards, played, title, notes)
