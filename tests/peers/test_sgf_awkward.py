"""Files that broke other readers: what each must give, read by hand and written down once."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from mariago.board.points import BLACK, WHITE
from mariago.errors import MariagoError
from mariago.rules import Result
from mariago.sgf import parse_collection, read_games, read_many, write_collection, write_game

FLOOR_PLAYED_THROUGH = 140


class Expected(NamedTuple):
    """What the first game of a file gives; ``problems`` are the codes, each once."""

    moves: int
    setup: int = 0
    refusal: str | None = None
    problems: tuple[str, ...] = ()
    size: tuple[int, int] = (19, 19)


ISSUES = {
    "badukai-65a_MULTIGOGM_and_repeated_AB": Expected(5, 23, None, ("repeated_property",)),
    "glift-123_compressed_points": Expected(1, 23),
    "goreviewpartner-71_empty_KM_text_RE_no_GM": Expected(4),
    "katrain-292_HA_text": Expected(2, 0, None, ("handicap_unread",)),
    "lizzie-272_empty_KM_handicap": Expected(2, 2),
    "ogs-1519_RE_B_plus": Expected(2),
    "sabaki-687_unescaped_bracket_in_US": Expected(2, 0, None, ("unescaped_bracket",), (9, 9)),
    "sgf-parse-21b_extra_close_paren": Expected(2, 0, None, ("extra_paren",)),
    # Letters over 26 are upper case; our boards end at 25.
    "sgf-render-46_uppercase_coord_SZ50": Expected(
        2, 0, "board_size", ("board_size", "several_moves"), (50, 50)
    ),
    "sgfparser-23_repeated_AB_AW": Expected(7, 18, None, ("repeated_property",)),
}

INVALID = {
    "invalid games/illegal move.sgf": Expected(8, 0, None, ("stray_bracket",)),
    "invalid sgf/backgammon.sgf": Expected(255, 0, "not_go", ("not_go",)),
    # Only brackets behind the main line are missing: all its moves are there.
    "invalid sgf/branched missing 2 parens.sgf": Expected(9, 0, None, ("unclosed",)),
    "invalid sgf/empty file.txt": Expected(0, 0, "unreadable", ("no_game",)),
    "invalid sgf/extra letter in move.sgf": Expected(231, 0, "bad_coordinate", ("bad_coordinate",)),
    "invalid sgf/extra square bracket.sgf": Expected(8, 0, None, ("stray_bracket",)),
    "invalid sgf/missing letter in move.sgf": Expected(
        55, 0, "bad_coordinate", ("bad_coordinate",)
    ),
    # The bracket is missing in a side variation, which a reader of main lines does not judge.
    "invalid sgf/missing square bracket.sgf": Expected(8),
    "invalid sgf/non-letters in moves.sgf": Expected(0, 0, "bad_coordinate", ("bad_coordinate",)),
    "invalid sgf/where the streets have no name.txt": Expected(0, 0, "unreadable", ("no_game",)),
}

VALID = {
    "sgf/0.5 Komi.sgf": Expected(255),
    "sgf/28715150-Honinbo Shusaku-Gennan Inseki.sgf": Expected(219),
    "sgf/3-4.sgf": Expected(9),
    "sgf/31640020- - .sgf": Expected(17, 1),
    "sgf/34049517-Yasui Senkaku-Honinbo Dosaku.sgf": Expected(264, 2),
    "sgf/34839594-255-IDW64-noob_bot_3.sgf": Expected(255),
    "sgf/35166124-133-IDW64-amybot-ddk.sgf": Expected(133),
    "sgf/CheongSu-hyeon-KimIl-hwan13651.sgf": Expected(157),
    "sgf/Ear-reddening game.sgf": Expected(325),
    "sgf/Lee Sedol ladder game.sgf": Expected(211),
    "sgf/add stone test.sgf": Expected(2, 5),
    "sgf/adding multiple stones.sgf": Expected(3, 6),
    "sgf/backslash at end of comment.sgf": Expected(0, 0, "no_moves"),
    "sgf/commented semicolon.sgf": Expected(10),
    "sgf/complex.sgf": Expected(186),
    "sgf/ff4_ex.sgf": Expected(13),
    "sgf/handy.sgf": Expected(103, 4),
    "sgf/handyNine.sgf": Expected(43, 2, size=(9, 9)),
    "sgf/metadata list.sgf": Expected(0, 0, "no_moves"),
    "sgf/multiple stones at once.sgf": Expected(3, 3),
    "sgf/nested brackets.sgf": Expected(10),
    "sgf/punctuation ignored inside parentheses.sgf": Expected(10),
    "sgf/remove stones.sgf": Expected(1, 4),
    "sgf/simple fork.sgf": Expected(1),
    "sgf/simple joseki.sgf": Expected(8),
    "sgf/simple sequence.sgf": Expected(10),
    "sgf/two josekis.sgf": Expected(12),
    "sgf/valid closing bracket.sgf": Expected(0, 0, "no_moves"),
    "warning sgf/FF[1] with FF.sgf": Expected(8),
    "warning sgf/FF[2] with RU.sgf": Expected(8),
    "warning sgf/Jappanese Date (JD) property.sgf": Expected(138),
    "warning sgf/LeeSedol-WangYao34615.sgf": Expected(174),
    "warning sgf/ParkJaegeun-LeeJihyun72148.sgf": Expected(274),
}

# Elsewhere: what made each file awkward.
OTHERS = {
    "gogui_junit/test/junit/src/net/sf/gogui/sgf/human-readable.sgf": Expected(
        6, 0, None, ("odd_pass", "vertex")
    ),
    "gogui_junit/test/junit/src/net/sf/gogui/sgf/invalidmove.sgf": Expected(
        2, 0, "bad_coordinate", ("bad_coordinate",), (9, 9)
    ),
    "gogui_junit/test/junit/src/net/sf/gogui/sgf/size-after-invalid-points.sgf": Expected(
        0, 0, "bad_coordinate", ("bad_coordinate",), (9, 9)
    ),
    "gogui_junit/test/junit/src/net/sf/gogui/sgf/size-after-valid-points.sgf": Expected(
        0, 2, "no_moves"
    ),
    "gogui_junit/test/junit/src/net/sf/gogui/sgf/verbose-property-names.sgf": Expected(184),
    "katrain/tests/data/xmgt97.sgf": Expected(60, size=(9, 9)),
    "katrain/tests/data/fox sgf error.sgf": Expected(186, 0, None, ("repeated_property",)),
    "mipli/tests/sgf/empty_node.sgf": Expected(7),
    "sabaki_sgf/tests/sgf/utf8bom.sgf": Expected(164),
    "sabaki_sgf/tests/sgf/utf16le.sgf": Expected(164),
    "sabaki_sgf/tests/sgf/japanese_bad.sgf": Expected(2, 0, None, ("wrong_charset",)),
    "sabaki_sgf/tests/sgf/no-ca.sgf": Expected(7, 22, None, ("guessed_encoding",)),
    "sabaki_sgf/tests/sgf/encoding/nihon-kiin.sgf": Expected(
        8, 0, None, ("guessed_encoding", "missing_semicolon")
    ),
    "q5go/src/sgfs/captures.sgf": Expected(145, 604, size=(11, 11)),
    "glift/test/testdata/Kogo's Joseki Dictionary.sgf": Expected(8),
}

TABLE = {
    **{f"from_issues/{name}.sgf": expected for name, expected in ISSUES.items()},
    **{f"sente/tests/{name}": expected for name, expected in {**INVALID, **VALID}.items()},
    **OTHERS,
}


def given(path: Path) -> Expected:
    game = read_games(path)[0]
    problems = tuple(sorted({problem.code for problem in game.problems}))
    return Expected(len(game.moves), len(game.setup), game.refusal, problems, tuple(game.size))


@pytest.mark.parametrize("name", sorted(TABLE))
def test_an_awkward_file_gives_what_is_written_down(peer_data: Path, name: str) -> None:
    assert given(peer_data / "sgf_awkward" / name) == TABLE[name]


@pytest.mark.parametrize("number", range(10))
def test_gibberish_is_unreadable(peer_data: Path, number: int) -> None:
    folder = peer_data / "sgf_awkward" / "sente" / "tests" / "invalid sgf"
    games = read_games(folder / f"giberish {number}.txt")
    assert {game.refusal for game in games} == {"unreadable"}


def test_every_file_of_sente_and_of_the_bug_threads_is_in_the_table(peer_data: Path) -> None:
    folder = peer_data / "sgf_awkward"
    files = [*folder.glob("from_issues/*"), *folder.glob("sente/tests/*/*")]
    names = {path.relative_to(folder).as_posix() for path in files}
    assert {name for name in names if "giberish" not in name} <= set(TABLE)


def test_no_file_breaks_a_reader_or_grows_when_saved(peer_data: Path) -> None:
    files = sorted(path for path in (peer_data / "sgf_awkward").rglob("*") if path.is_file())
    assert len(files) > 150
    data = [path.read_bytes() for path in files]
    played = 0
    for path, raw, fast in zip(files, data, read_many(data), strict=True):
        games = read_games(raw)
        assert fast == games, path
        written = write_collection(parse_collection(raw))
        assert write_collection(parse_collection(written)) == written, path
        for game in games:
            try:
                once = write_game(game.to_game())
            except MariagoError:
                continue
            assert write_game(read_games(once)[0].to_game()) == once, path
            played += 1
    assert played >= FLOOR_PLAYED_THROUGH


def test_names_are_read_in_their_own_encodings(peer_data: Path) -> None:
    folder = peer_data / "sgf_awkward" / "sabaki_sgf" / "tests" / "sgf"
    players = {
        "japanese.sgf": ("井山 裕太", "山下 敬吾"),
        "chinese.sgf": ("古力", "柯洁"),
        "korean.sgf": ("이세돌", "박정환"),
        "encoding/nihon-kiin.sgf": ("申眞ソ", "党毅飛"),
    }
    assert {name: read_games(folder / name)[0].players for name in players} == players


def test_results_in_words_are_read(peer_data: Path) -> None:
    folder = peer_data / "sgf_awkward"
    [read] = read_games(folder / "from_issues/goreviewpartner-71_empty_KM_text_RE_no_GM.sgf")
    assert (read.result, read.komi) == (Result(WHITE, 43.5, "score"), None)
    [read] = read_games(folder / "sabaki_sgf/tests/sgf/encoding/nihon-kiin.sgf")
    assert read.result == Result(BLACK, None, "resign")


def test_all_games_of_a_collection_are_read(peer_data: Path) -> None:
    games = read_games(peer_data / "sgf_awkward/rooklift_sgf/test_kifu/collection.sgf")
    assert [len(game.moves) for game in games] == [43, 243, 124]
