# pyright: basic
"""Packed planes to planes of bytes, turned by a symmetry on the way; and the way back."""

import numpy as np

from mariago.board.jit import kernel

# The eight points of a byte, the first one in the high bit, as one word in the memory's order.
_EIGHT = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).view(np.uint64).reshape(256)


@kernel
def unpack(packed, rows, turns, tables, planes):
    """Write the planes of ``rows`` to ``planes``, each turned as ``turns`` says.

    Args:
        packed: (N, 22, ceil(P * P / 8)) uint8, the first point of a byte in its high bit.
        rows: (B,) int64, which of them.
        turns: (B,) int64, the table of each row; -1 leaves it as it lies.
        tables: (T, P * P) int16; point k of the turned plane is point ``tables[t, k]``.
        planes: out, (B, 22, P * P) uint8.
    """
    n_bytes = packed.shape[2]
    cells = planes.shape[2]
    words = np.zeros(n_bytes, np.uint64)
    points = words.view(np.uint8)
    for i in range(rows.shape[0]):
        source = packed[rows[i]]
        turn = turns[i]
        for c in range(source.shape[0]):
            some = np.uint8(0)
            for b in range(n_bytes):
                some |= source[c, b]
            if some == 0:
                for k in range(cells):
                    planes[i, c, k] = 0
                continue
            for b in range(n_bytes):
                words[b] = _EIGHT[source[c, b]]
            if turn < 0:
                for k in range(cells):
                    planes[i, c, k] = points[k]
            else:
                for k in range(cells):
                    planes[i, c, k] = points[tables[turn, k]]


@kernel
def turn_planes(planes, turns, tables):
    """Turn ``planes`` (B, 22, P * P) uint8 in place; ``turns`` and ``tables`` as in ``unpack``."""
    cells = planes.shape[2]
    points = np.empty(cells, np.uint8)
    for i in range(planes.shape[0]):
        turn = turns[i]
        if turn < 0:
            continue
        for c in range(planes.shape[1]):
            some = np.uint8(0)
            for k in range(cells):
                points[k] = planes[i, c, k]
                some |= points[k]
            if some != 0:
                for k in range(cells):
                    planes[i, c, k] = points[tables[turn, k]]


@kernel
def pack(planes, packed):
    """Write ``planes`` (B, 22, P * P) uint8 of 0 and 1 to ``packed`` (B, 22, ceil(P * P / 8))."""
    cells = planes.shape[2]
    for i in range(planes.shape[0]):
        for c in range(planes.shape[1]):
            for b in range(packed.shape[2]):
                value = np.uint8(0)
                for k in range(8 * b, min(8 * b + 8, cells)):
                    value |= np.uint8(planes[i, c, k] << (7 - (k & 7)))
                packed[i, c, b] = value


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    packed, planes = np.ones((1, 1, 1), np.uint8), np.zeros((1, 1, 4), np.uint8)
    zero, tables = np.zeros(1, np.int64), np.zeros((1, 4), np.int16)
    unpack(packed, zero, zero, tables, planes)
    turn_planes(planes, zero, tables)
    pack(planes, packed)
