"""The server at the end of a game, on the clock, with records, and in GoGui's window."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reference.gtp_scripts import dialogue, replies_to, session_of, texts_of

from mariago.gtp import all_commands
from mariago.gtp.analysis import analysis_commands

SGF = "(;SZ[9]KM[5.5]RU[Japanese]AB[cc]AW[gg];B[ee];W[dd];B[];AE[cc]AB[ca];W[aa];B[ff])"


@pytest.mark.parametrize(
    ("number", "black", "white", "to_move"),
    [
        ("", "C9 E5 F4", "A9 D6 G3", "O"),
        (" 1", "C7", "G3", "X"),
        (" 2", "C7 E5", "G3", "O"),
        (" 4", "C9 E5", "D6 G3", "O"),
        (" 5", "C9 E5", "A9 D6 G3", "X"),
        (" 99", "C9 E5 F4", "A9 D6 G3", "O"),
        (" 0", "C7", "G3", "X"),
    ],
)
def test_a_record_is_loaded_up_to_the_move_before_the_number(
    tmp_path: Path, number: str, black: str, white: str, to_move: str
) -> None:
    (tmp_path / "a game.sgf").write_text(SGF)
    path = f"{tmp_path}/a game.sgf"
    session = session_of()
    dialogue(
        session,
        f"""
        loadsgf {path}{number} ->
        list_stones b -> {black}
        list_stones w -> {white}
        get_komi -> 5.5
        query_boardsize -> 9
        """,
    )
    assert f"\n{to_move} to move\n" in texts_of(session, "showboard\n")[0]
    assert session.rules.name == "japanese"


def test_a_record_with_an_illegal_move_is_loaded_up_to_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.sgf"
    path.write_text("(;SZ[9];B[aa];W[bb];B[bb])")
    dialogue(
        session_of(rules="aga"),
        f"""
        loadsgf {path} -> ? cannot load file
        query_boardsize -> 19
        loadsgf {path} 3 ->
        query_boardsize -> 9
        undo ->
        list_stones w ->
        """,
    )


def test_a_printed_record_reads_back_as_the_same_game(tmp_path: Path) -> None:
    source, target = tmp_path / "in.sgf", tmp_path / "out put.sgf"
    source.write_text(SGF)
    session = session_of()
    printed = texts_of(
        session, f"loadsgf {source}\nplay w ab\nplay w E1\nprintsgf\nprintsgf {target}\n"
    )
    assert printed[1] == "? syntax error"
    assert target.read_text().strip() == printed[3]
    again = session_of()
    texts_of(again, f"loadsgf {target}\n")
    assert again.position == session.position
    assert again.game.moves == session.game.moves
    assert texts_of(again, "printsgf -\n")[0] == printed[3]
    assert texts_of(again, f"printsgf {tmp_path}/none/x.sgf\n") == ["? cannot write file"]


def test_two_passes_are_counted_and_the_game_may_go_on() -> None:
    # Black's wall on D, White's on E, over a 7x7 board, as in KataGo's script printsgffinalscore.
    moves = "".join(f"play b d{n}\nplay w e{n}\n" for n in range(7, 0, -1))
    session = session_of(size=7)
    said = texts_of(
        session,
        f"komi 0\n{moves}final_score\nplay b pass\nplay w pass\nprintsgf\nkgs-rules japanese\n"
        "final_score\nplay b B3\nfinal_score\nfinal_status_list dead\nfinal_status_list seki\n"
        "final_status_list alive\n",
    )
    assert said[15] == "B+7"
    assert "RE[B+7]" in said[18]
    assert said[20] == "B+7"
    assert said[22] == "B+6"
    assert said[23:25] == ["", ""]
    assert sorted(map(len, map(str.split, said[25].split("\n")))) == [1, 7, 7]


def test_dead_stones_are_taken_off_before_counting() -> None:
    moves = "".join(f"play b d{n}\nplay w e{n}\n" for n in range(7, 0, -1))
    session = session_of(size=7)
    said = texts_of(session, f"komi 0\n{moves}play w B4\nfinal_status_list dead\nfinal_score\n")
    assert said[-2:] == ["B4", "B+7"]


def test_time_is_shared_out_among_the_moves() -> None:
    def allowed(script: str) -> float | None:
        session = session_of()
        said = texts_of(session, script + "genmove b\n")
        assert not any(text.startswith("?") for text in said)
        return session.player.limits[-1].time_s  # type: ignore[attr-defined]

    assert allowed("") is None
    assert allowed("time_settings 0 0 0\n") is None
    assert allowed("time_settings 60 10 0\n") is None  # no limit, by the standard
    assert allowed("kgs-time_settings none\n") is None
    assert allowed("time_settings 0 10 5\n") == pytest.approx(1.8)
    assert allowed("time_settings 300 0 0\n") == pytest.approx(9)
    assert allowed("time_settings 300 0 0\ntime_left b 30 0\n") == pytest.approx(0.9)
    assert allowed("time_settings 300 30 5\ntime_left b 20 2\n") == pytest.approx(9)
    assert allowed("time_settings 300 30 5\ntime_left w 1 1\n") == allowed(
        "time_settings 300 30 5\n"
    )
    assert allowed("kgs-time_settings byoyomi 0 10 5\n") == pytest.approx(9)
    assert allowed("kgs-time_settings canadian 0 10 5\n") == pytest.approx(1.8)
    assert allowed("kgs-time_settings absolute 30\ntime_left b -5 0\n") == pytest.approx(0.01)


def test_gogui_is_told_what_it_can_show() -> None:
    session = session_of(40, size=9)
    texts_of(session, "play b E5\nplay w E4\nplay b D4\nplay w A1\nplay b F4\n")
    listed = texts_of(session, "gogui-analyze_commands\n")[0].split("\n")
    for line in listed:
        kind, label, command = line.split("/")
        assert kind in {"string", "gfx", "sboard", "dboard", "vpointlist", "plist"}
        assert label
        assert command.split()[0] in all_commands()
        if command.split()[0] in {"mariago-facts", *analysis_commands()}:
            continue  # these read deeper, and have tests of their own
        asked = command.replace("%c", "b").replace("%p", "E3")
        ok, _, text = replies_to(session, f"{asked}\n")[0]
        assert ok, (asked, text)
        if kind.endswith("board") and kind != "plist":
            rows = text.strip("\n").split("\n")
            assert [len(row.split()) for row in rows] == [9] * 9
    assert "COLOR #e00000 E3" in texts_of(session, "mariago-move_facts b\n")[0]


def test_what_a_move_does_is_said_in_sentences() -> None:
    session = session_of(size=9)
    texts_of(session, "play b E5\nplay w E4\nplay b D4\nplay w A1\nplay b F4\n")
    said = texts_of(session, "mariago-facts b E3\nmariago-facts b E4\nmariago-facts b pass\n")
    assert "captures 1 stone" in said[0]
    assert said[1] == "? illegal move"
    assert said[2] == "Black passes."
