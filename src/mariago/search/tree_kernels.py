# pyright: basic
"""The search tree in flat arrays, and the kernels that walk it. Nothing here knows Go.

Axes: N nodes, E edges. A node is a position that was reached, an edge a legal move of an open node.

==================  ==========  =============================================================
array               shape       entry
==================  ==========  =============================================================
``counts``          (N, 8)      int32: PARENT, VIA (the edge that leads here), FIRST_EDGE,
                                EDGES, VISITS, PENDING, STATE, MOVE (that leads here)
``sums``            (N, 7)      float64: sums over the visits of UTILITY, its SQUARES, VALUE and
                                SCORE, and what the node's own evaluation said, OWN_...
``edge_move``       (E,)        int32 move index
``edge_child``      (E,)        int32 node, NONE where the move was never tried
``edge_prior``      (E,)        float32, sums to 1 over a node's edges, falling
==================  ==========  =============================================================

**Every value of a node is for the side to move at that node.** The parent sees it negated; sides
alternate along every path, since a pass is a move. PENDING counts descents whose evaluation has not
come back yet: each counts as a visit that the chooser loses (virtual loss).
"""

import math

import numpy as np

from mariago.board.jit import inlined, kernel

PARENT, VIA, FIRST_EDGE, EDGES, VISITS, PENDING, STATE, MOVE = 0, 1, 2, 3, 4, 5, 6, 7
COUNT_FIELDS = 8
UTILITY, SQUARES, VALUE, SCORE, OWN_UTILITY, OWN_VALUE, OWN_SCORE = 0, 1, 2, 3, 4, 5, 6
SUM_FIELDS = 7

NONE = -1
FRESH, WAITING, OPEN, OVER = 0, 1, 2, 3  # not asked about; being asked; has edges; game ended
LEAF, RELEASED, DONE = 0, 1, 2  # what became of a descent

# Places in the settings that kernels are handed, float64.
C_INIT, C_LOG, C_BASE, SPREAD_SCALE, SPREAD_PRIOR, SPREAD_WEIGHT = 0, 1, 2, 3, 4, 5
FPU, ROOT_FPU, VIRTUAL_LOSS, FORCED, IMPROVED, GUMBEL_VISIT, GUMBEL_SCALE = 6, 7, 8, 9, 10, 11, 12
KNOBS = 13


@kernel
def add_node(counts, sums, used, parent, via, move):
    """Append a fresh node; return its index. ``used`` (2,) int64: nodes and edges in use."""
    node = used[0]
    used[0] += 1
    for field in range(COUNT_FIELDS):
        counts[node, field] = 0
    for field in range(SUM_FIELDS):
        sums[node, field] = 0.0
    counts[node, PARENT] = parent
    counts[node, VIA] = via
    counts[node, MOVE] = move
    return node


@inlined
def _exploration(visits, total, utility, squares, knobs):
    """Return cPUCT of a node.

    It grows with the logarithm of the visits (Silver et al. 2018, pseudocode of AlphaZero) and with
    the spread of what was found below, against a prior spread (KataGo's ``docs/KataGoMethods.md``,
    "Dynamic Variance-Scaled cPUCT").
    """
    c = knobs[C_INIT] + knobs[C_LOG] * math.log((total + knobs[C_BASE] + 1.0) / knobs[C_BASE])
    if knobs[SPREAD_SCALE] == 0.0 or visits < 2:
        return c
    mean = utility / visits
    weight = knobs[SPREAD_WEIGHT]
    prior = knobs[SPREAD_PRIOR]
    apart = (weight * prior * prior + max(0.0, squares - visits * mean * mean)) / (
        weight + visits - 1.0
    )
    return c * (1.0 + knobs[SPREAD_SCALE] * (math.sqrt(apart) / prior - 1.0))


@kernel
def choose_puct(counts, sums, edge_child, edge_prior, node, is_root, knobs):
    """Return the edge with the largest Q + U; of equal ones the first.

    U = c * P * sqrt(sum of N) / (1 + N) (Silver et al. 2017). An untried move's Q is the node's own
    mean less a reduction that grows with the policy mass tried so far (first-play urgency, Wu 2019,
    appendix on search). Forced playouts at the root: Wu 2019, section 3.2.
    """
    first = counts[node, FIRST_EDGE]
    last = first + counts[node, EDGES]
    total = 0.0
    tried = 0.0
    for e in range(first, last):
        child = edge_child[e]
        if child != NONE and counts[child, VISITS] + counts[child, PENDING] > 0:
            total += counts[child, VISITS] + counts[child, PENDING]
            tried += edge_prior[e]
    visits = counts[node, VISITS]
    mean = sums[node, UTILITY] / max(1, visits)
    reduction = knobs[ROOT_FPU] if is_root else knobs[FPU]
    urgency = max(-1.0, mean - reduction * math.sqrt(tried))
    c = _exploration(visits, total, sums[node, UTILITY], sums[node, SQUARES], knobs)
    c *= math.sqrt(total + 0.01)  # so that the first choice goes by the policy
    best = -np.inf
    chosen = first
    for e in range(first, last):
        child = edge_child[e]
        n, pending = 0.0, 0.0
        q = urgency
        if child != NONE:
            n, pending = float(counts[child, VISITS]), float(counts[child, PENDING])
        if n + pending > 0.0:
            known = -sums[child, UTILITY] if n > 0.0 else urgency
            weight = max(n, 1.0)
            q = (known - knobs[VIRTUAL_LOSS] * pending) / (weight + knobs[VIRTUAL_LOSS] * pending)
        score = q + c * edge_prior[e] / (1.0 + n + pending)
        if is_root and knobs[FORCED] > 0.0 and n > 0.0:
            if n + pending < math.sqrt(knobs[FORCED] * edge_prior[e] * total):
                score = 1e9 + edge_prior[e]
        if score > best:
            best = score
            chosen = e
    return chosen


