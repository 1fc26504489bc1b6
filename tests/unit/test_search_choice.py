"""The choice of a move after the search: visits, bounds, policy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.reference.hand_made_trees import grow, opened

from mariago.search import SearchSettings
from mariago.search import tree_kernels as k
from mariago.search.root import RootMoves, choose_edge
from mariago.search.tree import Tree


def with_moves(*moves: tuple[int, float, float]) -> Tree:
    """Return a tree of three moves: (visits, mean utility for the chooser, mean square)."""
    tree = opened([0.5, 0.3, 0.2])
    for edge, (visits, mean, square) in enumerate(moves):
        if visits:
            child = grow(tree, 0, edge, visits, -mean * visits)
            tree.sums[child, k.SQUARES] = square * visits
    return tree


def chosen(tree: Tree, **settings: object) -> int:
    told = SearchSettings(**settings)  # type: ignore[arg-type]
    return choose_edge(RootMoves(tree, told), told)


def test_the_bound_is_the_mean_less_five_standard_errors() -> None:
    moves = RootMoves(with_moves((100, 0.2, 0.05), (25, 0.4, 0.16)), SearchSettings())
    # variance (100 * 0.05 - 100 * 0.04 + 3) / 103 and (0 + 3) / 28: three visits of spread 1 lent
    wanted = [
        0.2 - 5 * math.sqrt(4 / 103 / 100),
        0.4 - 5 * math.sqrt(3 / 28 / 25),
        -math.inf,
    ]
    assert moves.bound.tolist() == pytest.approx(wanted, abs=1e-6)


def test_a_move_that_is_surely_better_is_chosen_before_the_most_visited() -> None:
    sure = with_moves((1000, 0.2, 0.05), (600, 0.5, 0.26))
    assert chosen(sure) == 1
    assert chosen(sure, choice="visits") == 0


def test_a_better_mean_of_few_visits_is_not_sure() -> None:
    assert chosen(with_moves((100, 0.2, 0.05), (20, 0.5, 0.26))) == 0


def test_a_move_below_its_share_of_the_visits_is_not_chosen_by_its_bound() -> None:
    tree = with_moves((10_000, -0.5, 0.25), (1_400, 0.9, 0.81))
    assert chosen(tree) == 0
    assert chosen(tree, lcb_least_share=0.1) == 1


def test_of_equal_visits_the_policys_first_and_without_any_the_policys_best() -> None:
    assert chosen(with_moves((5, 0.0, 0.0), (5, 0.0, 0.0)), choice="visits") == 0
    assert chosen(with_moves()) == 0


def test_bounds_never_exceed_the_means() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        means, visits = rng.uniform(-1, 1, 3), rng.integers(1, 200, 3)
        rows = [(int(n), float(m), float(m * m)) for n, m in zip(visits, means, strict=True)]
        moves = RootMoves(with_moves(*rows), SearchSettings())
        assert (moves.bound < moves.utility).all()
