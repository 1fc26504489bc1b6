"""Facts of a position on boards small enough to read."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE, move_to_vertex, vertex_to_move
from mariago.rules import Position
from mariago.tactics import facts_of_position
from mariago.words import LANGUAGES

LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X . . . . .
    . . X O . . . . .
    . . . X . . . . .
    . . . . . . . . .
    """
START = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X . . . .
    . . X O . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
BREAKER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X . . . .
    . . X O . . . . .
    . . . X . O . . .
    . . . . . . . . .
    """
LIFE = """
    . X . X O . .
    X X X X O O O
    O O O O O . O
    X . . O . O O
    """


def vertices(position: Position, moves) -> list[str]:
    return [str(move_to_vertex(move, position.size)) for move in moves]


def test_chains_are_told_with_their_liberties():
    facts = facts_of_position(Position.from_diagram(LADDER))
    position = Position.from_diagram(LADDER)
    white = next(chain for chain in facts.chains if chain.color == WHITE)
    assert vertices(position, white.stones) == ["D3"]
    assert vertices(position, white.liberties) == ["E3"]
    assert white.in_atari


def test_a_line_of_a_ladder_is_played_to_the_capture():
    position = Position.from_diagram(LADDER)
    (ladder,) = facts_of_position(position).ladders
    assert ladder.works == bool(ladder.line)
    for diagram in (LADDER, START):
        position = Position.from_diagram(diagram)
        for ladder in facts_of_position(position).ladders:
            mover = BLACK if ladder.attacker_first else WHITE
            for move in ladder.line:
                position = position.with_to_move(mover)
                assert position.is_legal(move)
                position = position.play(move)
                mover = 3 - mover
            if ladder.works:
                assert position.color_at(ladder.stone) == 0


def test_a_ladder_breaker_saves_the_chain():
    position = Position.from_diagram(BREAKER)
    ladder = next(one for one in facts_of_position(position).ladders if one.color == WHITE)
    assert not ladder.attacker_first
    assert not ladder.works
    assert vertices(position, ladder.moves) == ["E3"]
    assert ladder.line == ()


def test_life_territory_and_eyes_are_told():
    position = Position.from_diagram(LIFE)
    facts = facts_of_position(position)
    assert {(chain.color, chain.alive, chain.dead) for chain in facts.chains} == {
        (BLACK, True, False),
        (WHITE, True, False),
        (BLACK, False, True),
    }
    assert {(eye.color, str(facts.vertex(eye.point)), eye.real) for eye in facts.eyes} == {
        (BLACK, "A4", True),
        (BLACK, "C4", True),
        (WHITE, "F2", True),
        (WHITE, "E1", True),
    }
    white = [region for region in facts.territory if region.color == WHITE]
    assert vertices(position, white[-2].points) == ["A1", "B1", "C1"]


def test_facts_are_plain_data_and_sentences_in_every_language():
    facts = facts_of_position(Position.from_diagram(LIFE))
    json.dumps(facts.as_dict())
    assert "Black's chain at A1 (1 stone) is dead." in facts.sentences
    counts = {len(facts.told(lang)) for lang in LANGUAGES}
    assert counts == {len(facts.sentences)}
    assert str(facts) == "\n".join(facts.sentences)


def test_an_empty_board_has_no_facts():
    facts = facts_of_position(Position.empty(9))
    assert facts.sentences == []
    assert facts.chains == ()


@pytest.mark.parametrize("symmetry", range(8))
def test_facts_turn_with_the_board(symmetry):
    def counts(position: Position) -> tuple[object, ...]:
        facts = facts_of_position(position)
        return (
            sorted(
                (c.color, len(c.stones), len(c.liberties), c.alive, c.dead) for c in facts.chains
            ),
            sorted((one.color, one.works, len(one.moves)) for one in facts.ladders),
            sorted((eye.color, eye.real) for eye in facts.eyes),
            sorted((region.color, len(region.points)) for region in facts.territory),
        )

    for diagram in (LADDER, BREAKER, LIFE):
        position = Position.from_diagram(diagram)
        assert counts(position.symmetry(symmetry)) == counts(position)


def test_the_move_that_is_told_to_save_a_chain_does():
    position = Position.from_diagram(BREAKER, to_move=WHITE)
    after = position.play(vertex_to_move("E3", position.size))
    assert all(not one.works for one in facts_of_position(after).ladders if one.color == WHITE)


def test_lines_of_ladders_on_boards_at_random_are_legal_and_take_the_chain():
    rng = np.random.default_rng(3)
    works = 0
    for _ in range(60):
        cells = rng.choice([0, 1, 2], (9, 9), p=[0.5, 0.25, 0.25]).astype(np.uint8)
        position = Position.from_stones(cells, to_move=BLACK, without_breathless=True)
        for ladder in facts_of_position(position).ladders:
            works += ladder.works
            assert ladder.works == bool(ladder.line)
            mover = 3 - ladder.color if ladder.attacker_first else ladder.color
            after = position
            for move in ladder.line:
                after = after.with_to_move(mover)
                assert after.is_legal(move)
                after = after.play(move)
                mover = 3 - mover
            assert (after.color_at(ladder.stone) == 0) == ladder.works
    assert works > 100


@pytest.mark.parametrize("rules", ["japanese", "new_zealand", "aga"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (2, 2), (5, 13), (19, 3)])
def test_boards_of_every_shape_and_rule_have_facts(rules, shape):
    rng = np.random.default_rng(sum(shape))
    for _ in range(20):
        cells = rng.choice([0, 1, 2], shape, p=[0.3, 0.35, 0.35]).astype(np.uint8)
        position = Position.from_stones(cells, rules=rules, without_breathless=True)
        facts = facts_of_position(position)
        assert sum(len(chain.stones) for chain in facts.chains) == int((position.stones > 0).sum())
        assert not any(chain.alive and chain.dead for chain in facts.chains)
        for chain in facts.chains:
            if chain.alive:
                assert not any(
                    chain.stones[0] in region.points
                    for region in facts.territory
                    if region.color != chain.color
                )
