"""The neighbours of a point, as moves."""

from functools import cache

from mariago.board.points import Move, Size

__all__ = ["near_moves"]


@cache
def _table(size: Size) -> tuple[tuple[Move, ...], ...]:
    rows, columns = size
    return tuple(
        tuple(
            Move(r * columns + c)
            for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
            if 0 <= r < rows and 0 <= c < columns
        )
        for row in range(rows)
        for column in range(columns)
    )


def near_moves(move: int, size: Size) -> tuple[Move, ...]:
    """Return the moves next to ``move``, which is not a pass: above, left, right, below."""
    return _table(size)[move]
