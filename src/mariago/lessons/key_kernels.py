# pyright: basic
"""Keys of moves: of the pattern round a move, and of the whole position with the move in it.

Both are the smallest over the symmetries, and see stones as own and other: a turned board, or one
with the colours swapped, has the same keys.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    COLUMNS,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    ROWS,
    STRIDE,
    TO_MOVE,
    WHITE,
    neighbour,
    new_state,
)
from mariago.board.zobrist import KO_KEYS, SIZE_KEYS, STONE_KEYS
from mariago.lessons.pattern_keys import CLASS_KEYS, MOVE_KEYS, OFFSETS, TURNS

_MOST = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def _class_of(s, q, heads, n, area):
    """Return the class of a point on the board; ``heads`` (n of them) are the touched chains."""
    color = s[HEADER + q]
    if color == EMPTY:
        return 0
    own = color == s[TO_MOVE]
    head = s[HEADER + HEAD * area + q]
    for i in range(n):
        if heads[i] == head:
            liberties = min(np.int64(s[HEADER + LIBERTIES * area + head]), 3)
            return (3 if own else 6) + liberties
    return 2 if own else 3


@kernel
def pattern_key(s, row, column, classes, heads):
    """Return the key of the pattern round the empty point at ``row``, ``column``, from 0.

    ``classes`` int64 (points,) and ``heads`` int64 (4,) are scratch.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    p = (row + 1) * stride + column + 1
    n = 0
    for side in range(4):
        q = neighbour(p, side, stride)
        color = s[HEADER + q]
        if color == BLACK or color == WHITE:
            heads[n] = s[HEADER + HEAD * area + q]
            n += 1
    for i in range(OFFSETS.shape[0]):
        y, x = row + OFFSETS[i, 0], column + OFFSETS[i, 1]
        if y < 0 or x < 0 or y >= rows or x >= columns:
            classes[i] = 1
        else:
            classes[i] = _class_of(s, (y + 1) * stride + x + 1, heads, n, area)
    best = _MOST
    for turn in range(8):
        value = np.uint64(0)
        for i in range(OFFSETS.shape[0]):
            value ^= CLASS_KEYS[classes[i], TURNS[turn, i]]
        best = min(best, value)
    return best


@kernel
def pattern_of(s, move):
    """Return the key of the pattern round one move."""
    columns = np.int64(s[COLUMNS])
    classes = np.empty(OFFSETS.shape[0], np.int64)
    heads = np.empty(4, np.int64)
    return pattern_key(s, move // columns, move % columns, classes, heads)


@kernel
def pattern_keys(s, legal, out):
    """Write the key of every legal move's pattern into ``out`` uint64 (cells,); 0 elsewhere."""
    columns = np.int64(s[COLUMNS])
    classes = np.empty(OFFSETS.shape[0], np.int64)
    heads = np.empty(4, np.int64)
    for move in range(out.shape[0]):
        out[move] = np.uint64(0)
        if legal[move]:
            out[move] = pattern_key(s, move // columns, move % columns, classes, heads)


@kernel
def position_key(s, move):
    """Return the key of the position (own and other stones, ko, size) with the move in it."""
    rows, columns = np.int64(s[ROWS]), np.int64(s[COLUMNS])
    stride = np.int64(s[STRIDE])
    best = _MOST
    for turn in range(8):
        high, wide = (columns, rows) if turn & 4 else (rows, columns)
        value = np.uint64(0) ^ SIZE_KEYS[high, wide]
        for at in range(rows * columns):
            row, column = at // columns, at % columns
            p = (row + 1) * stride + column + 1
            color = s[HEADER + p]
            if color == EMPTY and p != s[KO] and at != move:
                continue
            y = rows - 1 - row if turn & 1 else row
            x = columns - 1 - column if turn & 2 else column
            if turn & 4:
                y, x = x, y
            q = (y + 1) * (wide + 1) + x + 1
            if color != EMPTY:
                value ^= STONE_KEYS[BLACK if color == s[TO_MOVE] else WHITE, q]
            if p == s[KO]:
                value ^= KO_KEYS[q]
            if at == move:
                value ^= MOVE_KEYS[y * wide + x]
        best = min(best, value)
    return best


@kernel
def counts_of(keys, known, counts, out):
    """Write what ``counts`` float32 says of each key into ``out`` float32 (cells + 1,).

    ``known`` uint64 is sorted and goes with ``counts``; key 0, and keys that are not known, get 0;
    so does the last entry, pass.
    """
    for i in range(out.shape[0]):
        out[i] = np.float32(0.0)
    for i in range(keys.shape[0]):
        key = keys[i]
        if key == 0:
            continue
        low, high = 0, known.shape[0]
        while low < high:
            middle = (low + high) // 2
            if known[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low < known.shape[0] and known[low] == key:
            out[i] = counts[low]


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    s = new_state(3, 3)
    keys = np.zeros(9, np.uint64)
    pattern_keys(s, np.ones(10, np.uint8), keys)
    pattern_of(s, 4)
    position_key(s, 4)
    counts_of(keys, np.sort(keys), np.zeros(9, np.float32), np.zeros(10, np.float32))
