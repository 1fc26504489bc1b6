"""Where a game of a match begins: stones that were put up, moves that nobody chose."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, EMPTY, WHITE, Size
from mariago.rules import Position

__all__ = ["Opening", "Start", "hash_of_openings"]


@dataclass(frozen=True, slots=True, order=True)
class Start:
    """Stones on the board before the first move, and whose turn it is."""

    to_move: int
    black: tuple[int, ...]
    """Points (row * columns + column), rising."""
    white: tuple[int, ...]

    @classmethod
    def of(cls, stones: npt.NDArray[np.uint8], to_move: int) -> Start | None:
        """Return the start of a board (rows, columns); None for an empty one with Black to move."""
        flat = np.asarray(stones).ravel()
        if to_move == BLACK and not flat.any():
            return None
        black, white = (tuple(map(int, np.flatnonzero(flat == side))) for side in (BLACK, WHITE))
        return cls(to_move, black, white)

    @classmethod
    def from_list(cls, told: Any) -> Start:
        """Return the start that :meth:`as_list` told; values are whatever stands there."""
        to_move, black, white = told
        return cls(to_move, tuple(black), tuple(white))

    def as_list(self) -> list[Any]:
        """Return ``[to_move, black, white]`` for JSON."""
        return [self.to_move, list(self.black), list(self.white)]

    @property
    def stones(self) -> int:
        """How many there are."""
        return len(self.black) + len(self.white)

    def board(self, size: Size) -> npt.NDArray[np.uint8]:
        """Return (rows, columns) colours."""
        board = np.full(size.cells, EMPTY, np.uint8)
        board[list(self.black)] = BLACK
        board[list(self.white)] = WHITE
        return board.reshape(size)

    def position(self, size: Size, rules: str, komi: float) -> Position:
        """Return the position; no past, and nobody has taken anything.

        Raises:
            RulesError: a chain has no liberty.
        """
        return Position.from_stones(self.board(size), to_move=self.to_move, rules=rules, komi=komi)

    def why_impossible(self, size: Size) -> str:
        """Return what is wrong with values that a file held; empty where they can be a start."""
        points: tuple[Any, ...] = (*self.black, *self.white)
        if self.to_move not in (BLACK, WHITE):
            return f"side to move {self.to_move!r}"
        if not all(type(point) is int and 0 <= point < size.cells for point in points):
            return "a stone off the board"
        return "" if len(set(points)) == len(points) else "two stones on one point"


@dataclass(frozen=True, slots=True)
class Opening:
    """How both games of a pair begin."""

    moves: tuple[int, ...] = ()
    start: Start | None = None
    """``None``: the empty board, or the handicap stones."""
    name: str = ""
    """The file that it was read from."""
    black_wins: float | None = None
    """Black's chance as the judge saw it."""
    tried: int = 0
    """Of balanced ones: how many were drawn until this one was kept, from the first on."""

    def as_list(self) -> list[Any]:
        """Return start and moves for JSON."""
        return [None if self.start is None else self.start.as_list(), list(self.moves)]


def hash_of_openings(openings: Iterable[Opening] | Sequence[Opening]) -> str:
    """Return SHA-256 over starts and moves, in their order."""
    told = [opening.as_list() for opening in openings]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
