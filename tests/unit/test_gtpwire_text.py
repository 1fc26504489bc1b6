"""The protocol's text: commands in, replies out, and both the other way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mariago.board.points import BLACK, WHITE
from mariago.errors import BadInputError, EngineError
from mariago.gtpwire import (
    Command,
    Reply,
    color_of,
    format_reply,
    is_vertex,
    parse_command,
    parse_reply,
    split_command,
)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("play b D4\n", Command("", "play", ("b", "D4"))),
        ("12 play b D4\r\n", Command("12", "play", ("b", "D4"))),
        ("  7\tkomi \t 6.5  # half\n", Command("7", "komi", ("6.5",))),
        ("na\x00me\x07\x7f", Command("", "name", ())),
        ("5\n", Command("5", "", ())),
        ("12name", Command("", "12name", ())),
        ("007 quit", Command("007", "quit", ())),
        ("loadsgf c\u3000d.sgf", Command("", "loadsgf", ("c\u3000d.sgf",))),
        ("\u0663 name", Command("", "\u0663", ("name",))),  # a digit, but not one of the standard's
    ],
)
def test_a_command_is_cleaned_and_taken_apart(line: str, found: Command) -> None:
    assert parse_command(line) == found


@pytest.mark.parametrize("line", ["", "\n", " \t \r\n", "# all comment", "  #", "\x01\x02"])
def test_a_line_without_a_command_is_none(line: str) -> None:
    assert parse_command(line) is None


def test_a_reply_has_its_sign_its_id_and_an_empty_line() -> None:
    assert format_reply("D4") == "= D4\n\n"
    assert format_reply("", id="3") == "=3 \n\n"
    assert format_reply("illegal move", ok=False, id="3") == "?3 illegal move\n\n"
    assert format_reply("\na\n\n \nb\n") == "= \na\nb\n\n"
    assert format_reply("a\r\nb\x07") == "= a\nb\n\n"


@given(st.text(), st.booleans(), st.from_regex(r"[0-9]{0,6}", fullmatch=True))
def test_every_reply_ends_at_its_first_empty_line(text: str, ok: bool, number: str) -> None:
    reply = format_reply(text, ok=ok, id=number)
    assert reply.index("\n\n") == len(reply) - 2
    back = parse_reply(reply.removesuffix("\n\n").split("\n"))
    assert back is not None
    assert (back.ok, back.id) == (ok, number)
    shown = [line.rstrip(" ") for line in back.text.split("\n")]
    kept = [line.strip() for line in text.split("\n")]
    if text.isascii() and text.isprintable():
        assert shown == [kept[0]] or text.startswith(" ")


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (["= D4"], Reply(True, "", "D4")),
        (["=4 D4"], Reply(True, "4", "D4")),
        (["=4\tD4"], Reply(True, "4", "D4")),
        (["=4"], Reply(True, "4", "")),
        (["?4 no"], Reply(False, "4", "no")),
        (["= ", " A B", " 1 ."], Reply(True, "", "\n A B\n 1 .")),
        (["=D4"], None),
        (["hello = D4"], None),
        ([], None),
    ],
)
def test_a_reply_is_read(lines: list[str], reply: Reply | None) -> None:
    assert parse_reply(lines) == reply


def test_colours_are_read_in_any_case() -> None:
    assert {color_of(word) for word in ("b", "B", "black", "Black", "BLACK")} == {BLACK}
    assert {color_of(word) for word in ("w", "W", "white", "WHITE")} == {WHITE}
    for word in ("", "x", "blac", "1"):
        with pytest.raises(BadInputError):
            color_of(word)


def test_the_form_of_a_vertex() -> None:
    assert all(is_vertex(word) for word in ("A1", "a1", "T19", "z25", "Z99", "pass", "PASS"))
    words = ("", "I5", "D", "4", "D0", "D04", "DD4", "D4.", "resign", "D²", "ａ１")
    assert not any(is_vertex(word) for word in words)


def test_a_command_line_is_split_as_by_a_shell() -> None:
    assert split_command("gnugo --mode gtp", windows=False) == ["gnugo", "--mode", "gtp"]
    assert split_command("'my go/x' -a \"b c\" d\\ e", windows=False) == [
        "my go/x",
        "-a",
        "b c",
        "d e",
    ]
    windows = r'"C:\Program Files\Go\x.exe" --dir C:\a\b it\'s'
    found = split_command(windows.replace("\\'", "'"), windows=True)
    assert found == [r"C:\Program Files\Go\x.exe", "--dir", r"C:\a\b", "it's"]
    for bad in ('go "x', "", "  "):
        for on_windows in (False, True):
            with pytest.raises(EngineError):
                split_command(bad, windows=on_windows)
