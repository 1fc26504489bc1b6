"""GIB, NGF and UGF, told by their content; the same game as from SGF."""

from __future__ import annotations

import pytest

from mariago.board.points import BLACK, WHITE, Size, sgf_to_move
from mariago.sgf import ReadGame, read_games, read_many, write_game
from mariago.sgf.formats import format_of, handicap_stones

GIB = r"""\HS
\[GIBOKIND=Korea\]
\[GAMEBLACKNAME=이세돌 (9단)\]
\[GAMEWHITENAME=구리(8D)\]
\[GAMEPLACE=타이젬\]
\[GAMEINFOMAIN=GBKIND:3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCNT:3\]
\[GAMETAG=S0,R0,C2015:08:29:22:56,I:x\]
\HE
\GS
2 1 0
4 0 &4
INI 0 1 0 &4
STO 0 2 1 15 3
STO 0 3 2 3 15
STO 0 4 1 16 15
\GE
"""
NGF = """Rated game
19
guli        9DP
lee         9DP
www.cyberoro.com
0
0
6
20160416 [00:36]
3
White wins by resign!
3
PMABBQEEQ
PMACWEQQE
PMADBRQQR
"""
UGF = """[Header]
Ver=UGF3,200
Lang=SJIS
Title=2019,PANDA-NET,
Place=PANDA-NET
Date=2019/03/08,22:09:00,2019/03/09,07:16:59
Rule=JPN
Size=19
Hdcp=0,6.50
Winner=W,C
CoordinateType=IGS
PlayerB=lee,9d,,a@b
PlayerW=guli,8d,,a@b
[Data]
PP,B1,1,0
DD,W1,2,0
QD,B1,3,0
YA,W1,4,0
[ReviewNode]
NODE,1,0,0,0
"""


def read(text: str, codec: str = "utf-8") -> ReadGame:
    data = text.encode(codec)
    [game] = read_games(data)
    assert list(read_many([data])) == [[game]]
    return game


def moves(game: ReadGame, *points: str) -> bool:
    colors = (BLACK, WHITE, BLACK, WHITE)
    return game.moves == [
        (color, sgf_to_move(point, game.size)) for color, point in zip(colors, points, strict=False)
    ]


@pytest.mark.parametrize("codec", ["utf-8", "cp949"])
def test_a_game_of_tygem(codec: str) -> None:
    game = read(GIB, codec)
    assert moves(game, "pd", "dp", "qp")
    assert game.players == ("이세돌", "구리")
    assert (str(game.rank_of(BLACK)), str(game.rank_of(WHITE))) == ("9d", "8d")
    assert (game.komi, str(game.result), game.handicap, game.refusal) == (6.5, "W+3.5", 0, None)
    assert (game.date, game.info["PC"], game.encoding) == ("2015-08-29", "타이젬", codec)


def test_a_handicap_of_tygem_has_its_third_stone_in_the_upper_left_corner() -> None:
    game = read(GIB.replace("INI 0 1 0", "INI 0 1 3").replace("STO 0 2 1 15 3\n", ""))
    points = {sgf_to_move(text, game.size) for text in ("pd", "dp", "dd")}
    assert {move for _, color, move in game.setup if color == BLACK} == points
    assert (game.handicap, game.first_player) == (3, WHITE)
    assert game.repairs[0].code == "handicap_placed"


@pytest.mark.parametrize(
    ("code", "result"), [("0", "B+3.5"), ("3", "B+R"), ("4", "W+R"), ("7", "B+T"), ("8", "W+T")]
)
def test_results_of_tygem_are_numbers(code: str, result: str) -> None:
    assert str(read(GIB.replace("GRLT:1", f"GRLT:{code}")).result) == result


def test_a_result_that_tygem_has_no_number_for_is_read_from_its_words() -> None:
    text = GIB.replace("GRLT:1", "GRLT:255")
    assert read(text).result is None
    text = text.replace("\\HE", "\\[GAMERESULT=white wins by time\\]\n\\HE")
    assert str(read(text).result) == "W+T"


def test_a_dum_without_known_meaning_leaves_komi_unknown() -> None:
    game = read(GIB.replace("DUM:0,GONGJE:65", "DUM:5,GONGJE:0"))
    assert game.komi is None
    assert game.repairs[0].code == "komi_unknown"


