"""Samples read back: all of them, some of them, batch by batch, and equal to live games."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game

from mariago.errors import RecordsError
from mariago.features import Rows, planes_of_positions, planes_of_rows, rows_of_positions
from mariago.records import BuildOptions, build_records, iter_batches, load_rows, read_table
from mariago.records.load import rows_of_table
from mariago.rules import Game, fixed_handicap_start
from mariago.sgf import write_game


@pytest.fixture(scope="module")
def games() -> list[Game]:
    shapes = [9, "7x5", 13, "5x7", 4, 19, 9, 3]
    rules = ["chinese", "japanese"]
    games = [random_game(seed, shapes[seed % 8], 90, rules=rules[seed % 2]) for seed in range(14)]
    return [*games, *(with_passes(seed) for seed in range(2))]


def with_passes(seed: int) -> Game:
    """Return a game under territory rules with handicap stones and passes."""
    game = Game(fixed_handicap_start(9, 3, "japanese", 0.5))
    rng = np.random.default_rng(seed)
    for turn in range(60):
        if turn % 13 == 5:
            game.append(game.position.to_move, 81)
        else:
            game.append(game.position.to_move, int(rng.choice(game.position.legal_moves()[:-1])))
    return game


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


def test_the_lead_in_stones_counts_what_was_played(data_set: Path) -> None:
    rows = load_rows(data_set).rows
    assert rows.stone_lead is not None
    assert {int(lead) for lead in rows.stone_lead} > {0, 1, 2, 3, 4}
    table = read_table(data_set)
    at = table.schema.get_field_index("stone_lead")
    old = table.set_column(at, table.schema.field(at), pa.nulls(table.num_rows, pa.int16()))
    guessed = rows_of_table(old).rows.stone_lead
    handicap = table.column("handicap").to_numpy()
    large = (handicap == 0) & (table.column("rows").to_numpy() >= 13)  # nobody passes there
    assert large.any()
    assert np.array_equal(guessed[large], rows.stone_lead[large])
    early = (handicap == 3) & (table.column("move_number").to_numpy() <= 5)
    assert early.any()
    assert np.array_equal(guessed[early], rows.stone_lead[early])


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
