"""Matches that a sequential test ends: when, with which games, and after an interruption."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.pipeline.match_players import prepare

from mariago.arena import GameRecord, MatchStore, play_match, summarise
from mariago.arena.outputs import results_dict, summary_text, verdict_line
from mariago.arena.report import write_report
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.statistics import SprtTerms
from mariago.arena.stopping import PairWatch, counted_games
from mariago.errors import MatchError
from mariago.reports import provenance

prepare()
RESIGNS = "odd,does=resign,at=4"


def settings(b: str = RESIGNS, **others: object) -> MatchSettings:
    terms = SprtTerms(elo0=0, elo1=400)
    values: dict[str, object] = {"games": 40, "size": 5, "komi": 0.5, "move_limit": 9, "seed": 3}
    return settings_of(player_a="random", player_b=b, **{"sprt": terms, **values, **others})  # pyright: ignore


def test_a_match_ends_between_two_pairs_when_it_is_decided(tmp_path: Path) -> None:
    result = play_match(settings(), tmp_path)
    s = result.summary
    assert s.sprt is not None
    assert s.sprt.decision == "elo1"
    assert s.sprt.llr > s.sprt.upper
    assert len(result.games) == 2 * s.sprt.pairs == s.played
    assert s.played < s.planned == 40
    assert s.missing == s.beyond == ()
    assert s.a.wins_without_faults == s.a.wins == s.played
    text = summary_text(result)
    for said in ("LLR +", "biased by stopping early", "elo1 is taken", "of at most 40"):
        assert said in text
    assert json.loads(json.dumps(results_dict(result, provenance("x", 0))))["summary"]["sprt"]
    for lang in ("en", "zh"):
        assert "elo1=400" in write_report(result, provenance("x", 3), lang).read_text()


class Interrupted(Exception):
    pass


def test_a_match_that_was_stopped_goes_on_to_the_same_decision(tmp_path: Path) -> None:
    whole = play_match(settings(), tmp_path / "whole")
    seen: list[GameRecord | None] = []

    def stop_at_three(game: GameRecord | None) -> None:
        seen.append(game)
        if len(seen) == 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        play_match(settings(), tmp_path / "part", on_game=stop_at_three)
    resumed = play_match(settings(), tmp_path / "part", resume=True)
    assert resumed.games == whole.games
    assert resumed.summary.sprt == whole.summary.sprt
    again = play_match(settings(), tmp_path / "part", resume=True)
    assert again.games == whole.games
    assert len(MatchStore.open(tmp_path / "part").games()) == len(whole.games)
    with pytest.raises(MatchError, match="sprt"):
        play_match(settings(sprt=None), tmp_path / "part", resume=True)


def test_workers_come_to_the_same_decision(tmp_path: Path) -> None:
    alone = play_match(settings(), tmp_path / "alone")
    shared = play_match(settings(), tmp_path / "shared", jobs=2, prepare=prepare)
    assert shared.games == alone.games
    assert shared.summary.sprt == alone.summary.sprt


def test_without_a_decision_all_games_are_played(tmp_path: Path) -> None:
    result = play_match(settings("random,seed=1", games=2), tmp_path)
    s = result.summary
    assert (s.played, s.missing) == (2, ())
    assert s.sprt is not None
    assert s.sprt.decision is None
    assert "undecided" in summary_text(result)
    assert verdict_line(s).startswith("too few games to tell")


def won_by_a(number: int) -> GameRecord:
    black = "a" if number % 2 == 0 else "b"
    return GameRecord(number, black, (), (1,), 1 if black == "a" else 2, None, "resign")


def test_pairs_count_in_the_order_of_their_numbers_whatever_order_they_end_in() -> None:
    games = [won_by_a(number) for number in range(40)]
    wanted = counted_games(settings(), games)
    assert wanted.last == len(wanted.games) - 1 < 39
    assert len(wanted.beyond) == 40 - len(wanted.games)
    watch = PairWatch(settings())
    late = games[:2]
    for game in [*games[2:][::-1], late[1]]:
        assert not watch.note(game.number, game)
    assert watch.note(0, late[0])


def test_a_pair_that_lost_a_game_is_passed_over() -> None:
    games = [won_by_a(number) for number in range(40) if number != 2]
    watch = PairWatch(settings())
    ended = [number for number in range(40) if watch.note(number, won_by_a(number))]
    again = PairWatch(settings())
    later = [n for n in range(40) if again.note(n, None if n == 2 else won_by_a(n))]
    assert later[0] == ended[0] + 2
    assert counted_games(settings(), games).last == later[0]
    summary = summarise(settings(), games)
    assert summary.missing == (2,)
    assert len(summary.beyond) == 39 - later[0]


def test_a_verdict_for_no_games_few_games_and_equal_players() -> None:
    plain = settings(sprt=None)
    assert "no pair" in verdict_line(summarise(plain, ()))
    few = summarise(plain, [won_by_a(0), won_by_a(1)])
    assert "too few games" in verdict_line(few)
    many = summarise(plain, [won_by_a(number) for number in range(40)])
    assert verdict_line(many) == "random is stronger here"
