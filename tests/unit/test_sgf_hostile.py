"""Files made to break a reader: odd codecs, digits that are none, senseless numbers."""

from __future__ import annotations

import encodings
import math
import pkgutil
from dataclasses import replace

import pytest

from mariago.errors import BadInputError
from mariago.rules import Result
from mariago.sgf import read_games, read_many, write_game, write_numbers
from mariago.sgf.results import read_result
from mariago.sgf.values import read_handicap, read_komi

LONG = "9" * 5000  # more digits than int takes


def test_no_codec_of_the_language_breaks_the_reader() -> None:
    names = {module.name for module in pkgutil.iter_modules(encodings.__path__)}
    for name in sorted(names | {"undefined", "idna", "punycode", "utf-7", "big5-hkscs"}):
        for text in (b"\xe9x\xe9", b"\xff\xfe\x80", b"abc-\xe9", b"\x83\\\x81", b"\x1b$)C\x1b(B"):
            data = b"(;GM[1]SZ[19]CA[" + name.encode() + b"]PB[" + text + b"];B[dd] x;W[pp])"
            assert read_games(data)


@pytest.mark.parametrize("name", ["idna", "undefined", "punycode"])
def test_codecs_that_are_no_charsets_are_unknown_ones(name: str) -> None:
    [game] = read_games(f"(;CA[{name}]".encode() + b"PB[\xe9x\xe9];B[dd];W[pp])")
    assert game.refusal is None
    assert "guessed_encoding" in [problem.code for problem in game.problems]


@pytest.mark.parametrize("digits", ["³", "①", "٣", "１", LONG])
def test_digits_that_are_not_ascii_are_no_game_number(digits: str) -> None:
    data = f"(;GM[{digits}]HA[{digits}];B[dd])".encode()
    [game] = read_games(data)
    assert (game.refusal, len(game.moves)) == (None, 1)
    assert "bad_game" in [problem.code for problem in game.problems]
    assert list(read_many([data])) == [[game]]
    assert read_games(b"(;CA[latin-1]GM[\xb3];B[dd])")[0].refusal is None


@pytest.mark.parametrize("digits", ["³", "①", LONG])
def test_other_formats_take_odd_digits_for_no_numbers(digits: str) -> None:
    gib = (
        f"\\HS\n\\[GAMEINFOMAIN=GRLT:{digits},ZIPSU:{digits},GONGJE:{digits}\\]\n\\HE\n"
        f"INI 0 1 {digits}\nSTO 0 2 1 {digits} 15\n"
    )
    ngf = f"Game\n{digits}\nA 9D\nB 9D\n2\n{digits}\n7\n{digits}\n20170316\nPMABBREER\n"
    ugf = (
        f"[Header]\nSize={digits}\nHdcp={digits},{digits}\nWinner=B,{digits}\n"
        f"[Data]\nQP,B1,1,{digits}\n"
    )
    for text in (gib, ngf, ugf):
        [game] = read_games(text.encode())
        assert game.komi is None or abs(game.komi) <= 361


@pytest.mark.parametrize("text", ["1e999", "1e38", "0x10", "1_000", "nan", "inf", "1/3", "362"])
def test_komi_not_read_whole_or_beyond_the_board_is_unknown(text: str) -> None:
    assert read_komi(text) == (None, "komi_unread")
    data = f"(;KM[{text}];B[dd])".encode()
    [game] = read_games(data)
    assert (game.komi, game.komi_text) == (None, text)
    assert list(read_many([data])) == [[game]]


def test_komi_is_held_against_the_board() -> None:
    assert read_games(b"(;SZ[9]KM[81];B[dd])")[0].komi == 81
    assert read_games(b"(;SZ[9]KM[82];B[dd])")[0].komi is None
    assert read_komi("1/2").points == 0.5
    assert read_komi("5 1/2").points == 5.5
    assert read_komi(LONG).points is None
    assert read_handicap(LONG).stones == 0


@pytest.mark.parametrize(
    "ending", ["1e999", "1_000", "-5", "99999999999999", "0x10", "2/3", "1.2.3", LONG]
)
def test_margins_not_read_whole_or_impossible_leave_the_winner(ending: str) -> None:
    data = f"(;RE[W+{ending}];B[dd])".encode()
    [game] = read_games(data)
    assert game.result == Result(2, None, "won")
    assert game.result_text == f"W+{ending}"
    assert list(read_many([data])) == [[game]]
    written = write_numbers(game)
    assert write_numbers(read_games(written)[0]) == written


def test_halves_are_read_and_east_asian_margins_are_held_to_the_same() -> None:
    assert read_result("B+1/2") == Result(1, 0.5, "score")
    assert read_result("B+3 1/2") == Result(1, 3.5, "score")
    for text in ("黑胜1e9目", f"黑胜{LONG}又3/4子", "黑胜-5目"):
        assert read_result(text) == Result(1, None, "won")
    assert read_games(b"(;SZ[9]KM[7]RE[B+169];B[dd])")[0].result == Result(1, 169.0, "score")
    assert read_games(b"(;SZ[9]KM[7]RE[B+170];B[dd])")[0].result == Result(1, None, "won")


def test_results_refuse_senseless_margins() -> None:
    for text in ("B+" + LONG, "W+99999999999999", "B+1e5"):
        with pytest.raises(BadInputError):
            Result.parse(text)
    for margin in (math.nan, math.inf):
        with pytest.raises(BadInputError):
            Result.by_score(margin)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e30])
def test_senseless_numbers_are_never_written(value: float) -> None:
    [game] = read_games(b"(;SZ[19];B[dd])")
    written = write_numbers(replace(game, komi=value, result=Result(1, abs(value), "score")))
    assert b"KM[" not in written
    assert b"RE[B+]" in written
    assert write_numbers(read_games(written)[0]) == written


@pytest.mark.parametrize(
    "text",
    [
        "(W[]AE[aa]AB[aa][ab]",
        "(;W[]AE[aa]AB[aa][ab])",
        "(;AB[aa][bb]PL[B];W[cc])",
        "(;HA[0]AB[aa][bb]PL[B])",
        "(;HA[2]PL[B])",
        "(;HA[1]PL[W])",
    ],
)
def test_handicap_and_first_player_are_written_the_same_every_time(text: str) -> None:
    [game] = read_games(text.encode())
    written = write_numbers(game)
    [again] = read_games(written)
    assert write_numbers(again) == written
    assert (again.first_player, again.handicap) == (game.first_player, game.handicap)


@pytest.mark.parametrize("size", ["1", "2", "3"])
def test_the_usual_komi_survives_on_the_smallest_boards(size: str) -> None:
    read = read_games(f"(;GM[1]SZ[{size}]KM[7.5];B[])".encode())[0]
    assert read.komi == 7.5
    assert read_games(write_game(read.to_game()))[0].komi == 7.5
