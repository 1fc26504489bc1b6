"""Which encoding a file is read in, and that SGF's own bytes inside characters do no harm."""

from __future__ import annotations

import pytest
from tests.reference.player_names import PLAYERS

from mariago.sgf import read_games, scan_files
from mariago.sgf import scan_kernels as scan
from mariago.sgf.coherence import coherence
from mariago.sgf.encodings import decode_file

NAMES = {
    "euc_jp": "本因坊秀策と井上幻庵の対局表",
    "gb18030": "古力对李世石，第十局弈于中国",
    "cp950": "張栩對王立誠，第十局於臺灣",
    "cp932": "本因坊秀策と井上幻庵の対局ソ表",
    "cp949": "이창호와 조훈현의 결승 대국",
}


def game(name: str, charset: str = "") -> str:
    declared = f"CA[{charset}]" if charset else ""
    return f"(;GM[1]{declared}PB[{name}];B[pd];W[dp])"


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("GB2312", "gb18030"),
        ("gbk", "gb18030"),
        ("Big5", "cp950"),
        ("Shift_JIS", "cp932"),
        ("EUC-KR", "cp949"),
        ("EUC-JP", "euc_jp"),
    ],
)
def test_a_declared_charset_is_used(charset: str, codec: str) -> None:
    [read] = read_games(game(NAMES[codec], charset).encode(codec))
    assert read.players[0] == NAMES[codec]
    assert [problem.code for problem in read.problems] == []


@pytest.mark.parametrize("codec", sorted(NAMES))
def test_without_a_charset_the_language_is_guessed_and_recorded(codec: str) -> None:
    [read] = read_games(game(NAMES[codec]).encode(codec))
    assert read.players[0] == NAMES[codec]
    assert [problem.code for problem in read.problems] == ["guessed_encoding"]


def test_second_bytes_that_look_like_sgf_are_no_sgf() -> None:
    # Katakana so ends in a backslash, the next in a closing bracket, in Shift-JIS.
    assert "ソ".encode("cp932")[1:] == b"\\"
    assert "ゾ".encode("cp932")[1:] == b"]"
    [read] = read_games(game("ソ", "Shift_JIS").encode("cp932"))
    assert read.players[0] == "ソ"
    [read] = read_games(game("ゾンビ", "Shift_JIS").encode("cp932"))
    assert read.players[0] == "ゾンビ"
    assert len(read.moves) == 2


def test_accented_letters_among_ascii_are_latin_1() -> None:
    [read] = read_games(game("René Müller").encode("latin-1"))
    assert read.players[0] == "René Müller"
    assert len(read.moves) == 2


def test_utf_8_wins_over_a_charset_that_is_wrong() -> None:
    [read] = read_games(game("王立誠と依田", "GB2312").encode())
    assert read.players[0] == "王立誠と依田"
    assert [problem.code for problem in read.problems] == ["wrong_charset"]
    [read] = read_games(game("Müller", "ISO-8859-1").encode())
    assert read.players[0] == "Müller"


def test_damaged_utf_8_keeps_what_is_whole() -> None:
    data = "(;PB[三目中林]PW[王元均];B[pd])".encode().replace("均".encode(), b"\xe5\x9d?")
    [read] = read_games(data)
    assert read.players == ("三目中林", "王元\ufffd?")
    assert [problem.code for problem in read.problems] == ["damaged_encoding"]


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_are_understood(codec: str) -> None:
    [read] = read_games(game("秀策", "UTF-8").encode(codec))
    assert read.players[0] == "秀策"
    assert len(read.moves) == 2
    assert read.problems == []


@pytest.mark.parametrize("charset", ["UTF-8", "utf8", "x-unknown", "rot13", "UTF-7", "hex"])
def test_charsets_that_cannot_be_used_do_not_stop_reading(charset: str) -> None:
    [read] = read_games(game("秀策", charset).encode())
    assert read.players[0] == "秀策"


