"""Kill a match at random moments, resume it, and hold it against the same match never stopped.

::

    python tools/killed_match.py --games 200 --kills 8 --jobs 1,2

For every number of workers one match is played whole and one is killed (``kill -9``) so many times,
a random while after a random game, and gone on with by ``--resume``. Held against each other are
the games, move for move, their SGF files byte for byte, and ``results.json``, ``results.csv`` and
``figures.csv`` but for what a clock or the command line has written into them. ``--out`` keeps the
matches. Ends with 1 where anything differs or a process of a killed match is left.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mariago.arena import MatchStore

LOOK_EVERY_S = 0.05
GONE_WITHIN_S = 30.0  # for the workers of a killed match to notice it
SLACK_S = 1.0  # a kill comes up to so long after its game
OF_A_CLOCK = "seconds"


@dataclass
class Killed:
    """What became of the killed match."""

    jobs: int
    games_at_kill: list[int] = field(default_factory=list[int])
    left_over: list[str] = field(default_factory=list[str])
    """Processes that were still there."""
    differences: list[str] = field(default_factory=list[str])


def games_kept(folder: Path) -> int:
    """Return how many games the store of a match holds, 0 where there is none yet."""
    path = folder / "match.sqlite"
    if not path.is_file():
        return 0
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM game").fetchone()[0])
    return 0


def command(folder: Path, chosen: argparse.Namespace, jobs: int) -> list[str]:
    """Return the command line of a match; the same one resumes it."""
    terms = ["--size", chosen.size, "--games", chosen.games, "--seed", chosen.seed]
    words = ["match", chosen.a, chosen.b, *terms, "--jobs", jobs, "--out", folder, "--resume"]
    return [sys.executable, "-m", "mariago", *map(str, words)]


def descendants(number: int) -> dict[int, str]:
    """Return the processes that began with a process, by number, with their command lines."""
    told = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 2) for line in told.stdout.splitlines()]
    found, more = dict[int, str](), {number}
    while more:
        fresh = {int(pid): args for pid, parent, args in rows if int(parent) in more}
        more = set(fresh) - set(found)
        found |= fresh
    return found


def kill_once(
    folder: Path, words: Sequence[str], at_game: int, wait_s: float, outcome: Killed
) -> None:
    """Start the match, or go on, and kill it a while after it has so many games."""
    match = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while match.poll() is None and games_kept(folder) < at_game:
        time.sleep(LOOK_EVERY_S)
    time.sleep(wait_s)
    if match.poll() is not None:
        outcome.differences.append(f"the match ended by itself before game {at_game}")
        return
    others = descendants(match.pid)
    os.kill(match.pid, signal.SIGKILL)
    match.wait()
    until_s = time.monotonic() + GONE_WITHIN_S
    while others and time.monotonic() < until_s:
        time.sleep(LOOK_EVERY_S)
        others = {pid: args for pid, args in others.items() if Path(f"/proc/{pid}").exists()}
    outcome.left_over += [f"{pid} {args:.80}" for pid, args in others.items()]
    outcome.games_at_kill.append(games_kept(folder))
    print(f"killed at {outcome.games_at_kill[-1]} games", file=sys.stderr, flush=True)


def without_clock(value: Any) -> Any:
    """Return what stands in ``results.json`` without seconds and without who made it."""
    if isinstance(value, dict):
        return {
            key: without_clock(part)
            for key, part in value.items()  # pyright: ignore[reportUnknownVariableType]
            if key != "provenance" and OF_A_CLOCK not in str(key)  # pyright: ignore[reportUnknownArgumentType]
        }
    if isinstance(value, list):
        return [without_clock(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def rows_without_clock(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file without its columns and figures of seconds."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        {key: cell for key, cell in row.items() if OF_A_CLOCK not in key}
        for row in rows
        if OF_A_CLOCK not in row.get("figure", "")
    ]


def differences(one: Path, other: Path) -> list[str]:
    """Return in what two folders of one match differ, but for what a clock has written."""
    found: list[str] = []
    first, second = (MatchStore.open(folder).games() for folder in (one, other))
    if [(g.number, g.opening, g.moves) for g in first] != [
        (g.number, g.opening, g.moves) for g in second
    ]:
        found.append("moves")
    if first != second:
        found.append("games")
    records = [
        {path.name: path.read_bytes() for path in (folder / "games").iterdir()}
        for folder in (one, other)
    ]
    if records[0] != records[1]:
        found.append("SGF files")
    results = [json.loads((f / "results.json").read_text("utf-8")) for f in (one, other)]
    if without_clock(results[0]) != without_clock(results[1]):
        found.append("results.json")
    for name in ("results.csv", "figures.csv"):
        if rows_without_clock(one / name) != rows_without_clock(other / name):
            found.append(name)
    return found


def kill_and_compare(chosen: argparse.Namespace, jobs: int, whole: Path) -> Killed:
    """Play the match with kills in ``--out`` and hold it against the whole one."""
    folder = chosen.out / f"killed-{jobs}"
    words = command(folder, chosen, jobs)
    rng = np.random.default_rng((chosen.seed, jobs))
    at = sorted(int(n) for n in rng.choice(chosen.games - 4, chosen.kills, replace=False))
    outcome = Killed(jobs)
    for game in at:
        kill_once(folder, words, game, float(rng.uniform(0, SLACK_S)), outcome)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    outcome.differences += differences(whole, folder)
    return outcome


def main() -> int:
    """Play, kill, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kills", type=int, default=8, help="of each match (8)")
    parser.add_argument("--jobs", default="1,2", help="numbers of workers (1,2)")
    parser.add_argument("--size", default="9")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--a", default="heuristic:v7")
    parser.add_argument("--b", default="heuristic:v6")
    parser.add_argument("--out", type=Path, default=Path("runs/killed"), help="new or empty")
    chosen = parser.parse_args()
    counts = [int(number) for number in chosen.jobs.split(",")]
    if chosen.out.exists() and any(chosen.out.iterdir()):
        parser.error(f"{chosen.out} is not empty")
    wholes = [chosen.out / f"whole-{jobs}" for jobs in counts]
    for whole, jobs in zip(wholes, counts, strict=True):
        started_s = time.monotonic()
        subprocess.run(command(whole, chosen, jobs), check=True, stdout=subprocess.DEVNULL)
        print(f"{whole.name}: {time.monotonic() - started_s:.0f} s", file=sys.stderr, flush=True)
    bad = 0
    for whole in wholes[1:]:
        found = differences(wholes[0], whole)
        bad += bool(found)
        print(f"{wholes[0].name} and {whole.name}: {', '.join(found) or 'the same'}")
    for whole, jobs in zip(wholes, counts, strict=True):
        outcome = kill_and_compare(chosen, jobs, whole)
        bad += bool(outcome.differences or outcome.left_over)
        at = ", ".join(map(str, outcome.games_at_kill))
        print(f"{jobs} workers, killed with {at} games there: ", end="")
        print(", ".join(outcome.differences) or f"{games_kept(whole)} games, the same", end="; ")
        print("left: " + ("; ".join(outcome.left_over) or "no process"), flush=True)
    score = json.loads((wholes[0] / "results.json").read_text("utf-8"))["summary"]["score"]
    print(f"{chosen.a}: {score['value']:.1%} [{score['low']:.1%}, {score['high']:.1%}]")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
