"""Measure the versions of the rule-based player, and what its terms are worth, in games.

::

    python tools/heuristic_ladder.py versions --games 400
    python tools/heuristic_ladder.py groups --games 200 --size 13
    python tools/heuristic_ladder.py terms --games 200 --size 9
    python tools/heuristic_ladder.py chart

``versions`` plays each version against the one before, ``groups`` and ``terms`` the latest, or
``--version``, against itself with a group or a term switched off: pairs of games from one opening
with colours swapped, played to two passes and counted by area. Each match can be stopped and goes
on. ``runs/heuristic`` gets the games, ``docs/reference/heuristic-figures.json`` the figures;
``chart`` draws them into ``docs/images`` and prints the tables.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from mariago.arena.match import play_match
from mariago.arena.settings import settings_of
from mariago.errors import MariagoError
from mariago.heuristic import LATEST, groups, version_names

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "reference" / "heuristic-figures.json"
RUNS = ROOT / "runs" / "heuristic"
SINGLE_TERMS = (
    "capture",
    "self_atari",
    "avert",
    "own_caught",
    "working_ladder",
    "broken_ladder",
    "tigers_mouth_entry",
    "tigers_mouth_fill",
    "futile",
    "own_territory",
    "double_atari_risk",
    "corner",
    "frontier",
    "area_gain",
    "matters",
    "group_gain",
    "contact",
    "hane",
    "cuts_through",
    "mends",
    "empty_triangle",
)

TITLES = {
    "versions": "Each version against the one before",
    "groups": "A version against itself without a group of terms",
    "terms": "A version against itself without a term",
}

Figure = dict[str, object]


def measure(player_a: str, player_b: str, games: int, size: int) -> Figure:
    """Play a match, or the rest of it; return the score of the first player with its interval."""
    settings = settings_of(
        player_a=player_a,
        player_b=player_b,
        games=games,
        size=size,
        rules="chinese",
        move_limit=None,
        scoring="area",
        seed=1,
    )
    name = f"{player_a}-{player_b}-{size}-{games}".replace("heuristic:", "").replace("/", "-")
    summary = play_match(settings, RUNS / name, resume=True).summary
    score = summary.score.as_list()
    print(f"{player_a} against {player_b}: {score}, {games} games, {size}x{size}", flush=True)
    return {
        "a": player_a,
        "b": player_b,
        "score": score,
        "lead": summary.lead.median.as_list() if summary.lead else [None] * 3,
        "games": games,
        "size": size,
    }


def read_figures() -> dict[str, list[Figure]]:
    """Return the figures that are there, by part."""
    return json.loads(FIGURES.read_text()) if FIGURES.exists() else {}


def keep(part: str, figures: list[Figure]) -> None:
    """Replace one part of the figures."""
    known = read_figures()
    known[part] = figures
    FIGURES.write_text(json.dumps(known, indent=1) + "\n")


def play_versions(games: int, size: int) -> None:
    """Play every version against the one before, and the account's against the latest."""
    names = [name for name in version_names() if name != "account"]
    found: list[Figure] = []
    for before, after in pairwise(names):
        found.append(measure(f"heuristic:{after}", f"heuristic:{before}", games, size))
        keep("versions", found)
    found.append(measure("heuristic:account", "heuristic:v6", games, size))
    keep("versions", found)


def play_without(part: str, version: str, names: Sequence[str], games: int, size: int) -> None:
    """Play a version against itself without each of the named groups or terms."""
    found: list[Figure] = []
    best = f"heuristic:{version}"
    for name in names:
        found.append({"term": name, **measure(best, f"{best},without={name}", games, size)})
        keep(part, found)


def draw() -> None:
    """Draw both charts and print both tables."""
    from mariago.reports.charts import Bar, interval_chart

    figures = read_figures()
    for part, title in TITLES.items():
        bars: list[Bar] = []
        print(f"\n| {part} | score | 95% | median lead | games |\n|---|---|---|---|---|")
        for one in figures.get(part, []):
            value, low, high = one["score"]  # type: ignore[misc]
            pair = f"{one['a']} against {one['b']}".replace("heuristic:", "")
            name = str(one.get("term", pair))
            bars.append(Bar(name, value, low, high, f"{one['games']} games"))
            lead = one["lead"][0]  # type: ignore[index]
            note = f"{one['games']}, {one['size']}x{one['size']}"
            print(f"| {name} | {value:.1%} | {low:.1%} to {high:.1%} | {lead:+.1f} | {note} |")
        if bars:
            svg = interval_chart(bars, title=title, x_label="share of games won", reference=0.5)
            (ROOT / "docs" / "images" / f"heuristic-{part}.svg").write_text(svg)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=(*TITLES, "chart"))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--version", default=LATEST, help="whose groups and terms")
    chosen = parser.parse_args()
    if chosen.what == "versions":
        play_versions(chosen.games, chosen.size)
    elif chosen.what == "groups":
        names = [name for name in groups() if name != "centre"]
        play_without("groups", chosen.version, names, chosen.games, chosen.size)
    elif chosen.what == "terms":
        play_without("terms", chosen.version, SINGLE_TERMS, chosen.games, chosen.size)
    else:
        draw()


if __name__ == "__main__":
    try:
        main()
    except MariagoError as error:
        sys.exit(f"error: {error}\n{error.hint or ''}".rstrip())
