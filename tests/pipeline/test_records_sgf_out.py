"""Games and positions of a data set as SGF."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game

from mariago.errors import RecordsError
from mariago.records import BuildOptions, build_records, read_table
from mariago.records.katago_export import export_katago
from mariago.records.katago_import import import_katago
from mariago.records.schema import unpack_board
from mariago.records.sgf_export import export_positions, export_sgf
from mariago.records.told import PLACES, SERVERS, server_of
from mariago.rules import Game
from mariago.sgf import read_games, write_game

COLUMNS = ("black", "server", "result_kind")
OPTIONS = BuildOptions(size="any", validation=0, test=0)
SETUP = b"(;SZ[9]HA[2]AB[cc][gg]KM[0.5]PB[A]RE[W+3.5];W[ee];B[ef];AE[ef]AB[df];W[eg];B[gc])"


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [random_game(seed, ["9", "7x5", "13"][seed % 3], 60) for seed in range(9)]


@pytest.fixture(scope="module")
def data_set(games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sgf")
    source = write_files(folder / "source", [*map(write_game, games), SETUP])
    build_records([source], origin="o", terms="t", out=folder / "set", options=OPTIONS)
    return folder / "set"


@pytest.fixture(scope="module")
def without_moves(data_set: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same samples by way of KataGo's files, whose games have no lists of moves."""
    folder = tmp_path_factory.mktemp("back")
    export_katago(data_set, folder / "npz")
    out = folder / "set"
    import_katago([folder / "npz"], out, origin="o", terms="t", options=OPTIONS)
    return out


def read(folder: Path) -> dict[str, object]:
    return {path.stem: read_games(path)[0] for path in folder.glob("*.sgf")}


def test_games_come_out_as_they_went_in(data_set: Path, games: list[Game], tmp_path: Path) -> None:
    note = export_sgf(data_set, tmp_path / "out")
    assert (note["games"], note["whole"], note["holes"]) == (10, 10, 0)
    found = read(tmp_path / "out")
    told = pq.read_table(data_set / "games.parquet").to_pylist()
    for row, source in zip(told, [*games, read_games(SETUP)[0]], strict=True):
        mine = found[row["game_id"]]
        theirs = read_games(write_game(source))[0] if isinstance(source, Game) else source
        assert sorted(mine.setup) == sorted(theirs.setup)
        for name in ("size", "moves", "handicap", "komi", "result", "players", "ranks"):
            assert getattr(mine, name) == getattr(theirs, name), name
        assert mine.refusal is None
    held = json.loads((tmp_path / "out" / "export.json").read_text("utf-8"))
    assert held["sources"][0]["terms"] == "t"


def test_the_server_of_a_game_is_told_and_read_again(tmp_path: Path) -> None:
    assert {server_of(place): place for place in PLACES.values()} == PLACES
    assert set(PLACES) == set(SERVERS)
    records: list[bytes] = []
    for seed, place in enumerate(PLACES.values()):
        record = re.sub(rb"RE\[.*?\]", b"", write_game(random_game(seed, "9", 20)))
        records.append(record.replace(b"SZ[9]", f"SZ[9]PC[{place}]RE[B+0.0]".encode()))
    options = BuildOptions(size="any", validation=0, test=0)
    source = write_files(tmp_path / "source", records)
    build_records([source], origin="o", terms="t", out=tmp_path / "set", options=options)
    export_sgf(tmp_path / "set", tmp_path / "sgf")
    build_records(
        [tmp_path / "sgf"], origin="o", terms="t", out=tmp_path / "again", options=options
    )
    tables = [pq.read_table(tmp_path / at / "games.parquet") for at in ("set", "again")]
    told = [
        sorted(zip(*(table.column(c).to_pylist() for c in COLUMNS), strict=True))
        for table in tables
    ]
    assert told[0] == told[1]
    assert {server for _, server, _ in told[0]} == set(SERVERS)
    assert {kind for _, _, kind in told[0]} == {"won"}


def test_samples_alone_give_the_games_back(
    data_set: Path, without_moves: Path, tmp_path: Path
) -> None:
    note = export_sgf(without_moves, tmp_path / "samples")
    export_sgf(data_set, tmp_path / "lists")
    assert (note["games"], note["holes"]) == (10, 0)
    mine, theirs = read(tmp_path / "samples"), read(tmp_path / "lists")
    assert mine.keys() == theirs.keys()
    for name, game in mine.items():
        other = theirs[name]
        begin = len(other.moves) - len(game.moves)
        assert game.moves == other.moves[begin:]
        assert final_stones(game) == final_stones(other)
        if begin:
            assert game.info["GC"].startswith(f"moves {begin + 1} to {len(other.moves)} of")
    assert sum(len(mine[name].moves) == len(theirs[name].moves) for name in mine) >= 8


def final_stones(game: object) -> list[list[int]]:
    return game.to_game().position.stones.tolist()  # type: ignore[attr-defined]


def test_gaps_of_five_moves_close_and_games_with_longer_ones_are_left_out(
    data_set: Path, tmp_path: Path
) -> None:
    back = {}
    for most in (14, 3):
        thin, npz, out = (tmp_path / f"{name}{most}" for name in ("thin", "npz", "back"))
        options = BuildOptions(size="any", validation=0, test=0, max_per_game=most)
        source = data_set.parent / "source"
        build_records([source], origin="o", terms="t", out=thin, options=options)
        export_katago(thin, npz)
        import_katago([npz], out, origin="o", terms="t", options=OPTIONS)
        back[most] = out
    note = export_sgf(back[14], tmp_path / "sgf")
    assert note["games"] == 10 - note["holes"] >= 9
    with pytest.raises(RecordsError, match="no game could be put together"):
        export_sgf(back[3], tmp_path / "none")
    assert export_sgf(tmp_path / "thin3", tmp_path / "lists", whole_only=True)["whole"] == 10


def test_so_many_games_are_drawn_by_the_seed(data_set: Path, tmp_path: Path) -> None:
    drawn = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert export_sgf(data_set, tmp_path / name, games=4, seed=seed)["games"] == 4
        drawn.append(sorted(read(tmp_path / name)))
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_position_is_a_problem_with_the_move_played(data_set: Path, tmp_path: Path) -> None:
    note = export_positions(data_set, tmp_path / "out", n=40, seed=2, tactical=True)
    assert note["positions"] == 40
    rows = {(row["game_id"], row["move_number"]): row for row in read_table(data_set).to_pylist()}
    for path in (tmp_path / "out").glob("*.sgf"):
        game_id, _, number = path.stem.rpartition("-")
        row = rows[game_id, int(number)]
        assert any(row[name] for name in ("captures", "saves", "gives_atari", "self_atari"))
        text = path.read_bytes()
        assert text.count(b"PL[") == 1
        read_back = read_games(text)[0]
        assert read_back.moves == [(row["to_move"], row["move"])]
        size = row["rows"], row["columns"]
        stones = np.zeros(size[0] * size[1], np.uint8)
        for _, color, move in read_back.setup:
            stones[move] = color
        assert np.array_equal(stones, unpack_board(row["board"], stones.size))
        assert read_back.first_player == row["to_move"]
