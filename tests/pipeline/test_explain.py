"""``mariago explain``: moves of a game told in checked facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mariago.cli.main import call

# A ladder on 9x9: White's stone runs out at D4, Black caught it with C4.
LADDER = b"(;SZ[9]AB[bg][ch][dg][bf]AW[cg]PL[W];W[cf];B[ce];W[df];B[tt];AE[aa];W[gc])"
TWO = b"(;SZ[9];B[ee])(;SZ[9];B[cc];W[gg];B[ee])"
TWICE = b"(;SZ[5];B[cc];W[dd];W[ed])"


def explained(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert call(["explain", *words]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert call(["explain", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err.splitlines()[0]


@pytest.fixture
def ladder(tmp_path: Path) -> str:
    path = tmp_path / "ladder.sgf"
    path.write_bytes(LADDER)
    return str(path)


def test_a_move_is_told_with_its_board_and_what_the_position_offered(
    ladder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = explained(capsys, ladder, "--move", "1").splitlines()
    assert told[0] == "Move 1: White C4"
    assert told[1].split() == list("ABCDEFGHJ")
    assert "  It saves 1 own stone at C3 from atari by extending." in told
    assert "  A ladder can take 2 own stones." in told
    assert told[told.index("Before the move:") + 1] == "  White stones in atari: C3 (1 stone)"


def test_the_reply_continues_the_ladder(ladder: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = explained(capsys, ladder, "--move", "2", "--no-board")
    assert "It catches 2 stones at C4: no escape works." in told
    assert "White stones that a ladder takes: C4 (2 stones)" in told
    assert "Moves that start a working ladder: C5" in told
    assert "." * 3 not in told


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("zh", "长出，使 C3 处己方 1 子脱离打吃。"),
        ("ja", "伸びて C3 の自分の 1 子をアタリから救う。"),
        ("ko", "뻗어서 C3의 자기 돌 1점을 단수에서 구한다."),
    ],
)
def test_sentences_come_in_the_language_asked_for(
    ladder: str, capsys: pytest.CaptureFixture[str], lang: str, sentence: str
) -> None:
    assert sentence in explained(capsys, ladder, "--move", "1", "--lang", lang)


def test_a_range_is_a_list_of_moves_in_json(
    ladder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(explained(capsys, ladder, "--move", "1-5", "--json"))
    assert [one["number"] for one in told] == [1, 2, 3, 4, 5]
    assert told[1]["ladder_works"] == 2
    assert "working_ladder" in told[1]["facts"]
    assert told[0]["before"]["in_atari"] == {"black": [], "white": [{"vertex": "C3", "stones": 1}]}
    assert told[3]["vertex"] == "pass"


def test_a_pass_has_no_facts(ladder: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = explained(capsys, ladder, "--move", "4", "--no-board")
    assert told.splitlines()[:2] == ["Move 4: Black pass", "  Pass."]


def test_what_is_known_of_the_position_is_told_on_demand(
    ladder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = explained(capsys, ladder, "--move", "2", "--no-board")
    told = explained(capsys, ladder, "--move", "2", "--no-board", "--position")
    assert told.splitlines()[:3] == plain.splitlines()[:3]
    assert told != plain
    held = json.loads(explained(capsys, ladder, "--move", "2", "--position", "--json"))[0]
    assert len(held["position"]["ladders"]) >= 1
    assert all(line in told for line in held["position"]["sentences"])


def test_pictures_are_written(
    ladder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg, png = tmp_path / "move.svg", tmp_path / "move.png"
    explained(capsys, ladder, "--move", "2", "--svg", str(svg), "--png", str(png))
    assert svg.read_text("utf-8").startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_another_game_of_a_file_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.sgf"
    path.write_bytes(TWO)
    assert "Move 3: Black E5" in explained(capsys, str(path), "--game", "2", "--move", "3")
    assert "there is no game 3" in refused(capsys, str(path), "--game", "3", "--move", "1")


def test_a_side_that_moves_out_of_turn_is_the_mover(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "twice.sgf"
    path.write_bytes(TWICE)
    told = explained(capsys, str(path), "--move", "3", "--no-board")
    assert told.startswith("Move 3: White E2")


@pytest.mark.parametrize(
    ("content", "move", "error"),
    [
        (LADDER, "6", "there is no move 6, the game has 5"),
        (LADDER, "0", "moves count from 1"),
        (LADDER, "3-2", "the range goes backwards"),
        (LADDER, "6-", "there is no move 6, the game has 5"),
        (LADDER, "0-", "moves count from 1"),
        (LADDER, "1-2-", "no move number"),
        (LADDER, "-", "no move number"),
        (LADDER, "x", "no move number"),
        (LADDER, "-1", "no move number"),
        (LADDER, "9" * 60, "no game is so long"),
        (b"(;SZ[9]AB[cc])", "1", "holds no move"),
        (b"no game at all", "1", "cannot be played"),
        (b"(;SZ[9];B[cc];W[cc])", "2", "occupied"),
        (b"(;SZ[9]AB[ab][ba]PL[W];W[aa])", "1", "suicide"),
    ],
)
def test_what_cannot_be_explained_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, move: str, error: str
) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(content)
    assert error in refused(capsys, str(path), f"--move={move}")


def test_a_picture_that_cannot_be_written_leaves_nothing_said(
    ladder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(capsys, ladder, "--move", "2", "--png", str(tmp_path))
    assert "10,000" in refused(capsys, long_record(tmp_path), "--move", "11000")


def long_record(folder: Path) -> str:
    (folder / "long.sgf").write_bytes(b"(;SZ[9]" + b";B[];W[]" * 6_000 + b")")
    return str(folder / "long.sgf")


def test_an_open_range_goes_to_the_end(ladder: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(explained(capsys, ladder, "--move", "4-", "--json"))
    assert [move["number"] for move in told] == [4, 5]


def test_moves_before_an_illegal_one_are_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[9];B[cc];W[dc];B[cc])")
    assert "attachment" in explained(capsys, str(path), "--move", "2")


def test_a_missing_file_and_two_pictures_are_refused(
    ladder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no such file" in refused(capsys, str(tmp_path / "none.sgf"), "--move", "1")
    told = refused(capsys, ladder, "--move", "1-2", "--svg", str(tmp_path / "a.svg"))
    assert "one picture shows one move" in told
