"""A game played through as changes of the board, for viewers and pictures."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mariago.board.kernels import (
    AREA,
    HEADER,
    N_TAKEN,
    TAKEN,
    TO_MOVE,
    new_state,
    play,
    play_pass,
)
from mariago.board.points import EMPTY, Size, move_to_point, point_to_move
from mariago.board.setup_kernels import put_stone

__all__ = ["Step", "replayed"]

State = npt.NDArray[np.int16]


class Step(NamedTuple):
    """What one move, or the set-up before the first, changes: ``changes`` are (point, colour).

    The first step has colour and move 0 and -1 and holds the stones set up before the first move.
    Stones set up later belong to the step of the move after them.
    """

    color: int
    move: int
    changes: tuple[tuple[int, int], ...]


def replayed(
    size: Size,
    moves: Sequence[tuple[int, int]],
    setup: Sequence[tuple[int, int, int]],
    stop: int | None = None,
) -> list[Step]:
    """Return one step for the start and one for each move, up to ``stop`` moves.

    ``moves`` and ``setup`` are as in ``ReadGame``. The moves are taken as they are; of a game that
    is not legal, stop before the move that is not.
    """
    state = new_state(size.rows, size.columns)
    waiting = sorted(setup, key=lambda stone: stone[0])
    steps = [Step(EMPTY, -1, tuple(_set_up(state, size, waiting, 0)))]
    for ply, (color, move) in enumerate(moves[:stop]):
        changes = _set_up(state, size, waiting, ply) if ply else []
        state[TO_MOVE] = color
        if move >= size.cells:
            play_pass(state)
        else:
            taken = _play(state, size, move)
            changes += [(move, color), *((point, EMPTY) for point in taken)]
        steps.append(Step(color, move, tuple(changes)))
    return steps


def _set_up(
    state: State, size: Size, waiting: list[tuple[int, int, int]], ply: int
) -> list[tuple[int, int]]:
    changes: list[tuple[int, int]] = []
    while waiting and waiting[0][0] <= ply:
        _, color, point = waiting.pop(0)
        put_stone(state, move_to_point(point, size), color)
        changes.append((point, color))
    return changes


def _play(state: State, size: Size, move: int) -> list[int]:
    """Play a stone; return the moves whose stones it takes."""
    play(state, move_to_point(move, size))
    start = HEADER + TAKEN * int(state[AREA])
    taken = state[start : start + int(state[N_TAKEN])]
    return [int(point_to_move(int(point), size)) for point in taken]
