"""The five flags of a move equal what a plain reading of the boards before and after says."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.kernels import copy_into, is_pseudo_legal, new_state, play
from mariago.board.setup_kernels import set_stones
from mariago.tactics.flag_kernels import (
    CAPTURES,
    FLAGS,
    GIVES_ATARI,
    IN_ATARI,
    SAVES,
    SELF_ATARI,
    move_flags,
)

COLORS = {".": 0, "X": 1, "O": 2}


def board_of(state: np.ndarray) -> dict[tuple[int, int], int]:
    """Return {(row, column): colour} of a state's points."""
    rows, columns, stride = int(state[0]), int(state[1]), int(state[2])
    return {
        (row, column): int(state[16 + (row + 1) * stride + column + 1])
        for row in range(rows)
        for column in range(columns)
    }


def chain_of(board, point):
    """Return (stones, liberties) of the chain at ``point``, as sets, by a plain flood fill."""
    stones, liberties, todo = {point}, set(), [point]
    while todo:
        row, column = todo.pop()
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if near not in board or near in stones:
                continue
            if board[near] == 0:
                liberties.add(near)
            elif board[near] == board[point]:
                stones.add(near)
                todo.append(near)
    return stones, liberties


def plain_flags(before, after, point, own):
    """Return the five flags from the boards before and after, by their definitions alone."""
    opponent = 3 - own

    def weak(board, color):
        return {p for p in board if board[p] == color and len(chain_of(board, p)[1]) == 1}

    captures = sum(before[p] == opponent and after[p] == 0 for p in before)
    saves = sum(after[p] == own and p not in weak(after, own) for p in weak(before, own))
    gives = len(weak(after, opponent) - weak(before, opponent))
    self_atari = 0
    if after[point] == own:
        stones, liberties = chain_of(after, point)
        if len(liberties) == 1 and not (captures == 1 and len(stones) == 1):
            self_atari = len(stones)
    return [captures, saves, gives, self_atari, len(weak(before, own))]


def state_of(diagram: str, to_move: int) -> np.ndarray:
    rows = diagram.split()
    state = new_state(len(rows), len(rows[0]))
    set_stones(state, np.array([COLORS[c] for row in rows for c in row], np.uint8))
    state[4] = to_move
    return state


def flags_of(diagram: str, row: int, column: int, to_move: int = 1) -> list[int]:
    state = state_of(diagram, to_move)
    out = np.zeros(FLAGS, np.uint16)
    move_flags(state, (row + 1) * int(state[2]) + column + 1, out)
    return [int(x) for x in out]


@pytest.mark.parametrize(
    ("rows", "columns", "n_games", "suicide"),
    [(19, 19, 1, False), (9, 9, 6, True), (5, 5, 30, True), (3, 7, 30, False), (2, 2, 20, True)],
)
def test_flags_equal_the_plain_reading_in_random_games(rows, columns, n_games, suicide):
    rng = np.random.default_rng(7)
    out = np.zeros(FLAGS, np.uint16)
    for _ in range(n_games):
        state = new_state(rows, columns)
        for _ in range(min(2 * rows * columns, 260)):
            points = [
                (r + 1) * (columns + 1) + c + 1
                for r in range(rows)
                for c in range(columns)
                if is_pseudo_legal(state, (r + 1) * (columns + 1) + c + 1, suicide)
            ]
            if not points:
                break
            p = int(rng.choice(points))
            untouched = state.copy()
            move_flags(state, p, out)
            assert (state == untouched).all()
            after = state.copy()
            copy_into(after, state)
            play(after, p)
            where = (p // (columns + 1) - 1, p % (columns + 1) - 1)
            own = int(state[4])
            assert list(out) == plain_flags(board_of(state), board_of(after), where, own)
            state = after


def test_extending_out_of_atari_saves_the_chain():
    flags = flags_of(
        """
        .....
        .OOO.
        .OXX.
        .OOO.
        .....
        """,
        2,
        4,
    )
    assert flags[SAVES] == 2
    assert flags[IN_ATARI] == 2


def test_taking_the_captors_saves_chains_that_the_move_does_not_touch():
    flags = flags_of(
        """
        ..XO.
        .XOX.
        .....
        """,
        2,
        2,
    )
    assert flags == [1, 1, 0, 0, 1]


def test_taking_a_ko_is_not_counted_as_self_atari():
    flags = flags_of(
        """
        .XO..
        X.XO.
        .XO..
        .....
        """,
        1,
        1,
        to_move=2,
    )
    assert flags[CAPTURES] == 1
    assert flags[SELF_ATARI] == 0


def test_a_stone_thrown_in_is_self_atari():
    flags = flags_of(
        """
        .O...
        O.O..
        .....
        """,
        1,
        1,
    )
    assert flags[SELF_ATARI] == 1
    assert flags[GIVES_ATARI] == 0


def test_only_chains_brought_to_one_liberty_count_as_atari():
    flags = flags_of(
        """
        .X...
        XO...
        ..OX.
        .OOX.
        .XX..
        """,
        2,
        1,
    )
    assert flags[GIVES_ATARI] == 1


def test_a_pass_has_only_the_stones_in_atari():
    state = state_of(
        """
        XO.
        ...
        """,
        1,
    )
    out = np.full(FLAGS, 9, np.uint16)
    move_flags(state, -1, out)
    assert list(out) == [0, 0, 0, 0, 1]
