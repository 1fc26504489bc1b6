"""Local reading against a plain search of all moves, and against the ladder reader."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.plain_capture import PlainCapture, TooMany

from mariago.board.kernels import AREA, HEAD, HEADER, LIBERTIES
from mariago.board.points import move_at, move_to_point
from mariago.rules import Position
from mariago.tactics.ladder_kernels import ladder_captured, ladder_workspace
from mariago.tactics.reading import attack, defend
from mariago.tactics.reading_kernels import read, read_exactly, reading_workspace, set_limits

SMALL = ((2, 3), (3, 3), (2, 4), (2, 5), (3, 4), (4, 3))
LARGER = (*SMALL, (3, 5), (4, 4), (4, 5))
NODES = 200_000


def small_cases(seed, sizes, most, count):
    """Yield (position, target, owner, free, mover, captured) of random small boards."""
    rng = np.random.default_rng(seed)
    while count > 0:
        rows, columns = sizes[rng.integers(len(sizes))]
        board = rng.choice(3, size=(rows, columns), p=(0.3, 0.35, 0.35)).astype(np.uint8)
        position = Position.from_stones(board, without_breathless=True)
        stones = {
            (int(r), int(c)): int(position.stones[r, c]) for r, c in np.argwhere(position.stones)
        }
        if not stones:
            continue
        target = list(stones)[rng.integers(len(stones))]
        owner, free, mover = stones[target], int(rng.integers(3)), int(rng.integers(1, 3))
        try:
            plain = PlainCapture(rows, columns, target, owner, free)
            captured = plain.captured(stones, mover, most)
        except TooMany:
            continue
        count -= 1
        yield position, target, owner, free, mover, captured


def check_small(seed, sizes, most, count):
    answers = [0, 0]
    for position, target, owner, free, mover, captured in small_cases(seed, sizes, most, count):
        work, out = reading_workspace(*position.size), np.zeros(2, np.int64)
        point = move_to_point(move_at(*target, position.size), position.size)
        exact = read_exactly(position.state, point, mover, free, NODES, work, out)
        set_limits(NODES, work)
        local = read(position.state, point, mover, free, 0, work, out)
        what = f"{position}\n{target}, free {free}, to move {mover}"
        if free == owner and not captured:
            # Reading lets an owner who must take back for ever lose; the plain search does not.
            assert exact in (0, 1), what
        else:
            assert exact == captured, what
            assert local == captured, what
        answers[captured] += 1
    assert min(answers) > 0


def test_reading_agrees_with_a_plain_search_of_all_moves():
    check_small(seed=5, sizes=SMALL, most=1500, count=40)


@pytest.mark.slow
def test_reading_agrees_with_a_plain_search_of_all_moves_on_larger_boards():
    check_small(seed=6, sizes=LARGER, most=4000, count=60)


def chains_of(position):
    """Yield (move, liberties) of the first stone of each chain."""
    state, size = position.state, position.size
    area = int(state[AREA])
    for move in range(size.cells):
        point = move_to_point(move, size)
        if position.color_at(move) and state[HEADER + HEAD * area + point] == point:
            yield move, int(state[HEADER + LIBERTIES * area + point])


@pytest.mark.parametrize("side", [7, 9, 13])
def test_what_a_ladder_takes_reading_takes(side):
    rng = np.random.default_rng(side)
    taken = 0
    for length in (20, 30, 40, 50):
        position = Position.empty(side)
        for _ in range(length):
            position = position.play(rng.choice(position.legal_moves()[:-1]))
        work = ladder_workspace(side, side)
        for move, liberties in chains_of(position):
            if liberties > 2:
                continue
            point = move_to_point(move, position.size)
            if not ladder_captured(position.state, point, work):
                continue
            taken += 1
            reading = attack(position, move) if liberties == 2 else defend(position, move)
            if len(position.chain_at(move)) == 1 and reading.result != (liberties == 2):
                continue  # a lone stone whose taker is taken back; a ladder does not look at that
            assert reading.result == (liberties == 2), f"{position}\n{move}"
    assert taken > 5