def test_a_damaged_file_of_a_declared_charset_is_read_in_it() -> None:
    data = game(NAMES["gb18030"] * 3, "GB2312").encode("gb18030").replace(b"];B", b"\xff];B", 1)
    decoded = decode_file(data)
    assert decoded.encoding == "gb18030"
    assert [problem.code for problem in decoded.problems] == ["damaged_encoding"]


# Share of files with two names and no CA that must be read right; it may only rise.
FLOORS = {"gb18030": 1.0, "cp950": 1.0, "cp932": 1.0, "euc_jp": 0.98, "cp949": 1.0}


@pytest.mark.parametrize("codec", sorted(PLAYERS))
def test_two_names_are_enough_to_tell_the_encoding(codec: str) -> None:
    names = PLAYERS[codec]
    assert len(names) > 30
    right = 0
    for i, black in enumerate(names):
        white = names[(i + 7) % len(names)]
        data = f"(;GM[1]SZ[19]PB[{black}]PW[{white}];B[pd];W[dp])".encode(codec)
        [read] = read_games(data)
        assert len(read.moves) == 2
        right += read.players == (black, white)
    assert right / len(names) >= FLOORS[codec]


def test_a_guess_is_recorded_beside_the_value() -> None:
    [read] = read_games(game(NAMES["cp949"]).encode("cp949"))
    assert read.encoding == "cp949"
    assert [tuple(repair) for repair in read.repairs] == [("encoding_guessed", "CA", "", "cp949")]


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("UTF-8", "gb18030"),
        ("UTF-8", "cp932"),
        ("GB2312", "cp949"),
        ("GB2312", "cp932"),
        ("Big5", "cp949"),
        ("ISO-8859-1", "gb18030"),
        ("windows-1252", "cp949"),
    ],
)
def test_a_false_charset_is_found_out(declared: str, codec: str) -> None:
    [read] = read_games(game(NAMES[codec], declared).encode(codec))
    assert read.players[0] == NAMES[codec]
    assert read.encoding == codec
    assert [problem.code for problem in read.problems] == ["wrong_charset", "guessed_encoding"]
    assert read.repairs[0].raw == declared


def test_two_broken_bytes_overrule_no_declared_charset() -> None:
    [read] = read_games(b"(;CA[ISO-8859-1]PB[Shusaku]C[\xbf\xbf];B[dd])")
    assert (read.encoding, read.problems) == ("iso8859-1", [])


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_told_by_its_zero_bytes(codec: str) -> None:
    [read] = read_games(game("秀策").encode(codec))
    assert (read.players[0], read.encoding, len(read.moves)) == ("秀策", codec, 2)


@pytest.mark.parametrize("charset", ["", "ISO-2022-JP"])
def test_japanese_in_seven_bits_is_told_by_its_escapes(charset: str) -> None:
    data = game("本因坊秀策", charset).encode("iso2022_jp")
    assert data.isascii()
    assert scan_files([data]).codes[0] == scan.HAND_OVER
    [read] = read_games(data)
    assert (read.players[0], len(read.moves)) == ("本因坊秀策", 2)
    assert bool(read.problems) is (charset == "")


def test_a_damaged_file_without_charset_is_read_as_far_as_it_can() -> None:
    data = game(NAMES["gb18030"]).encode("gb18030").replace(b"];B", b"\xff];B", 1)
    [read] = read_games(data)
    assert read.players[0].startswith(NAMES["gb18030"])
    assert {problem.code for problem in read.problems} == {"damaged_encoding", "guessed_encoding"}


def test_coherence_is_high_for_words_and_low_for_nonsense() -> None:
    assert coherence("古力 九段", "gb18030") == 2.0
    assert coherence("plain", "gb18030") == 0.0
    assert coherence("絪緸繑", "cp950") < -1
    assert coherence("ｱｲｳ", "cp932") < -1
