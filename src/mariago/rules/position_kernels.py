# pyright: basic
"""One move of a Position in one call: legality, copy, play, history."""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    COLUMNS,
    EMPTY,
    HEADER,
    KO,
    ROWS,
    copy_into,
    hash_of,
    hash_with_side,
    is_pseudo_legal,
    new_state,
    play,
    play_pass,
)
from mariago.board.legality_kernels import legal_mask, legal_mask_superko, repeats

SIMPLE, POSITIONAL, SITUATIONAL = 0, 1, 2
LEGAL, OCCUPIED, SUICIDE, KO_BAN, SUPERKO = 0, 1, 2, 3, 4


@kernel
def verdict(s, p, suicide, ko_rule, history):
    """Say whether the side to move may play at ``p``: LEGAL, or why not."""
    if s[HEADER + p] != EMPTY:
        return OCCUPIED
    if p == s[KO]:
        return KO_BAN
    if not is_pseudo_legal(s, p, suicide):
        return SUICIDE
    if ko_rule != SIMPLE and repeats(s, p, ko_rule == SITUATIONAL, history, history.shape[0]):
        return SUPERKO
    return LEGAL


@kernel
def situation(s, ko_rule):
    """Return the hash that the history holds: positional superko leaves the side to move out."""
    if ko_rule == POSITIONAL:
        return hash_of(s)
    return hash_with_side(s)


@kernel
def extended(history, value):
    """Return a copy of ``history`` (uint64) with ``value`` at its end."""
    n = history.shape[0]
    longer = np.empty(n + 1, np.uint64)
    for i in range(n):
        longer[i] = history[i]
    longer[n] = value
    return longer


@kernel
def step(s, p, suicide, ko_rule, history):
    """Play at ``p`` (-1: pass) on a copy; return (verdict, new state, new history, repeated).

    ``repeated`` says that a stone brought back a board with the same side to move; passes never do.
    Where the verdict is not LEGAL, state and history come back as they were.
    """
    if p >= 0:
        code = verdict(s, p, suicide, ko_rule, history)
        if code != LEGAL:
            return code, s, history, False
    after = np.empty(s.shape[0], np.int16)
    copy_into(after, s)
    if p >= 0:
        play(after, p)
    else:
        play_pass(after)
    value = situation(after, ko_rule)
    repeated = False
    if p >= 0 and ko_rule == SIMPLE:
        for i in range(history.shape[0]):
            if history[i] == value:
                repeated = True
                break
    return LEGAL, after, extended(history, value), repeated


@kernel
def mask(s, suicide, ko_rule, history):
    """Return (rows * columns + 1) uint8, 1 where the side to move may play; pass last, always 1."""
    out = np.empty(np.int64(s[ROWS]) * np.int64(s[COLUMNS]) + 1, np.uint8)
    if ko_rule == SIMPLE:
        legal_mask(s, suicide, out)
    else:
        legal_mask_superko(s, suicide, ko_rule == SITUATIONAL, history, history.shape[0], out)
    return out


def warm():
    """Compile, or load from the cache, the kernels of this file."""
    s = new_state(2, 2)
    history = np.zeros(1, np.uint64)
    _, _, history, _ = step(s, -1, False, SIMPLE, history)
    mask(s, False, SIMPLE, history)
