"""Commands on local reading, in the words of GNU Go's regression suites.

``attack V`` and ``defend V`` reply ``0``, or a result and a move: ``1 C3``; the result is 2 or 3
where it depends on a ko (see ``mariago.tactics.reading``), the move ``PASS`` where none is needed.
What is not known within the nodes allowed counts as failed.
"""

from collections.abc import Sequence

from mariago.board.points import Move, move_to_vertex, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.reading import Reading, attack, defend

__all__ = ["COMMANDS"]


def _stone(position: Position, words: Sequence[str]) -> Move:
    if len(words) != 1:
        raise BadInputError("one vertex is needed", hint="as in: attack D4")
    return vertex_to_move(words[0], position.size)


def _reply(position: Position, reading: Reading) -> str:
    if reading.result <= 0:
        return "0"
    move = reading.move
    return f"{reading.result} {'PASS' if move is None else move_to_vertex(move, position.size)}"


def _attack(position: Position, words: Sequence[str]) -> str:
    return _reply(position, attack(position, _stone(position, words)))


def _defend(position: Position, words: Sequence[str]) -> str:
    return _reply(position, defend(position, _stone(position, words)))


def _does(position: Position, words: Sequence[str], *, saves: bool) -> str:
    """Reply how a move fares: the result for the side that plays it."""
    if len(words) != 2:
        raise BadInputError("a move and a stone are needed", hint="as in: does_attack C4 D4")
    move, stone = (vertex_to_move(word, position.size) for word in words)
    owner = 0 if stone == position.size.cells else position.color_at(stone)
    if owner == 0:
        raise BadInputError("no stone stands there", where=words[1])
    after = position.with_to_move(owner if saves else 3 - owner)
    if not after.is_legal(move):
        raise BadInputError("this move is illegal", where=words[0])
    after = after.play(move)
    if after.color_at(stone) == 0:
        return "0" if saves else "1"
    reading = attack(after, stone) if saves else defend(after, stone)
    if reading.result == -1:
        return "0"
    return str({0: 1, 1: 0, 2: 3, 3: 2}[reading.result])


def _does_attack(position: Position, words: Sequence[str]) -> str:
    return _does(position, words, saves=False)


def _does_defend(position: Position, words: Sequence[str]) -> str:
    return _does(position, words, saves=True)


COMMANDS = {
    "attack": _attack,
    "defend": _defend,
    "does_attack": _does_attack,
    "does_defend": _does_defend,
}
