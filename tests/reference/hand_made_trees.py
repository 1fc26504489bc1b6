"""Search trees made by hand, node by node."""

from __future__ import annotations

import numpy as np

from mariago.rules import Position
from mariago.search import tree_kernels as k
from mariago.search.tree import Tree


def opened(policy: list[float], size: int | str = "2x1") -> Tree:
    """Return a tree on a board of two points whose root was visited once and is worth 0."""
    tree = Tree(Position.empty(size, "tromp_taylor"))
    tree.open([0], np.array([policy]), np.ones((1, len(policy)), np.bool_))
    tree.counts[0, k.VISITS] = 1
    return tree


def grow(tree: Tree, node: int, edge: int, visits: int, utility_sum: float) -> int:
    """Hang a child with these sums below ``node``, for the side to move at the child."""
    tree.reserve(1, 0)
    at = tree.edges_of(node).start + edge
    child = k.add_node(tree.counts, tree.sums, tree.used, node, at, tree.edge_move[at])
    tree.edge_child[at] = child
    tree.counts[child, k.VISITS] = visits
    tree.sums[child, k.UTILITY] = utility_sum
    tree.counts[node, k.VISITS] += visits
    return child
