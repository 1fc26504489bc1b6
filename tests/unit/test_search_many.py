"""Searches in step, evaluations that are remembered, searches that are given up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.reference.plain_evaluators import counted, even

from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.search import (
    Evaluations,
    PlaneEvaluator,
    Remembered,
    Search,
    SearchResult,
    SearchSettings,
    search_many,
)
from mariago.search import tree_kernels as k


class Sums:
    """A net whose answers are simple sums over all that it is shown, whatever the batch."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def evaluate(self, planes: np.ndarray, global_inputs: np.ndarray) -> Evaluations:
        self.batches.append(len(planes))
        count, channels, rows, columns = planes.shape
        weights = np.arange(1, channels + 1)[:, None, None] * np.linspace(-1, 1, rows * columns)
        mixed = np.stack([(board.reshape(channels, -1) * weights[:, 0]).sum(0) for board in planes])
        policy = np.concatenate((1.5 + np.sin(mixed), np.full((count, 1), 0.1)), axis=1)
        value = np.sin(mixed.sum(axis=1) + global_inputs.sum(axis=1))
        return Evaluations(policy, 0.5 * value, 3 * value, mixed.reshape(count, rows, columns))


def seeded(evaluator: object, settings: SearchSettings, seeds: Sequence[int]) -> list[Search]:
    return [
        Search(evaluator, settings, np.random.default_rng(seed))  # type: ignore[arg-type]
        for seed in seeds
    ]


def figures(found: SearchResult) -> tuple[object, ...]:
    owned = None if found.ownership is None else found.ownership.tolist()
    return found.moves, found.visits, found.evaluations, found.target.tolist(), owned


def starts() -> list[Position]:
    empty = Position.empty(5, "tromp_taylor")
    return [empty, empty.play(12), Position.empty("4x3"), empty.play(7).play(8), empty.play_pass()]


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("noise", [0.0, 0.25])
def test_in_step_each_search_finds_what_it_finds_alone(root: str, noise: float) -> None:
    settings = SearchSettings(root=root, noise=noise, batch=8)  # type: ignore[arg-type]
    visits, positions = (40, 1, 25, 64, 33), starts()
    lone = seeded(PlaneEvaluator(Sums()), settings, range(5))
    searches = seeded(PlaneEvaluator(Sums()), settings, range(5))
    for _ in range(2):  # the second time with the trees that are left
        alone = [
            search.run(position, visits=limit)
            for search, position, limit in zip(lone, positions, visits, strict=True)
        ]
        together = search_many(searches, positions, visits=visits)
        assert [figures(found) for found in together] == [figures(found) for found in alone]
        positions = [found.position.play(found.move) for found in alone]


def test_one_batch_takes_the_leaves_of_all() -> None:
    net = Sums()
    searches = seeded(PlaneEvaluator(net), SearchSettings(batch=1), range(6))
    positions = [Position.empty(5).play(at) for at in range(6)]
    found = search_many(searches, positions, visits=20)
    assert net.batches == [6] * 20
    assert sum(each.evaluations for each in found) == 120


def test_games_that_end_early_leave_the_others_searching() -> None:
    over = Position.from_diagram("X X X\nX . X\n. X X", rules="tromp_taylor").play_pass()
    searches = seeded(counted, SearchSettings(), (1, 2))
    found = search_many(searches, [over, Position.empty(5)], visits=(200, 50))
    assert [each.visits for each in found] == [200, 50]


def test_what_cannot_be_searched_in_step_is_named() -> None:
    one, other = Search(even), Search(counted)
    position = Position.empty(3)
    with pytest.raises(BadInputError, match="one evaluator"):
        search_many([one, other], [position] * 2, visits=5)
    with pytest.raises(BadInputError, match="two positions"):
        search_many([one, one], [position] * 2, visits=5)
    with pytest.raises(BadInputError, match="2 positions for 1"):
        search_many([one], [position] * 2, visits=5)
    with pytest.raises(BadInputError, match="limit"):
        search_many([one], [position])
    assert search_many([], []) == []


# -- given up ------------------------------------------------------------------------------------


def test_a_search_whose_evaluator_fails_leaves_a_tree_that_can_go_on() -> None:
    calls = 0

    def failing(positions: Sequence[Position]) -> Evaluations:
        nonlocal calls
        calls += 1
        if calls == 9:
            raise RuntimeError("out of memory")
        return counted(positions)

    search = Search(failing, SearchSettings(batch=8))
    with pytest.raises(RuntimeError):
        search.run(Position.empty(5), visits=200)
    tree = search.tree
    assert tree is not None
    assert not tree.counts[: len(tree), k.PENDING].any()
    assert not (tree.counts[: len(tree), k.STATE] == k.WAITING).any()
    assert search.run(Position.empty(5), visits=200).visits == 200


