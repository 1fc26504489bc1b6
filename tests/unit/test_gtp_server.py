"""The server by scripts: what is said, and what the standard answers (GTP 2, draft 2)."""

from __future__ import annotations

from pathlib import Path

from tests.reference.gtp_scripts import dialogue, replies_to, session_of, texts_of

from mariago import __version__
from mariago.errors import EngineError, PlayerError
from mariago.gtp import (
    all_commands,
    count_commands,
    gogui_commands,
    handicap_commands,
    play_commands,
    query_commands,
    record_commands,
    rules_commands,
    time_commands,
)
from mariago.gtp.analysis import analysis_commands
from mariago.players import Decision

STANDARD = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "play",
    "genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "final_status_list",
    "loadsgf",
    "reg_genmove",
    "showboard",
]


def test_every_command_of_the_standard_is_there() -> None:
    session = session_of()
    assert set(STANDARD) <= set(all_commands())
    listed = texts_of(session, "list_commands\n")[0].split("\n")
    assert listed == sorted(all_commands())
    script = "".join(f"known_command {name}\n" for name in (*listed, "nonsense"))
    assert texts_of(session, script) == ["true"] * len(listed) + ["false"]


def test_no_two_tables_have_a_command_of_one_name() -> None:
    rooms = (
        *(play_commands, handicap_commands, record_commands, count_commands),
        *(rules_commands, time_commands, query_commands, gogui_commands),
    )
    names = [name for room in rooms for name in room.COMMANDS] + list(analysis_commands())
    assert len(names) == len(set(names))


def test_ids_come_back_and_lines_without_commands_get_no_reply() -> None:
    script = b"\n# comment\n1 protocol_version\r\n\t 22\tname # x\n \nversion\n0 nothing\n7\n"
    assert replies_to(session_of(), script) == [
        (True, "1", "2"),
        (True, "22", "MariaGO listed"),
        (True, "", __version__),
        (False, "0", "unknown command"),
        (False, "7", "unknown command"),
    ]


def test_quit_ends_the_session_after_its_reply() -> None:
    assert replies_to(session_of(), "3 quit\nname\n") == [(True, "3", "")]


def test_a_line_without_a_newline_at_the_end_is_answered() -> None:
    assert texts_of(session_of(), "protocol_version") == ["2"]


def test_the_errors_of_the_standard() -> None:
    dialogue(
        session_of(size=9),
        """
        genmove -> ? syntax error
        genmove green -> ? syntax error
        play b -> ? syntax error
        play b D4 E5 -> ? syntax error
        play D4 b -> ? syntax error
        play b I5 -> ? syntax error
        play b D0 -> ? syntax error
        play b Z4 -> ? illegal move
        play b D10 -> ? illegal move
        play b d4 ->
        play w D4 -> ? illegal move
        boardsize -> ? syntax error
        boardsize nineteen -> ? syntax error
        boardsize 0 -> ? unacceptable size
        boardsize 26 -> ? unacceptable size
        boardsize -3 -> ? unacceptable size
        komi -> ? syntax error
        komi nan -> ? syntax error
        komi 1e999 -> ? syntax error
        komi 6,5 -> ? syntax error
        fixed_handicap 2 -> ? board not empty
        place_free_handicap 2 -> ? board not empty
        set_free_handicap C3 C4 -> ? board not empty
        undo ->
        undo -> ? cannot undo
        fixed_handicap 1 -> ? invalid number of stones
        fixed_handicap 10 -> ? invalid number of stones
        fixed_handicap two -> ? syntax error
        place_free_handicap 81 -> ? invalid number of stones
        set_free_handicap -> ? bad vertex list
        set_free_handicap C3 -> ? bad vertex list
        set_free_handicap C3 c3 -> ? bad vertex list
        set_free_handicap C3 pass -> ? bad vertex list
        set_free_handicap C3 T19 -> ? bad vertex list
        set_free_handicap C3 banana -> ? syntax error
        loadsgf -> ? syntax error
        loadsgf no-such-file.sgf -> ? cannot load file
        loadsgf . -> ? cannot load file
        loadsgf /dev/zero -> ? cannot load file
        final_status_list -> ? syntax error
        final_status_list odd -> ? syntax error
        time_settings 1 2 -> ? syntax error
        time_settings -1 0 0 -> ? syntax error
        time_left b x 0 -> ? syntax error
        Play b d4 -> ? unknown command
        known_command -> ? syntax error
        """,
    )


