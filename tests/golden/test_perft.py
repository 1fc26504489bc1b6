"""Numbers of move sequences: the kernels give what the plain engine gave (see ``perft``)."""

from __future__ import annotations

import json

import pytest
from tests.golden.perft import TABLE, perft_plain
from tests.reference.plain_go import PlainPosition

from mariago.rules import RULE_SETS, Position

ROWS = json.loads(TABLE.read_text(encoding="utf-8"))
QUICK = 60_000  # sequences; longer rows count their last depths in the slow run


def name_of(row: dict) -> str:
    suicide = "suicide" if row["suicide"] else "no_suicide"
    passes = "passes" if row["passes"] else "stones"
    return f"{row['size'][1]}x{row['size'][0]}-{row['ko']}-{suicide}-{passes}"


def perft(position: Position, depth: int, passes: bool) -> int:
    if passes and position.is_over:
        return 0
    moves = position.legal_moves() if passes else position.legal_moves()[:-1]
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1, passes) for move in moves)


def start_of(row: dict) -> Position:
    rules = RULE_SETS["chinese"].replace(ko=row["ko"], suicide=row["suicide"])
    return Position.empty(tuple(row["size"]), rules)


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_the_kernels_count_the_same_sequences(row: dict) -> None:
    for depth, count in enumerate(row["counts"], start=1):
        if count <= QUICK:
            assert perft(start_of(row), depth, row["passes"]) == count


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_the_kernels_count_the_same_long_sequences(row: dict) -> None:
    for depth, count in enumerate(row["counts"], start=1):
        if count > QUICK:
            assert perft(start_of(row), depth, row["passes"]) == count


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_the_table_is_what_the_plain_engine_counts(row: dict) -> None:
    start = PlainPosition(*row["size"], ko_rule=row["ko"], suicide=row["suicide"])
    for depth, count in enumerate(row["counts"], start=1):
        if count <= 700:
            assert perft_plain(start, depth, row["passes"]) == count
