"""Commands on connections, in the words of GNU Go's regression suites.

``connect V W`` replies ``0``, or ``1`` and the move with which the owner joins the chains of two
stones; ``disconnect V W`` the same for the opponent who keeps them apart, with ``3`` for ``1``
where it takes a ko; ``PASS`` where no move is needed. ``same_dragon V W`` replies ``1`` where the
opponent, moving first, cannot part them. What is not known within the search counts as apart.
"""

from collections.abc import Sequence

from mariago.board.points import Move, move_to_vertex, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.connections import Connection, connect, disconnect

__all__ = ["COMMANDS"]


def _stones(position: Position, words: Sequence[str]) -> list[Move]:
    if len(words) != 2:
        raise BadInputError("two vertices are needed", hint="as in: connect D4 G4")
    stones = [vertex_to_move(word, position.size) for word in words]
    if position.size.cells in stones:
        raise BadInputError("a pass is no stone", where=" ".join(words))
    return stones


def _reply(position: Position, found: Connection) -> str:
    if found.result == 0:
        return "0"
    move = "PASS" if found.move is None else move_to_vertex(found.move, position.size)
    return f"{found.result} {move}"


def _connect(position: Position, words: Sequence[str]) -> str:
    return _reply(position, connect(position, *_stones(position, words)))


def _disconnect(position: Position, words: Sequence[str]) -> str:
    return _reply(position, disconnect(position, *_stones(position, words)))


def _same_dragon(position: Position, words: Sequence[str]) -> str:
    return "1" if disconnect(position, *_stones(position, words)).result == 0 else "0"


COMMANDS = {"connect": _connect, "disconnect": _disconnect, "same_dragon": _same_dragon}
