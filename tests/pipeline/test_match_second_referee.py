"""A second referee: what it counts, what it cannot, and that no game is lost by it."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import Field
from tests.pipeline.match_players import prepare

from mariago.arena import GameRecord, MatchResult, MatchStore, play_match
from mariago.arena.league import League, play_league
from mariago.arena.outputs import results_dict, summary_text, write_results
from mariago.arena.recounts import Recount
from mariago.arena.referee import count_again, referee_of
from mariago.arena.report import write_report
from mariago.arena.second_figures import second_figures
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.start import Start
from mariago.board.points import BLACK, WHITE
from mariago.errors import MatchError, PlayerError
from mariago.players import Kind, make_player, register
from mariago.players.registry import Options
from mariago.reports import provenance
from mariago.rules import Position

ENGINE = """
import sys, time
how, games = {how!r}, 0
for line in sys.stdin:
    number, name = line.split()[:2]
    if name == "clear_board":
        moves = []
    if name == "play":
        moves.append(line.split()[3])
    said = ""
    if name == "list_commands":
        said = "final_score"
    if name == "final_score":
        if how == "hang":
            time.sleep(600)
        if how == "crash":
            print("out of luck", file=sys.stderr, flush=True)
            sys.exit(3)
        if how == "refuse":
            print("?" + number + " not today\\n", flush=True)
            continue
        said = {{"nonsense": "B+R", "huge": "W+9999", "draw": "0"}}.get(how, "B+%d.5" % len(moves))
    print("=" + number + " " + said + "\\n", flush=True)
