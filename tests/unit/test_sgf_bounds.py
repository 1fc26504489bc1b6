"""What small files may ask of memory: set-up rectangles and games by the hundred thousand."""

from __future__ import annotations

import pytest

from mariago.sgf import grammar, read_games, read_many, scan_files
from mariago.sgf import scan_kernels as scan
from mariago.sgf.main_line import most_setup


def test_rectangles_beyond_64_boards_are_refused() -> None:
    data = b"(;GM[1]SZ[19]AB" + b"[aa:ss]" * 70_000 + b";W[dd])"
    [game] = read_games(data)
    assert game.refusal == "unreadable"
    assert [problem.code for problem in game.problems] == ["too_many_stones"]
    assert len(game.setup) == most_setup(361) == 64 * 361
    assert list(read_many([data])) == [[game]]


def test_both_readers_draw_the_line_at_the_same_stone() -> None:
    most = b"(;SZ[19]AB" + b"[aa]" * most_setup(361) + b";W[dd])"
    over = most.replace(b";W", b"[aa];W")
    batch = scan_files([most, over])
    assert batch.codes.tolist() == [scan.OK, scan.HAND_OVER]
    assert [batch.game(0)] == read_games(most)
    [game] = read_games(over)
    assert (game.refusal, len(game.setup)) == ("unreadable", most_setup(361))


def test_set_up_in_many_nodes_counts_together() -> None:
    [game] = read_games(b"(;SZ[9]" + b";AE[aa:ii]" * 300 + b";W[dd])")
    assert game.refusal == "unreadable"


@pytest.mark.parametrize("form", [b"%b", b"(%b)"])
def test_games_beyond_the_most_are_left_out_and_told(
    form: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grammar, "MOST_GAMES", 5)
    games = read_games(form % (b"(;B[aa])" * 8))
    assert [game.refusal for game in games] == [None] * 5
    codes = [problem.code for game in games for problem in game.problems]
    assert codes.count("too_many_games") == 1
    exact = read_games(form % (b"(;B[aa])" * 5))
    assert [game.refusal for game in exact] == [None] * 5
    assert all(game.problems == [] for game in exact)


def test_problems_of_many_games_in_another_charset_stay_in_their_games() -> None:
    one = "(;CA[GB2312]KM[none]PB[古力聂卫平];B[dd])".encode("gb18030")
    games = read_games(one * 3)
    places = [[p.where for p in game.problems if p.code == "komi_unread"] for game in games]
    assert places == [[1], [1 + len(one)], [1 + 2 * len(one)]]
