"""A match comes out the same with any number of workers, and after kill -9."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mariago.arena import GameRecord, MatchStore, play_match
from mariago.arena.outputs import write_results
from mariago.arena.settings import MatchSettings, settings_of
from mariago.errors import MatchError
from mariago.reports import provenance
from mariago.sgf import read_games

MATCH = ("random", "random,seed=5", "--size", "9", "--komi", "6.5", "--seed", "11")


def settings(**others: object) -> MatchSettings:
    values: dict[str, object] = {"games": 8, "size": 9, "komi": 6.5, "move_limit": 60, "seed": 11}
    return settings_of(player_a="random", player_b="random,seed=5", **{**values, **others})  # pyright: ignore


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "games").iterdir())}


def without_seconds(folder: Path) -> dict[str, object]:
    """Return results.json without what a clock has written into it."""
    found = json.loads((folder / "results.json").read_text())
    del found["provenance"], found["seconds_a_move"]
    for side in ("a", "b"):
        del found["summary"][side]["seconds_a_move"]
    for game in found["games"]:
        del game["seconds"]
    return found


def run_match(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mariago", "match", *MATCH, "--out", str(folder), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_the_number_of_workers_does_not_change_a_game(tmp_path: Path) -> None:
    alone = play_match(settings(), tmp_path / "alone", jobs=1)
    shared = play_match(settings(), tmp_path / "shared", jobs=2)
    assert alone.games == shared.games
    assert files_of(tmp_path / "alone") == files_of(tmp_path / "shared")
    assert len({game.moves for game in alone.games}) == 8


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    one = play_match(settings(), tmp_path / "one")
    other = play_match(settings(seed=12), tmp_path / "other")
    assert all(a.moves != b.moves for a, b in zip(one.games, other.games, strict=True))


def test_every_game_is_an_sgf_that_reads_back_with_its_moves_and_result(tmp_path: Path) -> None:
    result = play_match(settings(), tmp_path)
    for game in result.games:
        path = tmp_path / "games" / f"{game.number + 1:05d}.sgf"
        (read,) = read_games(path.read_bytes(), strict=True)
        assert tuple(move for _, move in read.moves) == game.moves
        assert read.result == game.result
        assert read.komi == 6.5
        assert not read.problems


class Interrupted(Exception):
    pass


def test_a_match_goes_on_where_it_stood(tmp_path: Path) -> None:
    whole = play_match(settings(), tmp_path / "whole")
    kept: list[GameRecord | None] = []

    def stop_at_three(game: GameRecord | None) -> None:
        kept.append(game)
        if len(kept) == 3:
            raise Interrupted

    folder = tmp_path / "part"
    with pytest.raises(Interrupted):
        play_match(settings(), folder, on_game=stop_at_three)
    assert len(MatchStore.open(folder).games()) == 3
    (folder / "games" / "00002.sgf").unlink()
    seen: list[GameRecord | None] = []
    resumed = play_match(settings(), folder, resume=True, on_game=seen.append)
    assert len(seen) == 8
    assert resumed.games == whole.games
    assert files_of(folder) == files_of(tmp_path / "whole")
    again = play_match(settings(), folder, resume=True)
    assert again.games == whole.games


def test_a_match_is_played_on_to_more_games(tmp_path: Path) -> None:
    whole = play_match(settings(games=10, move_limit=20), tmp_path / "whole")
    folder = tmp_path / "grown"
    play_match(settings(games=4, move_limit=20), folder)
    seen: list[GameRecord | None] = []
    grown = play_match(settings(games=10, move_limit=20), folder, resume=True, on_game=seen.append)
    assert len(seen) == 10
    assert grown.games == whole.games
    assert grown.summary.planned == 10
    assert files_of(folder) == files_of(tmp_path / "whole")
    with pytest.raises(MatchError, match="games: 10 then, 4 now") as error:
        play_match(settings(games=4, move_limit=20), folder, resume=True)
    assert "may grow" in str(error.value.hint)


def test_a_match_that_was_stopped_on_its_way_to_more_games_goes_on(tmp_path: Path) -> None:
    whole = play_match(settings(games=8, move_limit=20), tmp_path / "whole")
    folder = tmp_path / "grown"
    play_match(settings(games=2, move_limit=20), folder)

    def stop_at_five(game: GameRecord | None) -> None:
        assert game is not None
        if game.number == 4:
            raise Interrupted

    with pytest.raises(Interrupted):
        play_match(settings(games=8, move_limit=20), folder, resume=True, on_game=stop_at_five)
    resumed = play_match(settings(games=8, move_limit=20), folder, resume=True)
    assert resumed.games == whole.games


def wait_for_games(folder: Path, wanted: int, process: subprocess.Popen[str]) -> None:
    store = folder / "match.sqlite"
    for _ in range(1200):
        if process.poll() is not None:
            pytest.fail(f"the match ended by itself: {process.communicate()}")
        if store.exists():
            with sqlite3.connect(store) as connection:
                try:
                    (count,) = connection.execute("SELECT count(*) FROM game").fetchone()
                except sqlite3.OperationalError:  # the table is being made
                    count = 0
            connection.close()
            if count >= wanted:
                return
        time.sleep(0.05)
    pytest.fail("no games after a minute")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is a matter of POSIX systems")
def test_kill_9_loses_only_the_games_in_hand(tmp_path: Path) -> None:
    options = ["--games", "120", "--move-limit", "90"]
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "mariago", "match", *MATCH, "--out", str(folder)]
    process = subprocess.Popen(
        [*command, *options, "--jobs", "2"], stderr=subprocess.PIPE, text=True
    )
    wait_for_games(folder, 5, process)
    process.kill()
    process.communicate()
    store = MatchStore.open(folder)
    kept = store.games()
    store.close()
    assert 5 <= len(kept) < 120
    refused = run_match(folder, *options, "--jobs", "2")
    assert refused.returncode == 2
    assert "holds a match already" in refused.stderr
    resumed = run_match(folder, *options, "--jobs", "2", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    whole = play_match(settings(games=120, move_limit=90), tmp_path / "whole")
    write_results(whole, provenance("in one go", 11))
    assert without_seconds(folder) == without_seconds(tmp_path / "whole")
    assert files_of(folder) == files_of(tmp_path / "whole")


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="counts processes in /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mariago", "match", *MATCH, "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        [*command, "--games", "4000", "--opening-moves", "0", "--jobs", "2"],
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_games(tmp_path / "out", 1, process)
    children = children_of(process.pid)
    assert len(children) >= 2
    process.kill()
    process.communicate()
    for _ in range(100):
        if not any(os.path.exists(f"/proc/{child}") for child in children):
            return
        time.sleep(0.1)
    pytest.fail("workers outlive their parent")


def children_of(parent: int) -> list[int]:
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = (folder / "stat").read_text()
            except OSError:
                continue
            if int(status.rpartition(")")[2].split()[1]) == parent:
                found.append(int(folder.name))
    return found


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"komi": 7.5}, "komi: 6.5 then, 7.5 now"),
        ({"games": 6}, "games: 8 then, 6 now"),
        ({"games": 10, "komi": 7.5}, "settings: komi: 6.5 then, 7.5 now$"),
        ({"seed": 1}, "seed: 11 then, 1 now"),
        ({"scoring": "area"}, "scoring: 'territory' then, 'area' now"),
    ],
)
def test_resuming_with_other_settings_is_refused(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    play_match(settings(games=8, move_limit=10), tmp_path)
    with pytest.raises(MatchError, match=said):
        play_match(settings(**{"move_limit": 10, **changes}), tmp_path, resume=True)


def test_resuming_with_a_changed_player_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mariago.players.random_player import RandomPlayer

    play_match(settings(games=2, move_limit=10), tmp_path)
    monkeypatch.setattr(RandomPlayer, "describe", lambda self: {"name": self.name, "sha256": "new"})
    with pytest.raises(MatchError, match="Player A's sha256: None then, 'new' now"):
        play_match(settings(games=2, move_limit=10), tmp_path, resume=True)


def test_a_match_in_a_folder_of_an_odd_name(tmp_path: Path) -> None:
    folder = tmp_path / "a b?c#d%20 对局"
    play_match(settings(games=2, move_limit=10), folder)
    assert (folder / "match.sqlite").is_file()
    assert len(MatchStore.open(folder).games()) == 2
    (tmp_path / "file").write_text("")
    with pytest.raises(MatchError, match="cannot be a folder"):
        play_match(settings(games=2, move_limit=10), tmp_path / "file")


def test_a_broken_store_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="no match here"):
        MatchStore.open(tmp_path)
    (tmp_path / "match.sqlite").write_bytes(b"not a database, but long enough to be looked at" * 9)
    with pytest.raises(MatchError, match="cannot be used as a store"):
        play_match(settings(), tmp_path, resume=True)
