"""Real positions and cases of others: their boards, captures, kos and liberties."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from tests.reference.plain_go import area_of

from mariago.board.diagram import parse_diagram
from mariago.board.points import BLACK, WHITE, Size, move_to_vertex, vertex_to_move
from mariago.rules import Position

COLORS = {"B": BLACK, "W": WHITE}
ON_BOARD, OWN, OPPONENT, LIBERTIES, KO = 0, 1, 2, 3, 6


def load_cases(peer_data: Path) -> dict:
    text = (peer_data / "tactics" / "board_test_data.json").read_text(encoding="utf-8")
    return json.loads(text)


def test_sixteen_games_reach_the_boards_kos_and_scores_they_should(peer_data: Path) -> None:
    # sgfmill's board tests: name, moves, diagram, ko point, area score of Black less White
    cases = load_cases(peer_data)["play_tests"]
    for name, moves, diagram, ko, score in cases:
        position = Position.empty(9, "new_zealand")
        for text in moves:
            letter, vertex = text.split()
            position = position.with_to_move(COLORS[letter])
            position = position.play_vertex(vertex)
        expected = parse_diagram(diagram)
        assert np.array_equal(position.stones, expected.stones), name
        found = None if position.ko is None else move_to_vertex(position.ko, position.size)
        assert found == ko, name
        stones = {
            divmod(move, 9): color for move, color in enumerate(position.stones.flat) if color
        }
        black, white = area_of(stones, 9, 9)
        assert black - white == score, name
    assert len(cases) == 16


def test_three_set_ups_drop_stones_without_liberty(peer_data: Path) -> None:
    cases = load_cases(peer_data)["setup_tests"]
    for name, black, white, empty, diagram, is_legal in cases:
        stones = np.zeros(81, np.uint8)
        for color, vertices in ((BLACK, black), (WHITE, white), (0, empty)):
            stones[[vertex_to_move(vertex, Size(9, 9)) for vertex in vertices]] = color
        position = Position.from_stones(stones.reshape(9, 9), without_breathless=True)
        expected = parse_diagram(diagram).stones
        assert np.array_equal(position.stones, expected), name
        assert np.array_equal(position.stones.ravel(), stones) == is_legal, name
    assert len(cases) == 3


def test_stones_and_liberties_of_512_positions_come_out_equal(peer_data: Path) -> None:
    """KataGo's planes 1 to 5 from its board; the ko point (plane 6) is handed in."""
    with np.load(peer_data / "tactics" / "katago" / "positions_512.npz") as file:
        planes = file["planes"]
    kos = 0
    for row in planes:
        rows = int(row[ON_BOARD].any(axis=1).sum())
        columns = int(row[ON_BOARD].any(axis=0).sum())
        board = row[:, :rows, :columns]
        stones = board[OWN] * BLACK + board[OPPONENT] * WHITE
        banned = np.flatnonzero(board[KO])
        position = Position.from_stones(stones, ko=int(banned[0]) if len(banned) == 1 else None)
        kos += position.ko is not None
        assert np.array_equal(position.stones == BLACK, board[OWN])
        assert np.array_equal(position.stones == WHITE, board[OPPONENT])
        counts = position.liberty_counts()
        for liberties in (1, 2, 3):
            assert np.array_equal(counts == liberties, board[LIBERTIES + liberties - 1])
        if position.ko is not None:
            assert not position.legal_mask()[position.ko]
    assert len(planes) == 512
    assert kos > 0
