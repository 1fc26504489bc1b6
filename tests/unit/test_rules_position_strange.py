"""What a Position says to arguments that are none, and that nothing changes it."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest

from mariago.board.points import Size, move_to_vertex, size_of
from mariago.errors import BadInputError, CoordinateError, RulesError
from mariago.rules import RULE_SETS, Position


@pytest.mark.parametrize("size", [(9, 9, 9), (9.5, 9), (9,), 9.0, None, [], {}, (9, "9"), 26, -1])
def test_what_is_no_size_is_a_coordinate_error(size: Any) -> None:
    with pytest.raises(CoordinateError, match="board"):
        Position.empty(size)


@pytest.mark.parametrize("size", [np.int64(9), np.uint8(9), (np.int8(9), 9), [9, 9], Size(9, 9)])
def test_whole_numbers_of_numpy_are_sizes(size: Any) -> None:
    assert size_of(size) == Size(9, 9)
    assert all(type(side) is int for side in size_of(size))


@pytest.mark.parametrize("move", [1.5, 1.0, np.float64(3), None, "D4", math.nan, [1], -1, 82])
def test_what_is_no_move_is_a_coordinate_error(move: Any) -> None:
    start = Position.empty(9)
    for asked in (start.play, start.is_legal, start.why_illegal, start.color_at):
        with pytest.raises(CoordinateError, match=r"no move|not on a"):
            asked(move)
    with pytest.raises(CoordinateError):
        start.with_setup([(1, move)])


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int64, np.uint64])
def test_whole_numbers_of_numpy_are_moves(kind: Any) -> None:
    assert Position.empty(9).play(kind(80)) == Position.empty(9).play(80)
    assert move_to_vertex(kind(80), Size(9, 9)) == "J1"


@pytest.mark.parametrize(
    "stones",
    [
        np.full((3, 3), 1.5),
        np.full((3, 3), math.nan),
        np.full((3, 3), math.inf),
        np.zeros((3, 3), bool),
        np.full((3, 3), 3),
        np.full((3, 3), -1, np.int8),
        np.zeros(9, np.uint8),
        np.zeros((3, 3, 3), np.uint8),
        [[0, 0], [0]],
        "X.",
        None,
    ],
)
def test_stones_that_are_no_board_are_refused(stones: Any) -> None:
    with pytest.raises(RulesError, match="set-up"):
        Position.from_stones(stones)


def test_stones_may_be_lists_and_of_any_whole_type() -> None:
    rows = [[0, 1], [2, 0]]
    wide = Position.from_stones(np.array(rows, np.int64))
    assert Position.from_stones(rows) == wide  # pyright: ignore
    assert Position.from_stones(np.array(rows, np.float64)) == wide
    with pytest.raises(RulesError, match="colour"):
        wide.with_setup([(5, 0)])


@pytest.mark.parametrize("komi", [math.nan, math.inf, -math.inf, "much", [], 10**400])
def test_komi_that_is_no_number_of_points_is_refused(komi: Any) -> None:
    for asked in (
        lambda: Position.empty(9, komi=komi),
        lambda: Position.empty(9).with_rules(komi=komi),
        lambda: RULE_SETS["chinese"].replace(komi=komi),
    ):
        with pytest.raises(RulesError, match="komi cannot be"):
            asked()


@pytest.mark.parametrize("rules", [None, 7, b"chinese", "", "go"])
def test_rules_that_are_none_are_refused(rules: Any) -> None:
    with pytest.raises(RulesError, match="is not a rule set"):
        Position.empty(9, rules)


@pytest.mark.parametrize("count", [-1, 2.5, "2"])
def test_counts_are_whole_numbers(count: Any) -> None:
    with pytest.raises(RulesError, match="handicap cannot be"):
        Position.empty(9, handicap=count)
    with pytest.raises(RulesError, match="move_number cannot be"):
        Position.from_stones(np.zeros((9, 9), np.uint8), move_number=count)


@pytest.mark.parametrize("text", [None, b"X.", 9])
def test_a_diagram_is_text(text: Any) -> None:
    with pytest.raises(BadInputError, match="a diagram is text"):
        Position.from_diagram(text)


def test_nothing_of_a_position_can_be_set() -> None:
    position = Position.empty(9).play(40).with_to_move(1).with_rules(komi=0.5)
    for name in ("komi", "size", "rules", "handicap", "repeated", "_state", "_trail", "new"):
        with pytest.raises(AttributeError, match="never changes"):
            setattr(position, name, 1)
    with pytest.raises(AttributeError, match="never changes"):
        del position.komi
    assert position.komi == 0.5
    assert type(position) is Position


def test_copies_and_pickles_are_the_position() -> None:
    position = Position.empty(9).play(40).play(0)
    for twin in (
        copy.copy(position),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
    ):
        assert twin == position
        assert type(twin) is Position
        assert twin.moves == position.moves
        assert twin.play(1) == position.play(1)
