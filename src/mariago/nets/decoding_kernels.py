# pyright: basic
"""What a net's raw outputs say: shares of legal moves, chances, value and lead of a whole batch.

"No result" is as in KataGo (``cpp/neuralnet/nneval.cpp``): under superko and area counting no game
ends so, and the output is left out before the chances are made up to one; and a lead counts no
result as 0 points.
"""

import numpy as np

from mariago.board.jit import inlined, kernel

SUPERKO, TERRITORY = 6, 9  # of the globals, see mariago.features.planes
_LEAD = 2  # of the score outputs


@inlined
def _shares(logits, legal, i, masked, out):
    """Write shares over the legal moves; where there is none, all goes to the last, the pass."""
    last = logits.shape[1] - 1
    any_legal = not masked
    top = np.float32(-np.inf)
    for move in range(last + 1):
        if not masked or legal[i, move] != 0:
            any_legal = True
            top = max(top, logits[i, move])
    if not any_legal:
        top = logits[i, last]
    total = np.float64(0.0)
    for move in range(last + 1):
        share = np.float32(0.0)
        if not masked or legal[i, move] != 0 or (not any_legal and move == last):
            share = np.exp(logits[i, move] - top)
        out[i, move] = share
        total += share
    scale = np.float32(1.0 / total)
    for move in range(last + 1):
        out[i, move] *= scale


@inlined
def _chances(logits, ends, out):
    """Write the chances of win, loss and, where a game can end so (``ends``), no result."""
    top = max(np.float64(logits[0]), np.float64(logits[1]))
    if ends:
        top = max(top, np.float64(logits[2]))
    win = np.exp(np.float64(logits[0]) - top)
    loss = np.exp(np.float64(logits[1]) - top)
    none = np.exp(np.float64(logits[2]) - top) if ends else 0.0
    total = win + loss + none
    out[0] = win / total
    out[1] = loss / total
    out[2] = none / total


@inlined
def _copied(source, target):
    """Copy a board of ownership; return the sum, which is none where one is none."""
    total = np.float32(0.0)
    for row in range(target.shape[0]):
        for column in range(target.shape[1]):
            owned = source[row, column]
            target[row, column] = owned
            total += owned
    return total


@kernel
def decode(
    logits,
    outcome_logits,
    scores,
    ownership,
    legal,
    globals_in,
    points,
    policy,
    outcome,
    value,
    lead,
    owned,
):
    """Fill ``policy`` (B, M), ``outcome`` (B, 3), ``value`` and ``lead`` (B,), ``owned`` (B, H, W).

    All are float32. The first four are the outputs of the graph, of B or more; ``ownership`` is
    copied. ``legal`` (B, M) uint8 takes the other moves away, (0, 0) none; ``globals_in`` (B or
    more, 19) are the inputs, which tell the rules; a lead is its output times ``points``. Returns
    whether all of it are numbers.
    """
    masked = legal.shape[0] > 0
    total = np.float64(0.0)
    for i in range(policy.shape[0]):
        _shares(logits, legal, i, masked, policy)
        ends = globals_in[i, SUPERKO] == 0 or globals_in[i, TERRITORY] != 0
        _chances(outcome_logits[i], ends, outcome[i])
        value[i] = outcome[i, 0] - outcome[i, 1]
        lead[i] = scores[i, _LEAD] * points * (1 - outcome[i, 2])
        # One share that is no number makes all of its row none.
        total += policy[i, 0] + value[i] + lead[i] + _copied(ownership[i], owned[i])
    return np.isfinite(total)


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    some, board = np.zeros((1, 3), np.float32), np.zeros((1, 1, 2), np.float32)
    one = np.zeros(1, np.float32)
    decode(
        *(some, some, some, board, np.zeros((0, 0), np.uint8), np.zeros((1, 19), np.float32)),
        *(20.0, some.copy(), some.copy(), one, one.copy(), board.copy()),
    )
