"""Ladders against Pachi's unit tests; floors may only rise.

Source: Pachi t-unit. ``ladder`` asks whether a ladder takes the chain in atari at a point; a ``!``
before a line marks a known failure of Pachi, the answer is right all the same.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from mariago.board.points import vertex_to_move
from mariago.rules import Position
from mariago.tactics import reads_as_captured
from mariago.tactics.atari_kinds import is_useful_ladder
from mariago.tactics.ladders import would_ladder
from mariago.tactics.races import sekis_of

FLOORS = {"ladder": (25, 25), "ladder_any": (25, 25)}  # (reached, cases)


def is_false_eye_of_seki(position: Position, move: int) -> bool:
    return any(seki.false_eye and move in seki.eyes for seki in sekis_of(position, set()))


def would_chase(position: Position, move: int) -> bool:
    return would_ladder(position, move, chase=True)


# What a function of Pachi's answers at an empty point: (ours, reached, cases).
AT_POINTS = {
    "wouldbe_ladder": (would_chase, 5, 5),
    "wouldbe_ladder_any": (would_ladder, 6, 6),
    "useful_ladder": (is_useful_ladder, 8, 8),
    "false_eye_seki": (is_false_eye_of_seki, 2, 2),
}


def cases_of(path, function):
    """Yield (position, colour, vertex, answer) of every case of a test file."""
    rows: list[list[int]] = []
    for raw in path.read_text().split("\n"):
        line = raw.split("%")[0].split("#")[0].strip()
        if line.startswith("boardsize"):
            rows = []
        elif re.fullmatch(r"[.XO) ]+", line) and line:
            rows.append([".XO".index(c) for c in line if c in ".XO"])
        called = re.fullmatch(rf"!?{function}\s+([bw])\s+(\S+)\s+([01])", line)
        if called:
            color = 1 if called[1] == "b" else 2
            position = Position.from_stones(
                np.array(rows, np.uint8), to_move=color, without_breathless=True
            )
            yield position, color, called[2], called[3] == "1"


@pytest.mark.parametrize("function", FLOORS)
def test_ladders_read_as_pachis_tests_say(peer_data, function):
    floor, expected = FLOORS[function]
    right = cases = 0
    wrong = []
    path = peer_data / "tactics" / "pachi" / f"{function}.t"
    for position, color, vertex, answer in cases_of(path, function):
        cases += 1
        move = vertex_to_move(vertex, position.size)
        assert position.color_at(move) == color
        if reads_as_captured(position, move) == answer:
            right += 1
        else:
            wrong.append(f"{position}\n{vertex} {answer}")
    print("\n\n".join(wrong))
    print(f"{function}: {right} of {cases} as Pachi's tests say")
    assert cases == expected
    assert right >= floor


@pytest.mark.parametrize("function", AT_POINTS)
def test_points_are_judged_as_pachis_tests_say(peer_data, function):
    ours, floor, expected = AT_POINTS[function]
    right = cases = 0
    for position, _, vertex, answer in cases_of(
        peer_data / "tactics" / "pachi" / f"{function}.t", function
    ):
        cases += 1
        if ours(position, vertex_to_move(vertex, position.size)) == answer:
            right += 1
        else:
            print(f"{position}\n{vertex} {answer}")
    print(f"{function}: {right} of {cases} as Pachi's tests say")
    assert cases == expected
    assert right >= floor
