"""Matches on a clock: losses on time, what is kept of it, what outside engines are told."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from tests.pipeline.match_players import prepare

from mariago.arena import MatchResult, MatchStore, play_match
from mariago.arena.clock import NOT_REPEATABLE, time_terms_of_text
from mariago.arena.outputs import summary_text
from mariago.arena.report import write_report
from mariago.arena.settings import settings_of
from mariago.players import make_player
from mariago.players.clock import ClockLeft
from mariago.players.protocol import Limits
from mariago.reports import provenance
from mariago.rules import Position
from mariago.sgf import read_games

prepare()
SLOW = "odd,does=slow,at=8"  # 0.05 s a move from move 8 on


def play(folder: Path, time: str, a: str = "random", b: str = SLOW) -> MatchResult:
    settings = settings_of(
        player_a=a,
        player_b=b,
        games=2,
        size=5,
        move_limit=16,
        time=time_terms_of_text(time),
    )
    return play_match(settings, folder)


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> MatchResult:
    return play(tmp_path_factory.mktemp("late") / "out", "seconds=0.04")


def test_a_side_that_oversteps_its_clock_loses_on_time(late: MatchResult) -> None:
    assert [game.ending for game in late.games] == ["time", "time"]
    assert [str(game.result) for game in late.games] == ["B+T", "W+T"]
    assert late.summary.a.wins == late.summary.a.wins_without_faults == 2
    assert late.summary.b.on_time == 2
    assert "0.0" in late.games[0].detail


def test_clocks_are_in_the_record_and_the_store(late: MatchResult) -> None:
    game = late.games[0]
    assert len(game.left) == len(game.moves) - len(game.opening)
    assert set(game.left) == {(0.04, 1)}
    store = MatchStore.open(late.folder)
    assert [kept.left for kept in store.games()] == [game.left for game in late.games]
    (read,) = read_games(store.games()[0].sgf.encode(), strict=True)
    assert str(read.result) == "B+T"
    assert tuple(move for _, move in read.moves) == game.moves
    sgf = store.games()[0].sgf
    assert "OT[1x0.04 byo-yomi]" in sgf
    assert len(re.findall(r"[BW]L\[0\.04\]O[BW]\[1\]", sgf)) == len(game.left)
    store.close()


def test_main_time_is_shown_as_it_runs_down(tmp_path: Path) -> None:
    result = play(tmp_path, "main=30,increment=1,grace=0", "random", "random,seed=3")
    for game in result.games:
        assert game.ending == "limit"
        seconds = [left for left, periods in game.left if periods == 0]
        assert len(seconds) == len(game.left)
        assert all(30 < left < 30 + len(game.moves) for left in seconds)
        assert "TM[30]" in game.sgf
        assert "BL[" in game.sgf


def test_the_report_says_the_terms_and_that_results_differ(late: MatchResult) -> None:
    text, html = summary_text(late), write_report(late, provenance("x", 0)).read_text()
    for said in ("byoyomi=1x0.04", NOT_REPEATABLE):
        assert said in text
        assert said in html
    assert "on time 2" in text
    assert "lost on time" in html


ENGINE = """
import sys
log = open(sys.argv[1], "w")
known = ["name", "version", "list_commands", "boardsize", "clear_board", "komi", "play", "genmove"]
known += sys.argv[2:]
for line in sys.stdin:
    number, command = line.split(maxsplit=1)
    log.write(command); log.flush()
    word = command.split()[0]
    print(f"={number} " + ("\\n".join(known) if word == "list_commands" else "pass"), "\\n")
    sys.stdout.flush()
"""


@pytest.mark.parametrize(
    ("known", "left", "told"),
    [
        (["time_settings", "time_left"], ClockLeft(300, 5, 0, 0),
         ["time_settings 300 0 0", "time_left black 300 0"]),
        (["time_settings", "time_left"], ClockLeft(0, 0, 5, 10),
         ["time_settings 0 10 1", "time_left black 10 1"]),
        (["time_settings", "kgs-time_settings", "time_left"], ClockLeft(60.4, 0, 5, 10),
         ["kgs-time_settings byoyomi 60 10 5", "time_left black 60 0"]),
        (["kgs-time_settings", "time_left"], ClockLeft(0, 0, 3, 10),
         ["kgs-time_settings byoyomi 0 10 3", "time_left black 10 3"]),
        (["kata-time_settings", "time_settings", "time_left"], ClockLeft(300, 5, 0, 0),
         ["kata-time_settings fischer 300 5", "time_left black 300 0"]),
        ([], ClockLeft(300, 5, 0, 0), []),
    ],
)  # fmt: skip
def test_engines_are_told_in_the_form_they_know(
    tmp_path: Path, known: list[str], left: ClockLeft, told: list[str]
) -> None:
    (tmp_path / "engine.py").write_text(ENGINE)
    log = tmp_path / "log"
    command = " ".join([sys.executable, str(tmp_path / "engine.py"), str(log), *known])
    player = make_player(f'gtp:"{command}"')
    player.new_game(1)
    for _ in range(2):
        player.choose(Position.empty(5), Limits(clock=left))
    player.close()
    heard = [line for line in log.read_text().splitlines() if "time" in line]
    assert heard == (told + told[1:] if told else [])


def test_an_engine_that_hangs_loses_on_time(tmp_path: Path) -> None:
    fake = Path(__file__).parents[1] / "reference" / "fake_engine.py"
    engine = f'gtp:"{sys.executable} {fake} hang"'
    result = play(tmp_path, "seconds=0.1,grace=0", "random", engine)
    assert [game.ending for game in result.games] == ["time", "time"]
