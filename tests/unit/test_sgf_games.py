"""The plain reader: the main line of each game in numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mariago.board.points import BLACK, WHITE
from mariago.errors import IllegalMoveError, RulesError, SgfError
from mariago.rules import Result
from mariago.sgf import REFUSALS, ReadGame, read_games


def one(text: str) -> ReadGame:
    [game] = read_games(text.encode())
    return game


def codes(game: ReadGame) -> list[str]:
    return [problem.code for problem in game.problems]


def test_moves_are_row_times_columns_plus_column() -> None:
    assert one("(;SZ[9];B[ca];W[ac];B[ii])").moves == [(1, 2), (2, 18), (1, 80)]


def test_the_main_line_takes_the_first_child_each_time() -> None:
    game = one("(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))")
    assert game.moves == [(1, 0), (2, 20), (1, 40)]
    assert game.problems == []


def test_every_spelling_of_pass_is_a_pass() -> None:
    game = one("(;B[];W[tt];B[pass];W[ PASS ];B[ ])")
    assert [move for _, move in game.moves] == [361] * 5
    assert codes(game) == ["odd_pass", "odd_pass"]


@pytest.mark.parametrize(
    ("size", "tt"), [("19", 361), ("9", 81), ("9:13", 117), ("20", 399), ("25", 19 * 25 + 19)]
)
def test_tt_is_a_pass_up_to_19x19_only(size: str, tt: int) -> None:
    assert one(f"(;SZ[{size}];B[tt])").moves == [(1, tt)]


def test_rectangles_have_columns_first() -> None:
    game = one("(;SZ[9:13];B[im])")
    assert (game.size.rows, game.size.columns) == (13, 9)
    assert game.moves == [(1, 12 * 9 + 8)]


def test_letters_are_case_sensitive_on_large_boards() -> None:
    game = one("(;SZ[50];B[cc];W[Cd])")
    assert game.moves == [(1, 2 * 50 + 2), (2, 3 * 50 + 28)]
    assert game.refusal == "board_size"


@pytest.mark.parametrize("value", ["zz", "Pd", "pdd", "p", "37", "aa:bb", "T20", "I5", "p d"])
def test_values_that_name_no_point_stop_the_reading(value: str) -> None:
    game = one(f"(;B[dd];W[{value}];B[pp])")
    assert game.moves == [(1, 60)]
    assert game.refusal == "bad_coordinate"
    assert codes(game) == ["bad_coordinate"]


def test_points_in_the_manner_of_people_are_read_and_recorded() -> None:
    game = one("(;B[R16];W[d4];B[Pass])")
    assert game.moves == [(1, 3 * 19 + 16), (2, 15 * 19 + 3), (1, 361)]
    assert codes(game) == ["vertex", "vertex", "odd_pass"]


def test_set_up_stones_may_stand_in_any_node() -> None:
    game = one("(;AB[aa]AW[bb];B[cc];AE[aa]AW[dd];W[ee];AB[ff])")
    assert game.setup == [(0, 1, 0), (0, 2, 20), (1, 0, 0), (1, 2, 60), (2, 1, 100)]
    assert game.problems == []


def test_rectangles_of_points_are_spelled_out() -> None:
    game = one("(;SZ[9]AB[aa:bb][dd];B[cc];AW[ef:de])")
    assert [point for _, _, point in game.setup] == [0, 1, 9, 10, 30, 39, 40, 48, 49]
    assert codes(game) == ["odd_rectangle"]


def test_fox_puts_handicap_stones_in_the_second_node() -> None:
    game = one("(;HA[2]KM[0]AP[GNU Go:3.8]AP[foxwq];AB[pd][dp];W[dd])")
    assert (game.handicap, game.first_player, game.komi) == (2, WHITE, 0.0)
    assert game.setup == [(0, 1, 72), (0, 1, 288)]


def test_fox_komi_of_zero_is_unknown_in_even_games_alone() -> None:
    assert one("(;KM[0]AP[GNU Go:3.8]AP[foxwq];B[dd])").komi is None
    assert one("(;KM[0]AP[GNU Go:3.8]TC[3]TT[30];B[dd])").komi is None
    assert one("(;KM[0]HA[1]AP[foxwq];B[dd])").komi == 0.0
    assert one("(;KM[0]AP[GNU Go:3.8];B[dd])").komi == 0.0


def test_a_handicap_without_stones_has_white_first() -> None:
    game = one("(;HA[3])")
    assert (game.handicap, game.first_player, game.setup) == (3, WHITE, [])


def test_stones_before_whites_first_move_count_as_handicap_where_ha_is_silent() -> None:
    game = one("(;AB[pd][dp];W[dd])")
    assert game.handicap == 2
    assert codes(game) == ["handicap_counted"]
    assert one("(;HA[0]AB[pd][dp];W[dd])").handicap == 0
    assert one("(;AB[pd][dp]AW[aa];W[dd])").handicap == 0
    assert one("(;AB[pd][dp];B[dd])").handicap == 0


def test_junk_in_facts_is_recorded_and_the_text_kept() -> None:
    game = one("(;HA[对子]KM[]RE[see above]RU[house];B[dd])")
    assert (game.handicap, game.komi, game.result, game.rules) == (0, None, None, None)
    assert codes(game) == ["handicap_unread", "result_unread"]
    assert game.info == {"HA": "对子", "KM": "", "RE": "see above", "RU": "house"}


def test_raw_and_repaired_komi_stand_side_by_side() -> None:
    game = one("(;KM[375];B[dd])")
    assert (game.komi_text, game.komi) == ("375", 7.5)
    assert codes(game) == ["komi_stones"]


def test_facts_of_the_game_are_read() -> None:
    game = one(
        "(;PB[Honinbo Shusaku]BR[7p]PW[Gennan]WR[8p]DT[1846-09-11]RU[Japanese]RE[B+2];B[qd])"
    )
    assert game.players == ("Honinbo Shusaku", "Gennan")
    assert game.ranks == ("7p", "8p")
    assert game.date == "1846-09-11"
    assert (game.rules, game.rules_text) == ("japanese", "Japanese")
    assert (game.result, game.result_text) == (Result(BLACK, 2.0, "score"), "B+2")


def test_facts_may_stand_later_on_the_main_line_and_the_first_holds() -> None:
    game = one("(;B[dd];PB[Late]KM[6.5];KM[5.5])")
    assert game.players[0] == "Late"
    assert game.komi == 6.5
    assert codes(game) == ["contradiction"]


def test_several_moves_in_a_node_are_played_as_they_stand() -> None:
    game = one("(;W[aa]B[bb]W[cc];B[dd][ee])")
    assert game.moves == [(2, 0), (1, 20), (2, 40), (1, 60), (1, 80)]
    assert codes(game) == ["several_moves", "repeated_property", "several_moves"]


def test_set_up_stones_go_before_a_move_in_the_same_node() -> None:
    game = one("(;B[aa];W[bb]AB[cc])")
    assert game.setup == [(1, 1, 40)]
    assert codes(game) == ["setup_and_move"]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("(;GM[1];B[dd])", None),
        ("(;GM[];B[dd])", None),
        ("(;GM[3];B[dd])", "not_go"),
        ("(;GM[3]SZ[99];B[zz])", "not_go"),
        ("(;SZ[26];B[zz])", "board_size"),
        ("(;SZ[0];B[dd])", "board_size"),
        ("(;SZ[large];B[dd])", "board_size"),
        ("(;SZ[9];B[rs])", "bad_coordinate"),
        ("(;AB[pp]AW[cp]SZ[9])", "bad_coordinate"),
        ("(;SZ[19])", "no_moves"),
        ("(;AB[dd])", "no_moves"),
        ("(;B[dd]", "unreadable"),
        ("(;B[dd];W[", "unreadable"),
        ("(;B[dd];W[pp];", "unreadable"),
        ("(;B[dd](;W[pp])", None),
        ("(;B[dd]))", None),
        ("", "unreadable"),
        ("no game", "unreadable"),
        ("zzz(;@ods]%+~{5!@#;x y z?)", "unreadable"),
    ],
)
def test_a_game_that_cannot_be_used_says_why(text: str, refusal: str | None) -> None:
    game = one(text)
    assert game.refusal == refusal
    assert refusal is None or refusal in REFUSALS


def test_a_cut_off_game_keeps_the_moves_that_were_read() -> None:
    game = one("(;B[dd];W[pp];B[p")
    assert game.moves == [(1, 60), (2, 300)]
    assert codes(game) == ["open_value", "missing_value", "cut_off"]


def test_problems_go_to_the_game_they_lie_in() -> None:
    games = read_games(b"hello (;B[dd])(;W[pp]*)(;B[zz])")
    assert [codes(game) for game in games] == [["text_before"], ["stray_text"], ["bad_coordinate"]]


def test_a_path_is_read_and_remembered(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;B[dd])")
    [game] = read_games(path)
    assert game.source == str(path)
    [same] = read_games(str(path))
    assert same == game


def test_strict_reading_raises_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[9];B[rs])")
    with pytest.raises(SgfError, match=r"game.sgf, byte 7: .*bad_coordinate"):
        read_games(path, strict=True)
    assert read_games(b"(;SZ[9];B[ee])", strict=True)[0].moves == [(1, 40)]


def test_a_game_is_played_through() -> None:
    game = one("(;SZ[9]KM[5.5]RU[Japanese]PB[Mo]RE[W+R]GN[x];B[ba];W[aa];B[ab])").to_game()
    assert game.position.taken == (1, 0)
    assert (game.start.komi, game.start.rules.name) == (5.5, "japanese")
    assert game.players[BLACK].name == "Mo"
    assert game.result == Result.by_resignation(BLACK)
    assert game.properties["GN"] == "x"


def test_rules_that_are_asked_for_go_before_those_of_the_file() -> None:
    read = one("(;RU[Japanese];B[dd])")
    assert read.to_game("aga").start.rules.name == "aga"
    assert one("(;B[dd])").to_game().start.rules.name == "chinese"
    assert one("(;B[dd])").to_game().start.komi == 7.5


def test_set_up_stones_in_the_middle_are_played_through() -> None:
    game = one("(;SZ[5]AB[aa];W[bb];AE[aa]AW[cc];B[aa])").to_game()
    assert game.position.stones.tolist()[0][0] == BLACK
    assert game.position.stones.tolist()[2][2] == WHITE


def test_an_illegal_move_says_which_it_was() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        one("(;B[dd];W[dd])").to_game()
    assert (caught.value.reason, caught.value.vertex) == ("occupied", "D16")
    assert caught.value.where == "move 2"


def test_a_refused_game_is_not_played_through() -> None:
    with pytest.raises(SgfError, match="not_go"):
        one("(;GM[3];B[dd])").to_game()
    with pytest.raises(RulesError):
        one("(;SZ[3]AW[aa]AB[ab][ba])").to_game()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"(;SZ[9];B[rs])", "move 'rs' on 9x9"),
        (b"(;SZ[9]AB[rs];B[aa])", "set-up 'rs' on 9x9"),
        (b"(;SZ[9]AB[cc:aa];B[dd])", "the corners of 'cc:aa' are swapped"),
        (b"(;SZ[9]];B[aa])", "']' stands where a property should"),
        (b"(;SZ[9];B[\xff\xfe])", "move 'ÿþ' on 9x9"),
    ],
)
def test_problems_quote_the_file_as_text(data: bytes, words: str) -> None:
    (game,) = read_games(data)
    assert words in [problem.text for problem in game.problems]