@kernel
def mixed_value(counts, sums, edge_child, edge_prior, node):
    """Return v_mix, the value that stands for untried moves (Danihelka et al. 2022, eq. 33)."""
    first = counts[node, FIRST_EDGE]
    total, mass, weighted = 0.0, 0.0, 0.0
    for e in range(first, first + counts[node, EDGES]):
        child = edge_child[e]
        if child != NONE and counts[child, VISITS] > 0:
            n = counts[child, VISITS]
            total += n
            mass += edge_prior[e]
            weighted += edge_prior[e] * -sums[child, UTILITY] / n
    own = sums[node, OWN_UTILITY]
    if mass <= 0.0:
        return own
    return (own + total * weighted / mass) / (1.0 + total)


@kernel
def improve(counts, sums, edge_child, edge_prior, node, knobs, policy):
    """Write the improved policy of a node, softmax(logits + sigma(completed Q)), into ``policy``.

    Danihelka et al. 2022: completed Q is eq. 10, the policy eq. 11, sigma eq. 8 with Q in [0, 1].
    ``policy`` (EDGES of the node,) float64.
    """
    first = counts[node, FIRST_EDGE]
    edges = counts[node, EDGES]
    most = 0
    for i in range(edges):
        child = edge_child[first + i]
        if child != NONE and counts[child, VISITS] > most:
            most = counts[child, VISITS]
    scale = (knobs[GUMBEL_VISIT] + most) * knobs[GUMBEL_SCALE]
    mixed = mixed_value(counts, sums, edge_child, edge_prior, node)
    top = -np.inf
    for i in range(edges):
        child = edge_child[first + i]
        q = mixed
        if child != NONE and counts[child, VISITS] > 0:
            q = -sums[child, UTILITY] / counts[child, VISITS]
        policy[i] = math.log(max(edge_prior[first + i], 1e-30)) + scale * (q + 1.0) / 2.0
        top = max(top, policy[i])
    total = 0.0
    for i in range(edges):
        policy[i] = math.exp(policy[i] - top)
        total += policy[i]
    for i in range(edges):
        policy[i] /= total


@kernel
def choose_improved(counts, sums, edge_child, edge_prior, node, knobs, policy):
    """Return the edge that lags most behind the improved policy (Danihelka et al. 2022, eq. 14)."""
    improve(counts, sums, edge_child, edge_prior, node, knobs, policy)
    first = counts[node, FIRST_EDGE]
    edges = counts[node, EDGES]
    total = 0.0
    for i in range(edges):
        child = edge_child[first + i]
        if child != NONE:
            total += counts[child, VISITS] + counts[child, PENDING]
    best = -np.inf
    chosen = first
    for i in range(edges):
        child = edge_child[first + i]
        n = 0.0
        if child != NONE:
            n = float(counts[child, VISITS] + counts[child, PENDING])
        score = policy[i] - n / (1.0 + total)
        if score > best:
            best = score
            chosen = first + i
    return chosen


@kernel
def _descend(counts, sums, edge_move, edge_child, edge_prior, used, knobs, forced, policy, path):
    """Walk from the root, node 0, to a node that is not open; return the depth.

    ``forced`` is the root's edge to take, NONE for its own choice. Each node of ``path`` gains a
    PENDING.
    """
    node = 0
    depth = 0
    path[0] = 0
    counts[0, PENDING] += 1
    while counts[node, STATE] == OPEN and depth + 1 < path.shape[0]:
        if depth == 0 and forced != NONE:
            e = forced
        elif knobs[IMPROVED] > 0.0:
            e = choose_improved(counts, sums, edge_child, edge_prior, node, knobs, policy)
        else:
            e = choose_puct(counts, sums, edge_child, edge_prior, node, depth == 0, knobs)
        if edge_child[e] == NONE:
            edge_child[e] = add_node(counts, sums, used, node, e, edge_move[e])
        node = edge_child[e]
        depth += 1
        path[depth] = node
        counts[node, PENDING] += 1
    return depth


