"""The reader of small regions against a game solved backwards, all positions of it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mariago.tactics.local_kernels import attacker_kills, local_workspace

Board = tuple[frozenset[int], frozenset[int]]  # attackers, defenders
State = tuple[Board, int, bool]  # the board, the ko point (-1 none), whether the attacker moves


class Region:
    """A rectangle beside living attackers on some of its points; plain sets, no bits."""

    def __init__(self, rows: int, columns: int, free: set[int]) -> None:
        self.cells = range(rows * columns)
        self.free = free
        self.near = {
            r * columns + c: {
                (r + dr) * columns + c + dc
                for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if 0 <= r + dr < rows and 0 <= c + dc < columns
            }
            for r in range(rows)
            for c in range(columns)
        }

    def chain(self, own: frozenset[int], cell: int) -> set[int]:
        found, edge = {cell}, [cell]
        while edge:
            for q in self.near[edge.pop()] & own - found:
                found.add(q)
                edge.append(q)
        return found

    def liberties(self, board: Board, chain: set[int]) -> set[int]:
        around = set().union(*(self.near[cell] for cell in chain))
        return around - board[0] - board[1]

    def breathes(self, board: Board, side: int, cell: int) -> bool:
        chain = self.chain(board[side], cell)
        return bool(self.liberties(board, chain)) or (side == 0 and bool(chain & self.free))

    def play(self, board: Board, cell: int, side: int) -> tuple[Board, int] | None:
        stones = [set(board[0]), set(board[1])]
        stones[side].add(cell)
        new = (frozenset(stones[0]), frozenset(stones[1]))
        taken = {q for q in new[1 - side] if not self.breathes(new, 1 - side, q)}
        stones[1 - side] -= taken
        new = (frozenset(stones[0]), frozenset(stones[1]))
        if not self.breathes(new, side, cell):
            return None
        chain = self.chain(new[side], cell)
        lone = chain == {cell} and len(taken) == 1 and self.liberties(new, chain) == taken
        safe = side == 0 and cell in self.free
        return new, taken.pop() if lone and not safe else -1

    def moves(self, state: State) -> list[State]:
        board, ko, attacking = state
        side = 0 if attacking else 1
        found: list[State] = [] if attacking and ko < 0 else [(board, -1, not attacking)]
        for cell in self.cells:
            if cell != ko and cell not in board[0] | board[1]:
                new = self.play(board, cell, side)
                if new is not None:
                    found.append((*new, not attacking))
        return found

    def lives(self, board: Board) -> bool:
        """Say whether a chain of the defender has two eyes of one point."""
        for cell in board[1]:
            chain = self.chain(board[1], cell)
            eyes = [e for e in self.liberties(board, chain) if self.near[e] <= chain]
            if len([e for e in eyes if e not in self.free]) >= 2:
                return True
        return False


def solved(moves: dict[State, list[State]], start: set[State], attacker: bool) -> set[State]:
    """Return the states from which one side reaches ``start`` whatever the other does."""
    won = set(start)
    while True:
        new = {
            state
            for state, then in moves.items()
            if state not in won
            and (any if state[2] == attacker else all)(t in won for t in then)
            and then
        }
        if not new:
            return won
        won |= new


@pytest.mark.parametrize(
    ("rows", "columns", "free"),
    [
        (1, 6, {0}),
        (2, 3, {0}),
        (2, 3, {0, 1, 2}),
        (1, 7, {0, 6}),
        (2, 4, {0, 4}),
        pytest.param(3, 3, {0, 1, 2}, marks=pytest.mark.slow),
    ],
)
def test_who_kills_is_what_the_solved_game_says(rows, columns, free):
    region = Region(rows, columns, free)
    n = rows * columns
    boards: list[Board] = []
    for flat in product((0, 1, 2), repeat=n):
        board = tuple(frozenset(k for k in range(n) if flat[k] == color) for color in (1, 2))
        if all(region.breathes(board, side, cell) for side in (0, 1) for cell in board[side]):
            boards.append(board)
    moves: dict[State, list[State]] = {}
    left: list[State] = [(board, -1, attacking) for board in boards for attacking in (True, False)]
    while left:
        state = left.pop()
        if state not in moves:
            moves[state] = region.moves(state)
            left.extend(moves[state])
    wiped = solved(moves, {state for state in moves if not state[0][1]}, attacker=True)
    living = solved(moves, {state for state in moves if region.lives(state[0])}, attacker=False)
    near = np.array([sum(1 << q for q in region.near[cell]) for cell in range(n)], np.int64)
    mask = sum(1 << cell for cell in free)
    kills = 0
    for board, ko, attacking in moves:
        if ko >= 0:
            continue
        a, d = (sum(1 << cell for cell in stones) for stones in board)
        result = attacker_kills(a, d, int(attacking), near, mask, n, local_workspace(14), 8_000)
        assert result in (0, 1)
        kills += result
        if (board, ko, attacking) in wiped:
            assert result == 1, (board, attacking)
        if (board, ko, attacking) in living:
            assert result == 0, (board, attacking)
    assert 0 < kills < len(moves)
