"""Life and death for people: does a group live, and with which move.

``life_kernels`` says how it is read, ``life_region_kernels`` what belongs to the group and what
counts as a way out.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from mariago.board.points import BLACK, WHITE, Move, Size, move_to_point, point_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.life_kernels import (
    FAILS,
    SUCCEEDS,
    UNKNOWN,
    life_workspace,
    read_kill,
    read_line,
    read_save,
)

NODES = 100_000  # positions that one search may look at; up to three searches answer

Status = Literal["alive", "dead", "ko", "unknown"]
Result = Literal[0, 1, 2, 3, -1]
_LONGEST_LINE = 60


@dataclass(frozen=True)
class LifeReading:
    """What reading found about a group's life.

    Attributes:
        status: "alive" (seki too), "dead", "ko", or "unknown" within the nodes allowed.
        result: for the side that moves first, who saves or kills: 1 succeeds, 0 fails, 2 in a ko
            in which the other side needs the first threat, 3 in a ko in which this side needs it,
            -1 unknown.
        move: the first move that does it; None where there is none, or where none is needed.
            Where the status is unknown, the move that looks best so far.
        line: how play may go on, first move included, from the last search.
        nodes: positions that were looked at.
    """

    status: Status
    result: Result
    move: Move | None
    line: tuple[Move, ...]
    nodes: int


@cache
def workspace(size: Size) -> Any:
    """Return scratch for the kernels, one for each board size of this process."""
    return life_workspace(size.rows, size.columns)


def _owner(position: Position, stone: int) -> int:
    owner = 0 if stone == position.size.cells else position.color_at(stone)
    if owner == 0:
        raise BadInputError("no stone stands there", where=stone)
    return owner


def life(
    position: Position,
    stone: int,
    to_move: int | None = None,
    *,
    nodes: int = NODES,
    rival: int | None = None,
) -> LifeReading:
    """Read whether the group of the stone at ``stone`` lives with ``to_move`` playing first.

    Args:
        position: kos are read by the basic rule, whatever the position's rules.
        stone: a stone of the group.
        to_move: the colour that plays first; the position's side to move if None.
        nodes: positions that one search may look at.
        rival: a stone of the other side that races with the group and takes part with all its
            liberties.

    Raises:
        BadInputError: no stone stands there, or ``to_move`` is no colour.
    """
    owner = _owner(position, stone)
    mover = position.to_move if to_move is None else to_move
    if mover not in (BLACK, WHITE):
        raise BadInputError("black or white moves first", where=mover)
    if rival is not None and _owner(position, rival) == owner:
        raise BadInputError("a rival is of the other colour", where=rival)
    size = position.size
    work = workspace(size)
    out = np.zeros(2, np.int64)
    kernel = read_save if mover == owner else read_kill
    other = 0 if rival is None else int(move_to_point(rival, size))
    result: Any = int(
        kernel(position.state, int(move_to_point(stone, size)), other, nodes, work, out)
    )
    line: list[Move] = []
    if result != UNKNOWN:
        found = np.zeros(_LONGEST_LINE, np.int64)
        killed = int((result == FAILS) == (mover == owner))
        length = read_line(killed, work, found) if out[0] or result == FAILS else 0
        line = [point_to_move(int(p) or -1, size) for p in found[:length]]
    move = point_to_move(int(out[0]), size) if out[0] else None
    return LifeReading(_status(result, mover == owner), result, move, tuple(line), int(out[1]))


def _status(result: int, saving: bool) -> Status:
    if result == UNKNOWN:
        return "unknown"
    if result in (SUCCEEDS, FAILS):
        return "alive" if (result == SUCCEEDS) == saving else "dead"
    return "ko"
