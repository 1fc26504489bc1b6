"""Leagues: who meets whom, growing, killing, what they leave; matches in one store."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.pipeline.match_players import prepare
from tests.pipeline.page_texts import left_in_english

from mariago.arena import GameRecord, MatchStore, play_match
from mariago.arena.league import League, LeagueResult, play_league, read_player_list
from mariago.arena.league_outputs import league_text, write_league
from mariago.arena.league_report import write_league_report
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.standings import read_matches, standings_of
from mariago.cli.main import call
from mariago.errors import MatchError, PlayerError
from mariago.reports import provenance

prepare()
ONE, TWO, RESIGNS, BREAKS = (
    *("random", "random,seed=2"),
    *("odd,does=resign,at=4", "odd,does=illegal,at=5"),
)


def terms(**others: object) -> MatchSettings:
    values: dict[str, object] = {"games": 2, "size": 5, "komi": 0.5, "move_limit": 9, **others}
    return settings_of(player_a="", player_b="", **values)  # pyright: ignore


def moves_by_pairing(result: LeagueResult) -> dict[tuple[str, str], list[tuple[int, ...]]]:
    return {
        (m.settings.player_a, m.settings.player_b): [game.moves for game in m.games]
        for m in result.matches
    }


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> LeagueResult:
    folder = tmp_path_factory.mktemp("league") / "three"
    return play_league(League.of(terms(), [ONE, TWO, RESIGNS]), folder)


def test_everybody_meets_everybody_in_pairs_of_games(three: LeagueResult) -> None:
    assert len(three.matches) == 3
    assert all(len(match.games) == 2 for match in three.matches)
    lines = {line.name: line for line in three.standings.lines}
    assert {name: line.games for name, line in lines.items()} == {ONE: 4, TWO: 4, RESIGNS: 4}
    assert lines[RESIGNS].wins == 0
    assert sum(line.points for line in lines.values()) == 6
    openings = {match.games[0].opening for match in three.matches}
    assert len(openings) > 1


def test_a_pairing_is_the_match_of_its_two_players_and_seed(
    three: LeagueResult, tmp_path: Path
) -> None:
    first = three.matches[0]
    assert play_match(first.settings, tmp_path / "alone").games == first.games


def test_new_players_meet_the_pool_alone_and_nothing_is_played_again(
    three: LeagueResult, tmp_path: Path
) -> None:
    folder = tmp_path / "grown"
    play_league(League.of(terms(), [ONE, TWO]), folder)
    seen: list[GameRecord | None] = []
    new = League.of(terms(), [ONE, TWO], [RESIGNS, BREAKS])
    assert len(new.pairings) == 4
    grown = play_league(new, folder, resume=True, on_game=seen.append)
    assert len(seen) == 8
    found, before = moves_by_pairing(grown), moves_by_pairing(three)
    assert len(found) == 5
    assert (BREAKS, RESIGNS) not in found
    assert {pair: found[pair] for pair in before} == before
    assert {line.name for line in grown.standings.lines} == {ONE, TWO, RESIGNS, BREAKS}
    more = play_league(League.of(terms(games=4), [ONE, TWO]), folder, resume=True)
    assert sorted(len(match.games) for match in more.matches) == [2, 2, 2, 2, 4]


def test_a_league_goes_on_where_it_stood_and_workers_change_nothing(
    three: LeagueResult, tmp_path: Path
) -> None:
    class Interrupted(Exception):
        pass

    kept: list[GameRecord | None] = []

    def stop_at_three(game: GameRecord | None) -> None:
        kept.append(game)
        if len(kept) == 3:
            raise Interrupted

    league, folder = League.of(terms(), [RESIGNS, TWO, ONE]), tmp_path / "part"
    with pytest.raises(Interrupted):
        play_league(league, folder, on_game=stop_at_three)
    resumed = play_league(league, folder, resume=True, jobs=2, prepare=prepare)
    assert moves_by_pairing(resumed) == moves_by_pairing(three)
    with pytest.raises(MatchError, match="holds a league already"):
        play_league(league, folder)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"komi": 1.5}, "komi: 0.5 then, 1.5 now"),
        ({"seed": 5}, "seed: another one now"),
        ({"move_limit": None}, "move_limit: 9 then, None now"),
    ],
)
def test_a_league_on_other_terms_is_refused(
    three: LeagueResult, changes: dict[str, object], said: str
) -> None:
    with pytest.raises(MatchError, match=said) as error:
        play_league(League.of(terms(**changes), [ONE, TWO, RESIGNS]), three.folder, resume=True)
    assert "players may come" in str(error.value.hint)


def test_a_changed_player_is_refused(three: LeagueResult, monkeypatch: pytest.MonkeyPatch) -> None:
    from mariago.players.random_player import RandomPlayer

    monkeypatch.setattr(RandomPlayer, "describe", lambda self: {"name": self.name, "sha256": "new"})
    with pytest.raises(MatchError, match="sha256: None then, 'new' now"):
        play_league(League.of(terms(), [ONE, TWO, RESIGNS]), three.folder, resume=True)


@pytest.mark.parametrize(
    ("pool", "new", "said"),
    [
        ([ONE], [], "too few players"),
        ([], [ONE, TWO], "too few players"),
        ([ONE, TWO, ONE], [], "random is named twice"),
        ([ONE, TWO], [ONE], "random is named twice"),
    ],
)
def test_players_that_make_no_league_are_refused(
    pool: list[str], new: list[str], said: str
) -> None:
    with pytest.raises(MatchError, match=said):
        League.of(terms(), pool, new)


def test_an_unknown_player_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(PlayerError):
        play_league(League.of(terms(), [ONE, "nobody"]), tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_leagues_and_matches_share_a_database(three: LeagueResult, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'all.sqlite'}"
    play_match(terms(seed=9).model_copy(update={"player_a": ONE, "player_b": TWO}),
               tmp_path / "match", store_url=url)  # fmt: skip
    league = League.of(terms(), [ONE, TWO, RESIGNS])
    result = play_league(league, tmp_path / "league", store_url=url)
    assert moves_by_pairing(result) == moves_by_pairing(three)
    with pytest.raises(MatchError, match="holds this league"):
        play_league(league, tmp_path / "league", store_url=url)
    store = MatchStore.open(f"{url}#1")
    assert store.settings().seed == 9
    store.close()


def test_the_files_agree_and_the_page_links_to_every_pairing(
    three: LeagueResult, tmp_path: Path
) -> None:
    origin = provenance("mariago league", 0)
    write_league(three, origin)
    html = write_league_report(three, origin).read_text()
    rows = list(csv.DictReader((three.folder / "pairings.csv").open(newline="")))
    told = json.loads((three.folder / "league.json").read_text())
    assert [row["report"] for row in rows] == [one["report"] for one in told["pairings"]]
    links = re.findall(r'<a href="(pairings[^"]*)"', html)
    assert links == [f"pairings/{n:03d}/report.html" for n in (1, 2, 3)]
    points = {line.name: line.points for line in three.standings.lines}
    assert sum(int(row["wins_a"]) + int(row["wins_b"]) + int(row["draws"]) for row in rows) == 6
    assert {p["name"]: p["points"] for p in told["standings"]["players"]} == points
    assert f"{ONE} – {RESIGNS}" in league_text(three) or f"{RESIGNS} – {ONE}" in league_text(three)


def test_standings_take_a_whole_league_or_the_matches_named(three: LeagueResult) -> None:
    def table(*places: str) -> list[tuple[str, float | None, int]]:
        found = standings_of(read_matches([*places]))
        return [(line.name, line.elo.value, line.games) for line in found.lines]

    folder = str(three.folder)
    whole = [(line.name, line.elo.value, line.games) for line in three.standings.lines]
    assert table(folder) == whole
    assert table(f"{folder}/league.sqlite", folder, f"{folder}#2") == whole
    assert table(*(f"{folder}#{n}" for n in three.numbers)) == whole
    assert sum(games for _, _, games in table(f"{folder}#1", f"{folder}#2")) == 8
    assert [match.place for match in read_matches([folder])] == [f"{folder}#{n}" for n in (1, 2, 3)]
    with pytest.raises(MatchError, match="3 matches here"):
        MatchStore.open(folder)


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_page_is_written_in_every_language(three: LeagueResult, lang: str) -> None:
    origin = provenance("mariago league", 0)
    english = write_league_report(three, origin).read_text()
    other = write_league_report(three, origin, lang).read_text()
    assert three.standings.notes  # somebody won or lost everything
    names = ("random", "odd", "Elo", "{", "mariago", "2", origin.machine)
    assert [text for text in left_in_english(english, other) if not text.startswith(names)] == []


def test_a_list_of_players_leaves_out_remarks(tmp_path: Path) -> None:
    path = tmp_path / "players.txt"
    path.write_text("# ours\nrandom\n\n  random,seed=2\n")
    assert read_player_list(path) == [ONE, TWO]
    with pytest.raises(MatchError, match=r"none: cannot be read: No such file or directory$"):
        read_player_list(tmp_path / "none")
    path.write_bytes(b"random\n\xff\xfe\n")
    with pytest.raises(MatchError, match=r"cannot be read: it is no text in UTF-8$") as error:
        read_player_list(path)
    assert "a player on each line" in str(error.value.hint)


def test_the_command_plays_a_league(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "players.txt").write_text(f"{TWO}\n")
    out = str(tmp_path / "out")
    words = ["league", ONE, "--players", str(tmp_path / "players.txt"), "--size", "5"]
    words += ["--move-limit", "6", "--games", "2", "--jobs", "1", "--out", out]
    assert call(words) == 0
    found = capsys.readouterr()
    assert "Points / games" in found.out
    assert "Pairings" in found.out
    assert "games: 2/2" in found.err
    assert (tmp_path / "out" / "pairings" / "001" / "report.html").is_file()
    assert call(words) == 2


def test_kill_9_loses_only_the_games_in_hand(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "mariago", "league", ONE, TWO, "random,seed=3"]
    command += ["--size", "9", "--games", "200", "--jobs", "1", "--out", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    for _ in range(2400):
        if len(list(folder.glob("pairings/*/games/*.sgf"))) >= 4:
            break
        time.sleep(0.05)
    process.kill()
    process.communicate()
    connection = sqlite3.connect(folder / "league.sqlite")
    kept = dict(connection.execute("SELECT match_id, count(*) FROM game GROUP BY match_id"))
    connection.close()
    assert sum(kept.values()) >= 4
    # Pair by pair: no pairing is more than a pair ahead of another.
    assert max(kept.values()) - min(kept.get(n, 0) for n in (1, 2, 3)) <= 2

    class Enough(Exception):
        pass

    seen: list[GameRecord | None] = []

    def stop(game: GameRecord | None) -> None:
        seen.append(game)
        if len(seen) > sum(kept.values()):
            raise Enough

    again = settings_of(player_a="", player_b="", games=200, size=9)
    with pytest.raises(Enough):
        play_league(
            League.of(again, [ONE, TWO, "random,seed=3"]), folder, resume=True, on_game=stop
        )
