# pyright: basic
"""Repeated positions where a data set keeps several answers to each.

The records and tags are those of ``repeat_kernels``; an answer is what ``replay_kernels.answer_of``
gives, the same for symmetric moves in symmetric positions.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.records.repeat_kernels import (
    KEEP,
    LATE_BIT,
    LEAK,
    REPEAT,
    ROW_BITS,
    SPLIT_BIT,
    TEST,
    TRAIN,
    VALIDATION,
)

_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio (Knuth, TAOCP 6.4)
_NONE = np.int32(-1)


@inlined
def _row(records, i):
    return np.int64(records[i, 1] & _ROW_MASK)


@inlined
def _split(records, i):
    return np.int64((records[i, 1] >> np.uint64(SPLIT_BIT)) & np.uint64(3))


@inlined
def _is_late(records, i):
    return ((records[i, 1] >> np.uint64(LATE_BIT)) & np.uint64(1)) != 0


@inlined
def _start(position, split, answer, mask):
    value = (position + np.uint64(4 * answer + split)) * _SPREAD
    return np.int64(value >> np.uint64(20)) & mask


@inlined
def _slot_of_position(records, heads, position, split, mask):
    """Return the slot of a position in a split, or the free one where it belongs."""
    at = _start(position, split, 0, mask)
    while heads[at] != _NONE:
        j = heads[at]
        if records[j, 0] == position and _split(records, j) == split:
            break
        at = (at + 1) & mask
    return at


@inlined
def _slot_of_answer(records, answers, slots, i, mask):
    """Return the slot of record i's position, split and answer, or the free one."""
    position, split, answer = records[i, 0], _split(records, i), np.int64(answers[_row(records, i)])
    at = _start(position, split, answer + 1, mask)
    while slots[at] != _NONE:
        j = slots[at]
        if (
            records[j, 0] == position
            and _split(records, j) == split
            and answers[_row(records, j)] == answer
        ):
            break
        at = (at + 1) & mask
    return at


@kernel
def resolve_answers(records, answers, most, slots, heads, following, counts, codes):
    """Decide over the records (n, 2) of one bucket, in row order; write KEEP, REPEAT or LEAK.

    Within a split the ``most`` commonest answers to a position stay, each with its first row; of
    answers that are equally common, the one met first. Leaks are those of ``resolve``.

    Args:
        answers: uint16 by row.
        slots, heads: scratch int32 of one power of two, at least twice n long.
        following, counts: scratch int32 (n,).
        codes: uint8 by row.
    """
    mask = np.int64(slots.shape[0]) - 1
    slots[:] = _NONE
    heads[:] = _NONE
    for i in range(records.shape[0]):
        codes[_row(records, i)] = REPEAT
        following[i] = _NONE
        counts[i] = 0
        at = _slot_of_answer(records, answers, slots, i, mask)
        if slots[at] != _NONE:
            counts[slots[at]] += 1
            continue
        slots[at] = i
        counts[i] = 1
        at = _slot_of_position(records, heads, records[i, 0], _split(records, i), mask)
        following[i] = heads[at]  # the answers to a position, the last one met first
        heads[at] = i
    for at in range(heads.shape[0]):
        for _ in range(most):
            best, i = _NONE, heads[at]
            while i != _NONE:
                if counts[i] > 0 and (best == _NONE or counts[i] >= counts[best]):
                    best = i
                i = following[i]
            if best == _NONE:
                break
            counts[best] = 0
            codes[_row(records, best)] = KEEP
    for i in range(records.shape[0]):
        split = _split(records, i)
        if split == TEST or codes[_row(records, i)] != KEEP or not _is_late(records, i):
            continue
        position = records[i, 0]
        is_held = heads[_slot_of_position(records, heads, position, TEST, mask)] != _NONE
        if split == TRAIN and not is_held:
            at = _slot_of_position(records, heads, position, VALIDATION, mask)
            is_held = heads[at] != _NONE
        if is_held:
            codes[_row(records, i)] = LEAK


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one = np.zeros(1, np.int32)
    resolve_answers(
        np.zeros((1, 2), np.uint64), np.zeros(1, np.uint16), 1,
        np.zeros(2, np.int32), np.zeros(2, np.int32), one, one.copy(), np.zeros(1, np.uint8),
    )  # fmt: skip
