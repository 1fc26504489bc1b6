"""Local reading for people: does one chain fall, and what saves it.

``reading_kernels`` says how it is read and what counts as an escape.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from mariago.board.points import Move, Size, move_to_point, point_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.reading_kernels import (
    FAILS,
    FAVOURABLE_KO,
    SUCCEEDS,
    UNFAVOURABLE_KO,
    UNKNOWN,
    read_attack,
    read_defense,
    read_line,
    reading_workspace,
)

NODES = 300_000  # positions that one search may look at

Result = Literal[0, 1, 2, 3, -1]
_LONGEST_LINE = 60


@dataclass(frozen=True)
class Reading:
    """What reading found.

    Attributes:
        result: 1 succeeds, 0 fails, whoever has threats for a ko; 2 succeeds with a ko in which
            the other side needs the first threat; 3 with a ko in which this side needs it;
            -1 not known within the nodes allowed.
        move: the first move; None where there is none, or where none is needed.
        line: how play may go on from there, from the last search.
        nodes: positions that were looked at.
    """

    result: Result
    move: Move | None
    line: tuple[Move, ...]
    nodes: int

    @property
    def succeeds(self) -> bool:
        """Whether it succeeds without ko."""
        return self.result == SUCCEEDS


@cache
def _workspace(size: Size) -> Any:
    return reading_workspace(size.rows, size.columns)


def _read(kernel: Any, position: Position, stone: int, nodes: int) -> Reading:
    if stone == position.size.cells or position.color_at(stone) == 0:
        raise BadInputError("no stone stands there", where=stone)
    work = _workspace(position.size)
    out = np.zeros(2, np.int64)
    point = move_to_point(stone, position.size)
    result: Any = int(kernel(position.state, point, nodes, work, out))
    move = point_to_move(int(out[0]), position.size) if out[0] else None
    found = np.zeros(_LONGEST_LINE, np.int64)
    length = read_line(work, found) if result != UNKNOWN else 0
    line = [Move(point_to_move(int(p) or -1, position.size)) for p in found[:length]]
    return Reading(result, move, tuple(line), int(out[1]))


def attack(position: Position, stone: int, nodes: int = NODES) -> Reading:
    """Read the chain of the stone at ``stone`` with its opponent to move, whoever's turn it is.

    Raises:
        BadInputError: no stone stands there.
    """
    return _read(read_attack, position, stone, nodes)


def defend(position: Position, stone: int, nodes: int = NODES) -> Reading:
    """Read the chain of the stone at ``stone`` with its owner to move, whoever's turn it is.

    A chain that stands though its opponent moves first gives 1 without a move.

    Raises:
        BadInputError: no stone stands there.
    """
    return _read(read_defense, position, stone, nodes)


__all__ = [
    "FAILS",
    "FAVOURABLE_KO",
    "NODES",
    "SUCCEEDS",
    "UNFAVOURABLE_KO",
    "UNKNOWN",
    "Reading",
    "attack",
    "defend",
]
