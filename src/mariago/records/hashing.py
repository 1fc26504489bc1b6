"""The position hash in plain NumPy: the definition that the replay kernels keep up to date."""

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, WHITE, size_of
from mariago.board.zobrist import KO_KEYS, SIZE_KEYS, STONE_KEYS

__all__ = ["position_hash"]


def position_hash(stones: "npt.NDArray[np.uint8]", to_move: int, ko: int | None = None) -> int:
    """Return the 64-bit hash of (own stones, opponent's stones, ko) that symmetric positions share.

    It is the smallest over the eight symmetries of a square board, or the four of a rectangle, and
    does not change when the colours and the side to move are swapped.

    Args:
        stones: (rows, columns) of 0, 1 black, 2 white.
        to_move: BLACK or WHITE.
        ko: the move forbidden by simple ko, None or -1 where there is none.
    """
    size = size_of((int(stones.shape[0]), int(stones.shape[1])))
    own = np.zeros(3, np.uint8)
    own[to_move], own[BLACK + WHITE - to_move] = BLACK, WHITE
    seen = own[stones]
    forbidden = np.zeros(stones.shape, np.bool_)
    if ko is not None and ko >= 0:
        forbidden.reshape(-1)[ko] = True
    best = 2**64 - 1
    for turns in range(4 if size.rows == size.columns else 1):
        for flip in range(2):
            for upside in range(2):
                board, ban = np.rot90(seen, turns), np.rot90(forbidden, turns)
                if flip:
                    board, ban = board[:, ::-1], ban[:, ::-1]
                if upside:
                    board, ban = board[::-1], ban[::-1]
                best = min(best, _hash_as_it_lies(board, ban))
    return best


def _hash_as_it_lies(board: "npt.NDArray[np.uint8]", ban: "npt.NDArray[np.bool_]") -> int:
    rows, columns = board.shape
    row, column = np.nonzero(board)
    points = (row + 1) * (columns + 1) + column + 1
    value = int(SIZE_KEYS[rows, columns])
    value ^= int(np.bitwise_xor.reduce(STONE_KEYS[board[row, column], points]))
    row, column = np.nonzero(ban)
    return value ^ int(np.bitwise_xor.reduce(KO_KEYS[(row + 1) * (columns + 1) + column + 1]))
