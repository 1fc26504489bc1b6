"""Choosing at the root with few visits: Gumbel sampling and sequential halving.

Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel".
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from mariago.search import tree_kernels as k
from mariago.search.settings import SearchSettings
from mariago.search.tree import Tree

__all__ = ["GumbelRoot", "halving_plan", "improved_policy"]

Floats = npt.NDArray[np.float64]


def halving_plan(considered: int, simulations: int) -> list[int]:
    """Return the rounds of sequential halving: how many moves each round visits once.

    Every phase spends n / log2(m) visits evenly on the moves that are left, then drops half of them
    (Karnin et al. 2013; Danihelka et al. 2022, algorithm 2). Two moves stay to the end. The rounds
    add up to ``simulations``, the last one being cut off where they do not fit.
    """
    rounds: list[int] = []
    left, alive = simulations, min(considered, simulations)
    phases = max(1, math.ceil(math.log2(alive))) if alive > 1 else 1
    while left > 0:
        for _ in range(max(1, simulations // (phases * alive))):
            if left <= 0:
                break
            rounds.append(min(alive, left))
            left -= rounds[-1]
        alive = max(min(2, alive), alive // 2)
    return rounds


def improved_policy(tree: Tree, settings: SearchSettings) -> Floats:
    """Return the improved policy over the root's edges (eq. 11), in their order."""
    policy = np.zeros(int(tree.counts[0, k.EDGES]))
    k.improve(
        *(tree.counts, tree.sums, tree.edge_child, tree.edge_prior, 0, settings.knobs(), policy)
    )
    return policy


class GumbelRoot:
    """The root of one search: which edge is visited next, and which one wins.

    Args:
        tree: its root is open.
        simulations: visits that will be spent below the root.
    """

    def __init__(
        self, tree: Tree, simulations: int, settings: SearchSettings, rng: np.random.Generator
    ) -> None:
        self.tree = tree
        self.settings = settings
        edges = tree.edges_of(0)
        self.first = edges.start
        self.logits = np.log(np.maximum(tree.edge_prior[edges].astype(np.float64), 1e-30))
        count = len(self.logits)
        self.noise = rng.gumbel(size=count) if settings.gumbel_noise else np.zeros(count)
        most = settings.considered
        if not settings.gumbel_noise:  # one look at each move would be all: look at the best again
            most = min(most, max(2, (simulations + 1) // 2))
        self.plan = halving_plan(min(most, count), simulations)
        # Gumbel-Top-k: sampling without replacement (section 3.3 of the paper)
        order = np.argsort(-(self.noise + self.logits), kind="stable")
        self.alive = order[: self.plan[0] if self.plan else 1]

    def next_round(self) -> npt.NDArray[np.int64]:
        """Return the edges of the next round, (M,) indices into the tree's edges; none at the end.

        A round smaller than the last one keeps the moves with the highest scores.
        """
        if not self.plan:
            return np.zeros(0, np.int64)
        count = self.plan.pop(0)
        if count < len(self.alive):
            scores = self.scores()[self.alive]
            self.alive = self.alive[np.argsort(-scores, kind="stable")][:count]
        return self.alive + self.first

    def scores(self) -> Floats:
        """Return g + logits + sigma(q) of every edge (eq. 6 and 8); untried moves have v_mix."""
        tree = self.tree
        edges = tree.edges_of(0)
        children = tree.edge_child[edges]
        visits = np.where(children >= 0, tree.counts[children, k.VISITS], 0)
        sums = -tree.sums[children, k.UTILITY]
        mixed = k.mixed_value(tree.counts, tree.sums, tree.edge_child, tree.edge_prior, 0)
        q = np.where(visits > 0, sums / np.maximum(visits, 1), mixed)
        scale = (self.settings.gumbel_visit + visits.max()) * self.settings.gumbel_scale
        return self.noise + self.logits + scale * (q + 1.0) / 2.0

    def chosen(self) -> int:
        """Return the place, among the root's edges, of the winner of those left (algorithm 2)."""
        return int(self.alive[np.argmax(self.scores()[self.alive])])
