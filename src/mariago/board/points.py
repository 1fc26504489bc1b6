"""Every coordinate system of a point, in one place.

A board has ``rows`` x ``columns`` points; row 0 is the top row, column 0 the leftmost.

====================  =====================  =====================  ==========
system                19x19, top left        19x19, bottom right    pass
====================  =====================  =====================  ==========
Vertex (GTP, people)  ``"A19"``              ``"T1"`` (no I)        ``"pass"``
SGF letters           ``"aa"``               ``"ss"``               ``""``
(row, column)         ``(0, 0)``             ``(18, 18)``           --
Move                  ``0``                  ``360``                ``361``
Point (padded array)  ``21``                 ``399``                ``-1``
====================  =====================  =====================  ==========

* ``Move = row * columns + column``; pass is ``rows * columns``.
* ``Point = (row + 1) * (columns + 1) + column + 1``: the index into the kernels' flat arrays, which
  hold a border of one point round the board; the right border of a row is the left one of the next.
* SGF writes the column first, from the top left, and its letters are case-sensitive: ``a`` to ``z``
  are 1 to 26, ``A`` to ``Z`` 27 to 52. ``tt`` is a pass on boards up to 19x19 only.
* GTP letters skip I and its rows count from the bottom.
"""

import re
from operator import index
from typing import NamedTuple, NewType

from mariago.errors import CoordinateError

Move = NewType("Move", int)
Point = NewType("Point", int)
Vertex = NewType("Vertex", str)

EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
MAX_SIZE = 25
PASS_POINT = Point(-1)

VERTEX_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SGF_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLOR_NAMES = {BLACK: "black", WHITE: "white"}

_VERTEX = re.compile(r"([A-HJ-Za-hj-z])([1-9][0-9]?)")
_SIZE = re.compile(r"([0-9]{1,2})(?:[x:]([0-9]{1,2}))?")


class Size(NamedTuple):
    """A board's size, as (rows, columns); people write columns first ("9x13" has 13 rows)."""

    rows: int
    columns: int

    @property
    def cells(self) -> int:
        """Number of points; also the index of the pass move."""
        return self.rows * self.columns

    @property
    def stride(self) -> int:
        """Distance of two vertical neighbours in padded arrays."""
        return self.columns + 1

    @property
    def area(self) -> int:
        """Length of padded arrays, border included."""
        return (self.rows + 2) * (self.columns + 1) + 1

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


def opponent(color: int) -> int:
    """Return WHITE for BLACK and BLACK for WHITE."""
    return 3 - color


def _size_of_sides(value: object) -> Size:
    """Return the size of a whole number, numpy's included, or of a pair of them."""
    try:
        return Size(index(value), index(value))  # pyright: ignore[reportArgumentType]
    except TypeError:
        pass
    try:
        rows, columns = value  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
        return Size(index(rows), index(columns))  # pyright: ignore[reportUnknownArgumentType]
    except (TypeError, ValueError):
        raise CoordinateError(
            f"{value!r} is not a board size", hint="write 19, 9x13 or (rows, columns)"
        ) from None


def size_of(value: "int | str | tuple[int, int] | Size") -> Size:
    """Return the Size meant by ``19``, ``"19"``, ``"9x13"`` (columns first) or ``(rows, columns)``.

    Raises:
        CoordinateError: not a size, or a side outside 1 to 25.
    """
    if isinstance(value, str):
        match = _SIZE.fullmatch(value.strip().lower())
        if match is None:
            raise CoordinateError(f"{value!r} is not a board size", hint="write 19, 9x13 or 9:13")
        columns = int(match[1])
        size = Size(int(match[2]) if match[2] else columns, columns)
    else:
        size = _size_of_sides(value)
    if not (1 <= size.rows <= MAX_SIZE and 1 <= size.columns <= MAX_SIZE):
        raise CoordinateError(
            f"a board of {size} is not supported", hint=f"sides go from 1 to {MAX_SIZE}"
        )
    return size


