# pyright: basic
"""Which rows are repeats, and which would leak between splits.

A tag is a word that carries a row's number and what the decision needs: the row in bits 0 to 47,
whether it is late in its game in bit 48, its split in bits 50 and 51.
"""

import numpy as np

from mariago.board.jit import inlined, kernel

KEEP, REPEAT, LEAK, NOT_WINNER, NOT_CHOSEN, GONE = 0, 1, 2, 3, 4, 5
TRAIN, VALIDATION, TEST = 0, 1, 2

ROW_BITS = 48
LATE_BIT = 48
SPLIT_BIT = 50
_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)
_ONE = np.uint64(1)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio (Knuth, TAOCP 6.4)


@inlined
def _bucket(value, shift):
    """Return the bucket of a hash; the smallest of eight hashes is small, so it is spread out."""
    return np.int64((value * _SPREAD) >> shift)


@kernel
def count_buckets(hashes, bits, ends):
    """Write where the records of each of the 2**bits buckets end."""
    shift = np.uint64(64 - bits)
    ends[:] = 0
    for i in range(hashes.shape[0]):
        ends[_bucket(hashes[i], shift)] += 1
    for b in range(1, ends.shape[0]):
        ends[b] += ends[b - 1]


@kernel
def fill_buckets(hashes, tags, bits, ends, out):
    """Sort records into ``out`` (n, 2) uint64 by bucket; their order within a bucket stays."""
    shift = np.uint64(64 - bits)
    at = np.empty(ends.shape[0], np.int64)
    at[0] = 0
    for b in range(1, ends.shape[0]):
        at[b] = ends[b - 1]
    for i in range(hashes.shape[0]):
        b = _bucket(hashes[i], shift)
        out[at[b], 0] = hashes[i]
        out[at[b], 1] = tags[i]
        at[b] += 1


@inlined
def _slot(keys, seen, key, mask):
    """Return the slot of a key, or the free one where it belongs (open addressing)."""
    at = np.int64((key * _SPREAD) >> np.uint64(20)) & mask
    while seen[at] != 0 and keys[at] != key:
        at = (at + 1) & mask
    return at


@kernel
def resolve(records, keys, seen, codes):
    """Decide over the records (n, 2) of one bucket, in row order; write KEEP, REPEAT or LEAK.

    Within a split the first row of a position stays. A late row of train is a leak when validation
    or test hold its position anywhere; a late row of validation when test does.

    Args:
        keys, seen: scratch, uint64 and uint8, of one power of two at least twice n long.
        codes: uint8 by row.
    """
    mask = np.int64(keys.shape[0]) - 1
    seen[:] = 0
    for i in range(records.shape[0]):
        tag = records[i, 1]
        bit = np.uint8(1 << np.int64((tag >> np.uint64(SPLIT_BIT)) & np.uint64(3)))
        at = _slot(keys, seen, records[i, 0], mask)
        keys[at] = records[i, 0]
        codes[np.int64(tag & _ROW_MASK)] = REPEAT if seen[at] & bit else KEEP
        seen[at] |= bit
    for i in range(records.shape[0]):
        tag = records[i, 1]
        split = np.int64((tag >> np.uint64(SPLIT_BIT)) & np.uint64(3))
        row = np.int64(tag & _ROW_MASK)
        if split == TEST or codes[row] != KEEP or ((tag >> np.uint64(LATE_BIT)) & _ONE) == 0:
            continue
        held_by = np.int64(seen[_slot(keys, seen, records[i, 0], mask)])
        forbidden = (1 << TEST) | ((1 << VALIDATION) if split == TRAIN else 0)
        if held_by & forbidden:
            codes[row] = LEAK


@kernel
def make_tags(splits, first, late_after, first_row, out):
    """Write the tag of every move of a batch; ``splits`` (G,) uint8, ``first`` (G + 1,) int64."""
    for g in range(splits.shape[0]):
        base = np.uint64(splits[g]) << np.uint64(SPLIT_BIT)
        for i in range(first[g], first[g + 1]):
            late = _ONE << np.uint64(LATE_BIT) if i - first[g] >= late_after else np.uint64(0)
            out[i] = base | late | np.uint64(first_row + i)


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    hashes, tags = np.ones(1, np.uint64), np.zeros(1, np.uint64)
    first = np.array([0, 1], np.int64)
    ends, out, codes = np.zeros(2, np.int64), np.zeros((1, 2), np.uint64), np.zeros(1, np.uint8)
    make_tags(np.zeros(1, np.uint8), first, 30, 0, tags)
    count_buckets(hashes, 1, ends)
    fill_buckets(hashes, tags, 1, ends, out)
    resolve(out, np.zeros(2, np.uint64), np.zeros(2, np.uint8), codes)
