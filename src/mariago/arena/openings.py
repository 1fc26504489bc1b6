"""Short random openings, no two alike, that stand in for the players' own first moves.

Two deterministic players would play one game over and over. An opening drawn at random and played
twice, with colours swapped, makes games differ and favours nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from mariago.arena.symmetry import moves_key
from mariago.board.points import Size
from mariago.errors import MatchError
from mariago.rules import Position

__all__ = ["draw_openings", "opening_length"]

TRIES = 60  # draws without a new opening before openings grow longer
SHUFFLE = 0x64656164  # sets the draw of a folder's order apart from others of the same seed
CORNER_SIDE = 13  # shorter sides have no corners that leave room between them


def opening_length(size: Size) -> int:
    """Return the number of random moves: one for every corner, fewer on small boards."""
    side = min(size)
    return 4 if side >= 9 else 2 if side >= 5 else 1 if side >= 3 else 0


def _corner_moves(size: Size, rng: np.random.Generator) -> list[int]:
    """Return one point of every corner, on its third to fifth lines, in random order."""
    lines = [
        [(low, low + 3), (length - low - 3, length - low)]
        for length, low in zip(size, (2, 2), strict=True)
    ]
    corners = list(product(*lines))
    moves: list[int] = []
    for corner in rng.permutation(len(corners)):
        (top, bottom), (left, right) = corners[corner]
        row, column = int(rng.integers(top, bottom)), int(rng.integers(left, right))
        moves.append(row * size.columns + column)
    return moves


def _open_points(size: Size) -> list[int]:
    """Return the points off the edge lines: two lines, one on small boards, none on tiny ones."""
    edge = 2 if min(size) >= 9 else 1 if min(size) >= 5 else 0
    return [
        row * size.columns + column
        for row in range(edge, size.rows - edge)
        for column in range(edge, size.columns - edge)
    ]


def _draw(start: Position, length: int, rng: np.random.Generator) -> tuple[int, ...] | None:
    size = start.size
    moves = _corner_moves(size, rng)[:length] if min(size) >= CORNER_SIDE else []
    points = _open_points(size)
    if len(moves) < length:
        rest = [point for point in points if point not in moves]
        moves += [rest[i] for i in rng.permutation(len(rest))[: length - len(moves)]]
    if len(moves) < length:
        return None
    position = start
    for move in moves:
        if not position.is_legal(move):
            return None
        position = position.play(move)
        if position.last_taken:
            return None
    return tuple(int(move) for move in moves)


def draw_openings(
    start: Position, count: int, seed: int, length: int | None = None
) -> Sequence[tuple[int, ...]]:
    """Return ``count`` openings: legal, without captures, different under the symmetries.

    Where a board has too few openings of ``length`` (``None``: by the board's size), longer ones
    follow; where it has too few of any length they repeat, which the match's report counts. With
    length 0 every opening is empty.

    Raises:
        MatchError: not one opening of the ``length`` asked for can be drawn.
    """
    if length == 0 or (length is None and opening_length(start.size) == 0):
        return [()] * count
    now = opening_length(start.size) if length is None else length
    rng = np.random.default_rng((seed, 0x6F70656E))
    found: list[tuple[int, ...]] = []
    seen: set[bytes] = set()
    longest = start.size.cells // 2
    while len(found) < count and now <= max(longest, 1):
        for _ in range(TRIES):
            opening = _draw(start, now, rng)
            if opening is None or moves_key(opening, start.size) in seen:
                continue
            seen.add(moves_key(opening, start.size))
            found.append(opening)
            break
        else:
            now += 1
    if not found and length:
        raise MatchError(
            f"no opening of {length} moves without captures was found on a {start.size} board",
            hint="take fewer --opening-moves",
        )
    if not found:
        return [()] * count
    return [found[i % len(found)] for i in range(count)]
