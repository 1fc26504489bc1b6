"""The kernels, through Position, against the plain engine: random games, move by move."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.reference.plain_go import PlainPosition

from mariago.board import kernels
from mariago.board.points import Size
from mariago.rules import RULE_SETS, Position, RuleSet

SUICIDE_UNDER_SIMPLE_KO = RULE_SETS["chinese"].replace(name="free", suicide=True)
ALL_RULES = [*RULE_SETS.values(), SUICIDE_UNDER_SIMPLE_KO]

# (rows, columns), moves a game, games per rule set, every how many moves all points are asked
SMALL = [((1, 1), 6, 2, 1), ((1, 2), 12, 4, 1), ((2, 1), 12, 2, 1), ((1, 3), 20, 4, 1)]
SMALL += [((2, 2), 40, 6, 1), ((1, 7), 40, 3, 1), ((2, 3), 60, 5, 1), ((5, 1), 40, 3, 1)]
SMALL += [((3, 3), 80, 5, 1), ((2, 5), 60, 3, 1), ((4, 4), 90, 3, 1), ((5, 3), 90, 2, 1)]
MIDDLE = [((5, 5), 120, 1, 4), ((7, 4), 120, 1, 5), ((9, 9), 140, 1, 20), ((6, 11), 120, 1, 20)]
LARGE = [((13, 13), 120, 1, 60), ((19, 19), 150, 1, 75), ((25, 25), 100, 1, 100)]
LARGE += [((1, 25), 90, 1, 10), ((25, 1), 90, 1, 10), ((25, 9), 100, 1, 50)]


def random_pair(size: tuple[int, int], rules: RuleSet) -> tuple[Position, PlainPosition]:
    return (
        Position.empty(size, rules),
        PlainPosition(*size, ko_rule=rules.ko, suicide=rules.suicide),
    )


def play_both(pair: tuple[Position, PlainPosition], move: int) -> tuple[Position, PlainPosition]:
    position, plain = pair
    if move == position.size.cells:
        return position.play_pass(), plain.play_pass()
    return position.play(move), plain.play(divmod(move, position.size.columns))


def assert_same_board(position: Position, plain: PlainPosition) -> None:
    size = position.size
    expected = np.zeros(size, np.uint8)
    for point, color in plain.stones.items():
        expected[point] = color
    assert np.array_equal(position.stones, expected)
    assert position.to_move == plain.to_move
    assert position.taken == plain.taken
    assert position.passes == plain.passes
    assert position.repeated == plain.repeated
    assert set(position.last_taken) == {r * size.columns + c for r, c in plain.last_taken}
    assert position.hash == int(kernels.recompute_hash(position.state))


def assert_same_chains(position: Position, plain: PlainPosition) -> None:
    columns = position.size.columns
    for point in plain.stones:
        move = point[0] * columns + point[1]
        chain = sorted(r * columns + c for r, c in plain.chain(point))
        liberties = sorted(r * columns + c for r, c in plain.liberties(point))
        assert list(position.chain_at(move)) == chain
        assert list(position.liberties_at(move)) == liberties
        assert position.liberty_counts()[point] == len(liberties)


def assert_same_legality(position: Position, plain: PlainPosition) -> None:
    columns = position.size.columns
    mask = position.legal_mask()
    superko: list[int] = []
    ko = None
    for move in range(position.size.cells):
        reason = plain.why_illegal(divmod(move, columns))
        assert position.why_illegal(move) == reason, (move, str(position))
        assert mask[move] == (reason is None)
        if reason == "superko":
            superko.append(move)
        if reason == "ko":
            ko = move
    assert mask[position.size.cells]
    assert position.superko_banned() == superko
    assert position.ko == ko


def play_and_compare(
    size: tuple[int, int], rules: RuleSet, moves: int, ask_every: int, seed: int
) -> None:
    rng = random.Random(f"{size} {rules} {seed}")
    pair = random_pair(size, rules)
    for number in range(moves):
        position, plain = pair
        assert_same_board(position, plain)
        if number % ask_every == 0:
            assert_same_legality(position, plain)
            assert_same_chains(position, plain)
        legal = position.legal_moves()[:-1]
        passes = not legal or rng.random() < 0.04
        pair = play_both(pair, position.size.cells if passes else rng.choice(legal))
    assert_same_board(*pair)
    assert_same_legality(*pair)


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("plan", SMALL, ids=lambda plan: str(Size(*plan[0])))
def test_small_boards_play_as_the_plain_engine_does(
    plan: tuple[tuple[int, int], int, int, int], rules: RuleSet
) -> None:
    size, moves, games, ask_every = plan
    for seed in range(games):
        play_and_compare(size, rules, moves, ask_every, seed)


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("plan", MIDDLE + LARGE, ids=lambda plan: str(Size(*plan[0])))
def test_larger_boards_play_as_the_plain_engine_does(
    plan: tuple[tuple[int, int], int, int, int], rules: RuleSet
) -> None:
    size, moves, games, ask_every = plan
    for seed in range(games):
        play_and_compare(size, rules, moves, ask_every, seed)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.name)
def test_hundreds_of_games_play_as_the_plain_engine_does(rules: RuleSet) -> None:
    for seed in range(1000, 1020):
        for size in ((2, 2), (2, 3), (3, 3), (1, 5), (4, 3), (5, 5)):
            play_and_compare(size, rules, 80, 2, seed)


def test_the_random_games_meet_every_reason() -> None:
    met: set[tuple[str, str]] = set()
    for rules in (RULE_SETS["new_zealand"], RULE_SETS["tromp_taylor"], RULE_SETS["chinese"]):
        for seed in range(4):
            rng = random.Random(seed)
            position = Position.empty(3, rules)
            for _ in range(80):
                reasons = [position.why_illegal(move) for move in range(9)]
                met |= {(rules.ko, reason) for reason in reasons if reason is not None}
                if len(position.last_taken) and position.color_at(position.last_move or 0) == 0:
                    met.add((rules.ko, "played suicide"))
                if position.repeated:
                    met.add((rules.ko, "repeated"))
                legal = position.legal_moves()[:-1] or [9]
                position = position.play(rng.choice(legal))
    assert met >= {
        *(("simple", reason) for reason in ("occupied", "ko", "suicide", "repeated")),
        *(("positional", reason) for reason in ("occupied", "superko", "played suicide")),
        *(("situational", reason) for reason in ("occupied", "superko", "played suicide")),
    }


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.name)
def test_set_up_boards_play_on_as_the_plain_engine_does(rules: RuleSet) -> None:
    rng = random.Random(f"set up {rules.name}")
    for _ in range(40):
        size = (rng.randint(1, 6), rng.randint(1, 6))
        filled = rng.uniform(0.2, 0.9)
        stones = np.array(
            [rng.choice((1, 2)) if rng.random() < filled else 0 for _ in range(size[0] * size[1])]
        ).reshape(size)
        to_move = rng.choice((1, 2))
        position = Position.from_stones(
            stones, to_move=to_move, rules=rules, without_breathless=True
        )
        left = {
            (int(r), int(c)): int(position.stones[r, c])
            for r, c in zip(*np.nonzero(position.stones), strict=True)
        }
        plain = PlainPosition(
            *size, ko_rule=rules.ko, suicide=rules.suicide, stones=left, to_move=to_move
        )
        pair = (position, plain)
        for _ in range(10):
            assert_same_board(*pair)
            assert_same_legality(*pair)
            assert_same_chains(*pair)
            pair = play_both(pair, rng.choice(pair[0].legal_moves()))
