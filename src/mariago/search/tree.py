"""The arrays of a tree, their growth, and the position of each node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.rules import Position
from mariago.search import tree_kernels as k
from mariago.search.subtree_kernels import keep_subtree

__all__ = ["Tree"]

FIRST_NODES = 256
KEPT_POSITIONS = 20_000  # about 10 kB each on 19x19; the others are played again when asked for


class Tree:
    """A tree whose node 0 is ``root``; see :mod:`mariago.search.tree_kernels` for the arrays."""

    def __init__(self, root: Position) -> None:
        self.root = root
        self.counts = np.zeros((FIRST_NODES, k.COUNT_FIELDS), np.int32)
        self.sums = np.zeros((FIRST_NODES, k.SUM_FIELDS))
        self.edge_move = np.zeros(FIRST_NODES, np.int32)
        self.edge_child = np.zeros(FIRST_NODES, np.int32)
        self.edge_prior = np.zeros(FIRST_NODES, np.float32)
        self.used = np.zeros(2, np.int64)
        self.positions: dict[int, Position] = {0: root}
        self.clean: npt.NDArray[np.float32] | None = None
        """What the evaluator said of the root's moves, (edges,), once a search has begun there;
        the priors of its edges may be others since."""
        k.add_node(self.counts, self.sums, self.used, k.NONE, k.NONE, k.NONE)

    def __len__(self) -> int:
        return int(self.used[0])

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Nodes and edges as most kernels take them."""
        return self.counts, self.sums, self.edge_move, self.edge_child, self.edge_prior

    @property
    def visits(self) -> int:
        """Visits of the root, its own evaluation included."""
        return int(self.counts[0, k.VISITS])

    def edges_of(self, node: int) -> slice:
        """Return where the node's edges stand, best policy first."""
        first = int(self.counts[node, k.FIRST_EDGE])
        return slice(first, first + int(self.counts[node, k.EDGES]))

    def reserve(self, nodes: int, edges: int) -> None:
        """Make room for so many more."""
        need = int(self.used[0]) + nodes
        if need > len(self.counts):
            size = max(need, 2 * len(self.counts))
            self.counts, self.sums = _grown(self.counts, size), _grown(self.sums, size)
        need = int(self.used[1]) + edges
        if need > len(self.edge_move):
            size = max(need, 2 * len(self.edge_move))
            self.edge_move = _grown(self.edge_move, size)
            self.edge_child = _grown(self.edge_child, size)
            self.edge_prior = _grown(self.edge_prior, size)

    def open(
        self,
        nodes: Sequence[int],
        policy: npt.NDArray[Any],
        legal: npt.NDArray[np.bool_],
    ) -> None:
        """Give ``nodes`` (B,) their legal moves, ``policy`` (B, moves) being their priors.

        What the policy gives to illegal moves is taken away; where nothing is left all legal moves
        are alike.
        """
        if not policy.flags.c_contiguous or policy.dtype.name not in ("float32", "float64"):
            policy = np.ascontiguousarray(policy, np.float64)
        self.reserve(0, legal.size)
        k.open_nodes(
            *(self.counts, self.edge_move, self.edge_child, self.edge_prior, self.used),
            *(np.asarray(nodes, np.int64), policy, legal),
        )

    def position_of(self, node: int) -> Position:
        """Return the position of a node, played from the nearest ancestor that is known."""
        steps: list[int] = []
        at = node
        while at not in self.positions:
            steps.append(at)
            at = int(self.counts[at, k.PARENT])
        position = self.positions[at]
        for at in reversed(steps):
            position = position.play(int(self.counts[at, k.MOVE]))
        if len(self.positions) < KEPT_POSITIONS:
            self.positions[node] = position
        return position

    def child_by(self, node: int, move: int) -> int | None:
        """Return the node that ``move`` leads to, or None where it was never reached."""
        edges = self.edges_of(node)
        at = np.flatnonzero(self.edge_move[edges] == move)
        child = int(self.edge_child[edges][at[0]]) if len(at) else k.NONE
        return None if child == k.NONE else child

    def move_to(self, position: Position) -> bool:
        """Make ``position`` the root where it is this root or was reached from it; say whether.

        Everything that is not below it is dropped.
        """
        history, past = position.history_hashes, self.root.history_hashes
        gone = len(history) - len(past)
        if not 0 <= gone <= 16 or not np.array_equal(history[: len(past)], past):
            return False
        node = 0
        for _, move in position.moves[len(position.moves) - gone :] if gone else ():
            below = self.child_by(node, int(move))
            if below is None:
                return False
            node = below
        if self.counts[node, k.STATE] != k.OPEN:
            return False
        found = self.position_of(node)
        if found != position or not np.array_equal(found.history_hashes, history):
            return False
        if found.move_number != position.move_number or found.recent != position.recent:
            return False
        if node:
            self._drop_all_but(node)
        return True

    def _drop_all_but(self, node: int) -> None:
        places = np.full(len(self), k.NONE, np.int32)
        root = self.position_of(node)
        keep_subtree(*self.arrays, self.used, node, places)
        kept = {int(places[old]): p for old, p in self.positions.items() if places[old] != k.NONE}
        self.positions = {**kept, 0: root}
        self.root = root
        self.clean = None


def _grown(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    longer = np.zeros((size, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
