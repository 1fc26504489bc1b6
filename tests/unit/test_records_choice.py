"""Repeats, leaks, splits and the choice within a game, on rows small enough to count by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mariago.errors import BadInputError, CoordinateError
from mariago.records.choice_kernels import choose
from mariago.records.options import BuildOptions, sizes_of
from mariago.records.repeat_kernels import (
    KEEP,
    LEAK,
    NOT_CHOSEN,
    NOT_WINNER,
    REPEAT,
    TEST,
    TRAIN,
    VALIDATION,
)
from mariago.records.repeats import LATE_AFTER, Repeats
from mariago.records.splits import split_of
from mariago.records.weights import RowWeights, WinnerWeights

EARLY = LATE_AFTER - 1  # index of the last move whose position may be shared
LATE = LATE_AFTER


def coded(
    folder: Path, games: list[tuple[int, dict[int, int]]], most: int = 10**6
) -> list[dict[int, int]]:
    """Return the codes of marked rows; a game is its split and {move index: hash}."""
    repeats = Repeats(folder, most)
    fresh = iter(range(10**6, 10**9))
    length = LATE + 10
    for split, marked in games:
        hashes = [marked.get(i, next(fresh)) for i in range(length)]
        # Multiplied out, so that the hashes fall into different buckets.
        spread = np.array(hashes, np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        repeats.add(spread, np.array([split], np.uint8), np.array([0, length], np.int64))
    codes = repeats.codes().reshape(len(games), length)
    return [
        {i: int(code[i]) for i in marked} for code, (_, marked) in zip(codes, games, strict=True)
    ]


@pytest.mark.parametrize("most", [10**6, 1])
def test_the_first_of_repeated_positions_stays_within_each_split(tmp_path: Path, most: int) -> None:
    games = [(TRAIN, {3: 7}), (TRAIN, {5: 7}), (TEST, {9: 7}), (TEST, {2: 7, 4: 7})]
    assert coded(tmp_path, games, most) == [
        {3: KEEP}, {5: REPEAT}, {9: KEEP}, {2: REPEAT, 4: REPEAT},
    ]  # fmt: skip
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("most", [10**6, 1])
def test_a_late_position_of_train_goes_where_another_split_holds_it(
    tmp_path: Path, most: int
) -> None:
    games = [(TRAIN, {LATE: 1, EARLY: 2}), (VALIDATION, {LATE: 1, 3: 2}), (TRAIN, {LATE: 1})]
    assert coded(tmp_path, games, most) == [
        {LATE: LEAK, EARLY: KEEP}, {LATE: KEEP, 3: KEEP}, {LATE: REPEAT},
    ]  # fmt: skip


def test_a_late_position_of_validation_goes_where_test_holds_it(tmp_path: Path) -> None:
    games = [(VALIDATION, {LATE: 1}), (TEST, {LATE: 1}), (TRAIN, {LATE: 1}), (TRAIN, {LATE: 9})]
    assert coded(tmp_path, games) == [{LATE: LEAK}, {LATE: KEEP}, {LATE: LEAK}, {LATE: KEEP}]


def test_repeats_on_disk_are_those_in_memory(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    found: list[list[int]] = []
    for most in (10**9, 1000):
        rng = np.random.default_rng(5)
        repeats = Repeats(tmp_path, most)
        for _ in range(40):
            first = np.array([0, 100, 150, 200], np.int64)
            hashes = rng.integers(0, 3000, 200, np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            wanted = rng.random(200) < 0.9
            repeats.add(hashes, rng.integers(0, 3, 3).astype(np.uint8), first, wanted)
        found.append(repeats.codes().tolist())
    assert found[0] == found[1]
    assert set(found[0]) == {KEEP, REPEAT, LEAK, NOT_WINNER}


def chosen(
    kept: list[int],
    tactical: list[int],
    most: int,
    *,
    half: bool = False,
    only: bool = False,
    seed: int | None = None,
) -> list[int]:
    codes = np.array([KEEP if keep else REPEAT for keep in kept], np.uint8)
    first = np.array([0, len(codes)], np.int64)
    seeds = np.array([seed or 0], np.uint64)
    choose(first, np.array(tactical, np.uint8), most, half, only, seed is not None, seeds, codes)
    assert all((code == REPEAT) != bool(keep) for code, keep in zip(codes, kept, strict=True))
    assert set(codes.tolist()) <= {KEEP, REPEAT, NOT_CHOSEN}
    return np.flatnonzero(codes == KEEP).tolist()


def test_the_most_per_game_are_spread_evenly() -> None:
    assert chosen([1] * 100, [0] * 100, 4) == [12, 37, 62, 87]
    assert chosen([1] * 3, [0] * 3, 4) == [0, 1, 2]
    assert chosen([0, 1] * 10, [0] * 20, 2) == [5, 15]


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=60),
    st.integers(1, 70),
    st.booleans(),
    st.none() | st.integers(0, 2**64 - 1),
)
def test_a_game_that_has_so_many_rows_gets_exactly_as_many(
    rows: list[tuple[int, int]], most: int, half: bool, seed: int | None
) -> None:
    kept, tactical = (list(column) for column in zip(*rows, strict=True))
    found = chosen(kept, tactical, most, half=half, seed=seed)
    assert len(found) == min(most, sum(kept))
    if half:
        sharp = sum(k and t for k, t in rows)
        assert sum(tactical[i] for i in found) >= min(sharp, most // 2)


def test_rows_drawn_at_random_go_by_the_seed_and_favour_none() -> None:
    assert chosen([1] * 50, [0] * 50, 5, seed=1) == chosen([1] * 50, [0] * 50, 5, seed=1)
    counts = np.zeros(10)
    for seed in range(4000):
        counts[chosen([1] * 10, [0] * 10, 3, seed=seed * 0x9E3779B97F4A7C15 % 2**64)] += 1
    # Each row is drawn with probability 0.3: standard deviation 29 of 4,000 draws.
    assert (abs(counts - 1200) < 5 * 29).all()


def test_half_are_tactical_where_there_are_enough() -> None:
    tactical = [1 if i >= 90 else 0 for i in range(100)]
    rows = chosen([1] * 100, tactical, 8, half=True)
    assert len(rows) == 8
    assert sum(tactical[i] for i in rows) >= 4
    assert min(rows) < 20
    assert len(chosen([1] * 100, [1, *[0] * 99], 8, half=True)) == 8


def test_tactical_only_takes_all_of_them_whatever_the_most() -> None:
    assert chosen([1, 1, 0, 1, 1], [1, 0, 1, 1, 0], 1, only=True) == [0, 3]


def test_a_game_keeps_its_split_whatever_comes_with_it() -> None:
    identities = np.random.default_rng(1).integers(0, 2**63, 4000).astype(np.uint64)
    options = BuildOptions(validation=0.1, test=0.2)
    splits = split_of(identities, options)
    assert (split_of(identities[::-1], options) == splits[::-1]).all()
    shares = np.bincount(splits) / len(splits)
    assert shares == pytest.approx([0.7, 0.1, 0.2], abs=0.03)
    assert (split_of(identities, BuildOptions(seed=1, validation=0.1, test=0.2)) != splits).any()


@pytest.mark.parametrize(
    "wrong",
    [
        {"winners": "none"},
        {"max_per_game": -1},
        {"pick": "best"},
        {"winners": "weighted", "weights": RowWeights(winner=WinnerWeights(loser=0.1))},
        {"tactical_half": True},
        {"validation": 0.6, "test": 0.4},
        {"test": -0.1},
        {"shard_rows": 0},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInputError):
        BuildOptions(**wrong)  # type: ignore[arg-type]


def test_sizes_are_one_or_several_or_any() -> None:
    assert sizes_of("any") is None
    assert sizes_of("9, 9x13") == {(9, 9), (13, 9)}
    with pytest.raises(CoordinateError):
        BuildOptions(size="nineteen")
