"""Eyes of small spaces, each shape with who moves first."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.points import move_to_vertex, vertex_to_move
from mariago.errors import BadInputError
from mariago.gtp.analysis.status import eval_eye
from mariago.rules import Position
from mariago.tactics.eyes import eye_value


def shape(*rows: str) -> Position:
    """Return a space (``.``; ``O`` a stone in it, ``#`` none) of Black's, with White outside."""
    width = len(rows[0]) + 6
    board = np.full((len(rows) + 6, width), 1, np.uint8)
    board[0] = board[-1] = 0
    board[:, 0] = board[:, -1] = 0
    board[1] = board[-2] = 2
    board[1:-1, 1] = board[1:-1, -2] = 2
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            board[r + 3, c + 3] = {".": 0, "#": 1, "O": 2}[letter]
    return Position.from_stones(board)


@pytest.mark.parametrize(
    ("rows", "least", "most"),
    [
        (["."], 1, 1),
        ([".."], 1, 1),
        (["..."], 1, 2),
        ([".O."], 1, 1),
        (["...."], 2, 2),
        (["..", ".."], 1, 1),
        ([".#", "..", ".#"], 1, 2),
        (["..#", "#.."], 2, 2),
        ([".#.", "...", "###"], 2, 2),
        (["#.#", "...", "#.#"], 1, 2),
        ([".O..", ], 1, 2),
        (["..#", "..."], 1, 2),
        (["...", "..."], 2, 2),
    ],
)  # fmt: skip
def test_a_shape_makes_the_eyes_that_players_know(rows, least, most):
    position = shape(*rows)
    empty = next(
        r * position.size.columns + c
        for r in range(3, 3 + len(rows))
        for c in range(3, 3 + len(rows[0]))
        if rows[r - 3][c - 3] == "."
    )
    found = eye_value(position, empty)
    assert (found.least, found.most) == (least, most)
    assert (found.attack is None) == (least == most)


def test_the_vital_point_of_three_in_a_row_is_the_middle():
    position = shape("...")
    found = eye_value(position, vertex_to_move("D4", position.size))
    assert move_to_vertex(found.attack, position.size) == "E4"
    assert found.attack == found.defence
    assert eval_eye(position, ["D4"]) == "1 2 E4 E4"


def test_what_nobody_surrounds_has_no_eyes():
    with pytest.raises(BadInputError):
        eye_value(Position.empty(9), 40)
    with pytest.raises(BadInputError):
        eval_eye(Position.empty(9), ["pass"])


def test_boards_at_random_are_counted_or_refused():
    rng = np.random.default_rng(5)
    counted = 0
    for _ in range(6):
        cells = rng.choice([0, 1, 2], (5, 5), p=[0.25, 0.4, 0.35]).astype(np.uint8)
        position = Position.from_stones(cells, without_breathless=True)
        for move in range(0, 25, 6):
            try:
                found = eye_value(position, move)
            except BadInputError:
                continue
            counted += 1
            assert 0 <= found.least <= found.most <= 2
    assert counted > 3
