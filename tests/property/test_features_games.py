"""Planes of random games: the past rebuilt from rows, and the symmetries."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.geometry import move_table, symmetric_size
from mariago.board.points import Size
from mariago.errors import BadInputError
from mariago.features import (
    apply_symmetry,
    apply_symmetry_to_policy,
    inputs_of_positions,
    planes_of_position,
    planes_of_positions,
    planes_of_rows,
    rows_of_positions,
)
from mariago.features.symmetries import policy_gather
from mariago.rules import RULE_SETS, Position


def random_positions(size, rules, seed, n_moves):
    """Return the positions of a random game, passes among its moves."""
    rng = np.random.default_rng(seed)
    position = Position.empty(size, rules)
    positions = [position]
    for _ in range(n_moves):
        moves = position.legal_moves()
        quiet = len(moves) == 1 or rng.random() < 0.04
        position = position.play(moves[-1] if quiet else int(rng.choice(moves[:-1])))
        positions.append(position)
    return positions


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("size", [(9, 9), (4, 4), (5, 7)])
def test_ladders_of_the_past_are_those_of_the_boards_that_were(rules, size):
    positions = random_positions(size, rules, 11, 90)
    planes, _ = planes_of_positions(positions, 9)
    for i in range(1, len(positions)):
        assert np.array_equal(planes[i, 15], planes[i - 1, 14])
        before = planes[i - 2, 14] if i > 1 else planes[0, 14]
        # A ko two moves ago is not in a row; such boards are few and left out.
        if i > 1 and positions[i - 2].ko is not None:
            continue
        assert np.array_equal(planes[i, 16], before)


@pytest.mark.parametrize(("size", "rules"), [((9, 9), "chinese"), ((6, 9), "tromp_taylor")])
def test_a_turned_game_has_turned_planes(size, rules):
    known = Size(*size)
    game = random_positions(size, rules, 5, 70)
    planes, global_inputs = planes_of_positions(game, 11)
    for symmetry in range(8):
        after = symmetric_size(known, symmetry)
        table = move_table(known, symmetry)
        position = Position.empty(after, rules)
        for i, played in enumerate(game[1:], 1):
            assert played.last_move is not None
            position = position.play(int(table[played.last_move]))
            if i % 10:
                continue
            turned, turned_globals = planes_of_position(position, 11)
            assert np.array_equal(apply_symmetry(symmetry, planes[i], known), turned[0])
            assert np.array_equal(turned_globals[0], global_inputs[i])


@pytest.mark.parametrize("symmetry", range(8))
def test_policies_turn_with_their_boards(symmetry):
    size, pad = Size(3, 5), 6
    policy = np.arange(16.0)
    after = symmetric_size(size, symmetry)
    turned = apply_symmetry_to_policy(symmetry, policy, size)
    board = apply_symmetry(symmetry, policy[:15].reshape(3, 5))
    assert np.array_equal(turned[:15].reshape(after), board)
    assert turned[15] == 15

    table = policy_gather(symmetry, size, pad)
    padded = np.zeros((pad, pad))
    padded[:3, :5] = policy[:15].reshape(3, 5)
    gathered = np.append(padded.ravel(), 15)[table]
    assert np.array_equal(gathered[:-1].reshape(pad, pad)[: after.rows, : after.columns], board)
    assert gathered[-1] == 15
    assert sorted(table) == list(range(pad * pad + 1))


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("size", [(9, 9), (3, 4), (2, 2)])
def test_live_positions_have_the_inputs_of_their_rows_and_their_legal_moves(rules, size):
    positions = random_positions(size, rules, 3, 120)[::3]
    planes, values, legal = inputs_of_positions(positions, 9)
    wanted, wanted_values = planes_of_rows(rows_of_positions(positions), 9)
    np.testing.assert_array_equal(planes, wanted)
    np.testing.assert_array_equal(values, wanted_values)
    np.testing.assert_array_equal(legal, [position.legal_mask() for position in positions])
    unpadded, _, _ = inputs_of_positions(positions)
    np.testing.assert_array_equal(unpadded, planes[:, :, : size[0], : size[1]])


def test_inputs_of_several_sizes_are_made_apart():
    both = [Position.empty(9), Position.empty(5)]
    with pytest.raises(BadInputError, match="of one size"):
        inputs_of_positions(both)
    planes, _ = planes_of_positions(both, 9)  # by way of rows
    assert planes[1, 0].sum() == 25
    with pytest.raises(BadInputError, match="a side of 9 does not fit"):
        inputs_of_positions(both[:1], 8)