def _whole(value: object) -> int:
    """Return a whole number, numpy's included, as Python's own; others are no moves."""
    try:
        return index(value)  # pyright: ignore[reportArgumentType]
    except TypeError:
        raise CoordinateError(
            f"{value!r} is no move", hint="a move is a whole number: row * columns + column"
        ) from None


def _checked(move: int, size: Size) -> int:
    move = _whole(move)
    if not 0 <= move <= size.rows * size.columns:
        raise CoordinateError(f"move {move} is not on a {size} board")
    return move


def move_at(row: int, column: int, size: Size) -> Move:
    """Return the Move at (row, column), both from the top left and 0-based."""
    row, column = _whole(row), _whole(column)
    if not (0 <= row < size.rows and 0 <= column < size.columns):
        raise CoordinateError(f"row {row}, column {column} is not on a {size} board")
    return Move(row * size.columns + column)


def row_column(move: int, size: Size) -> tuple[int, int]:
    """Return (row, column) of a move that is not a pass."""
    move = _checked(move, size)
    if move == size.cells:
        raise CoordinateError("a pass has no row and column")
    return divmod(move, size.columns)


def move_to_vertex(move: int, size: Size) -> Vertex:
    """Return ``"D4"`` or ``"pass"``."""
    move = _checked(move, size)
    if move == size.cells:
        return Vertex("pass")
    row, column = divmod(move, size.columns)
    return Vertex(f"{VERTEX_LETTERS[column]}{size.rows - row}")


def vertex_to_move(text: str, size: Size) -> Move:
    """Return the Move of ``"D4"``, ``"d4"`` or ``"pass"``.

    Raises:
        CoordinateError: not a vertex, or off this board.
    """
    cleaned = text.strip()
    if cleaned.lower() == "pass":
        return Move(size.cells)
    match = _VERTEX.fullmatch(cleaned)
    if match is None:
        raise CoordinateError(
            f"{text!r} is not a vertex", hint="write D4 or pass; the letter I is not used"
        )
    column = VERTEX_LETTERS.index(match[1].upper())
    row = size.rows - int(match[2])
    if column >= size.columns or row < 0:
        raise CoordinateError(f"{text!r} is not on a {size} board")
    return Move(row * size.columns + column)


def move_to_sgf(move: int, size: Size) -> str:
    """Return two SGF letters, column first; the empty text for a pass."""
    move = _checked(move, size)
    if move == size.cells:
        return ""
    row, column = divmod(move, size.columns)
    return SGF_LETTERS[column] + SGF_LETTERS[row]


def sgf_to_move(text: str, size: Size) -> Move:
    """Return the Move of an SGF move value; ``""`` is a pass, ``"tt"`` too on boards up to 19x19.

    Raises:
        CoordinateError: not two letters, or off this board.
    """
    if text == "" or (text == "tt" and size.rows <= 19 and size.columns <= 19):
        return Move(size.cells)
    column = SGF_LETTERS.find(text[0])
    row = SGF_LETTERS.find(text[1]) if len(text) == 2 else -1
    if not (0 <= column < size.columns and 0 <= row < size.rows):
        raise CoordinateError(f"SGF point {text!r} is not on a {size} board")
    return Move(row * size.columns + column)


def move_to_point(move: int, size: Size) -> Point:
    """Return the padded array index of a move; -1 for a pass."""
    move = _checked(move, size)
    if move == size.cells:
        return PASS_POINT
    row, column = divmod(move, size.columns)
    return Point((row + 1) * size.stride + column + 1)


def point_to_move(point: int, size: Size) -> Move:
    """Return the Move of a padded array index; pass for -1.

    Raises:
        CoordinateError: the point is on the border or outside.
    """
    if point == PASS_POINT:
        return Move(size.cells)
    row, column = point // size.stride - 1, point % size.stride - 1
    return move_at(row, column, size)
