"""Packed boards, the hash that symmetric positions share, and which games are the same game."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.random_records import random_game

from mariago.board.diagram import parse_diagram
from mariago.records.hashing import position_hash
from mariago.records.intake import take_in
from mariago.records.schema import pack_board, unpack_board
from mariago.records.sources import SourceFile
from mariago.sgf import write_game

SHAPES = [(1, 1), (3, 3), (5, 2), (9, 9), (13, 9), (19, 19), (25, 25)]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_packed_board_unpacks_to_itself(shape: tuple[int, int]) -> None:
    stones = np.random.default_rng(1).integers(0, 3, shape).astype(np.uint8)
    packed = pack_board(stones)
    assert len(packed) == (stones.size + 3) // 4
    assert (unpack_board(packed, stones.size).reshape(shape) == stones).all()


def test_the_first_point_lies_in_the_lowest_bits() -> None:
    assert pack_board(np.array([[1, 2, 0, 2, 1]], np.uint8)) == bytes([0b10_00_10_01, 0b01])


@pytest.mark.parametrize("shape", SHAPES)
def test_symmetric_positions_share_a_hash(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    stones = rng.integers(0, 3, shape).astype(np.uint8)
    ko = int(rng.integers(stones.size))
    mark = np.zeros(shape, bool)
    mark.reshape(-1)[ko] = True
    wanted = position_hash(stones, 1, ko)
    turns = range(4) if shape[0] == shape[1] else (0, 2)
    for k in turns:
        for flip in (False, True):
            board, point = np.rot90(stones, k), np.rot90(mark, k)
            if flip:
                board, point = board[:, ::-1], point[:, ::-1]
            moved = int(np.flatnonzero(point.reshape(-1))[0])
            assert position_hash(np.ascontiguousarray(board), 1, moved) == wanted


def test_the_hash_follows_the_side_to_move_and_not_the_colours() -> None:
    stones = np.random.default_rng(3).integers(0, 3, (9, 9)).astype(np.uint8)
    swapped = np.array([0, 2, 1], np.uint8)[stones]
    assert position_hash(stones, 1) == position_hash(swapped, 2)
    assert position_hash(stones, 1) != position_hash(stones, 2)


def test_ko_and_size_count() -> None:
    ko_shape = """
        . X O .
        X . X O
        . X O .
        . . . .
    """
    stones = np.asarray(parse_diagram(ko_shape).stones, np.uint8)
    assert position_hash(stones, 2, 5) != position_hash(stones, 2)
    assert position_hash(stones, 2, -1) == position_hash(stones, 2, None)
    assert position_hash(np.zeros((3, 3), np.uint8), 1) != position_hash(
        np.zeros((4, 4), np.uint8), 1
    )


def identity(text: str) -> int:
    return int(take_in([SourceFile("x.sgf", text.encode())], None, False).identities[0])


def test_games_are_the_same_under_symmetry_and_by_nothing_less() -> None:
    base = identity("(;SZ[9];B[cd];W[ee])")
    assert identity("(;SZ[9]PB[someone else];B[gd];W[ee])") == base
    assert identity("(;SZ[9];B[cd];W[ee];B[])") != base
    assert identity("(;SZ[9];W[cd];B[ee])") != base
    assert identity("(;SZ[13];B[cd];W[ee])") != base
    assert identity("(;SZ[9]AB[aa];B[cd];W[ee])") != base
    assert identity("(;SZ[9]AB[aa][bb];B[cd])") == identity("(;SZ[9]AB[bb]AB[aa];B[cd])")
    assert identity("(;SZ[9]AB[aa];AB[bb];B[cd])") == identity("(;SZ[9]AB[aa][bb];B[cd])")


def test_the_hash_in_the_kernels_is_the_one_in_numpy() -> None:
    for size in (5, "7x4", 9):
        game = random_game(11, size, 50)
        intake = take_in([SourceFile("x.sgf", write_game(game))], None, False)
        positions = list(game.positions())[: len(game)]
        wanted = [position_hash(p.stones, p.to_move, p.ko) for p in positions]
        assert intake.hashes.tolist() == wanted
