"""Ladders of a position, for people; ``ladder_kernels`` says what is read and how."""

import numpy as np

from mariago.board.kernels import AREA, HEAD, HEADER, LIBERTIES
from mariago.board.points import Move, move_to_point, opponent
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.ladder_kernels import (
    caught_in_atari,
    has_working_move,
    ladder_workspace,
    working_moves,
)
from mariago.tactics.ladder_map_kernels import mark_ladders
from mariago.tactics.neighbours import near_moves


def _marks(position: Position) -> tuple[list[Move], list[Move]]:
    rows, columns = position.size
    caught, working = np.zeros((2, position.size.area), np.uint8)
    mark_ladders(position.state, ladder_workspace(rows, columns), caught, working)
    found: list[list[Move]] = [[], []]
    for move in range(position.size.cells):
        point = move_to_point(move, position.size)
        for moves, marks in zip(found, (caught, working), strict=True):
            if marks[point]:
                moves.append(Move(move))
    return found[0], found[1]


def laddered_stones(position: Position) -> list[Move]:
    """Return the stones of both colours in chains that a ladder takes as the board stands.

    Chains in atari although their owner moves first, chains with two liberties if the attacker
    does.
    """
    return _marks(position)[0]


def working_ladder_moves(position: Position) -> list[Move]:
    """Return the moves with which the side to move catches a chain of two liberties in a ladder."""
    return _marks(position)[1]


def would_ladder(position: Position, move: int, *, chase: bool = False) -> bool:
    """Say whether the side to move, playing at ``move``, catches a chain of two liberties there.

    With ``chase`` only where the chain can still extend to two liberties, so that a chase begins.

    Raises:
        BadInputError: something stands there, or the move is a pass.
    """
    if not 0 <= move < position.size.cells or position.color_at(move) != 0:
        raise BadInputError("a ladder starts at an empty point", where=move)
    if not position.is_legal(move):
        return False
    after = position.play(move)
    work = ladder_workspace(*position.size)
    out = np.zeros(2, np.int64)
    for near in near_moves(move, position.size):
        if position.color_at(near) != opponent(position.to_move):
            continue
        liberties = position.liberties_at(near)
        if len(liberties) != 2:
            continue
        n = working_moves(position.state, move_to_point(near, position.size), work, out)
        if move_to_point(move, position.size) not in out[:n]:
            continue
        (rest,) = (liberty for liberty in liberties if liberty != move)
        extends = after.is_legal(rest) and len(after.play(rest).liberties_at(rest)) >= 2
        if extends or not chase:
            return True
    return False


def reads_as_captured(position: Position, move: int) -> bool:
    """Say whether a ladder takes the chain at ``move``.

    In atari its owner moves first; with two liberties the attacker does.

    Raises:
        BadInputError: no stone stands there.
    """
    if position.color_at(move) == 0:
        raise BadInputError("no stone stands there", where=move)
    state, work = position.state, ladder_workspace(*position.size)
    point = move_to_point(move, position.size)
    area = int(state[AREA])
    head = int(state[HEADER + HEAD * area + point])
    liberties = int(state[HEADER + LIBERTIES * area + head])
    if liberties == 1:
        return bool(caught_in_atari(state, point, work))
    return liberties == 2 and bool(has_working_move(state, point, work))
