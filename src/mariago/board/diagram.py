"""Text diagrams of boards, both ways.

::

       A B C D E
     5 . . . . .
     4 . X O . .
     3 X * X O .
     2 . X O . .
     1 . . . . .

``X`` ``x`` ``#`` ``●`` are Black, ``O`` ``o`` ``○`` White, ``.`` ``+`` ``,`` ``-`` empty points,
``*`` is the empty point of a ko that may not be taken back at once. Letters above or below, row
numbers at the sides, blanks between the points and brackets round the last move may be there or
not. A line such as ``O to move`` or ``White to move`` names the side.
"""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mariago.board.geometry import star_points
from mariago.board.points import (
    BLACK,
    EMPTY,
    MAX_SIZE,
    VERTEX_LETTERS,
    WHITE,
    Move,
    Size,
    size_of,
)
from mariago.errors import BadInputError

_COLORS = {
    **dict.fromkeys("Xx#●", BLACK),
    **dict.fromkeys("Oo○", WHITE),
    **dict.fromkeys(".+,-*", EMPTY),
}
_TO_MOVE = re.compile(r"\s*(x|#|●|o|○|black|white)\s+to\s+(?:move|play)\b.*", re.IGNORECASE)
_ROW = re.compile(r"\s*(\d{1,2})?\s*([^\d]*?)\s*(\d{1,2})?\s*")


class Diagram(NamedTuple):
    """What a text diagram shows."""

    stones: "npt.NDArray[np.uint8]"  # (rows, columns) colours
    ko: "Move | None"
    to_move: "int | None"  # colour, where a line says so

    @property
    def size(self) -> Size:
        """The board's size."""
        return Size(self.stones.shape[0], self.stones.shape[1])


def parse_diagram(text: str) -> Diagram:
    """Return the board that ``text`` shows.

    Raises:
        BadInputError: an unknown sign, rows of different lengths, or two ko points.
    """
    rows: list[list[int]] = []
    ko: list[tuple[int, int]] = []
    to_move: int | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        side = _TO_MOVE.fullmatch(line)
        if side is not None:
            to_move = BLACK if side[1].lower() in ("x", "#", "●", "black") else WHITE
            continue
        if not line.strip() or _is_letters(line):
            continue
        points = _points_of(line, number)
        ko += [(len(rows), column) for column, sign in enumerate(points) if sign == "*"]
        rows.append([_COLORS[sign] for sign in points])
        if len(points) != len(rows[0]):
            raise BadInputError(
                f"a row of {len(points)} points under rows of {len(rows[0])}",
                where=f"diagram line {number}",
            )
    if not rows:
        raise BadInputError("the diagram shows no board")
    if len(ko) > 1:
        raise BadInputError("the diagram shows more than one ko point")
    size = size_of((len(rows), len(rows[0])))
    move = Move(ko[0][0] * size.columns + ko[0][1]) if ko else None
    return Diagram(np.array(rows, np.uint8), move, to_move)


def _is_letters(line: str) -> bool:
    letters = "".join(line.split()).upper()
    return letters != "" and VERTEX_LETTERS.startswith(letters)


def _points_of(line: str, number: int) -> list[str]:
    match = _ROW.fullmatch(line)
    body = line if match is None else match[2]
    points = [sign for sign in body if not sign.isspace() and sign not in "()[]|"]
    unknown = next((sign for sign in points if sign not in _COLORS), None)
    if unknown is not None or not points:
        raise BadInputError(
            f"{unknown or line!r} is not a point of a diagram",
            where=f"diagram line {number}",
            hint="use X for Black, O for White, . for empty points, * for a ko point",
        )
    if len(points) > MAX_SIZE:
        raise BadInputError(f"a row of {len(points)} points", where=f"diagram line {number}")
    return points


def draw_diagram(
    stones: "npt.NDArray[np.uint8]",
    *,
    ko: "int | None" = None,
    last: "int | None" = None,
    coordinates: bool = True,
    stars: bool = True,
) -> str:
    """Return the text diagram of ``stones`` (rows, columns).

    Args:
        ko: move index drawn as ``*``.
        last: move index put in brackets.
        coordinates: letters above and row numbers at the left.
        stars: draw empty star points as ``+``.
    """
    size = Size(stones.shape[0], stones.shape[1])
    signs = [".XO"[color] for color in stones.ravel()]
    if stars:
        for move in star_points(size):
            if signs[move] == ".":
                signs[move] = "+"
    if ko is not None and signs[ko] in ".+":
        signs[ko] = "*"
    lines: list[str] = []
    if coordinates:
        lines.append("   " + "".join(f" {VERTEX_LETTERS[i]}" for i in range(size.columns)))
    for row in range(size.rows):
        start = row * size.columns
        drawn = "".join(f" {sign}" for sign in signs[start : start + size.columns]) + " "
        if last is not None and last // size.columns == row:
            at = 2 * (last % size.columns)
            drawn = drawn[:at] + "(" + drawn[at + 1] + ")" + drawn[at + 3 :]
        lines.append(((f"{size.rows - row:3d}" if coordinates else "") + drawn).rstrip())
    return "\n".join(lines)
