"""Symmetries and colours: play commutes with turning the board and with swapping the sides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mariago.board import kernels
from mariago.board.geometry import SYMMETRIES, inverse, move_table, symmetric_size, turned
from mariago.board.points import BLACK, Size, opponent
from mariago.errors import RulesError
from mariago.rules import RULE_SETS, Position

RULES = sorted(RULE_SETS)
FAST = settings(max_examples=40, deadline=None)


@st.composite
def random_positions(draw: st.DrawFn, most_cells: int = 36, most_moves: int = 60) -> Position:
    """A position after random legal moves, some of them passes, under any rule set."""
    rows = draw(st.integers(1, 9))
    columns = draw(st.integers(1, max(1, min(9, most_cells // rows))))
    position = Position.empty((rows, columns), draw(st.sampled_from(RULES)))
    for choice in draw(st.lists(st.integers(0, 9999), max_size=most_moves)):
        legal = position.legal_moves()
        stones = legal[:-1] or legal
        position = position.play(legal[-1] if choice % 17 == 0 else stones[choice % len(stones)])
    return position


def swapped(position: Position) -> Position:
    """The same game with the colours exchanged; White starts."""
    start = Position.from_stones(
        np.zeros(position.size, np.uint8), to_move=opponent(BLACK), rules=position.rules
    )
    for color, move in position.moves:
        start = start.with_to_move(opponent(color)).play(move)
    return start


@FAST
@given(random_positions(), st.sampled_from(list(SYMMETRIES)))
def test_symmetries_commute_with_play(position: Position, symmetry: int) -> None:
    table = move_table(position.size, symmetry)
    image = Position.empty(symmetric_size(position.size, symmetry), position.rules)
    walk = Position.empty(position.size, position.rules)
    for color, move in position.moves:
        walk = walk.with_to_move(color).play(move)
        image = image.with_to_move(color).play(int(table[move]))
        assert np.array_equal(image.stones, turned(walk.stones, symmetry))
        assert set(image.last_taken) == {int(table[taken]) for taken in walk.last_taken}
        assert image.ko == (None if walk.ko is None else table[walk.ko])
        assert np.array_equal(image.legal_mask()[table], walk.legal_mask())
        assert (image.taken, image.repeated) == (walk.taken, walk.repeated)
    assert position.symmetry(symmetry) == image
    assert position.symmetry(symmetry).superko_banned() == image.superko_banned()


@FAST
@given(random_positions(), st.sampled_from(list(SYMMETRIES)))
def test_a_symmetry_undone_gives_the_position_back(position: Position, symmetry: int) -> None:
    back = position.symmetry(symmetry).symmetry(inverse(symmetry))
    assert back == position
    assert back.recent == position.recent
    assert np.array_equal(back.history_hashes, position.history_hashes)


@FAST
@given(random_positions())
def test_swapping_colours_swaps_everything(position: Position) -> None:
    other = swapped(position)
    exchanged = np.array([0, 2, 1], np.uint8)[position.stones]
    assert np.array_equal(other.stones, exchanged)
    assert other.to_move == opponent(position.to_move)
    assert other.taken == position.taken[::-1]
    assert other.ko == position.ko
    assert np.array_equal(other.legal_mask(), position.legal_mask())
    assert other.superko_banned() == position.superko_banned()
    assert other.repeated == position.repeated


@FAST
@given(random_positions())
def test_the_incremental_hash_is_the_recomputed_one(position: Position) -> None:
    start = Position.empty(position.size, position.rules)
    for color, move in position.moves:
        start = start.with_to_move(color).play(move)
        assert start.hash == int(kernels.recompute_hash(start.state))
    assert start.hash == position.hash


@FAST
@given(random_positions())
def test_a_position_set_up_from_its_stones_plays_on_as_the_played_one(position: Position) -> None:
    simple = position.with_rules(RULE_SETS["chinese"].replace(suicide=position.rules.suicide))
    twin = Position.from_stones(
        simple.stones, to_move=simple.to_move, ko=simple.ko, rules=simple.rules
    )
    assert twin.hash == simple.hash
    assert np.array_equal(twin.liberty_counts(), simple.liberty_counts())
    assert np.array_equal(twin.legal_mask(), simple.legal_mask())
    for move in simple.legal_moves():
        assert np.array_equal(twin.play(move).stones, simple.play(move).stones)


@FAST
@given(random_positions())
def test_text_reads_back_as_the_same_position(position: Position) -> None:
    read = Position.from_diagram(str(position), rules=position.rules)
    assert np.array_equal(read.stones, position.stones)
    assert (read.to_move, read.ko) == (position.to_move, position.ko)


def test_hashes_tell_all_small_boards_apart() -> None:
    seen: dict[int, tuple[Size, bytes]] = {}
    for size in (Size(1, 2), Size(2, 1), Size(2, 2), Size(1, 5), Size(2, 3), Size(3, 2)):
        for number in range(3**size.cells):
            digits = [number // 3**i % 3 for i in range(size.cells)]
            stones = np.array(digits, np.uint8).reshape(size)
            try:
                position = Position.from_stones(stones)
            except RulesError:  # a chain without liberty
                continue
            for value in (position.hash, position.with_to_move(2).hash_with_side):
                assert value not in seen
                seen[value] = (size, stones.tobytes())


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_empty_board_is_its_own_image(symmetry: int) -> None:
    assert Position.empty((3, 5)).symmetry(symmetry).size == symmetric_size(Size(3, 5), symmetry)
