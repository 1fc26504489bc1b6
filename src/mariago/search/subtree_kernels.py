# pyright: basic
"""Going on with a part of a tree; ``tree_kernels`` says what the arrays hold."""

import numpy as np

from mariago.board.jit import kernel
from mariago.search.tree_kernels import (
    COUNT_FIELDS,
    EDGES,
    FIRST_EDGE,
    NONE,
    PARENT,
    SUM_FIELDS,
    VIA,
)


@kernel
def keep_subtree(counts, sums, edge_move, edge_child, edge_prior, used, root, places):
    """Make the node ``root`` node 0 and drop what is not below it.

    ``places`` (N,) int32 receives each node's new index, NONE for those dropped. A parent always
    comes before its children, in the old order and in the new one.
    """
    old_edges = used[1]
    moves = edge_move[:old_edges].copy()
    children = edge_child[:old_edges].copy()
    priors = edge_prior[:old_edges].copy()
    kept = 0
    for node in range(used[0]):
        parent = counts[node, PARENT]
        below = node == root or (node > root and parent >= root and places[parent] != NONE)
        places[node] = kept if below else NONE
        kept += below
    used[1] = 0
    for node in range(root, used[0]):
        place = places[node]
        if place == NONE:
            continue
        old_first = np.int64(counts[node, FIRST_EDGE])
        parent = counts[node, PARENT]
        for field in range(COUNT_FIELDS):
            counts[place, field] = counts[node, field]
        for field in range(SUM_FIELDS):
            sums[place, field] = sums[node, field]
        counts[place, PARENT] = NONE if place == 0 else places[parent]
        if place == 0:
            counts[place, VIA] = NONE
        first = used[1]
        counts[place, FIRST_EDGE] = first
        for i in range(counts[place, EDGES]):
            edge_move[first + i] = moves[old_first + i]
            edge_prior[first + i] = priors[old_first + i]
            child = children[old_first + i]
            edge_child[first + i] = NONE if child == NONE else places[child]
            if child != NONE:
                counts[child, VIA] = first + i
        used[1] += counts[place, EDGES]
    used[0] = kept


def warm():
    """Compile the kernel of this file, or load it from the cache."""
    counts, sums = np.zeros((2, COUNT_FIELDS), np.int32), np.zeros((2, SUM_FIELDS))
    edges = np.zeros(2, np.int32), np.zeros(2, np.int32), np.zeros(2, np.float32)
    used, places = np.array([1, 0], np.int64), np.zeros(2, np.int32)
    keep_subtree(counts, sums, *edges, used, 0, places)
