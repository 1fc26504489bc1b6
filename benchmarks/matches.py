"""Whole matches on 19x19, as ``mariago match`` plays them: games, store, SGF files, report.

The rule-based player meets a net of four blocks of 48 channels with random weights (the time is the
same) over games of 150 moves. CPU time of this process and its workers, since cores are seldom
free: the games a minute are those that two free cores would play. A worker's start, loading of
kernels and nets, is measured apart, by the games that it costs: a match's CPU time is a line over
its games, and its slope is the time of a game.
"""

from __future__ import annotations

import cProfile
import pstats
import resource
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.frame import Row
from benchmarks.inference import random_net
from mariago.arena import play_match
from mariago.arena.outputs import write_results
from mariago.arena.report import write_report
from mariago.arena.settings import settings_of
from mariago.board import jit
from mariago.reports import provenance

SIDE, LIMIT, CORES = 19, 150, 2
FEW, MANY = 4, 44  # games of the two matches whose difference is measured
FLOOR = 60.0  # games a minute on two free cores
BLOCKS, CHANNELS = 4, 48
PARTS = {
    "rules' moves": ("heuristic_player.py", "choose"),
    "net's moves": ("net_player.py", "choose"),
    "keeping": ("playing.py", "keep"),
    "report": ("report.py", "write_report"),
    "results": ("outputs.py", "write_results"),
}


def spent_s() -> float:
    """Return the CPU seconds of this process and of those it has ended."""
    found = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        found += used.ru_utime + used.ru_stime
    return found


def match(net: Path, out: Path, games: int, jobs: int) -> int:
    """Play a match with all that it leaves; return the moves of its games together."""
    settings = settings_of(
        player_a="heuristic", player_b=f"net:{net}", games=games, size=SIDE, move_limit=LIMIT
    )
    result = play_match(settings, out, jobs=jobs)
    origin = provenance("python -m benchmarks matches", 0)
    write_results(result, origin)
    write_report(result, origin, "en")
    return sum(result.summary.lengths)


def _measured(net: Path, place: Path, jobs: int, repeats: int) -> tuple[list[float], float, float]:
    """Return the CPU seconds of a game in each repeat, those of the start, and a game's moves."""
    each: list[float] = []
    starts: list[float] = []
    moves = 0
    for repeat in range(repeats):
        started_s = spent_s()
        match(net, place / f"{jobs}-{repeat}-few", FEW, jobs)
        few_s = spent_s() - started_s
        moves = match(net, place / f"{jobs}-{repeat}-many", MANY, jobs)
        game_s = (spent_s() - started_s - 2 * few_s) / (MANY - FEW)
        each.append(game_s)
        starts.append(few_s - FEW * game_s)
    return each, statistics.median(starts), moves / MANY


def _parts(net: Path, place: Path) -> str:
    """Return where the CPU time of a match goes, by a profile of one process."""
    profile = cProfile.Profile(time.process_time)
    profile.runcall(match, net, place / "profiled", MANY, 1)
    stats = pstats.Stats(profile).stats  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
    whole_s = sum(row[2] for row in stats.values())
    shares: list[str] = []
    for part, (file, function) in PARTS.items():
        rows = [
            row for key, row in stats.items() if (Path(key[0]).name, key[2]) == (file, function)
        ]
        shares.append(f"{part} {sum(row[3] for row in rows) / whole_s:.0%}")
    return ", ".join(shares)


def rows(repeats: int) -> list[Row]:
    """Play matches with one and two workers."""
    jit.warm_all()
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        net = random_net(place / "net", BLOCKS, CHANNELS).folder
        match(net, place / "first", FEW, 1)
        for jobs in (1, CORES):
            each, start_s, moves = _measured(net, place, jobs, repeats)
            rates = [60 * CORES / game_s for game_s in each]
            about = f"{moves:.0f} moves a game, {statistics.median(each):.2f} CPU s a game"
            about += f", {start_s:.1f} s to start" if jobs > 1 else f"; {_parts(net, place)}"
            found.append(
                Row(
                    f"match, jobs {jobs}",
                    statistics.median(rates),
                    "games/min on 2 free cores",
                    theirs=FLOOR,
                    ratio=statistics.median(rates) / FLOOR,
                    required=1.0,
                    spread=(max(rates) - min(rates)) / statistics.median(rates),
                    note=about,
                )
            )
    return found
