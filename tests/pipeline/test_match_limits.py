"""A match at other move limits: recounted as a match that was stopped there would have been."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.pipeline.match_players import prepare

from mariago.arena import MatchResult, play_match
from mariago.arena.limits import limits_of_text, stands_at, stopped_at, usual_limits
from mariago.arena.schedule import start_position
from mariago.arena.settings import settings_of
from mariago.errors import BadInputError
from mariago.scoring import score_reference

prepare()
LIMITS = (12, 30, 55)


def play(folder: Path, limit: int, scoring: str, **others: object) -> MatchResult:
    values: dict[str, object] = {"player_a": "random", "player_b": "random,seed=1", "seed": 5}
    values |= {"games": 4, "size": "7x6", "komi": 3.5, "move_limit": limit, "scoring": scoring}
    return play_match(settings_of(**{**values, **others}), folder)  # pyright: ignore


@pytest.mark.parametrize("scoring", ["territory", "area"])
def test_a_recount_is_the_match_that_was_stopped_there(tmp_path: Path, scoring: str) -> None:
    whole = play(tmp_path / "whole", 80, scoring)
    stopped = stopped_at(whole.settings, whole.games, LIMITS)
    for limit, games in zip(LIMITS, stopped, strict=True):
        short = play(tmp_path / f"{limit}", limit, scoring)
        told = [(g.moves, g.winner, g.margin, g.counting) for g in games]
        assert told == [(g.moves, g.winner, g.margin, g.counting) for g in short.games]
        (stand,) = stands_at(whole.settings, whole.games, (limit,))[:1]
        assert stand.score == short.summary.score
        assert stand.leads[scoring] == short.summary.leads[0].median
        assert stand.lead_games[scoring] == len(short.summary.leads[0].games)
    end = stands_at(whole.settings, whole.games, LIMITS)[-1]
    assert (end.limit, end.score) == (None, whole.summary.score)


@pytest.mark.parametrize("scoring", ["territory", "area"])
@pytest.mark.parametrize("komi", [-4.5, 0.0, 6.5])
def test_a_recount_is_the_count_of_the_board_replayed(
    tmp_path: Path, scoring: str, komi: float
) -> None:
    result = play(tmp_path, 70, scoring, komi=komi)
    seen: set[str] = set()
    for limit, games in zip(LIMITS, stopped_at(result.settings, result.games, LIMITS), strict=True):
        for game, whole in zip(games, result.games, strict=True):
            if len(whole.moves) <= limit:
                assert game.margin == whole.margin
                continue
            seen.add(whole.black)
            position = start_position(result.settings)
            for move in whole.moves[:limit]:
                position = position.play(move)
            counted = score_reference(position, result.settings.scoring)
            assert game.margin == counted.margin
            assert counted.komi == komi
            lead = counted.margin if whole.black == "a" else -counted.margin
            assert game.lead_of("a") == lead
            assert game.points_of("a") == (0.5 if lead == 0 else float(lead > 0))
    assert seen == {"a", "b"}


def test_games_that_were_over_count_by_their_end(tmp_path: Path) -> None:
    result = play(tmp_path, 70, "area", player_b="odd,does=resign,at=20")
    assert all(game.ending == "resign" for game in result.games)
    lengths = {len(game.moves) for game in result.games}
    early, late = stopped_at(result.settings, result.games, (19, 30))
    assert lengths <= {20, 21}
    assert all(game.ending == "limit" for game in early)
    assert late == list(result.games)
    stand = stands_at(result.settings, result.games, (30,))[0]
    assert (stand.reached, stand.games, stand.leads) == (0, 4, {})
    assert stand.score == result.summary.score
    # Whoever was to answer at the limit itself was not asked any more.
    (same,) = stopped_at(result.settings, result.games, (20,))
    assert {game.ending for game in same} == {"limit"}


def test_limits_go_by_the_board() -> None:
    def of(size: str, limit: int | None) -> tuple[int, ...]:
        return usual_limits(settings_of(player_a="a", player_b="b", size=size, move_limit=limit))

    assert of("19", None) == (80, 150, 200)
    assert of("19", 150) == (80,)
    assert of("13", None) == (35, 70, 95)
    assert of("9", 150) == (20, 35, 45)
    assert of("5", 10) == (6,)
    assert of("1", 1) == ()


def test_limits_as_people_write_them() -> None:
    assert limits_of_text(" 200, 80,80 ") == (80, 200)
    for text in ("", "80,", "0", "-5", "8.5", "many", "٣", "9" * 40):
        with pytest.raises(BadInputError):
            limits_of_text(text)