def test_moves_of_either_side_are_played_and_taken_back() -> None:
    dialogue(
        session_of(size=5),
        """
        play B C3 ->
        play black D3 ->
        play WHITE PASS ->
        play w pass ->
        play b e5 ->
        last_move -> black E5
        list_stones b -> E5 C3 D3
        undo ->
        undo ->
        color C3 -> black
        color A1 -> empty
        countlib C3 -> 6
        is_legal w C3 -> 0
        clear_board ->
        list_stones b ->
        undo -> ? cannot undo
        query_boardsize -> 5
        """,
    )


def test_captures_ko_and_suicide_are_the_rules() -> None:
    ko = """
        play b B3 ->
        play w C3 ->
        play b A2 ->
        play w D2 ->
        play b B1 ->
        play w C1 ->
        play b C2 ->
        play w B2 ->
        captures w -> 1
        play b C2 -> ? illegal move
        play b E5 ->
        play w E4 ->
        play b C2 ->
        captures b -> 1
        """
    dialogue(session_of(size=5), ko)
    dialogue(session_of(size=5, rules="tromp_taylor"), ko)
    suicide = """
        play w A2 ->
        play w B1 ->
        """
    dialogue(session_of(size=5), suicide + "play b A1 -> ? illegal move")
    # A single stone that takes itself off leaves the board as it was: superko forbids it.
    dialogue(session_of(size=5, rules="tromp_taylor"), suicide + "play b A1 -> ? illegal move")
    two = """
        play w A3 ->
        play w B2 ->
        play w B1 ->
        play b A1 ->
        """
    dialogue(session_of(size=5, rules="new_zealand"), two + "play b A2 ->\n captures w -> 2")
    dialogue(session_of(size=5), two + "play b A2 -> ? illegal move")


def test_superko_depends_on_the_rules_and_they_can_be_changed() -> None:
    # Both sides take a two-stone ko back: sending two, returning one (as on a 1-line board).
    dialogue(
        session_of(size="3x1", rules="chinese"),
        """
        play b B1 ->
        kata-set-rules tromp-taylor ->
        kata-get-rules -> {"hasButton": false, "ko": "POSITIONAL", "scoring": "AREA", \
"suicide": true, "tax": "NONE", "whiteHandicapBonus": "0"}
        kgs-rules new_zealand ->
        kgs-rules klingon -> ? unknown rules
        kata-set-rules {"ko":"SIMPLE","suicide":false,"whiteHandicapBonus":"N-1"} ->
        kata-get-rules -> {"hasButton": false, "ko": "SIMPLE", "scoring": "AREA", \
"suicide": false, "tax": "NONE", "whiteHandicapBonus": "N-1"}
        kata-set-rules {"ko":"SPIRAL"} -> ? unknown rules
        kata-set-rules {"hasButton":true} -> ? unknown rules
        kata-set-rules {"ko" -> ? unknown rules
        kata-set-rules {} ->
        """,
    )


def test_rules_that_the_game_has_broken_are_refused_and_nothing_changes() -> None:
    session = session_of(size=5, rules="new_zealand")
    script = "play w A3\nplay w B2\nplay w B1\nplay b A1\nplay b A2\nkgs-rules chinese\nget_komi\n"
    said = texts_of(session, script)
    assert said[-2].startswith("? the game breaks these rules: move 5: illegal move at A2")
    assert said[-1] == "7"
    assert session.rules.name == "new_zealand"


def test_the_player_is_asked_for_either_side_and_its_move_is_played() -> None:
    session = session_of(40, 41, Decision(0, resigned=True), 30, 31, size=9)
    dialogue(
        session,
        """
        genmove b -> E5
        genmove b -> F5
        list_stones b -> E5 F5
        genmove w -> resign
        list_stones w ->
        reg_genmove w -> D6
        list_stones w ->
        kgs-genmove_cleanup w -> E6
        genmove b -> pass
        """,
    )


