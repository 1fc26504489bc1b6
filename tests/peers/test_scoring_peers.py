"""Counts against sgfmill's, Fuego's and goscorer's cases; floors may only rise."""

from __future__ import annotations

import json
import re

import numpy as np

from mariago.board.points import sgf_to_move, size_of
from mariago.rules import Position
from mariago.scoring import owners, score_area, score_territory

GOSCORER_FLOOR = 10  # of 46; the rest turn on seki, false eyes and connections
GOSCORER_CASES = 46
FUEGO_FLOOR = 15  # of 15, under either way of counting


def test_area_scores_equal_sgfmills(peer_data):
    cases = json.loads((peer_data / "tactics" / "board_test_data.json").read_text())
    assert len(cases["score_tests"]) == 5
    for name, diagram, expected in cases["score_tests"]:
        rows = [line.split()[1:] for line in diagram.strip().split("\n")[:-1]]
        stones = np.array([[{".": 0, "#": 1, "o": 2}[c] for c in row] for row in rows], np.uint8)
        assert score_area(stones).margin == expected, name


def fuego_positions(folder):
    """Yield (position, command, answer, is a known failure of Fuego) of every case."""
    position = None
    lines = (folder / "scoring_static.tst").read_text().split("\n")
    for i, line in enumerate(lines):
        load = re.match(r"loadsgf (\S+) (\d+)", line)
        if load:
            text = (folder / load[1]).read_text()
            nodes = re.findall(r";\s*([BW])\[([a-z]*)\]", text)[: int(load[2]) - 1]
            position = Position.empty(9, "tromp_taylor", 6.5)
            for color, value in nodes:
                position = position.with_to_move(1 if color == "B" else 2)
                position = position.play(sgf_to_move(value, size_of(9)))
        command = re.match(r"\d+ static_score (\w+)", line)
        if command:
            answer = re.match(r"#\? \[(.*)\](\*?)", lines[i + 1])
            yield position, command[1], answer[1].replace("\\", ""), bool(answer[2])


def test_scores_equal_fuegos(peer_data):
    equal = {"tromp_taylor_score": 0, "japanese_score": 0}
    for position, command, answer, _ in fuego_positions(peer_data / "scoring" / "fuego"):
        count = score_area if command == "tromp_taylor_score" else score_territory
        equal[command] += str(count(position)) == answer
    print(f"Fuego's scores reached, of 15 each: {equal}")
    assert min(equal.values()) >= FUEGO_FLOOR


def goscorer_boards(folder):
    """Yield (name, stones, dead, owner of territory) of every case."""
    for path in sorted(folder.glob("test_*.txt")):
        sections, name = {}, ""
        for line in path.read_text().split("\n"):
            if line.endswith(":"):
                name = line[:-1]
                sections[name] = []
            elif line.strip():
                sections[name].append(line)
        board = np.array([list(row) for row in sections["BOARD"]])
        marked = np.array([list(row) for row in sections["TERRITORY"]])
        stones = np.isin(board, ["x", "b"]) * 1 + np.isin(board, ["o", "w"]) * 2
        yield (
            path.stem,
            stones.astype(np.uint8),
            np.isin(board, ["b", "w"]),
            (marked == "z") * 1 + (marked == "a") * 2,
        )


def test_territory_equals_goscorers_where_no_seki_is_read(peer_data):
    equal = cases = 0
    for _, stones, dead, territory in goscorer_boards(peer_data / "scoring" / "goscorer"):
        cases += 1
        ours = owners(stones, dead) * ((stones == 0) | dead)
        equal += np.array_equal(ours, territory)
    print(f"goscorer boards with equal territory: {equal} of {cases}")
    assert cases == GOSCORER_CASES
    assert equal >= GOSCORER_FLOOR
