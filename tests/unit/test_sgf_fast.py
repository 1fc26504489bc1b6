"""The fast reader: the same game as the plain reader, or a hand-over."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.sgf import read_games, read_many, scan_files
from mariago.sgf import scan_kernels as scan

PLAIN = [
    b"(;B[dd])",
    b"(;GM[1]FF[4]SZ[9]PB[a]PW[b]KM[6.5]RE[B+R];B[ee];W[];B[tt])",
    b"  \n( ;SZ[25] ;B[tt] ;W [yy] )\n",
    b"(;HA[2]AB[pd][dp];W[dd]C[a \\] ; ( \\\\];B[qq])",
    b"(;AP[GNU Go:3.8]AP[foxwq]KM[0]HA[0];B[dd])",
    b"(;AP[GNU Go:3.8]AP[foxwq]KM[0]HA[2];AB[dd][pp];W[dd])",
    b"(;AP[GNU Go:3.8]KM[0]TC[3]TT[30];B[dd])",
    b"(;AP[GNU Go:3.8]KM[0]TC[3];B[dd])",
    b"(;B[dd](;W[pp](;B[dq]))(;W[qq]C[)(])(;W[ab]))",
    b"(;SZ[9];B[aa];AE[aa]AW[bb];W[cc];AB[dd])",
    b"(;B[aa]W[bb];KGSDE[aa][bb]B[cc])",
    b"(;AB[dd]SZ[19];W[aa])",
    b"(;KM[];RE[W+2.5]KM[6.5];B[dd];PB[late])",
    "(;CA[utf-8]PB[秀策];B[dd])".encode(),
    "(;PB[秀策]PW[道策".encode() + b"\xe4\xb9?];B[dd])",
    b"(;CA[GB2312]PB[ascii];B[dd])",
]

HANDED_OVER = [
    b"",
    b"hello (;B[dd])",
    b"\xef\xbb\xbf(;B[dd])",
    b"(;SZ[19])",
    b"(;B[dd]",
    b"(;B[dd](;W[pp])",
    b"(;B[dd];W[pp",
    b"(;B[dd];W[pp\\])",
    b"(;B[dd])(;W[pp])",
    b"(;B[dd]))",
    b"(;White[dd])",
    b"(;B[dd]());W[pp])",
    b"(;B[zz])",
    b"(;B[D4])",
    b"(;B[dd ])",
    b"(;AB[aa:bb];W[dd])",
    b"(;AB[];W[dd])",
    b"(;AB[tt];W[dd])",
    b"(;SZ[9:13];B[aa])",
    b"(;SZ[50];B[aa])",
    b"(;SZ[0];B[aa])",
    b"(;AB[pp]SZ[9];W[aa])",
    b"(;GM[3];B[aa])",
    b"(;B;W[dd])",
    b"(;B[dd]*;W[pp])",
    b"(;[dd];W[pp])",
    b"(SZ[19];B[dd])",
    "(;CA[GB2312]PB[古力];B[dd])".encode("gb18030"),
    "(;PB[本因坊秀策];B[dd])".encode("cp932"),
]


@pytest.mark.parametrize("data", PLAIN)
def test_plain_files_are_read_by_the_kernel(data: bytes) -> None:
    batch = scan_files([data])
    assert batch.codes.tolist() == [scan.OK]
    assert [batch.game(0)] == read_games(data)


@pytest.mark.parametrize("data", HANDED_OVER)
def test_the_rest_is_handed_over(data: bytes) -> None:
    batch = scan_files([data])
    assert batch.codes.tolist() == [scan.HAND_OVER]
    assert len(batch.moves) == 0
    assert list(read_many([data])) == [read_games(data)]


def test_a_batch_keeps_files_apart() -> None:
    files = [data for pair in zip(PLAIN, HANDED_OVER, strict=False) for data in pair]
    batch = scan_files(files)
    assert len(batch) == len(files)
    for i, data in enumerate(files):
        assert batch.file(i) == data
        if batch.codes[i] == scan.OK:
            [game] = read_games(data)
            assert batch.game(i) == game
            assert batch.moves[batch.span(i)].tolist() == [move for _, move in game.moves]
            assert batch.colors[batch.span(i)].tolist() == [color for color, _ in game.moves]
            assert [tuple(stone) for stone in batch.setup[batch.setup_span(i)].tolist()] == (
                game.setup
            )


def test_facts_can_be_had_without_the_list_of_moves() -> None:
    game = scan_files([b"(;HA[2]AB[dd][pp];W[aa];B[bb])"]).game(0, with_moves=False)
    assert game.moves == []
    assert (game.refusal, game.first_player, game.handicap) == (None, 2, 2)


def test_arrays_too_small_for_the_moves_are_never_overrun() -> None:
    data = np.frombuffer(b"(;AB[aa][bb];B[cc];W[dd];B[ee])", np.uint8)
    info = np.empty(scan.INFO_LENGTH, np.int64)
    for room, stones, expected in ((3, 2, scan.OK), (2, 2, scan.HAND_OVER), (3, 1, scan.HAND_OVER)):
        moves, colors = np.zeros(room, np.int16), np.zeros(room, np.uint8)
        setup = np.zeros((stones, 3), np.int16)
        code = scan.scan_main_line(data, 0, data.size, moves, colors, 0, setup, 0, info)
        assert code == expected


def test_set_up_stones_after_more_moves_than_int16_holds_are_handed_over() -> None:
    data = b"(;SZ[19]" + b";B[]" * 32768 + b";AB[aa])"
    assert scan_files([data]).codes.tolist() == [scan.HAND_OVER]
    assert scan_files([data.replace(b";AB[aa]", b"")]).codes.tolist() == [scan.OK]


def test_no_files_are_a_batch_of_none() -> None:
    assert len(scan_files([])) == 0
    assert list(read_many([])) == []
