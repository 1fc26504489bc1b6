"""SGF's grammar: tokens, trees, escapes, and what damaged files leave."""

from __future__ import annotations

import pytest

from mariago.errors import SgfError
from mariago.sgf import parse_collection, write_collection
from mariago.sgf.grammar import escaped, unescaped


def codes(data: bytes) -> list[str]:
    return [problem.code for problem in parse_collection(data).problems]


def test_a_tree_is_stored_flat_in_file_order() -> None:
    tree = parse_collection(b"(;A[1];A[2](;A[3];A[4])(;A[5](;A[6])(;A[7])))").trees[0]
    assert tree.parents == [-1, 0, 1, 2, 1, 4, 4]
    assert tree.children() == [[1], [2, 4], [3], [], [5, 6], [], []]
    assert [tree.text(node, "A") for node in tree.main_line()] == ["1", "2", "3", "4"]


def test_properties_keep_all_their_values_and_their_order() -> None:
    tree = parse_collection(b"(;AB[aa][bb]\n [cc] C[x] AB[dd])").trees[0]
    assert tree.nodes[0] == [("AB", [b"aa", b"bb", b"cc"]), ("C", [b"x"]), ("AB", [b"dd"])]
    assert tree.values(0, "AB") == [b"aa", b"bb", b"cc", b"dd"]
    assert tree.text(0, "XX") is None


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (rb"a\]b", "a]b"),
        (rb"back\\slash", "back\\slash"),
        (b"soft\\\nbreak", "softbreak"),
        (b"soft\\\r\nbreak", "softbreak"),
        (b"a\\\\\nb", "a\\\nb"),
        (rb"\:colon \x", ":colon x"),
        (b"hard\nbreak [", "hard\nbreak ["),
        ("围棋".encode(), "围棋"),
    ],
)
def test_escapes_are_undone(raw: bytes, text: str) -> None:
    assert unescaped(raw) == text


def test_escaped_text_reads_back() -> None:
    text = "a]b\\c:d[e(f;g\n\\"
    assert unescaped(escaped(text)) == text
    assert unescaped(escaped(text, compose=True)) == text


def test_brackets_in_values_are_no_structure() -> None:
    tree = parse_collection(rb"(;C[;()\]\\](;B[dd]C[(;W[pp\]]))").trees[0]
    assert tree.parents == [-1, 0]
    assert tree.text(0, "C") == ";()]\\"
    assert tree.text(1, "C") == "(;W[pp]"


def test_lower_case_letters_of_long_names_are_dropped() -> None:
    tree = parse_collection(b"(;FileFormat[1]GaMe[1]SiZe[9]PlayerBlack[hi];White[gd])").trees[0]
    assert [name for name, _ in tree.nodes[0]] == ["FF", "GM", "SZ", "PB"]
    assert tree.nodes[1] == [("W", [b"gd"])]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"(;B[dd])", []),
        (b" \n(;B[dd];W[pp])\n\n", []),
        (b"Dear reader,\n(;B[dd])", ["text_before"]),
        (b"(;B[dd]))", ["extra_paren"]),
        (b"(;B[dd])bye", ["text_between"]),
        (b"(;B[dd]) and (;W[dd])", ["text_between"]),
        (b"(;B[dd]", ["cut_off"]),
        (b"(;B[dd];", ["cut_off"]),
        (b"(;B[dd];W", ["missing_value", "cut_off"]),
        (b"(;B[dd];W[", ["open_value", "missing_value", "cut_off"]),
        (b"(;B[dd](;W[pp])", ["unclosed"]),
        (b"(;B[dd](;W[pp])(;W[pd]", ["unclosed"]),
        (b"(;US[Matsuyama[3d]];B[dd])", ["unescaped_bracket"]),
        (b"(;B[dd]];W[pp])", ["stray_bracket"]),
        (b"(;C[x]];W[pp])", ["stray_bracket"]),
        (b"(;B[dd]+-+;W[pp])", ["stray_text"]),
        (b"(;[dd];W[pp])", ["value_without_name"]),
        (b"(;B;W[pp])", ["missing_value"]),
        (b"(;abc[x];W[pp])", ["bad_name"]),
        (b"(SZ[19];W[pp])", ["missing_semicolon"]),
        (b"(;AP[a]AP[b];W[pp])", ["repeated_property"]),
        (b"", ["no_game"]),
        (b"Where the streets have no name", ["no_game"]),
    ],
)
def test_departures_are_recorded(data: bytes, expected: list[str]) -> None:
    assert codes(data) == expected


