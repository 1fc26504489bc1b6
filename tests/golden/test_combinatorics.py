"""Numbers that others have published: legal positions and games of small boards.

Source: J. Tromp and G. Farnebäck, "Combinatorics of Go", Computers and Games 2006, LNCS 4630
(2007), revised 31 January 2016; the squares are also OEIS A094777.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from tests.reference.plain_go import chain_of, liberties_of

from mariago.board import kernels, setup_kernels
from mariago.board.points import BLACK, WHITE
from mariago.rules import RULE_SETS, Position

LEGAL_SQUARES = {1: 1, 2: 57, 3: 12_675}
LEGAL_4X4 = 24_318_165


@numba.njit(cache=False)
def count_legal_boards(rows: int, columns: int) -> Any:
    """Count, among all colourings of the board, those in which every chain has a liberty."""
    cells = rows * columns
    stones = np.zeros(cells, np.uint8)
    s = kernels.new_state(rows, columns)
    area = np.int64(s[kernels.AREA])
    legal = 0
    while True:
        setup_kernels.set_stones(s, stones)
        breathes = True
        for p in range(area):
            if s[kernels.HEADER + p] in (BLACK, WHITE):
                head = s[kernels.HEADER + kernels.HEAD * area + p]
                if s[kernels.HEADER + kernels.LIBERTIES * area + head] == 0:
                    breathes = False
                    break
        legal += breathes
        digit = 0
        while digit < cells and stones[digit] == WHITE:
            stones[digit] = 0
            digit += 1
        if digit == cells:
            return legal
        stones[digit] += 1


@pytest.mark.parametrize("side", LEGAL_SQUARES)
def test_small_squares_have_the_published_number_of_legal_positions(side: int) -> None:
    assert count_legal_boards(side, side) == LEGAL_SQUARES[side]


@pytest.mark.slow
def test_4x4_has_the_published_number_of_legal_positions() -> None:
    assert count_legal_boards(4, 4) == LEGAL_4X4


@pytest.mark.parametrize("size", [(1, 2), (2, 1), (1, 5), (2, 3), (3, 2)])
def test_rectangles_have_as_many_legal_positions_as_flood_fill_finds(
    size: tuple[int, int],
) -> None:
    rows, columns = size
    points = [(r, c) for r in range(rows) for c in range(columns)]
    legal = 0
    for number in range(3 ** len(points)):
        colors = [number // 3**i % 3 for i in range(len(points))]
        stones = {point: color for point, color in zip(points, colors, strict=True) if color}
        legal += all(
            liberties_of(stones, chain_of(stones, point, rows, columns), rows, columns)
            for point in stones
        )
    assert count_legal_boards(rows, columns) == legal


def count_games(position: Position) -> int:
    """Count games in the paper's sense: paths of boards that never repeat, either colour to move.

    Passing lets either side place the next stone, so who is to move is left open; positional
    superko with suicide forbids the repeated boards. A game may stop at any board.
    """
    games = 1
    for color in (BLACK, WHITE):
        turned = position.with_to_move(color)
        games += sum(count_games(turned.play(move)) for move in turned.legal_moves()[:-1])
    return games


@pytest.mark.parametrize(("columns", "games"), [(1, 1), (2, 9), (3, 907)])
def test_single_rows_have_the_published_number_of_games(columns: int, games: int) -> None:
    assert count_games(Position.empty((1, columns), RULE_SETS["tromp_taylor"])) == games
