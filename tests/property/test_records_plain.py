"""Random games of all board shapes: the kernels' samples are those made the plain way."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.compare_samples import check_against_plain

from mariago.board.points import SGF_LETTERS


def random_record(rng: np.random.Generator, rows: int, columns: int, moves: int) -> bytes:
    """Return a record of random moves, now and then a pass, a turn left out, or stones set up."""
    size = f"{rows}" if rows == columns else f"{columns}:{rows}"
    parts = [f"(;GM[1]FF[4]SZ[{size}]RE[B+R]"]
    empty = {(r, c) for r in range(rows) for c in range(columns)}
    color = 0
    for _ in range(moves):
        draw = rng.random()
        if draw < 0.03:
            point = (int(rng.integers(rows)), int(rng.integers(columns)))
            name = ("AB", "AW", "AE")[rng.integers(3)]
            parts.append(f";{name}[{SGF_LETTERS[point[1]]}{SGF_LETTERS[point[0]]}]")
            (empty.add if name == "AE" else empty.discard)(point)
            continue
        if draw < 0.06:
            color = 1 - color
        if draw < 0.1 or not empty:
            parts.append(f";{'BW'[color]}[]")
        else:
            choices = sorted(empty)
            row, column = choices[int(rng.integers(len(choices)))]
            # Stones that are taken come back only by chance: a few points are tried again.
            if rng.random() < 0.9:
                empty.discard((row, column))
            parts.append(f";{'BW'[color]}[{SGF_LETTERS[column]}{SGF_LETTERS[row]}]")
        color = 1 - color
    return ("".join(parts) + ")").encode()


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_samples_of_random_games_equal_the_plain_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    files = [
        random_record(rng, *(int(n) for n in rng.integers(1, 8, 2)), int(rng.integers(1, 40)))
        for _ in range(30)
    ]
    files += [
        random_record(rng, side, side, int(rng.integers(1, 60))) for side in (2, 3, 4, 5, 19, 25)
    ]
    files.append(b"(;SZ[5];B[cc];W[dd])")  # one that certainly can be used
    with tempfile.TemporaryDirectory() as folder:
        samples, _ = check_against_plain(files, Path(folder))
    assert samples > 0
