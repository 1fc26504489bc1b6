"""Dead stones are taken off before a pass where they would cost the game."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE, Size, vertex_to_move
from mariago.players.net_player import NetOptions, NetPlayer
from mariago.players.protocol import Limits
from mariago.players.tidying import tidying_moves
from mariago.rules import Position

SIZE = Size(5, 6)
DEAD_STONE = """
. . . X O .
. O . X O .
. . . X O .
. . . X O .
. . . X O .
"""
TAKEN = DEAD_STONE.replace(". O . X", ". . . X")
LIVING = """
. O . X O .
O O . X O .
. O . X O .
O O O X O .
. O X X O .
"""
OURS = np.array([[1.0] * 4 + [-1.0] * 2] * 5)
THEIRS = np.array([[-1.0] * 3 + [1.0] + [-1.0] * 2] * 5)
LIBERTIES = {"B5", "A4", "C4", "B3"}


@pytest.mark.parametrize(
    ("board", "owned", "side", "rules", "komi", "wanted"),
    [
        (DEAD_STONE, OURS, BLACK, "chinese", 0, LIBERTIES),  # 5 : 11 as it stands, 20 : 10 without
        (DEAD_STONE, OURS, BLACK, "chinese", 9.5, LIBERTIES),
        (DEAD_STONE, OURS, BLACK, "chinese", 10.5, None),  # lost all the same
        (DEAD_STONE, OURS, BLACK, "chinese", -7, None),  # won as it stands
        (DEAD_STONE, OURS, WHITE, "chinese", 0, None),  # White may hope
        (DEAD_STONE, OURS, BLACK, "japanese", 0, None),  # taking it off costs points
        (TAKEN, OURS, BLACK, "chinese", 0, None),
        (LIVING, THEIRS, BLACK, "chinese", 0, None),  # nothing is dead
    ],
)
def test_the_liberties_of_stones_that_cost_the_game(
    board: str, owned: np.ndarray, side: int, rules: str, komi: float, wanted: set[str] | None
) -> None:
    position = Position.from_diagram(board, to_move=side, rules=rules, komi=komi)
    found = tidying_moves(position, lambda _: owned)
    if wanted is None:
        assert found is None
        return
    assert found is not None
    assert set(np.flatnonzero(found)) == {vertex_to_move(name, SIZE) for name in wanted}


class PassingNet:
    """Would pass, and likes C4 next; knows whose the points of these boards are."""

    def evaluate_positions(self, positions: list[Position]) -> list[SimpleNamespace]:
        policy = np.full(SIZE.cells + 1, 0.001)
        policy[vertex_to_move("C4", SIZE)] = 0.01
        policy[SIZE.cells] = 0.9
        policy *= positions[0].legal_mask()
        return [SimpleNamespace(policy=policy / policy.sum(), value=0.9)]


def test_a_net_takes_the_dead_stone_and_passes_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mariago.players.net_player.expected_ownership", lambda net, position: OURS)
    player = NetPlayer("net:x", PassingNet(), NetOptions())  # type: ignore[arg-type]
    position = Position.from_diagram(  # a pass is thought of after half the board's points
        DEAD_STONE, to_move=BLACK, rules="chinese", komi=0, move_number=SIZE.cells
    )
    played = []
    for _ in range(8):
        move = player.choose(position, Limits()).move
        if move == SIZE.cells:
            break
        played.append(move)
        position = position.play(move).play(SIZE.cells)
    assert played[0] == vertex_to_move("C4", SIZE)
    assert len(played) == 4
    assert set(played) == {vertex_to_move(name, SIZE) for name in LIBERTIES}
    assert move == SIZE.cells
