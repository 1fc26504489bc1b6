"""Large boards, long games and wide trees."""

from __future__ import annotations

import string

from mariago.board.points import Size
from mariago.sgf import parse_collection, read_games, read_many

LETTERS = string.ascii_lowercase + string.ascii_uppercase


def test_boards_up_to_52_are_read_with_letters_in_both_cases_and_refused_as_records() -> None:
    [game] = read_games(b"(;SZ[52];B[aA];W[Zz];B[ZZ];W[];B[aa])")
    assert (game.size, game.refusal) == (Size(52, 52), "board_size")
    assert game.moves == [(1, 26 * 52), (2, 25 * 52 + 51), (1, 51 * 52 + 51), (2, 2704), (1, 0)]


def test_every_point_of_every_large_board_has_its_letters() -> None:
    for side in range(26, 53):
        points = "".join(f";B[{LETTERS[side - 1]}{LETTERS[row]}]" for row in range(side))
        [game] = read_games(f"(;SZ[{side}]{points})".encode())
        assert [move for _, move in game.moves] == [row * side + side - 1 for row in range(side)]
        assert game.refusal == "board_size"


def test_letters_beyond_the_board_and_boards_beyond_52_are_refused() -> None:
    [game] = read_games(b"(;SZ[30];B[aa];W[aE];B[dd])")
    assert (game.refusal, len(game.moves)) == ("board_size", 1)
    assert [problem.code for problem in game.problems] == ["board_size", "bad_coordinate"]
    assert read_games(b"(;SZ[53];B[aa])")[0].refusal == "board_size"
    assert read_games(b"(;SZ[19];B[Aa])")[0].refusal == "bad_coordinate"


def test_tt_is_a_point_on_large_boards() -> None:
    [game] = read_games(b"(;SZ[20];B[tt])")
    assert game.moves == [(1, 399)]


def test_a_game_of_3600_moves_is_read() -> None:
    data = b"(;SZ[19]" + b";B[aa];W[]" * 1800 + b")"
    [game] = read_games(data)
    assert (len(game.moves), game.refusal, game.problems) == (3600, None, [])
    assert list(read_many([data])) == [[game]]


def test_a_tree_of_13000_variations_is_read() -> None:
    data = b"(;SZ[19];B[dd]" + b"(;W[pp];B[dp];W[pd])" * 13_000 + b")"
    [tree] = parse_collection(data).trees
    assert sum(1 for parent in tree.parents if parent == 1) == 13_000
    [game] = read_games(data)
    assert (len(game.moves), game.problems) == (4, [])


def test_a_tree_of_13000_levels_is_read() -> None:
    data = b"(;B[aa]" + b"(;W[bb]" * 13_000 + b")" * 13_001
    [game] = read_games(data)
    assert (len(game.moves), game.problems) == (13_001, [])
    [tree] = parse_collection(data).trees
    assert tree.is_whole
