"""Matches from openings of a folder and from balanced ones: start, records, resuming, refusals."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mariago.arena import MatchResult, MatchStore, play_match
from mariago.arena.league import League, play_league
from mariago.arena.learning import learn_match
from mariago.arena.limits import stopped_at
from mariago.arena.opening_deal import with_openings
from mariago.arena.opening_figures import figures_of_openings
from mariago.arena.outputs import results_dict, summary_text, write_results
from mariago.arena.report import write_report
from mariago.arena.report_games import game_blocks
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings, settings_of
from mariago.board.points import WHITE
from mariago.errors import MatchError
from mariago.lessons import Book
from mariago.reports import GameBrowser, provenance
from mariago.sgf import read_games
from mariago.words import texts

TEXTS = (
    "(;SZ[9]AB[dd][ge]AW[gd][de]PL[W])",
    "(;SZ[9]AB[dd][ff];W[fe];B[ee])",
    "(;SZ[9];B[dd];W[ff])",
    "(;SZ[9]AW[cc]AB[ee]PL[B])",
)


def folder_of(place: Path, texts_: tuple[str, ...] = TEXTS) -> str:
    place.mkdir()
    for number, text in enumerate(texts_):
        (place / f"{number}.sgf").write_text(text)
    return str(place)


def settings(source: str, **others: object) -> MatchSettings:
    values: dict[str, object] = {"games": 8, "size": 9, "move_limit": 24, "seed": 3, **others}
    terms = settings_of(player_a="random", player_b="random,seed=5", **values)  # pyright: ignore
    return with_openings(terms, source)


def same(one: MatchResult, other: MatchResult) -> bool:
    figures = figures_of_openings(one), figures_of_openings(other)
    return one.games == other.games and figures[0] == figures[1]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> MatchResult:
    place = tmp_path_factory.mktemp("openings")
    return play_match(settings(folder_of(place / "o")), place / "out")


def test_both_games_of_a_pair_begin_alike_and_pairs_do_not(played: MatchResult) -> None:
    pairs = list(zip(played.games[::2], played.games[1::2], strict=True))
    for first, second in pairs:
        assert (first.start, first.opening) == (second.start, second.opening)
        assert (first.black, second.black) == ("a", "b")
    assert len({(game.start, game.opening) for game in played.games}) == len(TEXTS)


def test_records_hold_the_stones_and_whose_turn_it_is(played: MatchResult) -> None:
    firsts: set[int] = set()
    for game in played.games:
        (read,) = read_games(game.sgf.encode(), strict=True)
        assert not read.problems
        position = start_position(played.settings, game.start)
        again = read.to_game()
        assert np.array_equal(again.start.stones, position.stones)
        assert (again.start.to_move, read.handicap) == (position.to_move, 0)
        assert [move for _, move in read.moves] == list(game.moves)
        assert read.moves[0][0] == position.to_move
        firsts.add(position.to_move)
    assert WHITE in firsts


def test_the_store_takes_its_games_back(played: MatchResult) -> None:
    store = MatchStore.open(played.folder)
    assert tuple(store.games()) == played.games
    assert store.settings().openings is not None
    store.close()


def test_the_report_and_files_name_and_show_the_openings(played: MatchResult) -> None:
    origin = provenance("mariago match", 3)
    figures = figures_of_openings(played)
    assert (figures.distinct, figures.pairs, figures.stones, figures.moves) == (
        4,
        4,
        (0, 4),
        (0, 2),
    )
    assert "o: 4 distinct in 4 pairs, 0 to 4 stones and 0 to 2 moves" in summary_text(played)
    told = json.loads(json.dumps(results_dict(played, origin)))
    assert told["openings"]["sha256"] == figures.sha256
    write_results(played, origin)
    assert ",opening_stones,opening_moves," in (played.folder / "results.csv").read_text()
    for lang in ("en", "ko"):
        page = write_report(played, origin, lang).read_text("utf-8")
        assert figures.sha256[:16] in page
    (browser,) = [b for b in game_blocks(played, (), texts("en")) if isinstance(b, GameBrowser)]
    for game, listed in zip(played.games, browser.games, strict=True):
        assert listed.played is not None
        board = np.zeros(81, np.uint8)
        for point, color in listed.played.start:
            board[point] = color
        stones = start_position(played.settings, game.start).stones
        assert np.array_equal(board.reshape(9, 9), stones)
        assert listed.played.steps[0][0] == (1 if game.start is None else game.start.to_move)


@pytest.mark.parametrize("scoring", ["territory", "area"])
def test_a_recount_at_an_earlier_limit_begins_with_the_stones(tmp_path: Path, scoring: str) -> None:
    source = folder_of(tmp_path / "o")
    long = play_match(settings(source, move_limit=40, scoring=scoring), tmp_path / "long")
    short = play_match(settings(source, move_limit=24, scoring=scoring), tmp_path / "short")
    (stopped,) = stopped_at(long.settings, long.games, (24,))
    assert [(g.moves, g.margin) for g in stopped] == [(g.moves, g.margin) for g in short.games]


def test_lessons_are_drawn_from_the_start_that_was_played(
    played: MatchResult, tmp_path: Path
) -> None:
    with Book.open(tmp_path / "book.sqlite", write=True) as book:
        assert learn_match(book, played.folder).games == len(played.games)


def test_more_games_and_more_workers_change_nothing(tmp_path: Path, played: MatchResult) -> None:
    source = folder_of(tmp_path / "o")
    play_match(settings(source, games=4), tmp_path / "grown", jobs=2)
    grown = play_match(settings(source), tmp_path / "grown", resume=True)
    assert same(grown, played)


def test_more_games_than_openings_are_refused_or_repeat(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "o")
    with pytest.raises(MatchError, match="4 distinct openings are enough for 8 games, not for 10"):
        play_match(settings(source, games=10), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    again = with_openings(
        settings_of(player_a="random", player_b="random,seed=5", games=10, size=9, move_limit=9),
        source,
        repeat=True,
    )
    result = play_match(again, tmp_path / "out")
    assert figures_of_openings(result).repeated == 1
    assert "(1 pair repeats one)" in summary_text(result)
    assert result.summary.duplicate_games == 0


def test_a_changed_folder_is_another_match(tmp_path: Path, played: MatchResult) -> None:
    source = folder_of(tmp_path / "o")
    play_match(settings(source, games=4), tmp_path / "out")
    (tmp_path / "o" / "0.sgf").write_text("(;SZ[9]AB[gg])")
    with pytest.raises(MatchError, match="openings sha256"):
        play_match(changed(source), tmp_path / "out", resume=True)
    with pytest.raises(MatchError, match=r"openings: source=folder .* then, None now"):
        play_match(settings("random"), tmp_path / "out", resume=True)


def changed(source: str) -> MatchSettings:
    """Return settings as a later process reads them."""
    from mariago.arena.opening_pool import read_pool

    read_pool.cache_clear()
    return settings(source)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE opening SET moves = '[5]' WHERE number = 2", "not those of its folder"),
        ("UPDATE opening SET moves = '[99]' WHERE number = 2", "opening 2"),
        ("UPDATE opening SET moves = '[\"x\"]' WHERE number = 2", "moves that are none"),
        ("DELETE FROM opening WHERE number = 0", "an opening is missing"),
        ("""UPDATE opening SET start = '[1, [99], []]' WHERE number = 0""", "off the board"),
        ("UPDATE game SET start = '[1, [3, 3], []]' WHERE number = 0", "start cannot be"),
        ("UPDATE game SET start = '[1, [77], [80]]' WHERE number = 0", "opening is not that"),
        ("UPDATE game SET start = '7' WHERE number = 0", "damaged"),
    ],
)
def test_a_store_that_was_changed_is_found_out(tmp_path: Path, change: str, said: str) -> None:
    source = folder_of(tmp_path / "o")
    play_match(settings(source, move_limit=6), tmp_path / "out")
    with sqlite3.connect(tmp_path / "out" / "match.sqlite") as connection:
        connection.execute(change)
    connection.close()
    with pytest.raises(MatchError, match=said):
        play_match(settings(source, move_limit=6), tmp_path / "out", resume=True)


def test_a_store_from_before_openings_is_read_and_resumed(tmp_path: Path) -> None:
    whole = play_match(settings("random"), tmp_path / "whole")
    play_match(settings("random", games=4), tmp_path / "out")
    file = tmp_path / "out" / "match.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("ALTER TABLE game DROP COLUMN start")
        connection.execute("DROP TABLE opening")
        connection.execute("DROP TABLE recount")
        ((told,),) = connection.execute("SELECT settings FROM match").fetchall()
        left = {name: value for name, value in json.loads(told).items() if name != "openings"}
        connection.execute("UPDATE match SET settings = ?", (json.dumps(left),))
    connection.close()
    before = file.read_bytes()
    store = MatchStore.open(tmp_path / "out")
    assert tuple(store.games()) == whole.games[:4]
    store.close()
    assert file.read_bytes() == before
    assert play_match(settings("random"), tmp_path / "out", resume=True).games == whole.games


def test_a_league_plays_each_pairing_from_the_folder(tmp_path: Path) -> None:
    terms = settings(folder_of(tmp_path / "o"), games=4, move_limit=8)
    names = ["random", "random,seed=5", "random,seed=6"]
    result = play_league(League.of(terms, names), tmp_path / "league")
    for match in result.matches:
        assert figures_of_openings(match).distinct == 2
    again = play_league(League.of(terms, names), tmp_path / "league", resume=True)
    assert [match.games for match in again.matches] == [match.games for match in result.matches]


def run(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [
        *(sys.executable, "-m", "mariago", "match", "random", "random,seed=5", "--size", "9"),
        *("--seed", "3", "--openings", "balanced,within=0.2", "--opening-moves", "4"),
        *("--move-limit", "60", "--jobs", "1", "--out", str(folder), *options),
    ]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_balanced_openings_survive_a_kill(tmp_path: Path) -> None:
    terms = settings_of(
        player_a="random", player_b="random,seed=5", games=60, size=9, move_limit=60, seed=3,
        opening_moves=4,
    )  # fmt: skip
    terms = with_openings(terms, "balanced,within=0.2")
    whole = play_match(terms, tmp_path / "whole", jobs=2)
    process = run(tmp_path / "out", "--games", "60")
    file = tmp_path / "out" / "match.sqlite"
    for _ in range(1200):
        if file.exists() and len(list((tmp_path / "out").glob("games/*.sgf"))) > 3:
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    store = MatchStore.open(tmp_path / "out")
    assert 0 < len(store.games()) < 60
    store.close()
    resumed = play_match(terms, tmp_path / "out", resume=True)
    assert same(resumed, whole)
    figures = figures_of_openings(resumed)
    assert figures.distinct == 30
    assert figures.rejected is not None
    assert figures.least is not None
    assert figures.least >= 0.3
    other = terms.model_copy(
        update={"openings": terms.openings and terms.openings.model_copy(update={"sha256": "0"})}
    )
    with pytest.raises(MatchError, match="openings sha256"):
        play_match(other, tmp_path / "out", resume=True)