def test_a_pulse_sees_what_was_found_and_ends_the_search() -> None:
    seen: list[int] = []

    def pulse(found: object) -> bool:
        seen.append(found().visits)  # type: ignore[operator]
        return seen[-1] >= 50

    found = Search(counted).run(Position.empty(5), visits=10_000, pulse=pulse)
    assert seen == sorted(seen)
    assert found.visits == seen[-1]
    assert 50 <= found.visits < 60


# -- met again -----------------------------------------------------------------------------------


def test_a_position_met_again_is_not_asked_about_again() -> None:
    net = Sums()
    plain = Search(PlaneEvaluator(Sums())).run(Position.empty(5), visits=60)
    known = Remembered()
    for _ in range(2):
        found = Search(PlaneEvaluator(net, remembered=known)).run(Position.empty(5), visits=60)
        assert figures(found) == figures(plain)
    assert (known.asked, known.found) == (120, 60)
    assert sum(net.batches) == 60


def transposed() -> tuple[Position, Position]:
    """One board by two orders of moves, the same move last."""
    empty = Position.empty(5, "tromp_taylor")
    orders = ((6, 7, 16, 17, 12), (16, 7, 6, 17, 12))
    found = []
    for order in orders:
        position = empty
        for move in order:
            position = position.play(move)
        found.append(position)
    return found[0], found[1]


@pytest.mark.parametrize("with_past", [True, False])
def test_only_where_it_is_asked_for_does_the_past_not_count(with_past: bool) -> None:
    known = Remembered(with_past=with_past)
    evaluator = PlaneEvaluator(Sums(), remembered=known)
    one, other = transposed()
    assert one == other
    evaluator([one])
    evaluator([other])
    assert known.found == (0 if with_past else 1)


def test_a_ko_that_may_not_be_taken_and_one_that_may_are_two_positions() -> None:
    board = ". X O .\nX . X O\n. X O .\n. . . ."
    for rules in ("chinese", "tromp_taylor"):
        before = Position.from_diagram(board, rules=rules, to_move=2)
        taken = before.play(5)  # White takes at the hollow: Black may not take back at once
        free = Position.from_stones(taken.stones, rules=rules)
        assert np.array_equal(taken.stones, free.stones)
        assert not np.array_equal(taken.legal_mask(), free.legal_mask())
        known = Remembered(with_past=False)
        evaluator = PlaneEvaluator(Sums(), remembered=known)
        evaluator([taken])
        evaluator([free])
        assert known.found == 0


def test_komi_side_rules_and_passes_tell_positions_apart() -> None:
    known = Remembered(with_past=False)
    evaluator = PlaneEvaluator(Sums(), remembered=known)
    position = Position.empty(5, "chinese", 7.5).play(12)
    others = [
        position.with_rules(komi=6.5),
        position.with_rules("aga", komi=7.5),
        position.with_rules("tromp_taylor", komi=7.5),
        position.with_to_move(1),
        position.play_pass().play_pass().with_to_move(2),
    ]
    evaluator([position])
    for other in others:
        evaluator([other])
    assert known.found == 0


def test_equal_positions_in_one_batch_are_asked_about_once() -> None:
    net = Sums()
    known = Remembered()
    one = Position.empty(5).play(3)
    batch = [one, Position.empty(5), one, Position.empty(5).play(4)]
    said = PlaneEvaluator(net, remembered=known)(batch)
    plain = PlaneEvaluator(Sums())(batch)
    for found, wanted in zip(said, plain, strict=True):
        assert np.array_equal(found, wanted)  # type: ignore[arg-type]
    assert sorted(net.batches) == [1, 2]


def test_the_least_recently_used_leaves_first() -> None:
    known = Remembered(2)
    evaluator = PlaneEvaluator(Sums(), remembered=known)
    a, b, c = (Position.empty(3).play(move) for move in range(3))
    for position in (a, b, a, c, a, b):
        evaluator([position])
    assert len(known) == 2
    assert known.found == 2  # a, twice; b had left
    with pytest.raises(BadInputError):
        Remembered(0)
    with pytest.raises(BadInputError, match="drawn"):
        PlaneEvaluator(Sums(), 0, remembered=known)
