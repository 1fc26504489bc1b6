"""Copies of random games: what is found keeps the rule, and what the rule promises is found."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.changed_games import (
    Moves,
    most_in_common,
    played,
    record,
    swapped,
    turned,
)
from tests.unit.test_records_duplicates import found

SIZE, LEAST = 13, 30


def changed(rng: np.random.Generator, moves: Moves) -> Moves:
    """Turn a game, cut it short, and write one move beside its place."""
    moves = turned(moves, int(rng.integers(8)), SIZE)
    if rng.random() < 0.3:
        moves = swapped(moves)
    moves = moves[: int(rng.integers(LEAST + 4, len(moves) + 1))]
    if rng.random() < 0.5:
        taken = {move for _, move in moves}
        free = next(p for p in rng.permutation(SIZE * SIZE).tolist() if p not in taken)
        at = int(rng.integers(len(moves)))
        moves = [*moves[:at], (moves[at][0], free), *moves[at + 1 :]]
    return moves


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_copies_are_found_and_nothing_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opening = [move for _, move in played(int(rng.integers(10**6)), 25, SIZE)]
    originals = [
        played(int(rng.integers(10**6)), int(rng.integers(45, 60)), SIZE, opening) for _ in range(3)
    ]
    copies = [changed(rng, originals[int(rng.integers(3))]) for _ in range(4)]
    games = [*originals, *copies]
    order = rng.permutation(len(games)).tolist()
    with tempfile.TemporaryDirectory() as folder:
        goes = found(Path(folder) / "spool", [record(games[i], SIZE) for i in order])
    for one, other in goes.items():
        a, b = games[order[one]], games[order[other]]
        assert len(a) <= len(b)
        common = most_in_common(b, a, SIZE)
        assert common >= LEAST
        assert common >= 0.9 * min(len(a), len(b))
    # Of each original and its copies one stays; the three originals are three games.
    assert len(games) - len(goes) == len(originals)
