"""What is done at the root alone: noise, the final choice, the policy to learn from."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from mariago.search import tree_kernels as k
from mariago.search.settings import SearchSettings
from mariago.search.tree import Tree

__all__ = ["RootMoves", "add_noise", "choose_edge", "visit_shares"]

Floats = npt.NDArray[np.float64]


class RootMoves:
    """The root's edges as arrays, each (edges,), seen by the side to move at the root."""

    def __init__(self, tree: Tree, settings: SearchSettings) -> None:
        edges = tree.edges_of(0)
        child = tree.edge_child[edges]
        tried = child >= 0
        self.child = child
        self.move = tree.edge_move[edges].astype(np.int64)
        self.prior = tree.edge_prior[edges].astype(np.float64)
        self.visits = np.where(tried, tree.counts[child, k.VISITS], 0).astype(np.int64)
        own = tree.sums[0, [k.OWN_UTILITY, k.OWN_VALUE, k.OWN_SCORE]]
        n = np.maximum(self.visits, 1)
        some = self.visits > 0
        self.utility = np.where(some, -tree.sums[child, k.UTILITY] / n, own[0])
        self.value = np.where(some, -tree.sums[child, k.VALUE] / n, own[1])
        self.score = np.where(some, -tree.sums[child, k.SCORE] / n, own[2])
        self.bound = np.where(some, self._bounds(tree, settings), -np.inf)

    def _bounds(self, tree: Tree, settings: SearchSettings) -> Floats:
        """Return the mean less some standard errors; three visits of the widest spread are lent,
        so that a move with few visits is never sure."""
        n = np.maximum(self.visits, 1)
        squares = tree.sums[self.child, k.SQUARES] - n * self.utility**2
        variance = (np.maximum(squares, 0.0) + 3.0) / (n + 3.0)
        return self.utility - settings.lcb_spreads * np.sqrt(variance / n)


def add_noise(tree: Tree, settings: SearchSettings, rng: np.random.Generator) -> None:
    """Mix Dirichlet noise into the root's priors (Silver et al. 2017, methods)."""
    edges = tree.edges_of(0)
    count = edges.stop - edges.start
    if settings.noise == 0 or count < 2:
        return
    drawn = rng.dirichlet(np.full(count, max(settings.noise_total / count, 1e-3)))
    tree.edge_prior[edges] = (1 - settings.noise) * tree.edge_prior[edges] + settings.noise * drawn


def choose_edge(moves: RootMoves, settings: SearchSettings) -> int:
    """Return the place of the move to play: the most visited, or by its bound; ties by policy."""
    visits = moves.visits
    if visits.max(initial=0) == 0:
        return int(np.argmax(moves.prior))
    most = np.flatnonzero(visits == visits.max())
    chosen = int(most[np.argmax(moves.prior[most])])
    if settings.choice == "lcb":
        enough = visits >= max(2.0, settings.lcb_least_share * visits.max())
        if enough.any():
            bounds = np.where(enough, moves.bound, -np.inf)
            best = int(np.argmax(bounds))
            if bounds[best] > moves.bound[chosen]:
                chosen = best
    return chosen


def visit_shares(moves: RootMoves, settings: SearchSettings) -> Floats:
    """Return the policy to learn: shares of the visits, forced ones taken away.

    From every move but the most visited one as many visits go, up to the forced ones, as leave its
    PUCT score below the best move's; what is left of one visit goes too (Wu 2019, section 3.2).
    """
    visits = moves.visits.astype(np.float64)
    total = visits.sum()
    if total == 0:
        return moves.prior / moves.prior.sum()
    if settings.forced_playouts > 0:
        best = int(np.argmax(visits))
        c = settings.cpuct + settings.cpuct_log * math.log(
            (total + settings.cpuct_base + 1) / settings.cpuct_base
        )
        reach = c * math.sqrt(total)
        goal = moves.utility[best] + reach * moves.prior[best] / (1 + visits[best])
        for i in np.flatnonzero(visits > 0):
            if i == best:
                continue
            forced = math.sqrt(settings.forced_playouts * moves.prior[i] * total)
            gap = goal - moves.utility[i]
            needed = reach * moves.prior[i] / gap - 1 if gap > 0 else visits[i]
            visits[i] = max(visits[i] - forced, min(visits[i], needed))
            if visits[i] <= 1:
                visits[i] = 0.0
    return visits / visits.sum()
