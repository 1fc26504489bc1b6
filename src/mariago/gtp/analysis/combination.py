"""Commands on combinations, in the words of GNU Go's regression suites.

``combination_attack COLOUR`` replies the first move of a combination (see
``mariago.tactics.combinations``), or ``PASS``. ``combination_defend COLOUR`` replies the moves of
COLOUR after which its opponent has none, or ``PASS`` where the opponent has none now.
"""

from collections.abc import Sequence

from mariago.board.points import move_to_vertex, opponent
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.combinations import combination_attack, combination_defenses

__all__ = ["COMMANDS"]

_COLORS = {"b": 1, "black": 1, "w": 2, "white": 2}


def _color(words: Sequence[str]) -> int:
    color = _COLORS.get(words[0].lower()) if len(words) == 1 else None
    if color is None:
        raise BadInputError("a colour is needed", hint="as in: combination_attack black")
    return color


def _combination_attack(position: Position, words: Sequence[str]) -> str:
    move = combination_attack(position, _color(words))
    return "PASS" if move is None else move_to_vertex(move, position.size)


def _combination_defend(position: Position, words: Sequence[str]) -> str:
    color = _color(words)
    if combination_attack(position, opponent(color)) is None:
        return "PASS"
    moves = combination_defenses(position, color)
    return " ".join(move_to_vertex(move, position.size) for move in moves) or "PASS"


COMMANDS = {
    "combination_attack": _combination_attack,
    "combination_defend": _combination_defend,
}
