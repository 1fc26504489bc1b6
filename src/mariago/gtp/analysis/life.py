"""Commands on life and death, in the words of GNU Go's regression suites.

``owl_attack V`` and ``owl_defend V`` reply ``0``, or a result and a move as ``attack`` does;
``PASS`` where none is needed. ``owl_does_attack MOVE V`` and ``owl_does_defend MOVE V`` reply how
the move fares. ``analyze_semeai V W``: the owner of V plays first; whether V is saved, whether W is
killed, and the move. ``dragon_status V``: alive, dead, or critical with the moves that kill and
save. What is not known within the nodes allowed counts as failed.
"""

from collections.abc import Sequence

from mariago.board.points import Move, move_to_vertex, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.life_reading import LifeReading
from mariago.tactics.life_reading import life as read_life

__all__ = ["COMMANDS"]

NODES = 300_000  # positions that one search may look at


def _stones(position: Position, words: Sequence[str], count: int, example: str) -> list[Move]:
    if len(words) != count:
        raise BadInputError(f"{count} vertices are needed", hint=f"as in: {example}")
    return [vertex_to_move(word, position.size) for word in words]


def _owner(position: Position, stone: Move) -> int:
    owner = 0 if stone == position.size.cells else position.color_at(stone)
    if owner == 0:
        raise BadInputError("no stone stands there", where=move_to_vertex(stone, position.size))
    return owner


def _vertex(position: Position, move: Move | None) -> str:
    return "PASS" if move is None else move_to_vertex(move, position.size)


def _life(
    position: Position, stone: Move, to_move: int | None = None, rival: Move | None = None
) -> LifeReading:
    return read_life(position, stone, to_move, nodes=NODES, rival=rival)


def _reply(position: Position, reading: LifeReading, *, needed: bool) -> str:
    if reading.result <= 0:
        return "0"
    return f"{reading.result} {_vertex(position, reading.move if needed else None)}"


def _owl_attack(position: Position, words: Sequence[str]) -> str:
    (stone,) = _stones(position, words, 1, "owl_attack D4")
    owner = _owner(position, stone)
    reading = _life(position, stone, 3 - owner)
    dead = reading.result == 1 and _life(position, stone, owner).status == "dead"
    return _reply(position, reading, needed=not dead)


def _owl_defend(position: Position, words: Sequence[str]) -> str:
    (stone,) = _stones(position, words, 1, "owl_defend D4")
    owner = _owner(position, stone)
    reading = _life(position, stone, owner)
    alive = reading.result == 1 and _life(position, stone, 3 - owner).status == "alive"
    return _reply(position, reading, needed=not alive)


def _does(position: Position, words: Sequence[str], *, saves: bool) -> str:
    """Reply how a move fares: the result for the side that plays it."""
    move, stone = _stones(position, words, 2, "owl_does_attack C4 D4")
    owner = _owner(position, stone)
    after = position.with_to_move(owner if saves else 3 - owner)
    if not after.is_legal(move):
        raise BadInputError("this move is illegal", where=words[0])
    after = after.play(move)
    if after.color_at(stone) == 0:
        return "0" if saves else "1"
    reading = _life(after, stone)
    return str({0: 1, 1: 0, 2: 3, 3: 2, -1: 0}[reading.result])


def _owl_does_attack(position: Position, words: Sequence[str]) -> str:
    return _does(position, words, saves=False)


def _owl_does_defend(position: Position, words: Sequence[str]) -> str:
    return _does(position, words, saves=True)


def _analyze_semeai(position: Position, words: Sequence[str]) -> str:
    own, rival = _stones(position, words, 2, "analyze_semeai C1 E1")
    mover = _owner(position, own)
    if _owner(position, rival) == mover:
        raise BadInputError("two colours race", where=" ".join(words))
    kill = _life(position, rival, mover, rival=own)
    if kill.result == 1:
        dead = _life(position, rival, 3 - mover, rival=own).status == "dead"
        return f"1 1 {_vertex(position, None if dead else kill.move)}"
    save = _life(position, own, mover, rival=rival)
    if save.result == 1:
        alive = _life(position, own, 3 - mover, rival=rival).status == "alive"
        return f"1 0 {_vertex(position, None if alive else save.move)}"
    if kill.result > 1:
        return f"{kill.result} {kill.result} {_vertex(position, kill.move)}"
    if save.result > 1:
        return f"{save.result} 0 {_vertex(position, save.move)}"
    return "0 0 PASS"


def _dragon_status(position: Position, words: Sequence[str]) -> str:
    (stone,) = _stones(position, words, 1, "dragon_status D4")
    owner = _owner(position, stone)
    kill = _life(position, stone, 3 - owner)
    if kill.result <= 0:
        return "alive" if kill.status == "alive" else "unknown"
    save = _life(position, stone, owner)
    if save.result <= 0:
        return "dead" if save.status == "dead" else "unknown"
    return f"critical {_vertex(position, kill.move)} {_vertex(position, save.move)}"


COMMANDS = {
    "analyze_semeai": _analyze_semeai,
    "dragon_status": _dragon_status,
    "owl_attack": _owl_attack,
    "owl_defend": _owl_defend,
    "owl_does_attack": _owl_does_attack,
    "owl_does_defend": _owl_does_defend,
}