@kernel
def back_up(counts, sums, path, depth):
    """Add the own evaluation of the last node of ``path`` to all its nodes, signs alternating."""
    leaf = path[depth]
    utility, value, score = sums[leaf, OWN_UTILITY], sums[leaf, OWN_VALUE], sums[leaf, OWN_SCORE]
    sign = 1.0
    for at in range(depth, -1, -1):
        node = path[at]
        counts[node, VISITS] += 1
        counts[node, PENDING] -= 1
        sums[node, UTILITY] += sign * utility
        sums[node, SQUARES] += utility * utility
        sums[node, VALUE] += sign * value
        sums[node, SCORE] += sign * score
        sign = -sign


@kernel
def release(counts, path, depth):
    """Take the PENDING of a descent back that comes to nothing."""
    for at in range(depth + 1):
        counts[path[at], PENDING] -= 1


@kernel
def gather(
    counts,
    sums,
    edge_move,
    edge_child,
    edge_prior,
    used,
    knobs,
    forced,
    wanted,
    most,
    policy,
    paths,
    depths,
    fates,
):
    """Descend until ``wanted`` leaves wait to be evaluated; return the number of descents.

    Each descent fills a row of ``paths`` (R, depth) int32, ``depths`` and ``fates`` (R,): LEAF;
    DONE (an ended game, counted at once); RELEASED (a node that waits already). Leaves and ended
    games together are no more than ``most``. ``forced`` int64: the root's edge of each descent, or
    empty. Rows of LEAF and RELEASED keep their PENDING until ``settle``.
    """
    leaves, done = 0, 0
    rows = paths.shape[0] if forced.shape[0] == 0 else min(paths.shape[0], forced.shape[0])
    for row in range(rows):
        if leaves == wanted or leaves + done >= most:
            return row
        edge = NONE if forced.shape[0] == 0 else forced[row]
        path = paths[row]
        depth = _descend(
            counts,
            sums,
            edge_move,
            edge_child,
            edge_prior,
            used,
            knobs,
            edge,
            policy,
            path,
        )
        depths[row] = depth
        leaf = paths[row, depth]
        state = counts[leaf, STATE]
        if state == FRESH:
            counts[leaf, STATE] = WAITING
            fates[row] = LEAF
            leaves += 1
        elif state == WAITING:
            fates[row] = RELEASED
        else:  # ended, or the longest path there may be
            back_up(counts, sums, paths[row], depth)
            fates[row] = DONE
            done += 1
    return rows


@kernel
def settle(counts, sums, paths, depths, fates, rows):
    """Back up the evaluated leaves of the first ``rows`` descents and release the others."""
    for row in range(rows):
        if fates[row] == LEAF:
            back_up(counts, sums, paths[row], depths[row])
        elif fates[row] == RELEASED:
            release(counts, paths[row], depths[row])
            leaf = paths[row, depths[row]]
            if counts[leaf, STATE] == WAITING:
                counts[leaf, STATE] = FRESH


@kernel
def open_nodes(counts, edge_move, edge_child, edge_prior, used, nodes, policy, legal):
    """Give each of ``nodes`` (B,) int64 its legal moves as edges, best policy first.

    ``policy`` (B, moves) need not be normal: what is not a positive number, or on an illegal move
    (``legal`` (B, moves) bool), is taken away; where nothing is left all legal moves are alike. Of
    equal priors the lower move comes first.
    """
    moves = policy.shape[1]
    keys = np.empty(moves)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        first = used[1]
        total = 0.0
        count = 0
        for move in range(moves):
            keys[move] = 1.0
            if legal[i, move]:
                count += 1
                share = np.float64(policy[i, move])
                keys[move] = -share if 0.0 < share < np.inf else 0.0
                total -= keys[move]
        order = np.argsort(keys, kind="mergesort")
        for j in range(count):
            share = -keys[order[j]] / total if total > 1e-12 else 1.0 / count
            edge_move[first + j] = order[j]
            edge_prior[first + j] = share
            edge_child[first + j] = NONE
        counts[node, FIRST_EDGE] = first
        counts[node, EDGES] = count
        counts[node, STATE] = OPEN
        used[1] += count


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    counts, sums = np.zeros((4, COUNT_FIELDS), np.int32), np.zeros((4, SUM_FIELDS))
    move, child, prior = np.zeros(4, np.int32), np.zeros(4, np.int32), np.zeros(4, np.float32)
    used, knobs = np.zeros(2, np.int64), np.ones(KNOBS)
    tree = (counts, sums, move, child, prior)
    add_node(counts, sums, used, NONE, NONE, NONE)
    nodes, legal = np.zeros(1, np.int64), np.ones((1, 2), np.bool_)
    for said in (np.ones((1, 2)), np.ones((1, 2), np.float32)):
        open_nodes(counts, move, child, prior, used, nodes, said, legal)
        used[1] = 2
    policy = np.zeros(4)
    rows = np.zeros((2, 4), np.int32), np.zeros(2, np.int32), np.zeros(2, np.int32)
    n = gather(*tree, used, knobs, np.zeros(0, np.int64), 1, 1, policy, *rows)
    settle(counts, sums, *rows, n)
    improve(counts, sums, child, prior, 0, knobs, policy)
    mixed_value(counts, sums, child, prior, 0)
