"""What stands beyond doubt: unconditional life and territory."""

from collections.abc import Sequence

import numpy as np

from mariago.board.kernels import AREA
from mariago.board.points import COLOR_NAMES, move_to_point, move_to_vertex, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.eyes import eye_value
from mariago.tactics.territory_kernels import unconditional_area


def unconditional_status(position: Position, words: Sequence[str]) -> str:
    """``unconditional_status VERTEX``: alive, dead, undecided, white_territory, black_territory.

    Alive: never captured though the owner always passes. Territory: the other side can never live
    there, and its stones are dead. An own stone in own territory may be taken, and is undecided.

    Raises:
        BadInputError: not one vertex of this board.
    """
    if len(words) != 1:
        raise BadInputError("one vertex is expected", where=" ".join(words), hint="as in C3")
    move = vertex_to_move(words[0], position.size)
    point = move_to_point(move, position.size)
    if point < 0:
        raise BadInputError("a pass has no status", where=words[0])
    alive, ground = np.zeros((2, int(position.state[AREA])), np.uint8)
    unconditional_area(position.state, position.rules.suicide, alive, ground)
    color = position.color_at(move)
    owner = int(ground[point])
    if alive[point]:
        return "alive"
    if owner == 0:
        return "undecided"
    if color == 0:
        return f"{COLOR_NAMES[owner]}_territory"
    return "alive" if owner == color else "dead"


def eval_eye(position: Position, words: Sequence[str]) -> str:
    """``eval_eye VERTEX``: eyes if the attacker moves first, if the defender does, their moves.

    ``1 1``, or ``0 1 F1 F1`` where the first move matters.

    Raises:
        BadInputError: not one vertex of this board, or no space that can be played out.
    """
    if len(words) != 1:
        raise BadInputError("one vertex is expected", where=" ".join(words), hint="as in C3")
    move = vertex_to_move(words[0], position.size)
    if move == position.size.cells:
        raise BadInputError("a pass has no eyes", where=words[0])
    found = eye_value(position, move)
    reply = f"{found.least} {found.most}"
    if found.attack is not None and found.defence is not None:
        attack, defence = (move_to_vertex(m, position.size) for m in (found.attack, found.defence))
        reply += f" {attack} {defence}"
    return reply


COMMANDS = {"eval_eye": eval_eye, "unconditional_status": unconditional_status}
