# pyright: basic
"""What the two proof-number searches share: the numbers of a position, and mixed words.

Weak sums are those of Ueda, Hashimoto, Hashimoto and Iida (2008): the largest of the children's
numbers and one for each other open child, so that a position reached in many ways counts once.
"""

import numpy as np

from mariago.board.jit import inlined, kernel

SURE = 1 << 28  # the number of what cannot be any more


@inlined
def mixed(x):
    """Return a well-mixed word (the finalizer of splitmix64, Steele et al. 2014)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def sum_up(numbers, level, n, mine):
    """Return the numbers of a position from its children's, ``numbers[level, :, :n]``.

    ``mine`` is 0 where the side to move wants a proof, 1 where it wants a disproof. Gives the
    least of its own numbers, the weak sum of the other kind, the best child, the next best number
    of its own and the number of open children.
    """
    least = second = np.int64(SURE)
    most = np.int64(0)
    count = best = np.int64(0)
    least_other = np.int64(SURE)
    for i in range(n):
        own = np.int64(numbers[level, mine, i])
        other = np.int64(numbers[level, 1 - mine, i])
        if own < least or (own == least and other < least_other and own < SURE):
            second = least
            least = own
            best = i
            least_other = other
        elif own < second:
            second = own
        if other > 0:
            count += 1
            most = max(most, other)
    if most < SURE and count > 0:
        most = min(most + count - 1, np.int64(SURE - 1))
    return least, most, best, second, count


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    sum_up(np.zeros((1, 3, 1), np.int32), 0, 1, 0)
