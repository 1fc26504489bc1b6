"""Play a player against GNU Go, and let both sides' referees count every game.

::

    python tools/against_gnugo.py --level 1 --size 9 --games 100
    python tools/against_gnugo.py --player search,visits=64 --size 13 --games 40 --figures own.json

Chinese rules, komi 7.5, pairs of games from one opening with colours swapped, to two passes. GNU Go
is told to take dead stones off the board (``--capture-all-dead --play-out-aftermath``), so that the
board can be counted as it stands: our referee's area count. GNU Go's own ``final_score`` of the
same moves is the second referee; games in which they name different winners are listed.
``runs/gnugo`` gets the games, ``--figures`` (``docs/reference/heuristic-gnugo.json``) the figures.
A second run goes on where the first one stopped.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

import numpy as np

from mariago.arena.match import play_match
from mariago.arena.records import GameRecord
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.statistics import pair_score
from mariago.board.points import move_to_vertex
from mariago.errors import MariagoError
from mariago.gtpwire import Engine

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "reference" / "heuristic-gnugo.json"
OPTIONS = "--chinese-rules --capture-all-dead --play-out-aftermath"


def theirs(engine: Engine, game: GameRecord, settings: MatchSettings) -> float:
    """Return Black's lead by GNU Go's ``final_score``."""
    engine.ask(f"boardsize {settings.rows}")
    engine.ask("clear_board")
    engine.ask(f"komi {settings.komi:g}")
    for number, move in enumerate(game.moves):
        color = "white" if number % 2 else "black"
        engine.ask(f"play {color} {move_to_vertex(move, settings.size)}")
    said = engine.ask("final_score", 600.0)
    if said.strip() == "0":
        return 0.0
    lead = float(said[2:])
    return lead if said[0] == "B" else -lead


def share(leads: list[float]) -> list[float | None]:
    """Return our score of a list of leads, two a pair, with its interval."""
    points = [(float(np.sign(lead)) + 1) / 2 for lead in leads]
    return pair_score([sum(points[i : i + 2]) / 2 for i in range(0, len(points), 2)]).as_list()


def main() -> None:
    """Play, count twice, and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--gnugo", default="gnugo", help="the program")
    parser.add_argument("--player", default="heuristic")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    chosen = parser.parse_args()
    command = f"{chosen.gnugo} --mode gtp --level {chosen.level} {OPTIONS}"
    settings = settings_of(
        player_a=chosen.player,
        player_b=f'gtp:"{command}",timeout_s=600',
        games=chosen.games,
        size=chosen.size,
        rules="chinese",
        move_limit=None,
        scoring="area",
        seed=2,
    )
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{chosen.player}-{chosen.level}-{chosen.size}")
    folder = ROOT / "runs" / "gnugo" / name
    result = play_match(settings, folder, resume=True, jobs=chosen.jobs)
    engine = Engine(f"{chosen.gnugo} --mode gtp --level 1 --chinese-rules")
    ours_of, theirs_of, split = [], [], []
    for game in result.games:
        side = 1.0 if game.black == "a" else -1.0
        if game.margin is None:  # resigned, a fault, or no result: no board to count
            won = {0: 0.0, 1: side, 2: -side}[game.winner]
            ours_of.append(won)
            theirs_of.append(won)
            continue
        ours_of.append(side * game.margin)
        theirs_of.append(side * theirs(engine, game, settings))
        if np.sign(ours_of[-1]) != np.sign(theirs_of[-1]):
            split.append(game.number)
    engine.close()
    figure = {
        "player": result.settings.player_a,
        "level": chosen.level,
        "size": chosen.size,
        "games": len(result.games),
        "our_referee": share(ours_of),
        "gnugo_referee": share(theirs_of),
        "median_lead": [float(np.median(ours_of)), float(np.median(theirs_of))],
        "other_winner_in_games": split,
        "seconds_a_move": [
            sum(game.seconds[who] for game in result.games)
            / max(1, sum(game.turns[who] for game in result.games))
            for who in ("a", "b")
        ],
        "endings": {
            end: sum(g.ending == end for g in result.games)
            for end in ("passes", "cap", "resign", "illegal", "fault", "no_result")
        },
    }
    print(json.dumps(figure))
    file: Path = chosen.figures
    known = json.loads(file.read_text()) if file.exists() else {}
    known[f"{chosen.player}, level {chosen.level}, {chosen.size}x{chosen.size}"] = figure
    file.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except MariagoError as error:
        sys.exit(f"error: {error}\n{error.hint or ''}".rstrip())
