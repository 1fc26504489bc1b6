"""Files that broke other readers: what each must give, read by hand and written down once."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from sgfmill import sgf

from mariago.board.points import BLACK, WHITE, sgf_to_move, vertex_to_move
from mariago.errors import MariagoError
from mariago.rules import Result
from mariago.sgf import parse_collection, read_games, read_many, write_collection, write_game
from mariago.sgf.formats import format_of

FLOOR_PLAYED_THROUGH = 150
FLOOR_COMPARED = 120
TABLE = Path(__file__).with_name("sgf_awkward.tsv")


class Expected(NamedTuple):
    """What the first game of a file gives; problems and repairs are the codes, each once."""

    format: str
    games: str
    moves: str
    setup: str
    size: str
    refusal: str
    problems: str
    repairs: str
    black: str
    white: str


def table() -> dict[str, Expected]:
    """Read the table beside this file; its last column says why, for people."""
    found: dict[str, Expected] = {}
    for line in TABLE.read_text("utf-8").split("\n")[2:-1]:
        name, *fields, why = line.split("\t")
        assert why
        found[name] = Expected(*fields)
    return found


def given(path: Path) -> Expected:
    games = read_games(path)
    game = games[0]
    return Expected(
        format_of(path.read_bytes()),
        str(len(games)),
        str(len(game.moves)),
        str(len(game.setup)),
        f"{game.size.columns}x{game.size.rows}",
        game.refusal or "-",
        " ".join(sorted({problem.code for problem in game.problems})) or "-",
        " ".join(sorted({repair.code for repair in game.repairs})) or "-",
        *game.players,
    )


@pytest.mark.parametrize("name", sorted(table()))
def test_an_awkward_file_gives_what_is_written_down(peer_data: Path, name: str) -> None:
    assert given(peer_data / "sgf_awkward" / name) == table()[name]


def test_every_awkward_file_is_in_the_table(peer_data: Path) -> None:
    folder = peer_data / "sgf_awkward"
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert names == set(table())


def test_main_lines_are_as_long_as_sgfmill_finds_them(peer_data: Path) -> None:
    """A peer's reading, where it reads a file at all and the file is not cut off."""
    compared = 0
    for name, expected in table().items():
        try:
            game = sgf.Sgf_game.from_bytes((peer_data / "sgf_awkward" / name).read_bytes())
            moves = [node.get_move()[0] for node in game.get_main_sequence()]
        except (ValueError, KeyError, LookupError):
            continue
        found = sum(color is not None for color in moves)
        assert str(found) == expected.moves, name
        compared += 1
    assert compared >= FLOOR_COMPARED


@pytest.mark.parametrize("number", range(10))
def test_gibberish_is_unreadable(peer_data: Path, number: int) -> None:
    folder = peer_data / "sgf_awkward" / "sente" / "tests" / "invalid sgf"
    games = read_games(folder / f"giberish {number}.txt")
    assert {game.refusal for game in games} == {"unreadable"}


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


def test_games_of_other_formats_are_read_in_full(peer_data: Path) -> None:
    folder = peer_data / "sgf_awkward"
    [gib] = read_games(folder / "sabaki_app/test/gib/gb2312.gib")
    assert gib.players == ("石下之臣", "harpmaster")
    assert (gib.handicap, gib.komi, str(gib.result)) == (5, 0.0, "W+11")
    assert (str(gib.rank_of(BLACK)), str(gib.rank_of(WHITE))) == ("2d", "3d")
    assert gib.played_on is not None
    assert gib.played_on.first == "2012-11-22"
    [ngf] = read_games(folder / "rooklift_sgf/test_kifu/3handicap.ngf")
    assert ngf.players == ("ekfshddl", "wyh1207")
    assert (ngf.handicap, ngf.komi, str(ngf.result)) == (3, 0.0, "B+34")
    assert ngf.moves[0] == (WHITE, sgf_to_move("qp", ngf.size))
    [ugi] = read_games(folder / "sabaki_app/test/ugf/review.ugi")
    assert ugi.players == ("ken03110", "apetresc")
    assert (ugi.komi, str(ugi.result), ugi.rules) == (6.5, "B+2.5", "japanese")
    assert str(ugi.rank_of(WHITE)) == "2k?"
    # Q16, as the review nodes say in numbers; and three passes at the end.
    assert vertex_to_move("R16", ugi.size) == ugi.moves[0][1]
    assert [move for _, move in ugi.moves[-3:]] == [361] * 3
    # PandaNet's reviews name dead stones in words; each stands on the board at the end.
    stones = ugi.to_game().position.stones
    dead = dict.fromkeys(("F6", "G7", "H4", "C6", "J12"), BLACK)
    dead |= dict.fromkeys(("O5", "Q9", "K16", "S7"), WHITE)
    for vertex, color in dead.items():
        row, column = divmod(vertex_to_move(vertex, ugi.size), 19)
        assert stones[row, column] == color, vertex


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
