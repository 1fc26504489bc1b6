"""Sequential halving and the improved policy, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.reference import plain_gumbel
from tests.reference.hand_made_trees import grow, opened
from tests.reference.plain_evaluators import by_move, even

from mariago.rules import Position
from mariago.search import Evaluations, Search, SearchSettings
from mariago.search import tree_kernels as k
from mariago.search.gumbel import halving_plan, improved_policy

GUMBEL = SearchSettings(root="gumbel")


@pytest.mark.parametrize("simulations", range(1, 65))
@pytest.mark.parametrize("considered", [1, 2, 3, 7, 16, 64])
def test_every_simulation_is_spent_once(considered: int, simulations: int):
    plan = halving_plan(considered, simulations)
    assert sum(plan) == simulations
    assert max(plan) <= considered
    assert plan == sorted(plan, reverse=True)


def test_the_plans_are_those_of_the_paper():
    # 200 simulations, 16 moves: 4 phases of 50, 3 rounds of 16, 6 of 8, 12 of 4, then pairs
    plan = halving_plan(16, 200)
    assert [plan.count(n) for n in (16, 8, 4, 2)] == [3, 6, 12, 28]
    assert halving_plan(4, 8) == [4, 2, 2]
    assert halving_plan(16, 3) == [3]


def test_untried_moves_are_worth_the_mixed_value():
    tree = opened([0.5, 0.3, 0.2])
    tree.sums[0, k.OWN_UTILITY] = 0.2
    grow(tree, 0, 0, 3, -1.2)  # q = 0.4
    grow(tree, 0, 1, 1, 0.5)  # q = -0.5
    # (0.2 + 4 / 0.8 * (0.5 * 0.4 - 0.3 * 0.5)) / 5
    mixed = k.mixed_value(tree.counts, tree.sums, tree.edge_child, tree.edge_prior, 0)
    assert mixed == pytest.approx((0.2 + 4 / 0.8 * 0.05) / 5, abs=1e-6)
    scale = 50 + 3
    q = np.array([0.4, -0.5, mixed])
    logits = np.log([0.5, 0.3, 0.2]) + scale * (q + 1) / 2
    wanted = np.exp(logits - logits.max())
    assert improved_policy(tree, GUMBEL) == pytest.approx(wanted / wanted.sum(), abs=1e-6)


def test_the_edge_that_lags_behind_the_improved_policy_is_next():
    tree = opened([0.5, 0.3, 0.2])
    for edge, visits in enumerate((5, 1, 1)):
        grow(tree, 0, edge, visits, 0.0)
    knobs = GUMBEL.knobs()
    # all Q equal: the improved policy is the policy; 0.5 - 5/8, 0.3 - 1/8, 0.2 - 1/8
    room = np.zeros(3)
    at = k.choose_improved(
        *(tree.counts, tree.sums, tree.edge_child, tree.edge_prior, 0, knobs, room)
    )
    assert at - tree.edges_of(0).start == 1


@pytest.mark.parametrize("visits", [2, 3, 5, 9, 17, 33, 64])
def test_exactly_so_many_visits_are_made(visits: int):
    found = Search(even, GUMBEL).run(Position.empty(5), visits=visits)
    assert found.visits == visits
    assert sum(move.visits for move in found.moves) == visits - 1


@pytest.mark.parametrize("seed", range(5))
def test_among_the_moves_considered_the_best_arm_wins(seed: int):
    values = dict.fromkeys(range(26), -0.5) | {7: 0.6}
    search = Search(by_move(values), GUMBEL, np.random.default_rng(seed))
    found = search.run(Position.empty(5), visits=64)
    tried = {move.move for move in found.moves if move.visits}
    assert found.move == 7 or 7 not in tried
    assert found.target.sum() == pytest.approx(1)


def test_without_noise_the_top_of_the_policy_is_considered():
    settings = SearchSettings(root="gumbel", gumbel_noise=False, considered=4)
    policy = {1: 0.4, 2: 0.3, 3: 0.15, 4: 0.1, 5: 0.05}
    found = Search(by_move({3: 0.9, 5: 1.0}, policy), settings).run(Position.empty(5), visits=17)
    assert {move.move for move in found.moves if move.visits} == {1, 2, 3, 4}
    assert found.move == 3


@pytest.mark.parametrize(("visits", "tried"), [(2, 1), (3, 2), (5, 2), (8, 4), (16, 8), (64, 16)])
def test_without_noise_the_better_half_of_few_visits_is_looked_at_again(visits: int, tried: int):
    settings = SearchSettings(root="gumbel", gumbel_noise=False)
    found = Search(even, settings).run(Position.empty(5), visits=visits)
    assert sum(move.visits > 0 for move in found.moves) == tried
    noisy = Search(even, GUMBEL).run(Position.empty(5), visits=visits)
    assert sum(move.visits > 0 for move in noisy.moves) == min(visits - 1, 16)


def test_on_average_the_choice_is_better_than_the_policy():
    """What the paper promises of any number of simulations: no worse than sampling the policy."""
    values = dict(enumerate(np.linspace(-0.9, 0.9, 26)))
    rewards = []
    for seed in range(60):
        search = Search(by_move(values), GUMBEL, np.random.default_rng(seed))
        rewards.append(values[search.run(Position.empty(5), visits=3).move])
    mean, error = float(np.mean(rewards)), float(np.std(rewards)) / math.sqrt(len(rewards))
    assert mean - 2 * error > 0.0  # the policy's own mean


def test_nan_from_an_evaluator_is_named():
    def broken(positions: list[Position]) -> Evaluations:
        return even(positions)._replace(value=np.full(len(positions), np.nan))

    from mariago.errors import BadInputError

    with pytest.raises(BadInputError, match="no number"):
        Search(broken).run(Position.empty(5), visits=4)


# -- against the formulas written out --------------------------------------------------------------


@pytest.mark.parametrize("considered", [1, 2, 3, 5, 8, 16])
@pytest.mark.parametrize("simulations", [1, 2, 7, 8, 15, 16, 50, 200])
def test_rounds_are_those_of_the_formulas(considered: int, simulations: int):
    wanted: list[int] = []
    visits = [0] * considered
    for alive in halving_plan(considered, simulations):
        wanted += visits[:alive]
        visits = [n + 1 if i < alive else n for i, n in enumerate(visits)]
    assert wanted == plain_gumbel.considered_visits(considered, simulations)


def test_the_improved_policy_is_that_of_a_table_worked_by_hand():
    # priors 0.5 0.3 0.2; visits 2 1 0; q 0.1 -0.3; the net's own value 0.2
    # v_mix = (0.2 + 3 / 0.8 * (0.5 * 0.1 - 0.3 * 0.3)) / 4 = 0.0125
    # sigma = (50 + 2) * 0.1 * (q + 1) / 2 = 2.86, 1.82, 2.6325
    # logits + sigma = 2.16685, 0.61603, 1.02306
    wanted = [0.65330, 0.13855, 0.20815]
    q = [0.1, -0.3, 0.0]
    found = plain_gumbel.improved([0.5, 0.3, 0.2], [2, 1, 0], q, 0.2, 0.1)
    assert found == pytest.approx(wanted, abs=1e-5)
    tree = opened([0.5, 0.3, 0.2])
    tree.sums[0, k.OWN_UTILITY] = 0.2
    grow(tree, 0, 0, 2, -0.2)
    grow(tree, 0, 1, 1, 0.3)
    settings = SearchSettings(root="gumbel", gumbel_scale=0.1)
    assert improved_policy(tree, settings) == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("simulations", [1, 3, 7, 15, 40])
@pytest.mark.parametrize("considered", [2, 4, 8])
@pytest.mark.parametrize("scale", [0.1, 1.0])
def test_bandits_are_played_as_the_formulas_say(simulations: int, considered: int, scale: float):
    """One arm a move, worth the same at each visit: visits and choice are those written out."""
    settings = SearchSettings(
        root="gumbel", considered=considered, gumbel_scale=scale, batch=1, static_score=0
    )
    for seed in range(6):
        rng = np.random.default_rng([seed, simulations, considered])
        policy = rng.dirichlet(np.full(10, 0.7))
        values = rng.uniform(-0.9, 0.9, 10)
        # the tree keeps its edges best policy first, and its noise in that order
        order = np.argsort(-policy.astype(np.float32), kind="stable")
        noise = np.random.default_rng(seed).gumbel(size=17)[:10]
        choice, visits = plain_gumbel.play(
            *([float(np.float32(policy[i])) for i in order], list(noise)),
            *(lambda i, o=order, v=values: float(v[o[i]]), 0.0, considered, simulations, scale),
        )
        evaluate = by_move(dict(enumerate(values)), dict(enumerate(policy)))
        search = Search(evaluate, settings, np.random.default_rng(seed))
        found = search.run(Position.empty(4), visits=simulations + 1)
        assert found.move == order[choice]
        seen = {move.move: move.visits for move in found.moves}
        assert [seen.get(int(i), 0) for i in order] == visits


@pytest.mark.parametrize("simulations", [2, 4, 8, 16])
def test_on_average_no_bandit_is_played_worse_than_by_its_policy(simulations: int):
    """Policy improvement over random bandits: with exact values, for each of them (section 4)."""
    rng = np.random.default_rng(simulations)
    for scale in (0.1, 1.0):
        for _ in range(20):
            policy = rng.dirichlet(np.full(8, 1.0))
            values = rng.uniform(-1, 1, 8)
            rewards = [
                values[
                    plain_gumbel.play(
                        *(list(policy), list(rng.gumbel(size=8)), lambda i, v=values: float(v[i])),
                        *(float(policy @ values), 16, simulations, scale),
                    )[0]
                ]
                for _ in range(60)
            ]
            error = float(np.std(rewards)) / math.sqrt(len(rewards))
            assert np.mean(rewards) + 3 * error >= policy @ values