def test_a_player_that_fails_fails_its_command_alone() -> None:
    session = session_of(
        PlayerError("no idea"),
        EngineError("crash", "the engine ended", last_words="out of memory"),
        ValueError("two\nlines"),
        40,
        40,
        999,
        41,
        size=9,
    )
    dialogue(
        session,
        """
        genmove b -> ? no idea
        genmove b -> ? the engine ended (out of memory)
        genmove b -> ? internal error: ValueError: two lines
        genmove b -> E5
        genmove w -> ? the player answers E5, which is illegal: occupied
        genmove w -> ? the player answers 999, which is no move
        genmove w -> F5
        """,
    )


def test_every_game_of_a_session_has_a_seed_of_its_own() -> None:
    seeds = []
    for _ in range(2):
        session = session_of()
        texts_of(
            session, "genmove b\ngenmove w\nclear_board\ngenmove b\nboardsize 9\nreg_genmove b\n"
        )
        seeds.append(session.player.seeds)  # type: ignore[attr-defined]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3


def test_handicap_stones_are_no_moves_and_white_moves_next() -> None:
    # Points of the standard's table, 4.1.1.
    dialogue(
        session_of(),
        """
        fixed_handicap 9 -> D4 Q16 D16 Q4 D10 Q10 K4 K16 K10
        get_handicap -> 9
        undo -> ? cannot undo
        clear_board ->
        fixed_handicap 5 -> D4 Q16 D16 Q4 K10
        boardsize 9 ->
        fixed_handicap 2 -> C3 G7
        clear_board ->
        place_free_handicap 20 -> C3 G7 C7 G3 C5 G5 E3 E7 E5
        boardsize 2 ->
        place_free_handicap 2 -> A2 B1
        clear_board ->
        set_free_handicap a1 b1 a2 ->
        list_stones b -> A2 A1 B1
        get_handicap -> 3
        """,
    )
    session = session_of()
    texts_of(session, "fixed_handicap 3\n")
    assert session.position.to_move == 2


def test_positions_are_set_up_by_hand() -> None:
    dialogue(
        session_of(size=3),
        """
        set_position b A1 W B1 black C3 ->
        list_stones b -> C3 A1
        list_stones w -> B1
        set_position b A1 b A1 w -> ? syntax error
        set_position b A1 w A1 -> ? illegal position: two colours on one point
        set_position b pass -> ? syntax error
        set_position b A1 w A2 w B1 -> ? illegal position: a chain of the set-up has no liberty
        list_stones w -> B1
        set_position ->
        list_stones w ->
        gogui-play_sequence b A1 w B2 b C3 ->
        gogui-play_sequence b A2 w B2 -> ? illegal move
        move_history -> black C3
        """.replace("move_history -> black C3", "last_move -> black C3"),
    )


def test_boards_may_have_two_sides() -> None:
    dialogue(
        session_of(),
        """
        rectangular_boardsize 9 13 ->
        query_boardsize -> 9 13
        play b J13 ->
        play b K1 -> ? illegal move
        rectangular_boardsize 7:10 ->
        query_boardsize -> 7 10
        rectangular_boardsize 7:10:3 -> ? syntax error
        boardsize 4 5 ->
        query_boardsize -> 4 5
        """,
    )


def test_a_line_without_end_is_one_command() -> None:
    script = b"play b " + b"x" * 3_000_000 + b"\nprotocol_version\n"
    assert replies_to(session_of(), script) == [(False, "", "syntax error"), (True, "", "2")]


def test_words_that_are_no_vertex_are_a_syntax_error_wherever_one_is_asked_for() -> None:
    session = session_of()
    for command in ("attack i1", "attack z99", "unconditional_status i1", "owl_attack a0"):
        assert replies_to(session, command) == [(False, "", "syntax error")], command


def test_komi_has_no_sign_of_nothing() -> None:
    session = session_of()
    script = "komi -0\nget_komi\nkomi 1e-320\nget_komi"
    assert replies_to(session, script) == [(True, "", text) for text in ("", "0", "", "0")]


def test_a_record_of_more_moves_than_any_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.sgf"
    path.write_bytes(b"(;SZ[19]" + b";B[];W[]" * 6_000 + b")")
    session = session_of()
    assert replies_to(session, f"loadsgf {path}") == [(False, "", "cannot load file")]
    assert replies_to(session, f"loadsgf {path} 5") == [(True, "", "")]
