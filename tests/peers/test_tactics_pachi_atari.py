"""Kinds of atari against Pachi's unit tests; floors may only rise.

Source: Pachi t-unit ``atari.t``. ``atari:KIND`` names the kind, ``!atari:KIND`` a kind that it is
not, and -1 says that the move gives no atari worth the name.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from mariago.board.geometry import SYMMETRIES, move_table
from mariago.board.points import Move, vertex_to_move
from mariago.rules import Position
from mariago.tactics.atari_kinds import kind_of_atari

# The miss: a chain that parts two black stones below from all others, which Pachi does "not
# consider cutting stones right now".
FLOOR, CASES = 28, 29
ASKED = re.compile(r"atari\s+([bw])\s+(\S+)\s+(!?atari:\w+|-1)")


def cases_of(path):
    """Yield (position, move, answer) of every case."""
    rows: list[list[int]] = []
    for raw in path.read_text().split("\n"):
        line = raw.split("%")[0].split("#")[0].strip()
        if line.startswith("boardsize"):
            rows = []
        elif line and re.fullmatch(r"[.XO) ]+", line):
            rows.append([".XO".index(c) for c in line if c in ".XO"])
        asked = ASKED.fullmatch(line)
        if asked:
            position = Position.from_stones(
                np.array(rows, np.uint8), to_move="bw".index(asked[1]) + 1
            )
            yield position, vertex_to_move(asked[2], position.size), asked[3]


def accepts(answer: str, kind: str) -> bool:
    if answer == "-1":
        return kind == "none"
    return (answer.split(":")[1] == kind) != answer.startswith("!")


def test_kinds_of_atari_are_named_as_pachis_tests_do(peer_data):
    right = cases = 0
    for position, move, answer in cases_of(peer_data / "tactics" / "pachi" / "atari.t"):
        cases += 1
        kind = kind_of_atari(position, move)
        if accepts(answer, kind):
            right += 1
        else:
            print(f"{position}\n{move} {kind}, not {answer}")
    print(f"atari: {right} of {cases} as Pachi's tests say")
    assert cases == CASES
    assert right >= FLOOR


@pytest.mark.slow
def test_kinds_of_atari_do_not_depend_on_how_the_board_is_turned(peer_data):
    for position, move, _ in cases_of(peer_data / "tactics" / "pachi" / "atari.t"):
        kinds = {
            kind_of_atari(
                position.symmetry(symmetry), Move(int(move_table(position.size, symmetry)[move]))
            )
            for symmetry in SYMMETRIES
        }
        assert len(kinds) == 1, f"{position}\n{move} {kinds}"