def test_problems_tell_the_byte_in_the_file() -> None:
    assert [p.where for p in parse_collection(b"(;B[dd]*;W[pp]*)").problems] == [7, 14]
    assert [p.where for p in parse_collection(b"\xef\xbb\xbf(;B[dd]*)").problems] == [10]
    japanese = "(;CA[Shift_JIS]PB[本因坊]*;B[dd])".encode("cp932")
    assert [p.where for p in parse_collection(japanese).problems] == [japanese.index(b"*")]


def test_strict_raises_the_first_problem() -> None:
    with pytest.raises(SgfError, match=r"byte 7: .*stray_text") as caught:
        parse_collection(b"(;B[dd]*;W[pp]", strict=True)
    assert caught.value.hint
    assert parse_collection(b"(;B[dd])", strict=True).trees


def test_a_collection_holds_many_games() -> None:
    collection = parse_collection(b"(;C[1])\n(;C[2](;B[dd]))((;C[3]))")
    assert [tree.text(0, "C") for tree in collection.trees] == ["1", "2", "3"]
    assert collection.problems == []


def test_a_game_of_3600_moves_is_read() -> None:
    data = b"(;SZ[19]" + b";B[dd];W[pp]" * 1800 + b")"
    assert len(parse_collection(data).trees[0].main_line()) == 3601


def test_every_move_in_a_bracket_of_its_own_is_read() -> None:
    data = b"(;SZ[19]" + b"(;B[dd]" * 100_000 + b")" * 100_001
    tree = parse_collection(data).trees[0]
    assert len(tree.main_line()) == 100_001
    assert parse_collection(write_collection([tree])).trees[0].parents == tree.parents


def test_100_000_opening_brackets_are_survived() -> None:
    assert codes(b"(" * 100_000 + b";B[dd])") == ["unclosed"]
    assert codes(b"(" * 100_000) == ["no_game"]


def test_13_000_variations_are_read_and_written() -> None:
    data = b"(;SZ[19]" + b"(;B[dd];W[pp])" * 13_000 + b")"
    collection = parse_collection(data)
    assert len(collection.trees[0].children()[0]) == 13_000
    written = write_collection(collection)
    assert parse_collection(written).trees[0].parents == collection.trees[0].parents


@pytest.mark.parametrize(
    ("data", "name", "text"),
    [
        (b"(;US[Matsuyama[3d]];B[dd])", "US", "Matsuyama[3d]"),
        (b"(;C[see ] here];B[dd])", "C", "see ] here"),
        (b"(;C[a [b] hello [c] d];B[dd])", "C", "a [b] hello [c] d"),
        (b"(;C[he says [x] OK];B[dd])", "C", "he says [x] OK"),
        (b"(;C[a]b\\]c\\\\]PB[x];B[dd])", "C", "a]b]c\\"),
    ],
)
def test_a_bracket_inside_a_text_is_told_by_what_follows(data: bytes, name: str, text: str) -> None:
    collection = parse_collection(data)
    [tree] = collection.trees
    assert tree.text(0, name) == text
    assert [problem.code for problem in collection.problems] == ["unescaped_bracket"]
    assert tree.values(1, "B") == [b"dd"]


def test_a_text_never_swallows_a_move() -> None:
    [tree] = parse_collection(b"(;C[x] lost ;B[aa];W[bb]C[y])").trees
    assert [tree.text(node, "C") for node in range(3)] == ["x", None, "y"]
    # Valid SGF is read as it stands, even where a person meant something else.
    [tree] = parse_collection(b"(;C[see A] B[dd])").trees
    assert tree.values(0, "B") == [b"dd"]
