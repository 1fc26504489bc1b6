# pyright: basic
"""Which of a game's rows are chosen where a data set takes so many of each game."""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.records.repeat_kernels import KEEP, NOT_CHOSEN

_ASIDE = 255  # chosen already, while the others are chosen from


@inlined
def _next_share(state):
    """Return a number in [0, 1) and move the generator on: splitmix64 (Steele et al. 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    value = state[0]
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value = value ^ (value >> np.uint64(31))
    return np.float64(value >> np.uint64(11)) / np.float64(1 << 53)


@inlined
def _take(rows, n_rows, wanted, at_random, state, codes):
    """Keep exactly ``wanted`` of the rows, evenly spread or drawn, or all where they are fewer."""
    if n_rows <= wanted:
        return
    for i in range(n_rows):
        codes[rows[i]] = NOT_CHOSEN
    if at_random:
        missing = wanted
        for i in range(n_rows):  # selection sampling (Knuth, TAOCP 3.4.2, algorithm S)
            if _next_share(state) * (n_rows - i) < missing:
                codes[rows[i]] = KEEP
                missing -= 1
        return
    for j in range(wanted):
        codes[rows[((2 * j + 1) * n_rows) // (2 * wanted)]] = KEEP


@kernel
def choose(first, tactical, most, half, only, at_random, seeds, codes):
    """Choose among the kept rows of each game; the others become NOT_CHOSEN.

    Args:
        first: (G + 1,) int64, the games' rows.
        tactical: (M,) uint8.
        most: rows a game; a game with at least as many kept rows gets exactly this number, one with
            fewer all of them; 0 for no limit.
        half: up to half of them are tactical rows, chosen first.
        only: tactical rows alone, all of them; ``most`` does not count then.
        at_random: draw the rows by the game's seed; otherwise they are evenly spread.
        seeds: (G,) uint64.
        codes: (M,) uint8, read and written.
    """
    longest = np.int64(1)
    for g in range(first.shape[0] - 1):
        longest = max(longest, first[g + 1] - first[g])
    rows = np.empty(longest, np.int64)
    state = np.zeros(1, np.uint64)
    for g in range(first.shape[0] - 1):
        if only:
            for i in range(first[g], first[g + 1]):
                if codes[i] == KEEP and tactical[i] == 0:
                    codes[i] = NOT_CHOSEN
            continue
        if most == 0:
            continue
        state[0] = seeds[g]
        n_kept = n = 0
        for i in range(first[g], first[g + 1]):
            if codes[i] == KEEP:
                n_kept += 1
                if half and tactical[i] != 0:
                    rows[n] = i
                    n += 1
        if n_kept <= most:
            continue
        sharp = min(n, most // 2)
        if sharp > 0:
            _take(rows, n, sharp, at_random, state, codes)
            for i in range(n):  # the chosen ones step aside while the rest is chosen
                if codes[rows[i]] == KEEP:
                    codes[rows[i]] = _ASIDE
                else:
                    codes[rows[i]] = KEEP
        n = 0
        for i in range(first[g], first[g + 1]):
            if codes[i] == KEEP:
                rows[n] = i
                n += 1
        _take(rows, n, most - sharp, at_random, state, codes)
        for i in range(first[g], first[g + 1]):
            if codes[i] == _ASIDE:
                codes[i] = KEEP


@kernel
def count_kept(first, codes, out):
    """Write how many rows each game keeps to ``out`` (G,) int64."""
    for g in range(out.shape[0]):
        n = 0
        for i in range(first[g], first[g + 1]):
            n += codes[i] == KEEP
        out[g] = n


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    first, codes = np.array([0, 1], np.int64), np.zeros(1, np.uint8)
    seeds = np.zeros(1, np.uint64)
    choose(first, np.zeros(1, np.uint8), 1, True, False, False, seeds, codes)
    count_kept(first, codes, np.zeros(1, np.int64))
