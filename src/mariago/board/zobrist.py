"""Zobrist keys (Zobrist 1970): one random number for a stone of each colour on each point.

The tables are drawn once from a fixed seed, so hashes are the same on every machine and in every
version; files may store them. Keys are indexed by padded point. Boards whose rows have the same
length share them, and the key of the size, which every board's hash starts from, tells those apart.
"""

import numpy as np
import numpy.typing as npt

from mariago.board.points import MAX_SIZE

_SEED = 0x4D617269  # fixed for ever: stored position hashes depend on it
MAX_AREA = (MAX_SIZE + 2) * (MAX_SIZE + 1) + 1

_rng = np.random.Generator(np.random.PCG64(_SEED))


def _draw(*shape: int) -> "npt.NDArray[np.uint64]":
    return _rng.integers(0, 2**64, size=shape, dtype=np.uint64)


STONE_KEYS = _draw(
    3, MAX_AREA
)  # (colour, point) uint64; row 0 is all zero: an empty point adds nothing
STONE_KEYS[0] = 0
SIZE_KEYS = _draw(MAX_SIZE + 1, MAX_SIZE + 1)  # (rows, columns) uint64
WHITE_TO_MOVE_KEY = _draw(1)[0]  # uint64
KO_KEYS = _draw(MAX_AREA)  # (point) uint64
