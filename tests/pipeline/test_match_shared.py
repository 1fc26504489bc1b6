"""One store, several processes: a game is played by one of them, and a killed one's games again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from mariago.arena import MatchStore, play_match
from mariago.arena.claims import FOR_EVER_S, Claims, is_gone
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.store import Store, key_of
from mariago.errors import MatchError

SCRIPT = """
import sys, time
from pathlib import Path
from mariago.arena import play_match, workers
from mariago.arena.settings import settings_of

folder, log, slow_s, url = sys.argv[1:]
play = workers.play_game

def logged(plan, *others):
    with open(log, "a") as file:
        file.write(f"{plan.number}\\n")
    time.sleep(float(slow_s))
    return play(plan, *others)

workers.play_game = logged
settings = settings_of(player_a="random", player_b="random,seed=5", games=12, size=5, move_limit=12)
result = play_match(settings, Path(folder), resume=True, store_url=url or None)
print(len(result.games))
"""


def settings(**others: object) -> MatchSettings:
    values: dict[str, object] = {"games": 12, "size": 5, "move_limit": 12, **others}
    return settings_of(player_a="random", player_b="random,seed=5", **values)  # pyright: ignore


def start(folder: Path, log: Path, slow_s: float = 0.05, url: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, str(folder), str(log), str(slow_s), url]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def lines_of(log: Path) -> list[int]:
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def test_two_processes_share_a_match(tmp_path: Path) -> None:
    folder, logs = tmp_path / "out", [tmp_path / "one.log", tmp_path / "two.log"]
    both = [start(folder, log, 0.3) for log in logs]
    told = [process.communicate(timeout=300) for process in both]
    assert [out for out, _ in told] == ["12\n", "12\n"], told
    played = Counter(number for log in logs for number in lines_of(log))
    assert played == Counter(range(12))
    assert len(list((folder / "games").glob("*.sgf"))) == 12
    alone = play_match(settings(), tmp_path / "alone")
    store = MatchStore.open(folder)
    assert tuple(store.games()) == alone.games
    store.close()
    assert {path.name for path in folder.iterdir()} == {"games", "match.sqlite"}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is a matter of POSIX systems")
def test_the_games_of_a_killed_process_are_taken_again(tmp_path: Path) -> None:
    folder, log = tmp_path / "out", tmp_path / "one.log"
    process = start(folder, log, slow_s=1000)
    for _ in range(2400):
        if lines_of(log):
            break
        time.sleep(0.05)
    process.kill()
    process.communicate()
    assert lines_of(log) == [0]
    with sqlite3.connect(folder / "match.sqlite") as connection:
        ((holder, until_s),) = connection.execute("SELECT holder, until_s FROM claim").fetchall()
    connection.close()
    assert is_gone(holder)
    assert until_s > time.time() - 3600
    assert len(play_match(settings(), folder, resume=True).games) == 12


@pytest.fixture
def shared(tmp_path: Path) -> Store:
    return Store.make(tmp_path / "store.sqlite")


def test_a_claim_holds_while_its_holder_lives_and_until_its_lease_ends(shared: Store) -> None:
    with shared.claims() as one, shared.claims() as other:
        assert one.take(1, 0)
        assert not other.take(1, 0)
        assert other.take(1, 1)
        one.release(1, 0)
        assert other.take(1, 0)
        with shared.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE claim SET until_s = 5 WHERE number = 1")
        assert one.take(1, 1)
    with shared.claims() as third:
        assert third.take(1, 0)
        assert third.take(1, 1)
    shared.close()


def test_claims_of_ended_processes_of_this_machine_are_free_at_once(shared: Store) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           capture_output=True, text=True, check=True)  # fmt: skip
    mine = Claims(shared.engine)
    here, pid, rest = mine.holder.split("|")
    assert int(pid) == os.getpid()
    assert not is_gone(mine.holder)
    assert is_gone(f"{here}|{int(ended.stdout)}|{rest}")
    assert not is_gone(f"elsewhere|{int(ended.stdout)}|{rest}")
    assert not is_gone("odd")
    mine.close()
    shared.close()


def test_a_game_that_is_there_is_neither_claimed_nor_replaced(tmp_path: Path) -> None:
    result = play_match(settings(games=2), tmp_path)
    store = MatchStore.begin(tmp_path, result.settings, result.players, resume=True)
    with store.store.claims() as claims:
        assert not claims.take(1, 0)
        with store.store.engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM claim")
        assert not claims.take(1, 0)
        with store.store.engine.begin() as connection:
            assert connection.exec_driver_sql("SELECT until_s FROM claim").scalar() == FOR_EVER_S
    store.add(result.games[0])
    assert store.games() == list(result.games)
    store.close()


def test_a_database_named_by_url_holds_several_matches(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'all.sqlite'}"
    one = play_match(settings(games=2), tmp_path / "one", store_url=url)
    two = play_match(settings(games=4, seed=3), tmp_path / "two", store_url=url)
    with pytest.raises(MatchError, match="holds this match"):
        play_match(settings(games=2), tmp_path / "one", store_url=url)
    more = play_match(settings(games=6), tmp_path / "one", store_url=url, resume=True)
    assert more.games[:2] == one.games
    with pytest.raises(MatchError, match="2 matches here") as error:
        MatchStore.open(url)
    assert "#1 to" in str(error.value.hint)
    second = MatchStore.open(f"{url}#2")
    assert tuple(second.games()) == two.games
    second.close()
    with pytest.raises(MatchError, match="no match 3"):
        MatchStore.open(f"{url}#3")
    assert not (tmp_path / "one" / "match.sqlite").exists()
    assert key_of(one.settings, one.players) == key_of(more.settings, more.players)


def test_a_store_of_the_first_format_is_read_and_goes_on(tmp_path: Path) -> None:
    whole = play_match(settings(games=4), tmp_path / "whole")
    folder = tmp_path / "old"
    play_match(settings(games=2), folder)
    connection = sqlite3.connect(folder / "match.sqlite")
    names = [row[1] for row in connection.execute("PRAGMA table_info(game)")][1:]
    for later in ("left", "start"):
        names.remove(later)
    connection.executescript(f"""
        CREATE TABLE old (number INTEGER NOT NULL PRIMARY KEY, {", ".join(names[1:])});
        INSERT INTO old SELECT {", ".join(names)} FROM game;
        DROP TABLE game; ALTER TABLE old RENAME TO game; DROP TABLE claim;
        CREATE TABLE old (id INTEGER NOT NULL PRIMARY KEY, format, settings, players);
        INSERT INTO old SELECT id, 1, settings, players FROM match;
        DROP TABLE match; ALTER TABLE old RENAME TO match;
    """)
    connection.close()
    before = (folder / "match.sqlite").read_bytes()
    store = MatchStore.open(folder)
    assert tuple(store.games()) == whole.games[:2]
    store.close()
    assert (folder / "match.sqlite").read_bytes() == before
    assert play_match(settings(games=4), folder, resume=True).games == whole.games


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "not the URL of a database"),
        ("cobol://x/y", "not the URL of a database"),
        ("postgresql+pg8000://localhost/none", "the driver pg8000 is missing"),
    ],
)
def test_urls_that_cannot_be_used_are_one_line(tmp_path: Path, url: str, said: str) -> None:
    with pytest.raises(MatchError, match=said):
        play_match(settings(), tmp_path, store_url=url)
