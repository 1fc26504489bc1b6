"""Play a player against GNU Go, and let both sides' referees count every game.

::

    python tools/against_gnugo.py --level 1 --size 9 --games 100
    python tools/against_gnugo.py --player search,visits=64 --size 13 --games 40 --figures own.json

Chinese rules, komi 7.5, pairs of games from one opening with colours swapped, to two passes. GNU Go
is told to take dead stones off the board (``--capture-all-dead --play-out-aftermath``), so that the
board can be counted as it stands: our referee's area count. GNU Go's own ``final_score`` is the
second referee (``mariago match --referee``); games in which they name different winners are listed.
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
from mariago.arena.second_figures import second_lead
from mariago.arena.settings import settings_of
from mariago.errors import MariagoError

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "reference" / "heuristic-gnugo.json"
OPTIONS = "--chinese-rules --capture-all-dead --play-out-aftermath"


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
    referee = f'gtp:"{chosen.gnugo} --mode gtp --level 1 --chinese-rules",timeout_s=600'
    result = play_match(settings, folder, resume=True, jobs=chosen.jobs, referee=referee)
    second = result.second
    assert second is not None
    counted = [game for game in result.games if second_lead(game, second.recounts, "a") is not None]
    leads = [[game.lead_of("a"), second_lead(game, second.recounts, "a")] for game in counted]
    figure = {
        "player": result.settings.player_a,
        "level": chosen.level,
        "size": chosen.size,
        "games": len(result.games),
        "our_referee": result.summary.score.as_list(),
        "gnugo_referee": second.score.as_list(),
        "median_lead": np.median(leads, axis=0).tolist() if leads else None,
        "other_winner_in_games": list(second.differing),
        "not_counted_by_gnugo": list(second.not_counted),
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
