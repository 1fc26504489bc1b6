"""How games of a match can end, and what is recorded of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.pipeline.match_players import prepare

from mariago.arena import MatchResult, play_match, summarise
from mariago.arena.settings import settings_of

prepare()


def play(tmp_path: Path, a: str, b: str = "random", jobs: int = 1, **others: object) -> MatchResult:
    values: dict[str, object] = {"games": 4, "size": 5, "komi": 0.5, "move_limit": 30, **others}
    settings = settings_of(player_a=a, player_b=b, **values)  # pyright: ignore
    return play_match(settings, tmp_path / "out", jobs=jobs, prepare=prepare)


@pytest.mark.parametrize(
    ("does", "ending", "said"),
    [
        ("illegal", "illegal", "occupied"),
        ("nonsense", "illegal", "'D4' is no move"),
        ("outside", "illegal", "off the board"),
        ("raise", "fault", "ValueError: the player's program failed (match_players.py:"),
        ("refuse", "fault", "RuntimeError: no new game"),
    ],
)
def test_a_player_that_breaks_the_game_loses_it_and_is_named(
    tmp_path: Path, does: str, ending: str, said: str
) -> None:
    result = play(tmp_path, f"odd,does={does},at=6")
    assert len(result.games) == 4
    for game in result.games:
        assert game.ending == ending
        assert said in game.detail
        assert "\n" not in game.detail
        assert game.points_of("a") == 0
        assert str(game.result).endswith("+F")
        assert game.margin is None
    assert result.summary.a.illegal + result.summary.a.faults == 4
    assert result.summary.b.illegal + result.summary.b.faults == 0
    assert result.summary.score.value == 0
    assert result.summary.leads == ()


def test_resignation_ends_a_game_without_a_lead(tmp_path: Path) -> None:
    result = play(tmp_path, "odd,does=resign,at=6")
    assert {game.ending for game in result.games} == {"resign"}
    assert {str(game.result) for game in result.games} == {"W+R", "B+R"}
    assert result.summary.a.resigned == 4
    assert result.summary.leads == ()


def test_two_passes_end_a_game_and_the_rules_count_it(tmp_path: Path) -> None:
    odd = "odd,does=pass,at=8"
    result = play(tmp_path, odd, odd, move_limit=None)
    assert {(game.ending, game.counting) for game in result.games} == {("passes", "area")}
    result = play(tmp_path / "japanese", odd, odd, rules="japanese", move_limit=None)
    assert {game.counting for game in result.games} == {"territory"}


def test_the_limit_stops_a_game_and_reference_scoring_counts_it(tmp_path: Path) -> None:
    for scoring in ("territory", "area"):
        result = play(tmp_path / scoring, "random", move_limit=12, scoring=scoring)
        for game in result.games:
            assert (game.ending, game.counting, len(game.moves)) == ("limit", scoring, 12)
            assert game.margin is not None
            assert game.margin % 1 == 0.5


def test_without_a_limit_a_game_still_ends(tmp_path: Path) -> None:
    result = play(tmp_path, "random", size=3, move_limit=None, games=20)
    assert all(len(game.moves) <= 3 * 9 + 2 for game in result.games)
    assert {game.ending for game in result.games} <= {"passes", "cap", "no_result"}


def test_a_repeated_board_under_simple_ko_is_no_result_and_half_a_point(tmp_path: Path) -> None:
    seen = set[str]()
    for seed in range(4):
        result = play(
            tmp_path / str(seed), "random", size="3x1", move_limit=60, games=20, seed=seed
        )
        for game in result.games:
            seen.add(game.ending)
            if game.ending == "no_result":
                assert (str(game.result), game.points_of("a"), game.points_of("b")) == (
                    *("Void", 0.5, 0.5),
                )
    assert "no_result" in seen


def test_leads_and_colours_are_seen_from_player_a(tmp_path: Path) -> None:
    # Komi so large that White always wins: each player wins its two white games.
    result = play(tmp_path, "random", "random,seed=1", komi=49.5, games=12)
    s = result.summary
    assert (s.a.wins, s.b.wins, s.black_wins) == (6, 6, 0)
    assert (s.a.wins_as_black, s.a.wins_as_white, s.a.games_as_white) == (0, 6, 6)
    assert s.pentanomial == (0, 0, 6, 0, 0)
    assert s.score.value == 0.5
    for game in result.games:
        assert game.lead_of("a") == (game.margin if game.black == "a" else -game.margin)  # type: ignore[operator]


def test_thinking_time_is_kept_for_each_player(tmp_path: Path) -> None:
    result = play(tmp_path, "odd,does=slow,at=0", games=2, move_limit=8)
    s = result.summary
    assert s.a.seconds_a_move is not None
    assert s.b.seconds_a_move is not None
    assert s.a.seconds_a_move >= 0.05 > s.b.seconds_a_move
    openings = sum(len(game.opening) for game in result.games)
    assert s.a.turns + s.b.turns == sum(s.lengths) - openings


def test_equal_players_without_chance_give_duplicates_that_are_counted(tmp_path: Path) -> None:
    odd = "odd,does=go on,at=1"
    result = play(tmp_path, odd, odd, games=4, move_limit=25, size=9)
    assert result.summary.duplicate_games == 2  # the two games of each pair are one
    assert result.summary.duplicates_at_move_20 == 2


def test_a_worker_that_dies_costs_its_own_game_alone(tmp_path: Path) -> None:
    result = play(tmp_path, "odd,does=die,at=10", jobs=2, games=2, size=5, move_limit=12)
    assert result.games == ()
    assert result.summary.missing == (0, 1)
    assert result.summary.score.value is None


def test_leads_counted_by_area_and_by_territory_are_never_mixed(tmp_path: Path) -> None:
    # Under area rules games that end by two passes are counted by area, stopped ones by territory.
    odd = "odd,does=pass,at=13"
    result = play(tmp_path, odd, "random", games=20, move_limit=16, size=9)
    ways = {lead.counting: len(lead.games) for lead in result.summary.leads}
    assert ways == {"territory": 20}
    both = play(tmp_path / "both", odd, odd, games=4, move_limit=15, size=9)
    assert [lead.counting for lead in both.summary.leads] == ["area"]
    mixed = summarise(result.settings, [*result.games[:12], *both.games[2:]])
    assert [(lead.counting, len(lead.games)) for lead in mixed.leads] == [
        ("territory", 12),
        ("area", 2),
    ]
    assert mixed.lead is mixed.leads[0]
