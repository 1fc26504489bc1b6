"""What an explained move shows beside its sentences: marks, chains beside it, what was offered."""

from __future__ import annotations

import pytest
from tests.unit.move_fact_diagrams import LONG_LADDER, SNAPBACK, START, board

from mariago.board.points import move_to_vertex, vertex_to_move
from mariago.rules import Position
from mariago.tactics.explained import Explained, explain_move, offered_by


def explained(diagram: str, vertex: str, to_move: int = 1) -> Explained:
    position = Position.from_diagram(diagram, to_move=to_move)
    return explain_move(position, to_move, vertex_to_move(vertex, position.size), 1)


def marks(told: Explained) -> dict[str, str]:
    size = told.before.size
    return {str(move_to_vertex(m, size)): mark for m, mark in told.picture().marks.items()}


@pytest.mark.parametrize(
    ("diagram", "vertex", "to_move", "wanted"),
    [
        (board(9, X="D5 E4 D6 F4", O="E5"), "F6", 1, {"E5": "triangle"}),  # a net
        (LONG_LADDER, "G7", 2, {"C3": "square"}),  # a ladder breaker
        (board(7, X="B2", O="C2 B1"), "D1", 1, {"B1": "triangle"}),  # a ladder made elsewhere
        (SNAPBACK, "C1", 1, dict.fromkeys(("B1", "B2", "C2", "D2"), "triangle")),
        (board(5, X="B3 D3"), "C3", 1, {"B3": "square", "D3": "square"}),
        (board(5, X="B3"), "E5", 1, {}),
    ],
)
def test_the_stones_that_a_move_is_about_are_marked(diagram, vertex, to_move, wanted) -> None:
    assert marks(explained(diagram, vertex, to_move)) == wanted


def test_the_chains_beside_a_move_are_told_with_their_liberties() -> None:
    told = explained(board(5, X="B3 B2 D3", O="C4"), "C3").as_dict()["beside"]
    assert told == {
        "own": [
            {"vertex": "B3", "stones": 2, "liberties": 6},
            {"vertex": "D3", "stones": 1, "liberties": 4},
        ],
        "opponent": [{"vertex": "C4", "stones": 1, "liberties": 4}],
    }


def test_what_a_position_offers_is_told_for_both_colours() -> None:
    offered = offered_by(Position.from_diagram(START))
    assert offered.laddered == {1: [], 2: [("D3", 1)]}
    assert offered.in_atari == {1: [], 2: []}
    assert offered.ladder_moves == ["D2"]
    offered = offered_by(Position.from_diagram(LONG_LADDER))
    assert offered.in_atari == {1: [], 2: [("C3", 1)]}
    assert offered.laddered == {1: [], 2: []}