"""


class JudgeOptions(Options):
    """Keys of ``judge``."""

    file: str = Field("", description="where it notes that it was asked")


class Judge:
    """Counts as the number of moves says, and notes that it was asked."""

    def __init__(self, name: str, options: JudgeOptions) -> None:
        self.name, self.options = name, options

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, position: Position, limits: object) -> Any:
        raise NotImplementedError

    def final_score(self, position: Position) -> float:
        with Path(self.options.file).open("a") as file:
            file.write(f"{position.move_number}\n")
        return 0.5 if position.move_number % 2 else -3.5

    def describe(self) -> dict[str, object]:
        return {"name": self.name, "kind": "judge"}

    def close(self) -> None:
        pass


prepare()
register(Kind("judge", "counts", JudgeOptions, lambda name, _, options: Judge(name, options)))


def settings(**others: object) -> MatchSettings:
    values: dict[str, object] = {"games": 4, "size": 5, "move_limit": 12, "seed": 2, **others}
    values = {"player_a": "random", "player_b": "random,seed=5", **values}
    return settings_of(**values)  # pyright: ignore


def engine(place: Path, how: str, timeout_s: float = 20) -> str:
    place.mkdir(exist_ok=True)
    file = place / f"{how}.py"
    file.write_text(ENGINE.format(how=how))
    return f'gtp:"{sys.executable} {file}",timeout_s={timeout_s}'


def game(number: int, margin: float | None, ending: Any = "limit") -> GameRecord:
    winner = BLACK if margin is None else 0 if margin == 0 else BLACK if margin > 0 else WHITE
    black = "a" if number % 2 == 0 else "b"
    return GameRecord(number, black, (), (1,), winner, margin, ending)


def test_the_figures_of_six_games_worked_out_by_hand() -> None:
    # Black's leads: the match's own and the second referee's; games 1, 3, 5 have B as Black.
    games = [
        game(0, 2.5), game(1, -1.5), game(2, 4.0), game(3, 0.0), game(4, None, "resign"),
        game(5, 7.5),
    ]  # fmt: skip
    said = {0: 3.5, 1: 6.5, 2: 4.0, 3: 0.0}
    found = {n: Recount(n, margin) for n, margin in said.items()} | {5: Recount(5, None, "no")}
    figures = second_figures(games, found, "judge", {})
    assert (figures.asked, figures.counted) == (5, 4)
    assert figures.differing == (1,)
    assert figures.not_counted == (5,)
    assert (figures.rate.value, figures.rate.count) == (0.25, 4)
    # A's lead changes by +1, -8, 0 and 0.
    assert (figures.difference.value, figures.difference.count) == (0.0, 2)
    # By it A wins game 0, loses game 1, wins game 2, draws game 3; pair 2 is left out.
    assert (figures.score.value, figures.score.count) == (0.625, 2)


def test_every_counted_game_is_asked_about_once(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    referee = f"judge,file={notes}"
    first = play_match(settings(), tmp_path / "out")
    assert first.second is None
    again = play_match(settings(), tmp_path / "out", resume=True, referee=referee)
    assert again.games == first.games
    assert again.second is not None
    assert again.second.counted == again.second.asked == 4
    assert len(notes.read_text().split()) == 4
    same = play_match(settings(games=6), tmp_path / "out", resume=True, referee=referee)
    assert len(notes.read_text().split()) == 6
    assert same.second is not None
    for one in same.games:
        assert same.second.recounts[one.number].margin == (0.5 if len(one.moves) % 2 else -3.5)
    other = play_match(
        settings(games=6), tmp_path / "out", resume=True, referee="judge,file=/dev/null"
    )
    assert other.second is not None
    assert other.second.counted == 6  # another referee counts for itself
    assert len(notes.read_text().split()) == 6


def test_resigned_games_and_faults_are_left_alone(tmp_path: Path) -> None:
    terms = settings(player_b="odd,does=resign,at=6")
    result = play_match(terms, tmp_path / "out", referee=f"judge,file={tmp_path / 'notes'}")
    assert result.second is not None
    assert result.second.asked == 0
    assert not (tmp_path / "notes").exists()
    assert result.second.score.value == result.summary.score.value
    assert "counted 0 of 0" in summary_text(result)
    write_report(result, provenance("mariago match", 2))


FAULTS = {
    "crash": "crash: .*out of luck",
    "refuse": "refused: .*not today",
    "nonsense": r"garbage: .*'B\+R' to final_score",
    "huge": r"garbage: .*'W\+9999' to final_score",
    "hang": "time_out: no reply to 'final_score'",
}


@pytest.mark.parametrize("how", FAULTS)
def test_a_referee_that_fails_costs_no_game(tmp_path: Path, how: str) -> None:
    terms, referee = settings(games=2), engine(tmp_path / "e", how, 1.5 if how == "hang" else 20)
    plain = play_match(terms, tmp_path / "plain")
    result = play_match(terms, tmp_path / "out", referee=referee)
    assert result.games == plain.games
    assert result.summary.score == plain.summary.score
    second = result.second
    assert second is not None
    assert (second.counted, second.not_counted) == (0, (0, 1))
    text = summary_text(result)
    for number in second.not_counted:
        assert second.recounts[number].margin is None
        assert re.search(FAULTS[how], second.recounts[number].detail)
        assert f"Game {number + 1}" in text
    again = play_match(terms, tmp_path / "out", resume=True, referee=referee)
    assert again.second == second


def test_a_game_that_a_referee_failed_on_is_asked_about_again(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    script = tmp_path / "engine.py"
    body = ENGINE.replace(
        "how, games = {how!r}, 0", f"how = 'refuse' if exists({str(broken)!r}) else ''"
    )
    script.write_text("from os.path import exists\n" + body.replace("{{", "{").replace("}}", "}"))
    referee = f'gtp:"{sys.executable} {script}"'
    broken.touch()
    first = play_match(settings(games=2), tmp_path / "out", referee=referee)
    assert first.second is not None
    assert first.second.not_counted == (0, 1)
    broken.unlink()
    second = play_match(settings(games=2), tmp_path / "out", resume=True, referee=referee).second
    assert second is not None
    assert (second.counted, second.not_counted) == (2, ())
    broken.touch()  # what was counted stays
    assert (
        play_match(settings(games=2), tmp_path / "out", resume=True, referee=referee).second
        == second
    )


def test_an_engine_is_shown_the_whole_game(tmp_path: Path) -> None:
    result = play_match(settings(), tmp_path / "out", referee=engine(tmp_path / "e", "moves"))
    assert result.second is not None
    for one in result.games:
        assert result.second.recounts[one.number].margin == len(one.moves) + 0.5
    drawn = play_match(
        settings(), tmp_path / "out", resume=True, referee=engine(tmp_path / "e", "draw")
    )
    assert drawn.second is not None
    assert drawn.second.differing == tuple(g.number for g in drawn.games if g.winner)
    assert drawn.second.score.value == 0.5


def test_a_referee_is_looked_at_before_the_first_game(tmp_path: Path) -> None:
    for name, said in (("random", "cannot count a game"), ("heuristic", "cannot count a game")):
        with pytest.raises(MatchError, match=said):
            play_match(settings(), tmp_path / "out", referee=name)
    with pytest.raises(PlayerError):
        play_match(settings(), tmp_path / "out", referee='gtp:"/no/such/engine"')
    assert not (tmp_path / "out").exists()


def test_a_net_takes_dead_stones_off(tmp_path: Path) -> None:
    # Two walls with territory behind them; a lone stone of each colour is dead in the other's.
    rows = ["...XO....", ".O.XO..X.", *["...XO...."] * 7]
    stones = np.array([[".XO".index(c) for c in row] for row in rows], np.uint8)
    assert referee_of("net").described["kind"] == "net"
    player = make_player("net")
    start = Start.of(stones, BLACK)
    record = GameRecord(0, "a", (), (81, 81), WHITE, -14.5, "passes", counting="area", start=start)
    terms = settings(size=9, move_limit=None)
    found = count_again(player, terms, record)
    assert found.margin == 36 - 45 - 7.5
    player.close()


def test_table_page_json_and_csv_hold_both_counts(tmp_path: Path) -> None:
    result = play_match(settings(), tmp_path / "out", referee=f"judge,file={tmp_path / 'n'}")
    second = result.second
    assert second is not None
    assert "Second referee" in summary_text(result)
    origin = provenance("mariago match", 2)
    told = json.loads(json.dumps(results_dict(result, origin)))["second_referee"]
    assert [one["number"] for one in told["recounts"]] == [0, 1, 2, 3]
    assert told["rate"]["count"] == 4
    write_results(result, origin)
    head, *rows = (result.folder / "results.csv").read_text().splitlines()
    assert head.endswith("winner_second,lead_a_second,second_detail")
    for one, row in zip(result.games, rows, strict=True):
        margin = second.recounts[one.number].margin
        assert margin is not None
        lead = margin if one.black == "a" else -margin
        assert row.endswith(f",{'a' if lead > 0 else 'b'},{lead},")
    figures = (result.folder / "figures.csv").read_text()
    assert '"other winner by the second referee, Wilson"' in figures
    for lang, word in (("en", "Second referee"), ("ja", "二人目の審判")):
        page = write_report(result, origin, lang).read_text("utf-8")
        assert word in page


def test_a_league_s_pairings_are_counted_again(tmp_path: Path) -> None:
    names = ["random", "random,seed=5", "random,seed=6"]
    league = League.of(settings(games=2), names)
    result = play_league(league, tmp_path / "out", referee=f"judge,file={tmp_path / 'n'}")
    assert [match.second and match.second.counted for match in result.matches] == [2, 2, 2]


def counted(result: MatchResult) -> dict[int, Recount]:
    assert result.second is not None
    return dict(result.second.recounts)


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("gnugo") is None and not os.path.exists("/usr/games/gnugo"), reason="no GNU Go"
)
def test_gnugo_counts_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    program = shutil.which("gnugo") or "/usr/games/gnugo"
    referee = f'gtp:"{program} --mode gtp --chinese-rules"'
    terms = settings(player_a="heuristic", player_b="heuristic:v5", size=9, move_limit=None)
    one = play_match(terms, tmp_path / "one", referee=referee)
    two = play_match(terms, tmp_path / "two", jobs=2, referee=referee)
    assert counted(one) == counted(two)
    assert one.second is not None
    assert one.second.counted == 4
    store = MatchStore.open(tmp_path / "one")
    assert tuple(store.games()) == one.games
    store.close()
