"""Outside engines as players: kept in step, and every fault recorded."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from mariago.arena import MatchResult, play_match
from mariago.arena.settings import settings_of
from mariago.board.points import WHITE
from mariago.errors import EngineError, PlayerError
from mariago.players import Decision, Limits, Player, make_player, resolve_name
from mariago.rules import Position, fixed_handicap_start

FAKE = Path(__file__).resolve().parents[1] / "reference" / "fake_engine.py"
FREE = Limits()


def name(how: str, moves: str = "", **keys: object) -> str:
    command = shlex.join([sys.executable, str(FAKE), how, *([moves] if moves else [])])
    given = "".join(f",{key}={value}" for key, value in keys.items())
    return 'gtp:"' + command.replace('"', '""') + '"' + given


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "engine.log"
    monkeypatch.setenv("FAKE_ENGINE_LOG", str(path))
    return path


def heard(log: Path) -> list[str]:
    """Return what the engine was sent since the last call, without ids."""
    lines = [line.split(" ", 1)[-1].strip() for line in log.read_text().splitlines()]
    log.write_text("")
    return lines


def started(how: str = "", moves: str = "", **keys: object) -> Player:
    player = make_player(name(how, moves, **keys))
    player.new_game(1)
    return player


def test_the_engine_is_sent_only_what_it_has_not_seen(log: Path) -> None:
    player = started("", "C3,E5,G7")
    position = Position.empty(9)
    heard(log)
    position = position.play(player.choose(position, FREE).move)
    assert heard(log) == ["boardsize 9", "clear_board", "komi 7.5", "genmove black"]
    position = position.play_vertex("D4")
    position = position.play(player.choose(position, FREE).move)
    assert heard(log) == ["play white D4", "genmove black"]
    # The game goes another way than the engine's own move: all again, from the start.
    other = Position.empty(9).play_vertex("C3").play_pass()
    assert player.choose(other, FREE) == Decision(2 * 9 + 6)
    again = ["boardsize 9", "clear_board", "komi 7.5", "play black C3", "play white pass"]
    assert heard(log) == [*again, "genmove black"]
    player.close()
    assert heard(log) == ["quit"]


def test_a_new_game_has_a_fresh_engine_unless_it_is_told_to_stay(log: Path) -> None:
    for fresh, count in (("true", 2), ("false", 1)):
        player = started("", fresh=fresh)
        player.choose(Position.empty(9), FREE)
        player.new_game(2)
        player.choose(Position.empty(9), FREE)
        said = heard(log)
        assert said.count("name") == count
        assert said.count("clear_board") == 2
        player.close()


def test_handicap_set_up_stones_and_sides_reach_the_engine(log: Path) -> None:
    player = started()
    heard(log)
    player.choose(fixed_handicap_start(9, 2, komi=0.5), FREE)
    assert heard(log)[2:] == ["komi 0.5", "play black G7", "play black C3", "genmove white"]
    start = Position.from_diagram("X O .\n. O .\n. . .", to_move=WHITE)
    player.choose(start.play_vertex("C1").with_to_move(WHITE).play_vertex("C2"), FREE)
    assert heard(log) == [
        *("boardsize 3", "clear_board", "komi 7.5"),
        *("play black A3", "play white B3", "play white B2"),
        *("play white C1", "play white C2", "genmove black"),
    ]
    player.close()


def test_rectangles_need_an_engine_that_knows_them() -> None:
    player = started()
    with pytest.raises(EngineError, match="only square"):
        player.choose(Position.empty("9x13"), FREE)


def test_the_keys_are_sent_at_the_start(log: Path) -> None:
    player = started("", level=3, commands="'boardsize 7;komi 3'")
    assert heard(log) == [
        *("name", "version", "list_commands", "level 3", "boardsize 7", "komi 3"),
    ]
    player.close()


def test_a_description_names_engine_command_and_how_it_is_seeded() -> None:
    player = make_player(name(""))
    told = player.describe()
    assert told["engine"] == "Fake"
    assert told["engine_version"] == "0"
    assert told["seeded_by"] == "nothing"
    assert len(str(told["command_sha256"])) == len(str(told["program_sha256"])) == 64
    player.close()


def test_names_are_checked_before_anything_runs() -> None:
    with pytest.raises(PlayerError, match="needs a target"):
        resolve_name("gtp")
    with pytest.raises(PlayerError, match="timeout_s"):
        resolve_name("gtp:gnugo,timeout_s=0")
    with pytest.raises(EngineError, match="cannot start"):
        make_player("gtp:no-such-engine").describe()
    with pytest.raises(EngineError, match="quote"):
        make_player("gtp:go ' go")


def play(tmp_path: Path, a: str, **others: object) -> MatchResult:
    values: dict[str, object] = {"games": 4, "size": 5, "komi": 0.5, "move_limit": 30, **others}
    settings = settings_of(player_a=a, player_b="random", **values)  # pyright: ignore
    return play_match(settings, tmp_path / "out")


@pytest.mark.parametrize(
    ("how", "ending", "said"),
    [
        ("crash", "fault", "crash: the engine ended with exit code 7 at 'genmove "),
        ("crash", "fault", "its last words: segmentation fault, it seems"),
        ("hang", "fault", "time_out: no reply to 'genmove "),
        ("garbage", "fault", "garbage: the engine answers 'banana split' to genmove"),
        ("off_board", "fault", "garbage: the engine answers 'T19' to genmove"),
        ("empty", "fault", "garbage: the engine answers '' to genmove"),
        ("refuse", "fault", "refused: the engine refuses 'genmove "),
        ("picky", "fault", "refused: the engine refuses 'play "),
        ("small", "fault", "refused: the engine refuses 'boardsize 5': unacceptable size"),
    ],
)
def test_a_fault_is_the_end_of_its_game_and_the_next_begins_afresh(
    tmp_path: Path, how: str, ending: str, said: str
) -> None:
    result = play(tmp_path, name(how, timeout_s=1 if how == "hang" else 30))
    assert len(result.games) == 4
    for game in result.games:
        assert game.ending == ending
        assert said in game.detail
        assert "\n" not in game.detail
        assert game.points_of("a") == 0
    assert result.summary.a.faults == 4


def test_an_illegal_move_and_a_resignation_are_told_apart(tmp_path: Path) -> None:
    result = play(tmp_path / "resign", name("", "resign"))
    assert {game.ending for game in result.games} == {"resign"}
    result = play(tmp_path / "illegal", name("", ",".join(["C3"] * 9)))
    assert {game.ending for game in result.games} == {"illegal"}
    assert all("C3: occupied" in game.detail for game in result.games)


def test_an_engine_that_cannot_start_stops_the_match_before_it_begins(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as caught:
        play(tmp_path, name("no_start"))
    assert caught.value.last_words == "no licence found"
    assert not (tmp_path / "out").exists()


def test_passing_engines_play_whole_games(tmp_path: Path) -> None:
    result = play(tmp_path, name("crlf"), games=2)
    assert {game.ending for game in result.games} <= {"limit", "passes"}


@pytest.mark.slow  # the workers load every kernel
@pytest.mark.skipif(sys.platform == "win32", reason="looks for processes by /proc")
def test_no_engine_is_left_after_a_match_with_workers(tmp_path: Path) -> None:
    settings = settings_of(
        player_a=name("", "", timeout_s=77), player_b="random", games=4, size=5, move_limit=6
    )
    play_match(settings, tmp_path / "out", jobs=2)
    left = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes()
        except OSError:
            continue
        if str(FAKE).encode() in words and f"/{os.getpid()}/" not in str(entry):
            left.append(words)
    assert left == []
