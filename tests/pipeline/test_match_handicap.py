"""Handicap matches: stones, who moves first, komi, records, counts at earlier limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mariago.arena import MatchResult, MatchStore, play_match
from mariago.arena.league import League, play_league
from mariago.arena.learning import learn_match
from mariago.arena.limits import stands_at, stopped_at
from mariago.arena.outputs import summary_text
from mariago.arena.report import write_report
from mariago.arena.report_games import game_blocks
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings, settings_of
from mariago.board.points import BLACK, WHITE
from mariago.errors import MatchError
from mariago.lessons import Book
from mariago.reports import GameBrowser, provenance
from mariago.sgf import read_games
from mariago.words import texts


def settings(**others: object) -> MatchSettings:
    values: dict[str, object] = {"games": 2, "size": 9, "move_limit": 20, "handicap": 3, **others}
    return settings_of(player_a="random", player_b="random,seed=5", **values)  # pyright: ignore


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> MatchResult:
    return play_match(settings(), tmp_path_factory.mktemp("handicap") / "out")


def test_black_has_the_stones_white_moves_first_and_the_players_change(
    played: MatchResult,
) -> None:
    assert played.settings.komi == 0.5
    assert [game.black for game in played.games] == ["a", "b"]
    assert played.games[0].opening == played.games[1].opening
    for game in played.games:
        (read,) = read_games(game.sgf.encode(), strict=True)
        assert read.handicap == 3
        assert read.komi == 0.5
        assert [(color, move) for color, move in read.moves[:2]] == [
            (WHITE, game.moves[0]),
            (BLACK, game.moves[1]),
        ]
        assert read.result == game.result
        assert not read.problems


def test_the_store_takes_its_games_back(played: MatchResult) -> None:
    store = MatchStore.open(played.folder)
    assert tuple(store.games()) == played.games
    store.close()


@pytest.mark.parametrize("scoring", ["area", "territory"])
def test_a_count_at_an_earlier_limit_is_that_of_a_match_stopped_there(
    tmp_path: Path, scoring: str
) -> None:
    long = play_match(settings(scoring=scoring), tmp_path / "long")
    (there,) = stopped_at(long.settings, long.games, [12])
    # Random players do not look at how many moves are left, so the games begin alike.
    short = play_match(settings(scoring=scoring, move_limit=12), tmp_path / "short")
    assert [(game.moves, game.margin) for game in there] == [
        (game.moves, game.margin) for game in short.games
    ]
    assert stands_at(long.settings, long.games, [12])[0].reached == 2


def test_the_page_and_the_table_name_stones_limit_and_count(played: MatchResult) -> None:
    html = write_report(played, provenance("x", 0)).read_text()
    assert re.search(r", \w+ rules, komi [\d.]+, stopped after 20 moves<", html)
    assert "Handicap stones" in html
    assert "3 handicap stones, White first" in summary_text(played)


@pytest.mark.parametrize("lang", ["zh", "ja"])
def test_a_page_in_chinese_or_japanese_has_no_latin_comma_after_its_words(
    played: MatchResult, lang: str
) -> None:
    html = write_report(played, provenance("x", 0), lang).read_text()
    assert re.findall(r"[\u3040-\u30ff\u4e00-\u9fff], ?", html) == []


def test_the_viewer_begins_with_the_stones(played: MatchResult) -> None:
    blocks = game_blocks(played, stands_at(played.settings, played.games), texts("en"))
    (browser,) = [block for block in blocks if isinstance(block, GameBrowser)]
    steps = browser.games[0].played
    assert steps is not None
    stones = start_position(played.settings).stones.ravel()
    assert sorted(steps.start) == [(p, int(c)) for p, c in enumerate(stones) if c]
    assert [color for color, *_ in steps.steps[:2]] == [WHITE, BLACK]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"handicap": 1}, "no fixed handicap of 1 stones"),
        ({"handicap": 10}, "handicap"),
        ({"size": 7, "handicap": 5}, "from 2 to 4"),
        ({"size": 5, "handicap": 2}, "none on boards under 7 lines"),
    ],
)
def test_a_handicap_that_a_board_cannot_have_is_refused(
    changes: dict[str, object], said: str
) -> None:
    with pytest.raises(MatchError, match=said):
        settings(**changes)


def test_a_league_with_a_handicap_is_no_other_league(tmp_path: Path) -> None:
    terms = settings(move_limit=8)
    league = League.of(terms, ["random", "random,seed=5"])
    result = play_league(league, tmp_path / "out")
    assert result.matches[0].settings.handicap == 3
    even = League.of(settings(move_limit=8, handicap=0, komi=0.5), ["random", "random,seed=5"])
    with pytest.raises(MatchError, match="handicap: 3 then, 0 now"):
        play_league(even, tmp_path / "out", resume=True)


def test_lessons_are_not_drawn_from_handicap_games(played: MatchResult, tmp_path: Path) -> None:
    book = Book.open(tmp_path / "book", write=True)
    with pytest.raises(MatchError, match="not drawn from handicap games"):
        learn_match(book, played.folder)
