"""Tables whose checksums are right but which hold what no data set can are one clear line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.pipeline.test_records_damaged import SHARD, data_set, edited, replaced, whole

from mariago.cli import main as cli
from mariago.errors import RecordsError
from mariago.records.manifest import read_manifest
from mariago.records.schema import GAME_SCHEMA, SAMPLE_SCHEMA
from mariago.records.stored import open_games, open_shard

__all__ = ["data_set", "whole"]  # fixtures

GAMES = "games.parquet"
Change = Callable[[pa.Table], pa.Table]
COMMANDS = (
    ("report",),
    ("show", "0"),
    ("show", "1:5"),
    ("sheet", "--n", "3", "--only", "tactical"),
    ("leak",),
    ("export", "--format", "sgf", "--out", "sgf", "--overwrite"),
    ("export", "--format", "sgf-positions", "--out", "positions", "--overwrite"),
    ("export", "--jobs", "1", "--out", "katago", "--overwrite"),
    ("planes", "--jobs", "1", "--overwrite"),
    ("browse", "--out", "page.html"),
)


def twice(name: str) -> Change:
    return lambda table: table.append_column(name, table.column(name))


def as_text(name: str) -> Change:
    def change(table: pa.Table) -> pa.Table:
        texts = pa.array([str(value) for value in table.column(name).to_pylist()])
        return table.set_column(table.schema.get_field_index(name), name, texts)

    return change


def last(name: str, value: object) -> Change:
    """Put a value into the last row of a column."""

    def change(table: pa.Table) -> pa.Table:
        field = table.schema.field(name)
        values = [*table.column(name).to_pylist()[:-1], value]
        return table.set_column(
            table.schema.get_field_index(name), field, pa.array(values, field.type)
        )

    return change


WRONG = [
    (SHARD, twice("move"), "has the column 'move' twice"),
    (GAMES, twice("split"), "has the column 'split' twice"),
    (SHARD, as_text("split"), "column 'split' is string, not dictionary"),
    (SHARD, as_text("game_id"), "column 'game_id' is string, not dictionary"),
    (GAMES, as_text("split"), "column 'split' is string, not dictionary"),
    (SHARD, last("split", "none"), "column 'split' holds 'none'"),
    (GAMES, last("split", "none"), "column 'split' holds 'none'"),
    (GAMES, last("rules", "none"), "column 'rules' holds 'none'"),
    (GAMES, last("result_kind", "none"), "column 'result_kind' holds 'none'"),
    (SHARD, last("game_id", "x"), "column 'game_id' holds what is no 16 hexadecimal digits"),
    (GAMES, last("game_id", "12ab"), "column 'game_id' holds what is no 16 hexadecimal digits"),
    (GAMES, last("game", 0), "column 'game' does not count the games"),
    (SHARD, last("game", 6), "column 'game' holds a number that is not from 0 to 5"),
    (GAMES, last("source", 1), "column 'source' holds a number that is not from 0 to 0"),
    (SHARD, last("winner", 3), "column 'winner' holds a number"),
    (GAMES, last("winner", -2), "column 'winner' holds a number"),
    (SHARD, last("to_move", 3), "column 'to_move' holds a number"),
    (SHARD, last("move_number", 0), "column 'move_number' holds a number"),
    (SHARD, last("ko", 81), "column 'ko' holds a move off the board"),
    (SHARD, last("superko_banned", [81]), "column 'superko_banned' holds a move off the board"),
    (SHARD, last("taken_1", [-1]), "column 'taken_1' holds a move off the board"),
    (SHARD, last("taken_2", [None]), "column 'taken_2' holds a move off the board"),
    (SHARD, last("board", b"\xff" * 21), "column 'board' holds a colour that is none"),
    (GAMES, last("move_list", [5, 82]), "column 'move_list' holds a move off the board"),
    (GAMES, last("color_list", [3]), "column 'color_list' holds a colour that is none"),
    (GAMES, last("color_list", [1]), "column 'color_list' is not as long as 'move_list'"),
    (GAMES, last("setup_list", [0, 1]), "column 'setup_list' is not of plies, colours and moves"),
    (GAMES, last("setup_list", [0, 3, 5]), "column 'setup_list' is not of plies, colours"),
    (GAMES, last("setup_list", [0, 1, 81]), "column 'setup_list' holds a move off the board"),
]


@pytest.mark.parametrize(("name", "change", "text"), WRONG)
def test_a_wrong_table_is_told_by_file_and_column(
    data_set: Path, name: str, change: Change, text: str
) -> None:
    replaced(data_set, name, change(pq.read_table(data_set / name)))
    manifest = read_manifest(data_set)
    with pytest.raises(RecordsError, match=f"{name}: {text}") as caught:
        (open_games(manifest) if name == GAMES else open_shard(manifest, data_set / SHARD)).read()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "change", "text"), WRONG[:15:2])
def test_no_command_ends_with_a_traceback_on_a_wrong_table(
    data_set: Path, name: str, change: Change, text: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(data_set.parent)
    replaced(data_set, name, change(pq.read_table(data_set / name)))
    told = 0
    for command, *options in COMMANDS:
        code = cli.call(["records", command, str(data_set), *options])
        said = capsys.readouterr().err
        assert code in (0, 2)
        told += f"{name}: {text}" in said
        assert code == 0 or f"{name}: {text}" in said, said
    assert told > 0


def test_games_are_counted_over_all_row_groups(data_set: Path) -> None:
    table = pq.read_table(data_set / GAMES)
    path = data_set / GAMES
    pq.write_table(table, path, row_group_size=2)
    told = {
        "size_bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    edited(data_set, lambda manifest: manifest["games_file"].update(told))
    file = open_games(read_manifest(data_set))
    assert file.num_row_groups > 2
    assert [file.read_row_group(at).num_rows for at in range(file.num_row_groups)] == [2, 2, 2]
    assert sum(part.num_rows for part in file.iter_batches(4)) == file.read().num_rows == 6


def test_the_schema_of_a_built_set_is_the_one_that_is_asked_for(data_set: Path) -> None:
    for name, schema in ((SHARD, SAMPLE_SCHEMA), (GAMES, GAME_SCHEMA)):
        held = pq.read_schema(data_set / name)
        assert {field.name: field.type for field in held} == {
            field.name: field.type for field in schema
        }
