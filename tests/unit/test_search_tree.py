"""The tree's kernels, checked by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.reference.hand_made_trees import grow, opened

from mariago.rules import Position
from mariago.search import SearchSettings
from mariago.search import tree_kernels as k
from mariago.search.subtree_kernels import keep_subtree
from mariago.search.tree import Tree

PLAIN = SearchSettings(cpuct_log=0, spread_scale=0, fpu_reduction=0, root_fpu_reduction=0)


def chosen(tree: Tree, settings: SearchSettings, node: int = 0) -> int:
    knobs = settings.knobs()
    edge = k.choose_puct(
        tree.counts, tree.sums, tree.edge_child, tree.edge_prior, node, node == 0, knobs
    )
    return int(edge) - tree.edges_of(node).start


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_value_changes_its_sign_with_every_move_up(sign: float):
    tree = opened([0.5, 0.3, 0.2])
    child = grow(tree, 0, 0, 0, 0.0)
    tree.open([child], np.array([[1.0, 1, 1]]), np.ones((1, 3), np.bool_))
    leaf = grow(tree, child, 1, 0, 0.0)
    fields = [k.OWN_UTILITY, k.OWN_VALUE, k.OWN_SCORE]
    tree.sums[leaf, fields] = [0.25 * sign, 0.75 * sign, 8.0 * sign]
    path = np.array([0, child, leaf], np.int32)
    tree.counts[path, k.PENDING] = 1
    k.back_up(tree.counts, tree.sums, path, 2)
    sums = [k.UTILITY, k.VALUE, k.SCORE]
    assert tree.sums[leaf, sums].tolist() == [0.25 * sign, 0.75 * sign, 8.0 * sign]
    assert tree.sums[child, sums].tolist() == [-0.25 * sign, -0.75 * sign, -8.0 * sign]
    assert tree.sums[0, sums].tolist() == [0.25 * sign, 0.75 * sign, 8.0 * sign]
    assert tree.sums[path, k.SQUARES].tolist() == [0.0625] * 3
    assert tree.counts[path, k.PENDING].tolist() == [0, 0, 0]
    assert tree.counts[path, k.VISITS].tolist() == [2, 1, 1]


def test_puct_weighs_what_the_opponent_loses_against_the_policy():
    # Q = -sum / N: -(-0.6) / 2 = 0.3 and -(0.1) / 1 = -0.1; U = P * sqrt(3) / (1 + N)
    tree = opened([0.5, 0.4, 0.1])
    grow(tree, 0, 0, 2, -0.6)
    grow(tree, 0, 1, 1, 0.1)
    u = math.sqrt(3.01)
    scores = [0.3 + 0.5 * u / 3, -0.1 + 0.4 * u / 2, 0.0 + 0.1 * u]
    assert int(np.argmax(scores)) == 0
    assert chosen(tree, PLAIN) == 0
    # Turn the first child's value round: now it is bad for the chooser.
    tree.sums[tree.edge_child[tree.edges_of(0)][0], k.UTILITY] = 0.6
    scores[0] = -0.3 + 0.5 * u / 3
    assert int(np.argmax(scores)) == 1
    assert chosen(tree, PLAIN) == 1


def test_the_first_choice_goes_by_the_policy():
    assert chosen(opened([0.2, 0.5, 0.3]), PLAIN) == 0  # edges stand best policy first
    assert opened([0.2, 0.5, 0.3]).edge_move[:3].tolist() == [1, 2, 0]


def test_an_untried_move_is_worth_less_the_more_policy_was_tried():
    tree = opened([0.5, 0.4, 0.1])
    grow(tree, 0, 0, 4, 0.0)
    settings = SearchSettings(cpuct=0.01, cpuct_log=0, spread_scale=0)
    # U is next to nothing: 0.0 for the tried move against 0 - reduction * sqrt(0.5)
    assert chosen(tree, settings) == 0
    # a reduction of 0 leaves the larger U of the untried move
    assert chosen(tree, SearchSettings(cpuct=0.01, spread_scale=0, root_fpu_reduction=0)) == 1


def test_cpuct_grows_with_the_visits_and_with_the_spread():
    tree = opened([0.6, 0.3, 0.1])
    grow(tree, 0, 0, 1000, -100.0)
    grow(tree, 0, 1, 1000, 50.0)
    few = SearchSettings(cpuct=0.001, cpuct_log=0, spread_scale=0, root_fpu_reduction=1)
    assert chosen(tree, few) == 0
    assert chosen(tree, SearchSettings(cpuct=0.001, cpuct_log=4, spread_scale=0)) == 2


def test_a_leaf_that_is_being_evaluated_counts_as_lost():
    tree = opened([0.5, 0.45, 0.05])
    first = grow(tree, 0, 0, 3, -0.9)
    grow(tree, 0, 1, 3, -0.6)
    assert chosen(tree, PLAIN) == 0
    tree.counts[first, k.PENDING] = 1
    assert chosen(tree, PLAIN) == 1


def test_forced_playouts_go_to_tried_moves_that_lag_behind():
    tree = opened([0.5, 0.3, 0.2])
    grow(tree, 0, 0, 90, -60.0)
    grow(tree, 0, 1, 1, 0.9)
    assert chosen(tree, replace(PLAIN, cpuct=0.1)) == 0
    # sqrt(2 * 0.3 * 91) = 7.4 visits are owed to the second move, none to the untried third
    assert chosen(tree, replace(PLAIN, cpuct=0.1, forced_playouts=2)) == 1


def test_illegal_moves_get_no_edge_and_no_policy():
    tree = Tree(Position.empty("2x1", "tromp_taylor"))
    tree.open([0], np.array([[0.6, 0.3, 0.1]]), np.array([[False, True, True]]))
    edges = tree.edges_of(0)
    assert tree.edge_move[edges].tolist() == [1, 2]
    assert tree.edge_prior[edges].tolist() == pytest.approx([0.75, 0.25])


def test_where_the_policy_is_all_on_illegal_moves_the_legal_ones_are_alike():
    for lost in ([1.0, 0.0, 0.0], [float("nan"), 0.0, -1.0]):
        tree = Tree(Position.empty("2x1", "tromp_taylor"))
        tree.open([0], np.array([lost]), np.array([[False, True, True]]))
        assert tree.edge_prior[tree.edges_of(0)].tolist() == [0.5, 0.5]


def test_a_kept_subtree_is_what_it_was():
    tree = opened([0.5, 0.3, 0.2])
    one = grow(tree, 0, 0, 5, 1.5)
    other = grow(tree, 0, 1, 2, -1.0)
    for node in (other, one):
        tree.open([node], np.array([[0.1, 0.7, 0.2]]), np.ones((1, 3), np.bool_))
    grow(tree, other, 0, 1, 0.25)
    below = grow(tree, one, 2, 3, 0.75)
    places = np.zeros(len(tree), np.int32)
    keep_subtree(*tree.arrays, tree.used, other, places)
    assert len(tree) == 2
    assert places.tolist() == [k.NONE, k.NONE, 0, 1, k.NONE]
    assert places[below] == k.NONE
    assert tree.counts[0, k.VISITS] == 3
    assert tree.sums[0, k.UTILITY] == -1.0
    assert tree.edge_prior[tree.edges_of(0)].tolist() == pytest.approx([0.7, 0.2, 0.1])
    child = int(tree.edge_child[tree.edges_of(0)][0])
    assert child == 1
    assert tree.counts[child, k.PARENT] == 0
    assert tree.counts[child, k.VIA] == tree.edges_of(0).start
    assert tree.sums[child, k.UTILITY] == 0.25
