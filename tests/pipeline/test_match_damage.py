"""Stores that were edited, disks that are full, terms that no match can have: one line each."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from mariago.arena import MatchStore, play_match
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.standings import read_matches
from mariago.errors import MatchError


def settings(**others: object) -> MatchSettings:
    values: dict[str, object] = {"games": 4, "size": 9, "komi": 6.5, "move_limit": 12, "seed": 11}
    return settings_of(player_a="random", player_b="random,seed=5", **{**values, **others})  # pyright: ignore


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match") / "played"
    play_match(settings(), folder)
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "copy"))


def edit(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / "match.sqlite")
    with connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE match SET settings = '{}'",
        "UPDATE match SET settings = '[]'",
        "UPDATE match SET settings = 'null'",
        "UPDATE match SET settings = '{'",
        "UPDATE match SET settings = json_set(settings, '$.komi', 1e300)",
        "UPDATE match SET settings = json_set(settings, '$.rules', 'chess')",
        "UPDATE match SET players = '{}'",
        "UPDATE match SET players = '7'",
        'UPDATE match SET players = \'{"a": 1, "b": 2}\'',
        "UPDATE match SET id = 2",
        "DELETE FROM match",
        "DROP TABLE match",
        "DROP TABLE game",
        "CREATE TABLE other (x)",
        "ALTER TABLE game DROP COLUMN turns",
        "ALTER TABLE match DROP COLUMN players",
        "UPDATE game SET match_id = 2",
        *(
            f"UPDATE game SET {change} WHERE number = 1"
            for change in (
                "number = 77",
                "number = -1",
                "black = 'a'",
                "black = 'c'",
                "opening = '[1]'",
                "opening = '[]'",
                "opening = '7'",
                "moves = '[999]'",
                "moves = '[5, 5]'",
                "moves = '\"D4\"'",
                "moves = '[1.5]'",
                "moves = 'x'",
                "moves = json_insert(moves, '$[#]', 81, '$[#]', 81)",
                "winner = 7",
                "winner = 0",
                "winner = 'B'",
                "margin = -margin",
                "margin = NULL",
                "margin = 9e999",
                "margin = 'much'",
                "ending = 'tired'",
                "ending = 'resign'",
                "counting = 'stones'",
                "counting = ''",
                "seconds = '{}'",
                'seconds = \'{"a": -1, "b": 0}\'',
                'seconds = \'{"a": "x", "b": 0}\'',
                "seconds = '[1, 2]'",
                'turns = \'{"a": 1.5, "b": 0}\'',
                "sgf = ''",
            )
        ),
    ],
)
def test_an_edited_store_is_never_taken_over(folder: Path, statement: str) -> None:
    edit(folder, statement)
    with pytest.raises(MatchError, match=r"match\.sqlite was changed or is damaged") as error:
        play_match(settings(), folder, resume=True)
    assert "\n" not in str(error.value)
    assert error.value.hint


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_store_that_was_cut_is_said_to_be_damaged(folder: Path, share: float) -> None:
    path = folder / "match.sqlite"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    cut = path.read_bytes()
    with pytest.raises(MatchError, match="was changed or is damaged") as error:
        play_match(settings(), folder, resume=True)
    assert "restore the file from a copy" in str(error.value.hint)
    with pytest.raises(MatchError, match="was changed or is damaged"):
        read_matches([str(folder)])
    assert path.read_bytes() == cut


def test_a_store_that_was_emptied_is_no_new_match_while_its_games_lie_there(folder: Path) -> None:
    path = folder / "match.sqlite"
    path.write_bytes(b"")
    with pytest.raises(MatchError, match="is empty, though games were played here") as error:
        play_match(settings(), folder, resume=True)
    assert error.value.hint
    assert path.read_bytes() == b""
    assert len(list((folder / "games").glob("*.sgf"))) == 4
    shutil.rmtree(folder / "games")  # as a run leaves it that was killed at its beginning
    assert len(play_match(settings(), folder, resume=True).games) == 4


def test_an_untouched_store_is_taken_over(folder: Path) -> None:
    assert len(play_match(settings(), folder, resume=True).games) == 4


def test_a_full_disk_names_the_store_and_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mariago.arena import store_tables

    def small(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA max_page_count=13")

    monkeypatch.setattr(store_tables, "_durable", small)
    with pytest.raises(MatchError, match=r"match\.sqlite: cannot be written: .*full") as error:
        play_match(settings(games=40, move_limit=80), tmp_path / "out")
    assert "--resume" in str(error.value.hint)
    monkeypatch.undo()
    kept = len(MatchStore.open(tmp_path / "out").games())
    assert 0 < kept < 40
    again = play_match(settings(games=40, move_limit=80), tmp_path / "out", resume=True)
    assert len(again.games) == 40


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"komi": 1e308}, "komi"),
        ({"komi": -163.0}, "komi"),
        ({"opening_moves": 99999999999999999999, "move_limit": None}, "at most 81"),
        ({"opening_moves": 99999999999999999999}, "opening"),
        ({"games": 10**30}, "games"),
    ],
)
def test_terms_that_no_match_can_have_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(MatchError, match=said):
        settings(**changes)


def test_openings_that_fill_the_board_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="no opening of 60 moves"):
        play_match(settings(opening_moves=60, move_limit=None), tmp_path / "out")
    assert not (tmp_path / "out").exists()
