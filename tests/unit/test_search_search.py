"""Whole searches: bandits, ends of games, rules, limits, reuse."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest
from tests.reference.plain_evaluators import by_move, counted, even

from mariago.board.points import BLACK, WHITE, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.search import Evaluations, PlaneEvaluator, Search, SearchSettings
from mariago.search import tree_kernels as k
from mariago.search.endings import ending_of

B2_LIVES_AND_KILLS = """
. O . O .
O O O O O
X X X X O
. . . X O
X X X X O
"""
ROOTS = pytest.mark.parametrize("root", ["puct", "gumbel"])


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("batch", [1, 4, 32])
def test_the_best_arm_is_found_by_either_side(color: int, batch: int):
    values = dict.fromkeys(range(26), -0.3) | {11: 0.5, 3: 0.2}
    position = Position.empty(5).with_to_move(color)
    found = Search(by_move(values), SearchSettings(batch=batch)).run(position, visits=400)
    assert found.move == 11
    assert found.moves[0].value == pytest.approx(0.5)
    assert found.moves[0].visits > 200
    assert found.value == pytest.approx(0.5, abs=0.2)


def test_a_poor_first_impression_is_overcome():
    policy = {0: 0.9, 1: 0.08, 2: 0.02}
    found = Search(by_move({0: -0.2, 1: -0.1, 2: 0.4}, policy)).run(Position.empty(5), visits=1500)
    assert found.move == 2


def test_one_visit_is_the_policy_alone():
    found = Search(by_move({}, {4: 0.6, 5: 0.4})).run(Position.empty(5), visits=1)
    assert (found.move, found.visits, found.evaluations) == (4, 1, 1)
    assert found.policy[4] == pytest.approx(0.6)


@ROOTS
def test_nothing_is_left_pending_and_visits_add_up(root: str):
    settings = SearchSettings(root="gumbel" if root == "gumbel" else "puct", batch=16)
    search = Search(counted, settings)
    found = search.run(Position.empty(4, "tromp_taylor"), visits=777)
    tree = search.tree
    assert tree is not None
    assert found.visits == 777
    assert not tree.counts[: len(tree), k.PENDING].any()
    assert not (tree.counts[: len(tree), k.STATE] == k.WAITING).any()
    for node in range(len(tree)):
        children = tree.edge_child[tree.edges_of(node)]
        below = tree.counts[children[children >= 0], k.VISITS].sum()
        state = tree.counts[node, k.STATE]
        own = tree.counts[node, k.VISITS] if state == k.OVER else state == k.OPEN
        assert tree.counts[node, k.VISITS] == below + own


@ROOTS
def test_the_same_seed_searches_the_same_tree(root: str):
    settings = SearchSettings(
        root="gumbel" if root == "gumbel" else "puct", noise=0.25, forced_playouts=2
    )
    found = [
        Search(counted, settings, np.random.default_rng(seed)).run(Position.empty(5), visits=200)
        for seed in (3, 3, 4)
    ]
    assert found[0].moves == found[1].moves
    assert np.array_equal(found[0].target, found[1].target)
    assert found[0].moves != found[2].moves


def test_noise_changes_what_is_searched_and_not_what_is_told():
    search = Search(even, SearchSettings(noise=0.5), np.random.default_rng(1))
    found = search.run(Position.empty(5), visits=100)
    assert found.policy == pytest.approx(np.full(26, 1 / 26))
    assert search.tree is not None
    assert search.tree.edge_prior[:26].std() > 0.01


def test_forced_visits_are_no_part_of_the_target():
    values = dict.fromkeys(range(26), -0.8) | {9: 0.8}
    settings = SearchSettings(forced_playouts=2, choice="visits")
    found = Search(by_move(values), settings).run(Position.empty(5), visits=400)
    assert found.move == 9
    assert sum(move.visits for move in found.moves[1:]) > 30
    assert found.target[9] > 0.98


# -- the game's own end --------------------------------------------------------------------------


def test_two_passes_are_counted_and_not_evaluated():
    position = Position.empty(3, "tromp_taylor", komi=0.5).play_pass()
    asked: list[Position] = []

    def listening(positions: Sequence[Position]) -> Evaluations:
        asked.extend(positions)
        return even(positions)

    found = Search(listening).run(position, visits=300)
    assert found.move == position.size.cells  # White is ahead by komi: pass and win
    assert found.moves[0].value == 1.0
    assert not any(seen.is_over for seen in asked)


@pytest.mark.parametrize(("komi", "passes"), [(-20.0, True), (20.0, False)])
def test_a_pass_is_answered_by_a_pass_only_where_the_count_is_won(komi: float, passes: bool):
    position = Position.empty(5, "chinese", komi).with_to_move(WHITE).play_pass()
    found = Search(even).run(position, visits=300)
    assert (found.move == position.size.cells) == passes


def test_the_end_is_counted_as_the_rules_say_for_the_side_to_move():
    board = "X X X\nX . X\n. X X"
    for rules, lead in (("tromp_taylor", 9 - 4.5), ("japanese", 2 - 4.5)):
        position = Position.from_diagram(board, rules=rules, komi=4.5).play_pass().play_pass()
        end = ending_of(position)
        assert end == (float(np.sign(lead)), lead)
        end = ending_of(position.with_to_move(WHITE).play_pass().play_pass())
        assert end == (float(np.sign(-lead)), -lead)


def test_a_move_limit_ends_the_game_in_the_tree():
    position = Position.empty(3, "chinese", komi=0.5)
    assert ending_of(position, 1) is None
    assert ending_of(position.play(4), 1) == (-1.0, -8.5)
    found = Search(even).run(position, visits=200, last_move_number=1)
    assert found.value > 0.8
    assert found.move != position.size.cells
    assert all(len(move.line) == 1 for move in found.moves)


def test_a_board_that_comes_back_under_simple_ko_is_no_result():
    position = Position.from_diagram("X X .\n. X O\nX . O", rules="chinese")
    object.__setattr__(position, "repeated", True)
    assert ending_of(position) == (0.0, 0.0)


# -- forced wins and rules -------------------------------------------------------------------------


@ROOTS
def test_the_vital_point_is_found_without_any_knowledge(root: str):
    # Black alive has 12 of 25 points, dead none: the komi makes life the question
    position = Position.from_diagram(B2_LIVES_AND_KILLS, rules="tromp_taylor", komi=-10)
    settings = SearchSettings(root="gumbel" if root == "gumbel" else "puct")
    for color in (BLACK, WHITE):
        found = Search(counted, settings).run(position.with_to_move(color), visits=3000)
        assert found.move == vertex_to_move("B2", position.size), found.table()
        assert found.moves[0].value > 0


def test_a_line_never_breaks_superko_or_suicide():
    position = Position.from_diagram(". X O .\nX O . O\n. X O .\n. . . .", rules="tromp_taylor")
    for rules in ("tromp_taylor", "new_zealand", "aga", "chinese"):
        search = Search(even)
        search.run(position.with_rules(rules), visits=1500)
        tree = search.tree
        assert tree is not None
        for node in range(1, len(tree), 7):
            moves = []
            at = node
            while at:
                moves.append(int(tree.counts[at, k.MOVE]))
                at = int(tree.counts[at, k.PARENT])
            played = tree.root
            for move in reversed(moves):
                played = played.play(move)  # raises where it is illegal
            assert played == tree.position_of(node)


# -- the tree from move to move --------------------------------------------------------------------


def test_what_was_found_below_the_moves_played_is_kept():
    position = Position.empty(5, "tromp_taylor")
    search = Search(counted)
    first = search.run(position, visits=500)
    line = first.moves[0].line
    after = position.play(line[0]).play(line[1])
    assert search.tree is not None
    at = search.tree.child_by(0, line[0])
    assert at is not None
    at = search.tree.child_by(at, line[1])
    assert at is not None
    visits = int(search.tree.counts[at, k.VISITS])
    second = search.run(after, visits=500)
    assert visits > 1
    assert second.playouts == 500 - visits
    assert second.visits == 500
    assert second.position == after
    for node in range(len(search.tree)):
        assert search.tree.position_of(node).move_number >= 2


def test_a_tree_of_another_game_is_not_kept():
    search = Search(even)
    search.run(Position.empty(5), visits=50)
    assert search.run(Position.empty(5, komi=0.5), visits=50).playouts == 50
    assert search.run(Position.empty(5, "japanese", komi=0.5), visits=50).playouts == 50
    assert search.run(Position.empty(5, komi=0.5).with_to_move(WHITE), visits=50).playouts == 50
    assert search.run(Position.empty(5, komi=0.5).play(3).play(4), visits=60).playouts == 60


def test_many_positions_need_not_all_be_held(monkeypatch: pytest.MonkeyPatch):
    whole = Search(counted).run(Position.empty(4), visits=300)
    monkeypatch.setattr("mariago.search.tree.KEPT_POSITIONS", 20)
    assert Search(counted).run(Position.empty(4), visits=300).moves == whole.moves


# -- limits and what is asked ----------------------------------------------------------------------


def test_time_ends_a_search():
    started = time.perf_counter()
    found = Search(even).run(Position.empty(9), time_s=0.05)
    assert 1 < found.visits < 10**6
    assert time.perf_counter() - started < 30
    assert Search(even).run(Position.empty(9), visits=10, time_s=60).visits == 10


@ROOTS
@pytest.mark.parametrize(("size", "visits"), [(5, 40), (1, 520)])
def test_hours_on_a_clock_do_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch, root: str, size: int, visits: int
):
    monkeypatch.setattr("mariago.search.running.MOST_EDGES", 26 * 40)
    search = Search(even, SearchSettings(root="gumbel" if root == "gumbel" else "puct"))
    position = Position.empty(size)
    for left_s in (1e308, 3600.0):
        found = search.run(position, time_s=left_s)
        assert found.visits >= visits
        assert search.tree is not None
        assert search.tree.used[1] <= 2 * 26 * 40  # Gumbel's visits come on top of what is kept
        position = position.play(found.move)


def test_a_search_needs_a_limit_that_makes_sense():
    for limits in ({}, {"visits": 0}, {"visits": -3}):
        with pytest.raises(BadInputError):
            Search(even).run(Position.empty(5), **limits)
    for wrong in ({"batch": 0}, {"noise": 2.0}, {"cpuct": float("nan")}, {"choice": "best"}):
        with pytest.raises(BadInputError):
            SearchSettings(**wrong)


def test_an_evaluator_of_the_wrong_shape_is_named():
    with pytest.raises(BadInputError, match="policy has shape"):
        Search(lambda p: Evaluations(np.ones((1, 5)), np.zeros(1))).run(Position.empty(5), visits=2)


def scored(positions: Sequence[Position]) -> Evaluations:
    """Even games in which the corner of the first move brings Black 12 points."""
    gains = [12.0 if p.moves and p.moves[0][1] == 0 else 0.0 for p in positions]
    signs = np.array([1.0 if p.to_move == BLACK else -1.0 for p in positions])
    owned = np.ones((len(positions), 5, 5)) * signs[:, None, None]
    return even(positions)._replace(score=signs * gains, ownership=owned)


def test_points_decide_between_moves_that_win_alike():
    found = Search(scored).run(Position.empty(5), visits=200)
    assert found.move == 0
    assert found.moves[0].score == pytest.approx(12.0)
    white = Position.empty(5).with_to_move(WHITE)
    assert Search(scored).run(white, visits=200).moves[-1].move == 0
    off = SearchSettings(static_score=0, dynamic_score=0)
    assert Search(scored, off).run(Position.empty(5), visits=200).moves[0].visits < 20


@pytest.mark.parametrize("keep", [False, True])
def test_ownership_is_told_for_the_side_to_move(keep: bool):
    for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
        position = Position.empty(5).with_to_move(color)
        found = Search(scored, SearchSettings(keep_ownership=keep)).run(position, visits=60)
        assert found.ownership is not None
        assert found.ownership == pytest.approx(np.full((5, 5), sign))


class CornerNet:
    """A net that likes the top left of what it is shown, and tells what was asked."""

    def evaluate(self, planes: np.ndarray, global_inputs: np.ndarray) -> Evaluations:
        count, _, rows, columns = planes.shape
        policy = np.linspace(2, 1, rows * columns + 1)[None].repeat(count, axis=0)
        owner = np.linspace(1, -1, rows * columns).reshape(1, rows, columns).repeat(count, axis=0)
        policy /= policy.sum(axis=1, keepdims=True)
        return Evaluations(policy, np.zeros(count), np.zeros(count), owner)


@pytest.mark.parametrize("size", [5, "4x5"])
def test_the_mean_over_the_symmetries_is_symmetric(size: int | str):
    position = Position.empty(size)
    said = PlaneEvaluator(CornerNet(), symmetries=8)([position])
    assert said.ownership is not None
    for board in (said.policy[0, :-1].reshape(position.size), said.ownership[0]):
        assert board == pytest.approx(board[::-1])
        assert board == pytest.approx(board[:, ::-1])
    plain = PlaneEvaluator(CornerNet())([position])
    assert plain.policy[0].argmax() == 0
    drawn = PlaneEvaluator(CornerNet(), 0, np.random.default_rng(1))
    corners = {0, 4, 20, 24} if size == 5 else {0, 3, 16, 19}
    tops = {int(drawn([position]).policy[0].argmax()) for _ in range(40)}
    assert tops <= corners | {vertex_to_move("A1", position.size)}
    assert len(tops) == 4


def test_the_table_is_told_from_blacks_side():
    position = Position.empty(5).with_to_move(WHITE)
    text = Search(by_move({3: -0.5, **dict.fromkeys(range(4, 26), -0.9)})).run(position, visits=80)
    assert "black wins" in text.table()
    assert text.win_rate < 0.5
