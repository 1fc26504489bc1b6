# pyright: basic
"""Which games may be the same, and how many of their stones two games have in common.

A game counts here as the stones it puts on the board, one after the other: those that stand there
before the first move, in the order of the file, then its moves without the passes. So handicap
stones that are set up and handicap stones that are played as moves come to the same.

Two games are compared under every symmetry of the board, with the colours as they are and swapped.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import WHITE
from mariago.board.points import MAX_SIZE
from mariago.board.setup_kernels import point_of
from mariago.board.zobrist import MAX_AREA, SIZE_KEYS, STONE_KEYS
from mariago.records.replay_kernels import symmetric_points

ROWS = 3  # into which the stones are dealt out by their number
CLASSES = 4  # by their point
KEYS = 1 + ROWS + CLASSES
LEAST_IN_CLASS = 4
BAND = 8  # how far stones that correspond may lie apart in their games
COLOR_BITS = 2  # a stone is a word: point << 2 | colour

_ODD = np.uint64(0xBF58476D1CE4E5B9)
_WORST = np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined
def _mixed(value):
    value = value * _ODD
    return value ^ (value >> np.uint64(29))


@kernel
def stones_of(rows, columns, colors, moves, a, b, setup, c, d, out):
    """Write the stones of a game as words to ``out``; return how many, and how many are set up."""
    cells = rows * columns
    n = 0
    for i in range(c, d):
        if setup[i, 0] == 0 and setup[i, 1] != 0:
            out[n] = point_of(np.int64(setup[i, 2]), columns) << COLOR_BITS | setup[i, 1]
            n += 1
    put_up = n
    for i in range(a, b):
        move = np.int64(moves[i])
        if move != cells:
            out[n] = point_of(move, columns) << COLOR_BITS | np.int64(colors[i])
            n += 1
    return n, put_up


@inlined
def _key_of(table, k, swapped, word):
    color = word & 3
    return STONE_KEYS[3 - color if swapped else color, table[k, word >> COLOR_BITS]]


@inlined
def _classes(table, n_symmetries, classes):
    """Deal the points of a board out to CLASSES classes; symmetric points are of one class."""
    for p in range(MAX_AREA):
        least = p
        for k in range(n_symmetries):
            least = min(least, np.int64(table[k, p]))
        classes[p] = np.int64(_mixed(_mixed(np.uint64(least))) >> np.uint64(32)) % CLASSES


@inlined
def _key_values(words, least, table, classes, k, swapped, size_key, values, n_in_class):
    """Write the keys (8,) of a game as symmetry k shows it; it has at least ``least`` stones.

    The colour of the first stone counts as Black's, whosever it is (``swapped``). A key of too few
    stones is the largest word.
    """
    start = 2 * least // 5
    for j in range(KEYS):
        values[j] = size_key
        n_in_class[j] = 0
    n_in_class[0] = least
    for i in range(least):
        key = _key_of(table, k, swapped, words[i])
        values[0] ^= key
        if i >= start:
            which = 1 + (i - start) % ROWS
            values[which] = _mixed(values[which] ^ key)
            n_in_class[which] += 1
            which = 1 + ROWS + classes[words[i] >> COLOR_BITS]
            values[which] = _mixed(values[which] ^ key)
            n_in_class[which] += 1
    for j in range(KEYS):
        # Different odd steps keep the kinds of key apart.
        values[j] = _mixed(values[j] + np.uint64(2 * j + 1))
        if n_in_class[j] < LEAST_IN_CLASS:
            values[j] = _WORST


@inlined
def _longest(first, setup_first):
    """Return how many stones the longest of some games may have, at least 1."""
    longest = np.int64(1)
    for g in range(first.shape[0] - 1):
        room = first[g + 1] - first[g] + setup_first[g + 1] - setup_first[g]
        longest = max(longest, room)
    return longest


@kernel
def game_keys(rows, columns, first, colors, moves, setup_first, setup, least, out):
    """Write the keys of games, arrays as in ``judge``; games that share a key may be the same.

    Key 0 is of the first ``least[g]`` stones in any order. The others are of the stones from two
    fifths of ``least[g]`` on, in order: three keys of every third stone, where a stone that stands
    elsewhere changes one, and four of the stones on a quarter of the points each, where a stone
    that is missing changes few.

    Args:
        least: (G,) int64; a game with fewer stones gets no key.
        out: (G, 8) uint64; 0 is no key.
    """
    table = np.zeros((8, MAX_AREA), np.int16)
    classes = np.zeros(MAX_AREA, np.int64)
    words = np.empty(_longest(first, setup_first), np.int64)
    values, n_in_class = np.empty(KEYS, np.uint64), np.empty(KEYS, np.int64)
    last_rows = last_columns = np.int64(0)
    n_symmetries = 0
    for g in range(rows.shape[0]):
        out[g, :] = 0
        if rows[g] != last_rows or columns[g] != last_columns:
            last_rows, last_columns = rows[g], columns[g]
            n_symmetries = symmetric_points(last_rows, last_columns, table)
            _classes(table, n_symmetries, classes)
        n, _ = stones_of(
            last_rows, last_columns, colors, moves, first[g], first[g + 1],
            setup, setup_first[g], setup_first[g + 1], words,
        )  # fmt: skip
        if n < least[g]:
            continue
        out[g, :] = _WORST
        size_key = SIZE_KEYS[last_rows, last_columns]
        swapped = words[0] & 3 == WHITE
        for k in range(n_symmetries):
            _key_values(words, least[g], table, classes, k, swapped, size_key, values, n_in_class)
            for j in range(KEYS):
                out[g, j] = min(out[g, j], values[j])
        for j in range(KEYS):
            if out[g, j] == _WORST:
                out[g, j] = 0


@kernel
def laid_alike(rows, columns, first, colors, moves, setup_first, setup, least, which, out):
    """Write the stones of games that share key ``which``, all turned the same way.

    Args:
        out: (G, D) int16, the stones from number ``least[g]`` on as words, 0 behind the last.
    """
    table = np.zeros((8, MAX_AREA), np.int16)
    classes = np.zeros(MAX_AREA, np.int64)
    words = np.empty(_longest(first, setup_first), np.int64)
    values, n_in_class = np.empty(KEYS, np.uint64), np.empty(KEYS, np.int64)
    for g in range(rows.shape[0]):
        n_symmetries = symmetric_points(rows[g], columns[g], table)
        _classes(table, n_symmetries, classes)
        n, _ = stones_of(
            rows[g], columns[g], colors, moves, first[g], first[g + 1],
            setup, setup_first[g], setup_first[g + 1], words,
        )  # fmt: skip
        best, best_k, swapped = _WORST, 0, words[0] & 3 == WHITE
        size_key = SIZE_KEYS[rows[g], columns[g]]
        for k in range(n_symmetries):
            _key_values(words, least[g], table, classes, k, swapped, size_key, values, n_in_class)
            if values[which] < best:
                best, best_k = values[which], k
        out[g, :] = 0
        for i in range(min(n - least[g], out.shape[1])):
            word = words[least[g] + i]
            color = 3 - (word & 3) if swapped else word & 3
            out[g, i] = np.int64(table[best_k, word >> COLOR_BITS]) << COLOR_BITS | color


@kernel
def _in_order(a, n, b, m, table, k, swapped, above, here):
    """Return how long the longest common subsequence in the band is (Wagner, Fischer 1974).

    ``a`` (n,) as it is, ``b`` (m,) under symmetry k; ``above``, ``here``: scratch of 2 * BAND + 3.
    """
    width = 2 * BAND + 1
    above[:] = 0
    best = 0
    for i in range(n):
        here[:] = 0
        for w in range(width):
            j = i + w - BAND
            if j < 0 or j >= m:
                # Outside of b the count goes on from the cell that is nearest.
                here[w + 1] = max(here[w], above[w + 2])
                continue
            word = b[j]
            color = word & 3
            if swapped:
                color = 3 - color
            turned = np.int64(table[k, word >> COLOR_BITS]) << COLOR_BITS | color
            value = above[w + 1] + 1 if turned == a[i] else max(here[w], above[w + 2])
            here[w + 1] = value
            best = max(best, value)
        above[:] = here
    return best


@kernel
def _as_sets(a, n, b, m, table, k, swapped, marks):
    """Return how many stones the first n of ``a`` and the first m of ``b`` have in common."""
    marks[:] = 0
    for i in range(n):
        marks[a[i] >> COLOR_BITS] |= a[i] & 3
    found = 0
    for j in range(m):
        color = b[j] & 3
        if swapped:
            color = 3 - color
        p = table[k, b[j] >> COLOR_BITS]
        if marks[p] & color:
            marks[p] &= ~color
            found += 1
    return found


@kernel
def in_common(rows, columns, first, colors, moves, setup_first, setup, pairs, least, out):
    """Compare pairs of games of one board size each; arrays as in ``judge``.

    Args:
        pairs: (P, 2) int64, indices of games.
        least: (P,) int64, how many stones in common are looked for.
        out: (P, 4) int64: stones in common, stones of the shorter game, the symmetry that takes
            the second game to the first, whether the colours are swapped.
    """
    table = np.zeros((8, MAX_AREA), np.int16)
    longest = _longest(first, setup_first)
    a, b = np.empty(longest, np.int64), np.empty(longest, np.int64)
    above, here = np.zeros(2 * BAND + 3, np.int64), np.zeros(2 * BAND + 3, np.int64)
    marks = np.zeros((MAX_SIZE + 2) * (MAX_SIZE + 2), np.uint8)
    for i in range(pairs.shape[0]):
        g, h = pairs[i, 0], pairs[i, 1]
        out[i, :] = 0
        n_symmetries = symmetric_points(rows[g], columns[g], table)
        n, up_a = stones_of(
            rows[g], columns[g], colors, moves, first[g], first[g + 1],
            setup, setup_first[g], setup_first[g + 1], a,
        )  # fmt: skip
        m, up_b = stones_of(
            rows[h], columns[h], colors, moves, first[h], first[h + 1],
            setup, setup_first[h], setup_first[h + 1], b,
        )  # fmt: skip
        out[i, 1] = min(n, m)
        head = min(max(up_a, up_b), out[i, 1])  # stones set up have no order
        look = min(least[i], out[i, 1])
        for k in range(n_symmetries):
            for swapped in range(2):
                if 2 * _as_sets(a, look, b, look, table, k, swapped == 1, marks) < look:
                    continue
                found = _as_sets(a, head, b, head, table, k, swapped == 1, marks)
                found += _in_order(
                    a[head:n], n - head, b[head:m], m - head, table, k, swapped == 1, above, here
                )
                if found > out[i, 0]:
                    out[i, 0], out[i, 2], out[i, 3] = found, k, swapped


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one = np.ones(2, np.int64)
    games = (
        2 * one, 2 * one, np.array([0, 1, 2], np.int64), np.ones(2, np.uint8),
        np.zeros(2, np.int16), np.zeros(3, np.int64), np.zeros((0, 3), np.int16),
    )  # fmt: skip
    game_keys(*games, one, np.zeros((2, KEYS), np.uint64))
    laid_alike(*games, one, 0, np.zeros((2, 1), np.int16))
    in_common(*games, np.array([[0, 1]], np.int64), one, np.zeros((1, 4), np.int64))
