"""Captures that save a chain, against Pachi's unit tests; floors may only rise.

Source: Pachi t-unit ``can_countercap.t``: does taking a chain beside the one at a point save it?
"""

from __future__ import annotations

import re

import numpy as np

from mariago.board.points import vertex_to_move
from mariago.rules import Position
from mariago.tactics.reading import attack

FLOOR, CASES = 8, 8


def cases_of(path):
    """Yield (position, vertex, answer) of every case."""
    rows: list[list[int]] = []
    for raw in path.read_text().split("\n"):
        line = raw.split("%")[0].split("#")[0].strip()
        if line.startswith("boardsize"):
            rows = []
        elif line and re.fullmatch(r"[.XO) ]+", line):
            rows.append([".XO".index(c) for c in line if c in ".XO"])
        asked = re.fullmatch(r"can_countercap\s+(\S+)\s+([01])", line)
        if asked:
            yield Position.from_stones(np.array(rows, np.uint8)), asked[1], asked[2] == "1"


def saved_by_a_capture(position, stone):
    """Say whether taking a chain that touches the one at ``stone`` leaves it and the taker."""
    owner = position.color_at(stone)
    before = position.with_to_move(owner)
    chain = set(before.chain_at(stone))
    columns = before.size.columns
    for move in range(before.size.cells):
        if before.color_at(move) != 3 - owner or len(before.liberties_at(move)) != 1:
            continue
        touching = any(
            abs(a // columns - b // columns) + abs(a % columns - b % columns) == 1
            for a in before.chain_at(move)
            for b in chain
        )
        take = before.liberties_at(move)[0]
        if not touching or not before.is_legal(take):
            continue
        after = before.play(take)
        if attack(after, stone).result == 0 and attack(after, take).result == 0:
            return True
    return False


def test_captures_save_chains_as_pachis_tests_say(peer_data):
    right = cases = 0
    for position, vertex, answer in cases_of(peer_data / "tactics/pachi/can_countercap.t"):
        cases += 1
        found = saved_by_a_capture(position, vertex_to_move(vertex, position.size))
        right += found == answer
        if found != answer:
            print(f"{position}\n{vertex} {answer}")
    print(f"can_countercap: {right} of {cases} as Pachi's tests say")
    assert cases == CASES
    assert right >= FLOOR
