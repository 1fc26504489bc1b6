"""Handicap stones, and positions set up by hand."""

from __future__ import annotations

import numpy as np

from mariago.board.points import Move, Size, move_to_vertex
from mariago.errors import BadInputError, RulesError
from mariago.gtp.arguments import MANY, Entry, Table, color, point, syntax_error, vertex, whole
from mariago.gtp.session import Session
from mariago.rules import Game, Position, fixed_handicap_points
from mariago.rules.handicap import most_fixed_handicap

__all__ = ["COMMANDS"]

Words = tuple[str, ...]


def _refuse_stones(session: Session) -> None:
    if not session.is_empty:
        raise BadInputError("board not empty")


def _place(session: Session, points: list[Move]) -> str:
    session.handicap(points)
    return " ".join(move_to_vertex(move, session.size) for move in points)


def _fixed(session: Session, words: Words) -> str:
    stones = whole(words[0])
    _refuse_stones(session)
    try:
        points = fixed_handicap_points(session.size, stones)
    except RulesError:
        raise BadInputError("invalid number of stones") from None
    return _place(session, points)


def _free(session: Session, words: Words) -> str:
    """Place at most as many stones as asked for, as the standard allows."""
    stones = whole(words[0])
    _refuse_stones(session)
    size = session.size
    if not 2 <= stones < size.cells:
        raise BadInputError("invalid number of stones")
    most = most_fixed_handicap(size)
    points = fixed_handicap_points(size, min(stones, most)) if most else _scattered(size, stones)
    if len(points) < 2:
        raise BadInputError("invalid number of stones")
    return _place(session, points)


def _scattered(size: Size, stones: int) -> list[Move]:
    """Return points of a tiny board of which no two touch, those near the middle first."""
    middle = (size.rows - 1) / 2, (size.columns - 1) / 2

    def far(move: int) -> tuple[float, int]:
        row, column = divmod(move, size.columns)
        return abs(row - middle[0]) + abs(column - middle[1]), move

    apart = [move for move in range(size.cells) if sum(divmod(move, size.columns)) % 2 == 0]
    return [Move(move) for move in sorted(apart, key=far)[:stones]]


def _set_free(session: Session, words: Words) -> str:
    moves = [vertex(word, session.size, "bad vertex list") for word in words]
    _refuse_stones(session)
    cells = session.size.cells
    good = 2 <= len(moves) < cells and len(set(moves)) == len(moves) and cells not in moves
    if not good:
        raise BadInputError("bad vertex list")
    session.handicap(moves)
    return ""


def _set_position(session: Session, words: Words) -> str:
    """Put up stones, ``colour vertex`` for each, on an otherwise empty board; as in KataGo."""
    if len(words) % 2:
        raise syntax_error()
    size = session.size
    stones = np.zeros(size.cells, np.uint8)
    for side, word in zip(words[::2], words[1::2], strict=True):
        move = point(word, size)
        if stones[move] not in (0, color(side)):
            raise BadInputError("illegal position: two colours on one point")
        stones[move] = color(side)
    try:
        start = Position.from_stones(stones.reshape(size), rules=session.rules, komi=session.komi)
    except RulesError as error:
        raise BadInputError(f"illegal position: {error.what}") from None
    session.begin(Game(start))
    return ""


COMMANDS: Table = {
    "fixed_handicap": Entry(_fixed, 1),
    "place_free_handicap": Entry(_free, 1),
    "set_free_handicap": Entry(_set_free, 0, MANY),
    "set_position": Entry(_set_position, 0, MANY),
}
