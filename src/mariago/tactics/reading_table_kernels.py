# pyright: basic
"""What reading keeps: its scratch, keys of positions, the table of what is known of them."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    HEADER,
    KO,
    SECTIONS,
    STRIDE,
    TO_MOVE,
    hash_of,
    neighbour,
)
from mariago.board.zobrist import STONE_KEYS
from mariago.tactics.proof_kernels import mixed
from mariago.tactics.reading_move_kernels import MOST_MOVES, PASS, liberties_of

_TABLE_BITS = 17
_PROBES = 4

# What a read is told and what it tells, in ``work``'s array of numbers.
(
    NODES,
    NODE_LIMIT,
    MOST,
    FREE,
    WIDE,
    BAN_MET,
    TARGET,
    COLOR,
    SALT,
    NO_PASS,
    LEAN,
    ATTACK_CLASS,
    DEFENSE_CLASS,
    FIRST_LEISURE,
    CAPTURED,
) = range(15)
_NUMBERS = 16

# What is kept of each level of the line.
CHILDREN, BEST, PROOF_BOUND, DISPROOF_BOUND, ENTERED, LIFTED, RETAKEN, LEISURE = range(8)


@kernel
def reading_workspace(rows, columns):
    """Return scratch for reading on boards of one size; only what is used costs."""
    area = (rows + 2) * (columns + 1) + 1
    depth = min(rows * columns * 2 + 8, 260)
    states = np.empty((depth, HEADER + SECTIONS * area), np.int16)
    moves = np.empty((depth, 3, MOST_MOVES), np.int16)  # point, class, leisure left after it
    keys = np.empty((depth, MOST_MOVES + 1), np.uint64)  # of the children; last: of itself
    numbers = np.empty((depth, 2, MOST_MOVES), np.int32)  # proof and disproof of the children
    frame = np.empty((depth, 8), np.int64)  # see CHILDREN and the following
    entries = np.zeros((1 << _TABLE_BITS, 4), np.int32)  # proof, disproof, nodes below, read
    entry_keys = np.zeros(1 << _TABLE_BITS, np.uint64)
    lists = np.empty((6, 64), np.int64)
    seen = np.zeros(area, np.int32)
    said = np.zeros(_NUMBERS, np.int64)
    return states, moves, keys, numbers, frame, entries, entry_keys, lists, seen, said


@kernel
def key_of(s, left):
    """Return the key of a position of this read: stones, side to move, ban that holds."""
    code = np.uint64(left) * np.uint64(4096) + np.uint64(s[KO]) * np.uint64(2)
    code += np.uint64(s[TO_MOVE] - 1)
    return hash_of(s) ^ mixed(code + np.uint64(0x9E3779B97F4A7C15))


@kernel
def key_after(s, e, left):
    """Return the key after a move at ``e``, or PASS; 0 where it takes stones."""
    color = np.int64(s[TO_MOVE])
    code = np.uint64(left) * np.uint64(4096) + np.uint64(2 - color)
    key = hash_of(s) ^ mixed(code + np.uint64(0x9E3779B97F4A7C15))
    if e == PASS:
        return key
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    for side in range(4):
        t = neighbour(e, side, stride)
        if s[HEADER + t] == 3 - color and liberties_of(s, t, area) == 1:
            return np.uint64(0)
    return key ^ STONE_KEYS[color, e]


@kernel
def found(entries, entry_keys, key, salt):
    """Return where the table holds a key of this search, or -1."""
    mask = np.uint64((1 << _TABLE_BITS) - 1)
    for i in range(_PROBES):
        at = np.int64((key + np.uint64(i)) & mask)
        if entry_keys[at] == key and entries[at, 3] == salt:
            return at
    return np.int64(-1)


@kernel
def store(entries, entry_keys, key, proof, disproof, nodes, salt):
    """Keep what is known of a position; where all places are taken, the least work goes."""
    at = found(entries, entry_keys, key, salt)
    if at < 0:
        mask = np.uint64((1 << _TABLE_BITS) - 1)
        least = np.int64(1) << 40
        for i in range(_PROBES):
            place = np.int64((key + np.uint64(i)) & mask)
            work = np.int64(entries[place, 2]) if entries[place, 3] == salt else np.int64(-1)
            if work < least:
                least = work
                at = place
    entry_keys[at] = key
    entries[at, 0] = proof
    entries[at, 1] = disproof
    entries[at, 2] = nodes
    entries[at, 3] = salt
