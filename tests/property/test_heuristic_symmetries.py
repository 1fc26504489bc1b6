"""The rule-based player sees a turned board, and a board of swapped colours, as the same board."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.geometry import move_table, turned
from mariago.board.points import Size
from mariago.heuristic import choose, score_moves, weights_of
from mariago.players.eyes import solid_eyes
from mariago.rules import Position


def game_positions(size, seed, every=6, n_moves=90):
    """Yield (stones, to move, last move, move number) along a game with some random moves."""
    rng = np.random.default_rng(seed)
    position = Position.empty(size)
    for i in range(n_moves):
        moves = position.legal_moves()[:-1]
        if not moves:
            return
        move = int(rng.choice(moves)) if rng.random() < 0.3 else choose(position, rng)
        position = position.play(move)
        if i % every == 0:
            yield position


@pytest.mark.parametrize("size", [Size(9, 9), Size(13, 13), Size(7, 10)])
def test_scores_turn_with_the_board(size):
    for position in game_positions(size, 2):
        plain = Position.from_stones(
            position.stones, to_move=position.to_move, move_number=position.move_number
        )
        scores = score_moves(plain)
        for symmetry in range(1, 8):
            other = Position.from_stones(
                np.ascontiguousarray(turned(plain.stones, symmetry)),
                to_move=plain.to_move,
                move_number=plain.move_number,
            )
            assert np.array_equal(score_moves(other)[move_table(size, symmetry)], scores)


def test_scores_do_not_know_colours():
    for position in game_positions(Size(9, 9), 8):
        plain = Position.from_stones(
            position.stones, to_move=position.to_move, move_number=position.move_number
        )
        swapped = Position.from_stones(
            np.where(plain.stones == 0, 0, 3 - plain.stones),
            to_move=3 - plain.to_move,
            move_number=plain.move_number,
        )
        assert np.array_equal(score_moves(swapped), score_moves(plain))


@pytest.mark.parametrize("version", ["v1", "v4", "v6", "v7", "account"])
@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp_taylor"])
def test_answers_are_legal_and_fill_no_real_eye(version, rules):
    rng = np.random.default_rng(11)
    weights = weights_of(version)
    for _ in range(3):
        position = Position.empty((7, 8), rules)
        for _ in range(110):
            if position.is_over or position.repeated:
                break
            move = choose(position, rng, weights)
            assert position.is_legal(move)
            if move < position.size.cells:
                liberties_matter = position.play(move).last_taken
                assert liberties_matter or not solid_eyes(position)[move]
            moves = position.legal_moves()
            position = position.play(int(rng.choice(moves)) if rng.random() < 0.3 else move)


def test_the_choice_turns_with_the_board_up_to_ties():
    for position in game_positions(Size(9, 9), 21, every=9):
        plain = Position.from_stones(
            position.stones, to_move=position.to_move, move_number=position.move_number
        )
        scores = score_moves(plain)
        if scores.max() <= 0:
            continue  # nothing to choose by score
        best = set(np.flatnonzero(scores == scores.max()).tolist())
        for symmetry in range(1, 8):
            table = move_table(Size(9, 9), symmetry)
            other = Position.from_stones(
                np.ascontiguousarray(turned(plain.stones, symmetry)),
                to_move=plain.to_move,
                move_number=plain.move_number,
            )
            move = choose(other, np.random.default_rng(0))
            assert move in {int(table[known]) for known in best}
