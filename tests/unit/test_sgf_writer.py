"""Writing games and trees."""

from __future__ import annotations

from mariago.board.points import BLACK, WHITE, Size
from mariago.rules import Game, Player, Position, Result, fixed_handicap_start
from mariago.sgf import (
    parse_collection,
    read_games,
    write_collection,
    write_game,
    write_numbers,
)


def again(data: bytes) -> bytes:
    return write_game(read_games(data)[0].to_game())


def test_a_game_is_written_like_this() -> None:
    game = Game(Position.empty("9x7", "japanese", 5.5))
    game.players = {BLACK: Player("A ]\\", "3k"), WHITE: Player("秀策", "7p")}
    game.play("E4")
    game.play("pass")
    game.resign(BLACK)
    written = write_game(game)
    assert written.decode() == (
        "(;FF[4]GM[1]CA[UTF-8]AP[MariaGO]SZ[9:7]PB[A \\]\\\\]BR[3k]PW[秀策]WR[7p]"
        "KM[5.5]RU[Japanese]RE[W+R]\n;B[ed];W[]\n)\n"
    )
    assert again(written) == written


def test_handicap_stones_are_set_up_and_white_moves() -> None:
    game = Game(fixed_handicap_start(19, 2))
    game.play("D16")
    written = write_game(game)
    assert b"KM[0.5]HA[2]" in written
    assert b"AB[pd][dp]" in written
    assert b"PL" not in written
    assert again(written) == written


def test_set_up_in_the_middle_gets_a_node_of_its_own() -> None:
    game = Game(Position.empty(5))
    game.play("A1")
    game.set_up([(WHITE, 12), (0, 20)])
    game.play("B2")
    game.set_up([(BLACK, 0)])
    written = write_game(game)
    assert b";B[ae]\n;AW[cc]AE[ae]\n;W[bd]\n;AB[aa]\n)" in written
    assert again(written) == written


def test_stones_that_are_no_handicap_stay_none() -> None:
    start = Position.from_diagram(". . .\n. X X\n. . .", to_move=WHITE)
    game = Game(start)
    game.play("A3")
    written = write_game(game)
    assert b"HA[0]" in written
    assert read_games(written)[0].to_game().start == start


def test_the_side_to_move_is_told_where_there_are_no_moves() -> None:
    start = Position.empty(9).with_to_move(WHITE)
    written = write_game(Game(start))
    assert b"PL[W]" in written
    assert read_games(written)[0].to_game().start == start


def test_komi_that_would_be_repaired_is_written_apart() -> None:
    for komi in (0.0, -0.0, 7.0, 6.5, 3.75, 100.0, -325.0, 0.1):
        written = write_game(Game(Position.empty(19, komi=komi)))
        assert read_games(written)[0].komi == komi
        assert again(written) == written


def test_results_are_written() -> None:
    for result in (Result.by_score(3.5), Result.by_score(0), Result.void(), Result.by_time(BLACK)):
        game = Game(Position.empty(9))
        game.result = result
        assert read_games(write_game(game))[0].result == result
    assert b"RE" not in write_game(Game(Position.empty(9)))


def test_raw_texts_are_kept_where_they_say_the_same() -> None:
    data = "(;RE[黑中盘胜]RU[日本]KM[650]GN[a];B[dd])".encode()
    written = write_numbers(read_games(data)[0])
    assert "RE[黑中盘胜]".encode() in written
    assert "RU[日本]".encode() in written
    assert b"KM[6.5]" in written


def test_large_boards_are_written_in_both_cases() -> None:
    [game] = read_games(b"(;SZ[52:30];B[Zc];W[aD])")
    assert game.size == Size(30, 52)
    written = write_numbers(game)
    assert b"SZ[52:30]" in written
    assert b";B[Zc];W[aD]" in written


def test_trees_keep_unknown_properties_and_escapes() -> None:
    data = b"(;FF[3]GaMe[1]XY[a\\]b][c];B[dd]LB[dd:\\\\]C[x\\\ny](;W[pp]KO[])(;W[pd]))(;C[2])"
    written = write_collection(parse_collection(data))
    assert written == (
        b"(;FF[4]CA[UTF-8]GM[1]XY[a\\]b][c]\n;B[dd]LB[dd:\\\\]C[x\\\ny]\n(;W[pp]KO[])\n(;W[pd]))\n"
        b"(;FF[4]CA[UTF-8]C[2])\n"
    )
    assert write_collection(parse_collection(written)) == written


def test_repeated_properties_are_joined_where_order_does_not_tell() -> None:
    data = b"(;AB[aa]C[1]AB[bb]AW[aa]AB[cc]LB[aa:x]LB[bb:y];B[dd]W[ee]B[ff])"
    written = write_collection(parse_collection(data))
    assert b"AB[aa][bb]AW[aa]AB[cc]C[1]LB[aa:x][bb:y]" in written
    assert b"B[dd]W[ee]B[ff]" in written
    assert read_games(written)[0].setup == read_games(data)[0].setup


def test_other_encodings_become_utf_8() -> None:
    data = "(;CA[Shift_JIS]PB[ソ];B[dd])".encode("cp932")
    written = write_collection(parse_collection(data))
    assert written == "(;FF[4]CA[UTF-8]PB[ソ]\n;B[dd])\n".encode()
    damaged = b"(;PB[" + "三目".encode() + b"\xe4\xb9];B[dd])"
    written = write_collection(parse_collection(damaged))
    assert "PB[三目\ufffd]".encode() in written


def test_nothing_is_written_for_no_games() -> None:
    assert write_collection([]) == b""
