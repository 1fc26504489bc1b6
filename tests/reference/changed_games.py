"""Games as lists of (colour, move), changed the ways in which copies of a game differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from mariago.board.points import move_to_sgf, size_of
from mariago.rules import Position

Moves = list[tuple[int, int]]


def played(seed: int, moves: int = 120, size: int = 19, opening: Sequence[int] = ()) -> Moves:
    """Return random legal moves after those of an opening, Black first."""
    rng = random.Random(seed)
    position = Position.empty(size, "chinese", 7.5)
    found: Moves = []
    for move in opening:
        found.append((position.to_move, move))
        position = position.play(move)
    while len(found) < moves:
        choices = position.legal_moves()
        move = rng.choice(choices[:-1] or choices)
        found.append((position.to_move, move))
        position = position.play(move)
    return found


def turned(moves: Moves, k: int, size: int = 19) -> Moves:
    """Return the game under symmetry k of 8: flips by bits 0 and 1, then the diagonal by bit 2."""

    def move(point: int) -> int:
        if point == size * size:
            return point
        row, column = divmod(point, size)
        row = size - 1 - row if k & 1 else row
        column = size - 1 - column if k & 2 else column
        return column * size + row if k & 4 else row * size + column

    return [(color, move(point)) for color, point in moves]


def swapped(moves: Moves) -> Moves:
    """Return the game with Black's moves White's and the reverse."""
    return [(3 - color, move) for color, move in moves]


def record(
    moves: Moves, size: int = 19, setup: Sequence[tuple[int, int]] = (), **info: str
) -> bytes:
    """Return the game as SGF, with stones set up at the start."""
    board = size_of(size)
    parts = [f"(;GM[1]SZ[{size}]", *(f"{name}[{value}]" for name, value in info.items())]
    parts += [f"A{' BW'[color]}[{move_to_sgf(move, board)}]" for color, move in setup]
    parts += [f";{' BW'[color]}[{move_to_sgf(move, board)}]" for color, move in moves]
    return ("".join(parts) + ")").encode()


def in_common(a: Moves, b: Moves, band: int = 8) -> int:
    """Return the longest common subsequence of stones no more than ``band`` places apart."""
    above = [0] * (len(b) + 1)
    for i, stone in enumerate(a):
        here = [0] * (len(b) + 1)
        for j, other in enumerate(b):
            if abs(i - j) <= band and stone == other:
                here[j + 1] = above[j] + 1
            else:
                here[j + 1] = max(here[j], above[j + 1])
        above = here
    return above[-1]


def most_in_common(a: Moves, b: Moves, size: int = 19) -> int:
    """Return the most stones in common under any symmetry, the colours as they are or swapped."""
    changes: list[Callable[[Any], Any]] = [lambda moves: moves, swapped]
    return max(in_common(a, turned(change(b), k, size)) for k in range(8) for change in changes)
