"""The kernels that Position does not show: set-up by hand, chain queries, whole random games."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board import kernels, setup_kernels
from mariago.board.diagram import parse_diagram
from mariago.board.legality_kernels import hash_after, legal_mask, random_game, random_moves
from mariago.board.points import BLACK, EMPTY, WHITE, Size, move_to_point
from mariago.rules import Position


def state_of(text: str) -> np.ndarray:
    drawn = parse_diagram(text)
    state = kernels.new_state(*drawn.size)
    setup_kernels.set_stones(state, drawn.stones.ravel())
    return state


def section(state: np.ndarray, number: int) -> np.ndarray:
    area = int(state[kernels.AREA])
    start = kernels.HEADER + number * area
    return state[start : start + area]


@pytest.mark.parametrize("size", [Size(1, 1), Size(2, 7), Size(25, 25)], ids=str)
def test_a_new_state_is_an_empty_board_within_a_border(size: Size) -> None:
    state = kernels.new_state(*size)
    colors = section(state, kernels.COLOR)
    inside = {int(move_to_point(move, size)) for move in range(size.cells)}
    assert len(state) == kernels.state_length(*size)
    assert {int(p) for p in np.flatnonzero(colors == EMPTY)} == inside
    assert (colors[[p for p in range(size.area) if p not in inside]] == kernels.BORDER).all()
    assert state[kernels.TO_MOVE] == BLACK
    assert kernels.hash_of(state) == kernels.recompute_hash(state)


def test_hashes_tell_sizes_apart() -> None:
    sizes = [(rows, columns) for rows in range(1, 26) for columns in range(1, 26)]
    assert len({int(kernels.hash_of(kernels.new_state(*size))) for size in sizes}) == 625


def test_the_side_to_move_is_in_one_hash_and_not_in_the_other() -> None:
    state = kernels.new_state(3, 3)
    before = int(kernels.hash_of(state)), int(kernels.hash_with_side(state))
    kernels.play_pass(state)
    after = int(kernels.hash_of(state)), int(kernels.hash_with_side(state))
    assert before[0] == after[0] == before[1]
    assert after[1] != before[1]


def test_points_set_by_hand_are_counted_anew() -> None:
    state = state_of(". X .\nX . .\n. . .")
    size = Size(3, 3)
    setup_kernels.put_stone(state, move_to_point(4, size), BLACK)
    position = Position.from_diagram(". X .\nX X .\n. . .")
    assert int(kernels.hash_of(state)) == position.hash
    setup_kernels.put_stone(state, move_to_point(1, size), EMPTY)
    out = np.empty(size.area, np.int16)
    assert kernels.chain_points(state, move_to_point(4, size), out) == 2
    assert kernels.chain_liberties(state, move_to_point(4, size), out) == 5
    assert kernels.hash_of(state) == kernels.recompute_hash(state)


def test_a_point_remembers_the_colours_that_stood_there() -> None:
    state = state_of("X .\n. .")
    point = int(move_to_point(0, Size(2, 2)))
    setup_kernels.put_stone(state, point, EMPTY)
    setup_kernels.put_stone(state, point, WHITE)
    assert section(state, kernels.EVER)[point] == BLACK | WHITE


def test_a_set_up_chain_may_have_no_liberty() -> None:
    state = state_of("O X\nX .")
    point = int(move_to_point(0, Size(2, 2)))
    head = section(state, kernels.HEAD)[point]
    assert section(state, kernels.LIBERTIES)[head] == 0
    assert section(state, kernels.STONES)[head] == 1


def test_the_hash_after_a_move_is_known_before_it() -> None:
    rng = np.random.default_rng(5)
    for game in range(20):
        state = kernels.new_state(4, 5)
        mask = np.empty(21, np.uint8)
        for _ in range(60):
            suicide = game % 2 == 0
            legal_mask(state, suicide, mask)
            legal = np.flatnonzero(mask[:-1])
            if len(legal) == 0:
                break
            point = move_to_point(int(rng.choice(legal)), Size(4, 5))
            expected = hash_after(state, point)
            kernels.play(state, point)
            assert kernels.hash_of(state) == expected


def test_a_copy_is_equal_and_apart() -> None:
    state = state_of("X O\n. .")
    copy = np.empty_like(state)
    kernels.copy_into(copy, state)
    assert np.array_equal(copy, state)
    kernels.play_pass(copy)
    assert not np.array_equal(copy, state)


@pytest.mark.parametrize("keep_eyes", [False, True])
@pytest.mark.parametrize("size", [Size(1, 1), Size(1, 6), Size(5, 5), Size(9, 4)], ids=str)
def test_random_games_hold_legal_moves_only(size: Size, keep_eyes: bool) -> None:
    for seed in range(10):
        state = kernels.new_state(*size)
        out = np.empty(200, np.int16)
        n = random_game(state, seed, 200, False, keep_eyes, out)
        position = Position.empty(size, "chinese")
        for point in out[:n]:
            if point == -1:
                position = position.play_pass()
                continue
            stride = size.stride
            move = (int(point) // stride - 1) * size.columns + int(point) % stride - 1
            if keep_eyes:
                around = [point - stride, point - 1, point + 1, point + stride]
                own = {position.to_move, kernels.BORDER}
                colors = section(position.state, kernels.COLOR)
                assert not {int(colors[q]) for q in around} <= own
            position = position.play(move)
        assert n == 200 or position.passes == 2
        assert position.hash == int(kernels.hash_of(state))


def test_random_games_depend_on_the_seed_alone() -> None:
    def game(seed: int) -> list[int]:
        out = np.empty(300, np.int16)
        n = random_game(kernels.new_state(9, 9), seed, 300, False, True, out)
        return out[:n].tolist()

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(50)}) == 50
    assert random_moves(9, 9, 7, 5, 300) == random_moves(9, 9, 7, 5, 300)


def test_first_moves_of_random_games_are_spread_evenly() -> None:
    counts = np.zeros(9)
    out = np.empty(1, np.int16)
    for seed in range(2700):
        random_game(kernels.new_state(3, 3), seed, 1, False, False, out)
        counts[(int(out[0]) // 4 - 1) * 3 + int(out[0]) % 4 - 1] += 1
    # 300 each; chi-square with 8 degrees of freedom passes 26.1 once in a thousand
    assert ((counts - 300) ** 2 / 300).sum() < 26.1
