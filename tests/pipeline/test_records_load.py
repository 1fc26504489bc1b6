"""Samples read back: all of them, some of them, batch by batch, and equal to live games."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game

from mariago.errors import RecordsError
from mariago.features import Rows, planes_of_positions, planes_of_rows, rows_of_positions
from mariago.records import BuildOptions, build_records, iter_batches, load_rows, read_table
from mariago.rules import Game
from mariago.sgf import write_game


@pytest.fixture(scope="module")
def games() -> list[Game]:
    shapes = [9, "7x5", 13, "5x7", 4, 19, 9, 3]
    return [random_game(seed, shapes[seed % len(shapes)], 90) for seed in range(16)]


@pytest.fixture(scope="module")
def data_set(games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("load")
    source = write_files(folder / "source", [write_game(game) for game in games])
    options = BuildOptions(size="any", validation=0, test=0, shard_rows=300)
    build_records([source], origin="o", terms="t", out=folder / "set", options=options)
    return folder / "set"


def test_rows_and_their_planes_equal_those_of_the_live_games(
    data_set: Path, games: list[Game]
) -> None:
    rows, targets = load_rows(data_set)
    paths = {f"{number:05d}.sgf": game for number, game in enumerate(games)}
    import pyarrow.parquet as pq

    path_of = pq.read_table(data_set / "games.parquet").column("path").to_pylist()
    positions = []
    for game_index, number, move in zip(
        targets.game, targets.move_number, targets.move, strict=True
    ):
        game = paths[path_of[game_index]]
        assert game.moves[number - 1][1] == move
        positions.append(list(game.positions())[number - 1])
    live = rows_of_positions(positions)
    for field in fields(Rows):
        if field.name in ("taken1", "taken2"):
            continue  # in the order of removal, which is no matter
        assert np.array_equal(getattr(rows, field.name), getattr(live, field.name)), field.name
    for mine, theirs in zip(planes_of_rows(rows), planes_of_positions(positions), strict=True):
        assert np.array_equal(mine, theirs)


def test_winner_and_score_are_for_the_side_to_move(data_set: Path) -> None:
    stored = read_table(data_set).to_pylist()
    _, targets = load_rows(data_set)
    for row, winner, score in zip(stored, targets.winner, targets.score, strict=True):
        if row["winner"] == -1:
            assert np.isnan(winner)
        elif row["winner"] == 0:
            assert winner == 0
        else:
            assert winner == (1 if row["winner"] == row["to_move"] else -1)
        if row["score"] is None:
            assert np.isnan(score)
        else:
            assert score == (row["score"] if row["to_move"] == 1 else -row["score"])


def keys(targets: object) -> list[tuple[int, int]]:
    return list(zip(targets.game.tolist(), targets.move_number.tolist(), strict=True))  # type: ignore[attr-defined]


def test_a_limit_takes_the_first_rows_or_random_ones(data_set: Path) -> None:
    whole = keys(load_rows(data_set).targets)
    assert keys(load_rows(data_set, limit=400).targets) == whole[:400]
    drawn = [
        keys(load_rows(data_set, limit=400, rng=np.random.default_rng(7)).targets) for _ in range(2)
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 400
    assert set(drawn[0]) < set(whole)
    assert drawn[0] != sorted(drawn[0])


@pytest.mark.parametrize("mixed", [200, 10**6])
def test_batches_bring_every_row_once(data_set: Path, mixed: int) -> None:
    whole = keys(load_rows(data_set).targets)
    plain = [keys(batch.targets) for batch in iter_batches(data_set, batch_rows=64)]
    assert [key for batch in plain for key in batch] == whole
    assert {len(batch) for batch in plain[:-1]} == {64}
    rng = np.random.default_rng(1)
    batches = list(iter_batches(data_set, batch_rows=64, rng=rng, mixed_rows=mixed))
    found = [key for batch in batches for key in keys(batch.targets)]
    assert sorted(found) == sorted(whole)
    assert found != whole
    assert {len(batch.rows) for batch in batches[:-1]} == {64}


def test_a_split_without_samples_is_named_with_what_there_is(data_set: Path) -> None:
    for split in ("test", "tset"):
        with pytest.raises(RecordsError, match=f"no samples in split '{split}'") as caught:
            load_rows(data_set, split)
        assert "validation 0" in str(caught.value.hint)
