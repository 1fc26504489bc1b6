"""Whole games with GNU Go, in both roles: what each side plays is legal for the other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.reference.gnugo import Driver, gnugo_path

from mariago.arena import play_match
from mariago.arena.settings import settings_of
from mariago.board.points import BLACK, WHITE
from mariago.players import Limits, make_player
from mariago.rules import Position, fixed_handicap_start

ENGINE = ("--mode", "gtp", "--level", "1")
RULES_OF_GNUGO = {"chinese": "--chinese-rules", "japanese": "--japanese-rules"}


def ours(player: str, size: int, rules: str) -> Driver:
    words = ("--size", str(size), "--rules", rules, "--komi", "6.5")
    return Driver(sys.executable, "-m", "mariago", "gtp", player, *words)


def play_out(black: Driver, white: Driver, both: tuple[Driver, Driver], limit: int) -> int:
    """Let two engines play to two passes or a resignation; return the number of moves."""
    passes, moves = 0, 0
    sides = [("b", black, white), ("w", white, black)]
    while passes < 2 and moves < limit:
        color, mine, other = sides[moves % 2]
        move = mine(f"genmove {color}").strip().lower()
        moves += 1
        if move == "resign":
            return moves
        passes = passes + 1 if move == "pass" else 0
        other(f"play {color} {move}")
    assert stones_of(both[0]) == stones_of(both[1])
    return moves


def stones_of(driver: Driver) -> list[set[str]]:
    return [set(driver(f"list_stones {color}").split()) for color in ("black", "white")]


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("we_are_black", [True, False])
def test_our_server_and_gnugo_play_a_whole_game(we_are_black: bool, rules: str) -> None:
    gnugo = gnugo_path()
    with (
        ours("heuristic", 9, rules) as mine,
        Driver(
            gnugo, *ENGINE, "--boardsize", "9", "--komi", "6.5", RULES_OF_GNUGO[rules]
        ) as theirs,
    ):
        theirs("boardsize 9")
        theirs("komi 6.5")
        mine("clear_board")
        black, white = (mine, theirs) if we_are_black else (theirs, mine)
        moves = play_out(black, white, (mine, theirs), 300)
        assert moves > 10
        assert mine("get_komi") == "6.5"
        assert mine("quit") == ""


def test_records_go_to_and_fro(tmp_path: Path) -> None:
    gnugo = gnugo_path()
    record = tmp_path / "game.sgf"
    with ours("random,seed=1", 13, "japanese") as mine, Driver(gnugo, *ENGINE) as theirs:
        mine("fixed_handicap 4")
        for turn in range(40):
            mine(f"genmove {'wb'[turn % 2]}")
        mine("undo")
        mine(f"printsgf {record}")
        theirs(f"loadsgf {record}")
        assert stones_of(mine) == stones_of(theirs)
        assert theirs("get_komi").strip() == "6.5"
        mine("clear_board")
        theirs("genmove b")
        theirs(f"printsgf {record}")
        mine(f"loadsgf {record}")
        assert stones_of(mine) == stones_of(theirs)
        mine(f"loadsgf {record} 3")
        theirs(f"loadsgf {record} 3")
        assert stones_of(mine) == stones_of(theirs)


def test_a_match_with_gnugo_has_no_faults_and_is_the_same_again(tmp_path: Path) -> None:
    engine = f'gtp:"{gnugo_path()} --mode gtp --level 1 --chinese-rules"'
    settings = settings_of(
        player_a="heuristic", player_b=engine, games=4, size=9, move_limit=None, seed=3
    )
    results = [play_match(settings, tmp_path / str(run)) for run in range(2)]
    assert results[0].games == results[1].games
    assert {game.ending for game in results[0].games} <= {"passes", "resign", "no_result"}
    assert results[0].players["b"]["engine"] == "GNU Go"
    assert results[0].players["b"]["seeded_by"] == "set_random_seed"


def test_handicap_and_set_up_stones_are_on_gnugos_board() -> None:
    player = make_player(f'gtp:"{gnugo_path()} --mode gtp --level 1"')
    player.new_game(5)
    engine = player._running()  # type: ignore[attr-defined]
    diagram = """
        . X O . .
        X X O O .
        . X X O .
        . . X O O
        . . X . O
    """
    for position in (
        fixed_handicap_start(9, 4),
        Position.from_diagram(diagram, to_move=WHITE),
        Position.from_diagram(diagram, to_move=BLACK).play_vertex("D1"),
        Position.empty(5, komi=-3.5).play_vertex("C3").with_to_move(BLACK).play_vertex("C2"),
    ):
        decision = player.choose(position, Limits())
        assert position.is_legal(decision.move)
        if not decision.resigned:
            engine.ask("undo")
        found = {
            word
            for color in ("black", "white")
            for word in engine.ask(f"list_stones {color}").split()
        }
        assert len(found) == int((position.stones != 0).sum())
        assert float(engine.ask("get_komi")) == position.komi
        player._start = None  # type: ignore[attr-defined]
    player.close()
