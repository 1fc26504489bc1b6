"""Kinds of atari on diagrams of our own, in all symmetries and both colours."""

from __future__ import annotations

import pytest

from mariago.board.geometry import SYMMETRIES, move_table
from mariago.board.points import Move, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.atari_kinds import is_useful_ladder, kind_of_atari

# From D2, C2 is chased down to the edge; from C1 it runs out on the right.
CORNER = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . X . . . .
    . X O . . . .
    . . . . . . .
    """
# Three stones at the edge that could not get away if White moved either.
THREE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . X . . .
    . . X O X . .
    . X O O X . .
    . . . . . . .
    """
# F6 puts E6 and G6 in atari at once: each can run down, and neither run helps the other.
FORK = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . X . .
    . . . X O . O X .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
# A stone thrown in at C1 is taken from D1, and takes four back.
EYE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X X X X . . .
    X O O O X . .
    X O . . X . .
    """
# D4 runs from D5, and then D5 is where E5 had its third liberty.
CROSS = """
    . . . . . . .
    . . . . . . .
    . . . . O . .
    . . X O X X .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
# At D4 the stone itself is left in atari, and nothing falls.
MOUTH = """
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . O . O X .
    . . . O X . .
    . . . . . . .
    . . . . . . .
    """
# Chased from G4, the three stones run up to the edge.
THREE_OUT = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X . . . .
    . . X O O O . . .
    . . . X X X . . .
    . . . . . . . . .
    . . . . . . . . .
    """
# D4 parts C4 from D3; chased from E4, it runs up to the edge.
WEDGE = """
    . . . . . . .
    . . . . . . .
    . . X . . . .
    . . X O . . .
    . . O X . . .
    . . . . . . .
    . . . . . . .
    """
# The same stone with nothing to part: C3 is Black's.
LONE = WEDGE.replace(". . O X", ". . X X")
KINDS = [
    (CORNER, "D2", "ladder"),
    (CORNER, "C1", "some"),
    (THREE, "D1", "ladder"),  # dead already, so neither big nor cutting
    (THREE_OUT, "G4", "ladder_big"),
    (WEDGE, "E4", "ladder_cut"),
    (LONE, "E4", "ladder"),
    (FORK, "F6", "double"),
    (FORK, "E5", "some"),
    (EYE, "C1", "snapback"),
    (CROSS, "D5", "and_cap"),
    (CROSS, "D3", "some"),
    (MOUTH, "D4", "none"),
    (MOUTH, "A1", "none"),
    (MOUTH, "D5", "none"),  # a stone stands there
]


def each_way(diagram, vertex):
    """Yield the position and the move in all symmetries, and once with the colours swapped."""
    position = Position.from_diagram(diagram, to_move=1)
    move = vertex_to_move(vertex, position.size)
    for symmetry in SYMMETRIES:
        at = int(move_table(position.size, symmetry)[move])
        yield position.symmetry(symmetry), Move(at)
    yield Position.from_diagram(diagram.translate(str.maketrans("XO", "OX")), to_move=2), move


@pytest.mark.parametrize(("diagram", "vertex", "kind"), KINDS)
def test_kinds_of_atari_are_told_apart_whichever_way_the_board_is_turned(diagram, vertex, kind):
    assert {kind_of_atari(*case) for case in each_way(diagram, vertex)} == {kind}


def test_a_move_that_runs_with_no_laddered_chain_is_refused():
    position = Position.from_diagram(CORNER)
    for vertex in ("A1", "C2", "pass"):
        with pytest.raises(BadInputError, match="no chain that a ladder takes"):
            is_useful_ladder(position, vertex_to_move(vertex, position.size))
