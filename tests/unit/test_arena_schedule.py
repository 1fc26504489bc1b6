"""Openings and schedule: pairs, colours, seeds; games that are the same under symmetries."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.arena.openings import draw_openings, opening_length
from mariago.arena.schedule import plan_games, start_position
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.symmetry import board_key, move_maps, moves_key, repeats_among
from mariago.board.points import Size
from mariago.errors import MatchError
from mariago.rules import RULE_SETS, Position

SIZES = [Size(19, 19), Size(13, 13), Size(9, 9), Size(7, 7), Size(13, 9), Size(5, 5)]


def make(**others: object) -> MatchSettings:
    return settings_of(player_a="random", player_b="random", **others)  # pyright: ignore


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_openings_are_legal_short_without_captures_and_all_different(size: Size) -> None:
    start = Position.empty(size)
    openings = draw_openings(start, 25, seed=3)
    assert len(openings) == 25
    assert len({moves_key(opening, size) for opening in openings}) == 25
    for opening in openings:
        position = start
        for move in opening:
            position = position.play(move)
            assert not position.last_taken
            assert move < size.cells
    assert len(openings[0]) == opening_length(size)


def test_openings_on_large_boards_take_every_corner_off_the_edge_lines() -> None:
    for opening in draw_openings(Position.empty(19), 50, seed=0):
        rows, columns = np.divmod(opening, 19)
        assert {(row > 9, column > 9) for row, column in zip(rows, columns, strict=True)} == {
            (False, False),
            (False, True),
            (True, False),
            (True, True),
        }
        lines = np.minimum(np.minimum(rows, 18 - rows), np.minimum(columns, 18 - columns)) + 1
        assert set(lines.tolist()) <= {3, 4, 5}


def test_openings_hang_on_the_seed_alone_and_more_games_keep_the_first_ones() -> None:
    start = Position.empty(9)
    assert draw_openings(start, 10, seed=1) == draw_openings(start, 10, seed=1)
    assert draw_openings(start, 10, seed=1) != draw_openings(start, 10, seed=2)
    assert draw_openings(start, 20, seed=1)[:10] == draw_openings(start, 10, seed=1)


def test_a_tiny_board_repeats_openings_rather_than_failing() -> None:
    for size in (Size(1, 1), Size(2, 2), Size(3, 3), Size(1, 5)):
        assert len(draw_openings(Position.empty(size), 200, seed=0)) == 200
    assert draw_openings(Position.empty(19), 3, seed=0, length=0) == [(), (), ()]


def test_pairs_share_an_opening_and_swap_colours() -> None:
    plan = plan_games(make(games=10, size=9))
    assert [game.number for game in plan] == list(range(10))
    for first, second in zip(plan[::2], plan[1::2], strict=True):
        assert first.pair == second.pair
        assert first.opening == second.opening
        assert (first.black, second.black) == ("a", "b")
    seeds = [seed for game in plan for seed in (game.seed_a, game.seed_b)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert plan_games(make(games=10, size=9, seed=1)) != plan


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"games": 7}, "7 games are no pairs; write 6 or 8"),
        ({"games": 0}, "greater than or equal to 2"),
        ({"move_limit": 4, "opening_moves": 4}, "the opening is as long as the move limit"),
        ({"scoring": "stones"}, "territory"),
        ({"komi": float("nan")}, "finite"),
        ({"colour": 1}, "not permitted"),
    ],
)
def test_settings_that_no_match_can_have_are_refused(values: dict[str, object], what: str) -> None:
    with pytest.raises(MatchError, match=what):
        make(**values)


def test_settings_are_read_as_people_write_them() -> None:
    settings = make(size="9x13", rules="Tromp-Taylor")
    assert (settings.rows, settings.columns, settings.rules) == (13, 9, "tromp_taylor")
    assert settings.komi == 7.5
    assert start_position(settings).size == Size(13, 9)


def test_equal_players_are_told_apart_by_their_letters() -> None:
    assert make().names == {"a": "random (A)", "b": "random (B)"}
    other = settings_of(player_a="random", player_b="heuristic")
    assert other.names == {"a": "random", "b": "heuristic"}


@pytest.mark.parametrize("size", [Size(9, 9), Size(5, 7)], ids=str)
def test_mirror_images_have_one_key(size: Size) -> None:
    rng = np.random.default_rng(0)
    moves = [*rng.permutation(size.cells)[:12].tolist(), size.cells]
    maps = move_maps(size)
    assert len(maps) == (8 if size.rows == size.columns else 4)
    assert len({tuple(image.tolist()) for image in maps}) == len(maps)
    keys = {moves_key(image[moves].tolist(), size) for image in maps}
    assert len(keys) == 1
    assert moves_key(moves[::-1], size) not in keys
    stones = rng.integers(0, 3, size=size).astype(np.uint8)
    turned = [stones, stones[::-1], stones[:, ::-1], np.rot90(stones, 2)]
    turned += [np.rot90(stones), stones.T] if size.rows == size.columns else []
    assert len({board_key(image, 1) for image in turned}) == 1
    assert board_key(stones, 2) != board_key(stones, 1)


def test_symmetries_keep_neighbours_together() -> None:
    size = Size(4, 6)
    for image in move_maps(size):
        for move in range(size.cells - 1):
            if (move + 1) % size.columns:
                assert abs(int(image[move]) - int(image[move + 1])) == 1


def test_repeats_are_counted_beyond_the_first() -> None:
    assert repeats_among([]) == 0
    assert repeats_among(["x", "y", "x", "x"]) == 2


@pytest.mark.parametrize("size", ["1", "2", "3x1"])
def test_the_usual_komi_is_allowed_on_the_smallest_boards(size: str) -> None:
    for rules in RULE_SETS:
        assert make(size=size, rules=rules).komi == RULE_SETS[rules].komi