def test_a_game_of_wbaduk() -> None:
    game = read(NGF)
    assert moves(game, "pd", "dp", "qp")
    assert game.players == ("lee", "guli")
    assert str(game.rank_of(BLACK)) == "9p"
    # The format has no half points; an even game has one.
    assert (game.komi, str(game.result), game.date) == (6.5, "W+R", "2016-04-16")
    assert "komi_half_added" in [repair.code for repair in game.repairs]
    assert read(NGF.replace("PMADBRQQR", "PMADBAAAA")).moves[-1] == (BLACK, 361)


def test_the_older_head_of_wbaduk() -> None:
    lines = ["战", "朴承华 初段", "李载雄 五段", "", "", "2006-9-5", "19", "0", "0", "6", "2"]
    text = "".join(f"GI{line}\n" for line in lines) + "PMABBREER\nPMACWEEEE\n"
    text += "GI1\nIDB[2] 黑中盘胜[EndTxt]\n"
    game = read(text, "gb18030")
    assert game.players == ("李载雄", "朴承华")
    assert (game.komi, str(game.result), len(game.moves)) == (6.5, "B+R", 2)
    assert game.played_on is not None
    assert game.played_on.first == "2006-09-05"


def test_a_game_of_pandanet_counts_rows_from_the_bottom() -> None:
    game = read(UGF)
    assert moves(game, "pd", "dp", "qp", "")
    assert game.players == ("lee", "guli")
    assert (game.komi, str(game.result), game.rules) == (6.5, "W+R", "japanese")
    assert game.date == "2019-03-08"
    game = read(UGF.replace("CoordinateType=IGS\n", "").replace("\n", "\r\n"))
    assert moves(game, "pp", "dd", "qd", "")


def test_set_up_stones_of_pandanet_come_before_the_first_move() -> None:
    game = read(
        UGF.replace("[Data]\n", "[Data]\nPD,B1,0,0\nDP,B1,0,0\n").replace("Hdcp=0", "Hdcp=2")
    )
    assert [color for _, color, _ in game.setup] == [BLACK, BLACK]
    assert (game.handicap, game.moves[0][0]) == (2, BLACK)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (GIB, "gib"),
        ("\ufeff" + GIB, "gib"),
        (NGF, "ngf"),
        (UGF, "ugf"),
        (UGF.replace("\n", "\r\n"), "ugf"),
        ("(;B[dd])", "sgf"),
        ("(;C[\\\\HS\nPMABBREER\n[Header]\n];B[dd])", "sgf"),
        ("a letter about PMABBREER", "sgf"),
        ("", "sgf"),
    ],
)
def test_the_format_is_told_by_the_content(text: str, kind: str) -> None:
    assert format_of(text.encode()) == kind


@pytest.mark.parametrize(
    "text",
    [
        GIB.replace("STO 0 3 2 3 15", "STO 0 3 2 3 19"),
        GIB.replace("STO 0 3 2 3 15", "STO 0 3"),
        NGF.replace("PMACWEQQE", "PMACWZQQE"),
        NGF.replace("PMACWEQQE", "PMACW"),
        UGF.replace("DD,W1,2,0", "D4"),
    ],
)
def test_a_move_that_names_no_point_ends_the_game(text: str) -> None:
    game = read(text)
    assert (game.refusal, len(game.moves)) == ("bad_coordinate", 1)
    [problem] = [problem for problem in game.problems if problem.code == "bad_coordinate"]
    assert text.encode()[problem.where :].lstrip()[:3] in (b"STO", b"PMA", b"D4\n")


def test_files_without_moves_or_with_other_boards_are_refused() -> None:
    assert read(GIB.partition("STO")[0]).refusal == "no_moves"
    assert read(UGF.partition("PP,B1")[0]).refusal == "no_moves"
    assert read(UGF.replace("Size=19", "Size=40")).refusal == "board_size"
    assert read(NGF.replace("\n19\n", "\n99\n")).refusal == "board_size"


def test_handicap_stones_stand_apart_and_in_rows() -> None:
    size = Size(19, 19)
    for handicap in range(2, 10):
        stones = handicap_stones(handicap, size)
        assert len({move for _, _, move in stones}) == handicap
    assert handicap_stones(1, size) == handicap_stones(10, size) == []
    assert handicap_stones(2, Size(9, 9)) == []


@pytest.mark.parametrize("text", [GIB, NGF, UGF])
def test_a_game_of_another_format_is_written_as_sgf(text: str) -> None:
    game = read(text)
    [again] = read_games(write_game(game.to_game()))
    assert again.moves == game.moves
    assert (again.komi, again.result, again.players) == (game.komi, game.result, game.players)
