"""Several answers to a position: which moves are the same answer, and which rows stay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.reference.changed_games import played, record, swapped, turned

from mariago.records.intake import Intake, take_in
from mariago.records.repeat_kernels import GONE, KEEP, LEAK, NOT_WINNER, REPEAT, TRAIN
from mariago.records.repeats import LATE_AFTER, Repeats
from mariago.records.sources import SourceFile


def read(*files: bytes) -> Intake:
    sources = [SourceFile("x.sgf", data) for data in files]
    return take_in(sources, None, False, want_answers=True)


def test_a_game_under_symmetry_gives_the_same_positions_and_answers() -> None:
    for size in (5, 9):
        moves = played(1, 70, size)
        base = read(record(moves, size))
        for k in range(8):
            for change in (turned(moves, k, size), swapped(turned(moves, k, size))):
                intake = read(record(change, size))
                assert intake.hashes.tolist() == base.hashes.tolist()
                assert intake.answers.tolist() == base.answers.tolist()


def test_symmetric_moves_in_a_symmetric_position_are_one_answer() -> None:
    corners = [read(f"(;SZ[9];B[{corner}])".encode()).answers[0] for corner in ("cc", "gg", "cg")]
    sides = [read(f"(;SZ[9];B[{side}])".encode()).answers[0] for side in ("ce", "ec", "eg")]
    middle = read(b"(;SZ[9];B[ee])").answers[0]
    assert len(set(corners)) == len(set(sides)) == 1
    assert len({corners[0], sides[0], middle}) == 3
    assert read(b"(;SZ[9];B[])").answers[0] == 0


def test_the_answers_tell_all_moves_of_a_position_apart() -> None:
    start = played(3, 6, 9)
    taken = {move for _, move in start}
    free = [move for move in range(81) if move not in taken]
    answers = [read(record([*start, (1, move)], 9)).answers[6] for move in free]
    assert len(set(answers)) == len(free)


def several(
    folder: Path, rows: list[tuple[int, int, int, int]], most: int, in_memory: int = 10**6
) -> list[int]:
    """Return the codes of rows given as (split, move index, position, answer)."""
    repeats = Repeats(folder, in_memory)
    for split, index, position, _ in rows:
        spread = np.uint64(position * 0x9E3779B97F4A7C15 & 2**64 - 1)
        hashes = np.zeros(index + 1, np.uint64)
        hashes[index] = spread
        wanted = np.arange(index + 1) == index
        first = np.array([0, index + 1], np.int64)
        repeats.add(hashes, np.array([split], np.uint8), first, wanted)
    at = np.cumsum([index + 1 for _, index, _, _ in rows]) - 1
    answers = np.zeros(repeats.rows, np.uint16)
    answers[at] = [answer for _, _, _, answer in rows]
    codes = repeats.codes(answers=answers, most=most)
    assert set(np.delete(codes, at).tolist()) <= {NOT_WINNER}
    return codes[at].tolist()


def test_the_commonest_answers_stay_each_with_its_first_row(tmp_path: Path) -> None:
    rows = [(TRAIN, 0, 7, answer) for answer in (4, 5, 6, 6, 5, 6, 8)]
    assert several(tmp_path, rows, 2) == [REPEAT, KEEP, KEEP, REPEAT, REPEAT, REPEAT, REPEAT]
    assert several(tmp_path, rows, 9) == [KEEP, KEEP, KEEP, REPEAT, REPEAT, REPEAT, KEEP]


def test_of_equally_common_answers_the_first_stay(tmp_path: Path) -> None:
    rows = [(TRAIN, 0, 7, answer) for answer in (4, 5, 6)]
    assert several(tmp_path, rows, 2) == [KEEP, KEEP, REPEAT]


def plain(rows: list[tuple[int, int, int, int]], most: int) -> list[int]:
    """Return the codes by dictionaries."""
    common: dict[tuple[int, int], Counter[int]] = {}
    for split, _, position, answer in rows:
        common.setdefault((split, position), Counter())[answer] += 1
    stay = {key: {a for a, _ in held.most_common(most)} for key, held in common.items()}
    seen: set[tuple[int, int, int]] = set()
    codes: list[int] = []
    for split, index, position, answer in rows:
        code = KEEP if answer in stay[split, position] else REPEAT
        if (split, position, answer) in seen:
            code = REPEAT
        seen.add((split, position, answer))
        others = {0: (1, 2), 1: (2,), 2: ()}[split]
        if code == KEEP and index >= LATE_AFTER and any((o, position) in stay for o in others):
            code = LEAK
        codes.append(code)
    return codes


def test_random_rows_are_decided_as_by_dictionaries(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for trial in range(6):
        rows = [
            tuple(int(n) for n in rng.integers([0, 0, 0, 0], [3, 2, 12, 5])) for _ in range(400)
        ]
        rows = [(split, LATE_AFTER * late, position, a) for split, late, position, a in rows]
        most = 1 + trial % 4
        for in_memory in (10**6, 50):
            assert several(tmp_path, rows, most, in_memory) == plain(rows, most)
    assert list(tmp_path.iterdir()) == []


def test_rows_of_games_that_are_gone_take_no_part(tmp_path: Path) -> None:
    hashes: NDArray[np.uint64] = np.array([1, 2, 1, 2, 1], np.uint64)
    for answers in (None, np.zeros(5, np.uint16)):
        repeats = Repeats(tmp_path)
        repeats.add(hashes, np.zeros(1, np.uint8), np.array([0, 5], np.int64))
        gone = np.array([True, True, False, False, False])
        assert repeats.codes(gone, answers).tolist() == [GONE, GONE, KEEP, KEEP, REPEAT]
