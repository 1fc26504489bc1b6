"""What a local pattern is made of, and the random numbers of which its key is put together.

A pattern is what stands within two steps of a move: 13 points, counted along the lines, with the
point of the move in the middle. Each point is of one of these classes; own and other are seen from
the side to move.

=====  ==============================================================
class  meaning
=====  ==============================================================
0      empty
1      off the board
2, 3   a stone, own or the opponent's, of a chain that the move does not touch
4 - 6  an own stone of a chain that it touches, with 1, 2, 3 or more liberties
7 - 9  the same of the opponent's
=====  ==============================================================

The numbers are drawn once from a fixed seed, so that keys are the same on every machine and in
every version: books store them.
"""

import numpy as np

from mariago.board.points import MAX_SIZE

RADIUS = 2  # measured: docs/reference/lessons.md
CLASSES = 10
_SEED = 0x4C657373  # fixed for ever: stored keys depend on it

_rng = np.random.Generator(np.random.PCG64(_SEED))

_OFFSETS = [
    (dy, dx)
    for dy in range(-RADIUS, RADIUS + 1)
    for dx in range(-RADIUS, RADIUS + 1)
    if abs(dy) + abs(dx) <= RADIUS
]
OFFSETS = np.array(_OFFSETS, np.int64)  # (points, 2): rows and columns from the move


def _turned(dy: int, dx: int, symmetry: int) -> tuple[int, int]:
    """Return where an offset goes; symmetries are numbered as in ``board.geometry``."""
    dy, dx = (-dy if symmetry & 1 else dy), (-dx if symmetry & 2 else dx)
    return (dx, dy) if symmetry & 4 else (dy, dx)


TURNS = np.array(
    [[_OFFSETS.index(_turned(dy, dx, s)) for dy, dx in _OFFSETS] for s in range(8)], np.int64
)
"""(8, points): which point of the pattern each goes to."""

CLASS_KEYS = _rng.integers(0, 2**64, size=(CLASSES, len(_OFFSETS)), dtype=np.uint64)
MOVE_KEYS = _rng.integers(0, 2**64, size=MAX_SIZE * MAX_SIZE, dtype=np.uint64)
"""By move, for the key of a whole position with a move in it."""
