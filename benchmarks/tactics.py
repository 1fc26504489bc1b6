"""Flags of moves, input planes and the rule-based player: calls a second on one core.

Nothing to compare with: the figures are our own, taken on 19x19 games of the rule-based player
whose moves are drawn at random one time in five.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from benchmarks.frame import Row, Timing, cpu_time
from mariago.board.kernels import new_state, play
from mariago.board.points import move_to_point
from mariago.features import planes_of_rows, rows_of_positions
from mariago.heuristic import choose, score_moves
from mariago.rules import Position
from mariago.tactics.flag_kernels import FLAGS, move_flags

SIDE = 19
GAME_LENGTH = 220


def a_game(seed: int, rules: str) -> list[Position]:
    """Return the positions of a game without passes."""
    rng = np.random.default_rng(seed)
    positions = [Position.empty(SIDE, rules)]
    while len(positions) < GAME_LENGTH:
        position = positions[-1]
        move = int(choose(position, rng))
        if rng.random() < 0.2 or move == position.size.cells:
            move = int(rng.choice(position.legal_moves()[:-1]))
        positions.append(position.play(move))
    return positions


@numba.njit(cache=False)
def _replay(points: Any, times: int, with_flags: bool) -> Any:
    out = np.empty(FLAGS, np.uint16)
    total = 0
    for _ in range(times):
        s = new_state(SIDE, SIDE)
        for p in points:
            if with_flags:
                move_flags(s, p, out)
                total += out[0]
            play(s, p)
    return total


def _row(name: str, timing: Timing, of_seconds: Callable[[float], float], unit: str, **more: Any):
    spread = (timing.most_s - timing.least_s) / timing.median_s
    return Row(name, of_seconds(timing.median_s), unit, spread=spread, **more)


def rows(repeats: int) -> list[Row]:
    """Measure flags, planes under both ways of counting, and scores of all moves."""
    found: list[Row] = []
    games = {rules: a_game(3, rules) for rules in ("japanese", "chinese")}
    last = games["japanese"][-1]
    points = np.array([move_to_point(move, last.size) for _, move in last.moves], np.int64)
    calls = 50 * len(points)
    both = cpu_time(lambda: _replay(points, 50, True), repeats)
    alone = cpu_time(lambda: _replay(points, 50, False), repeats)
    found.append(
        _row(
            "flags of a move",
            both,
            lambda s: (s - alone.median_s) / calls * 1e9,
            "ns",
            required=200,
            note="the move played as well, less the time of playing alone",
        )
    )
    for rules, game in games.items():
        batch = rows_of_positions(game)
        timing = cpu_time(lambda batch=batch: planes_of_rows(batch, SIDE), repeats)
        per = len(game)
        found.append(_row(f"planes of rows, {rules}", timing, lambda s, per=per: per / s, "rows/s"))
    timing = cpu_time(lambda: [score_moves(p) for p in games["chinese"][::10]], repeats)
    per = len(games["chinese"][::10])
    found.append(_row("heuristic, all moves scored", timing, lambda s: per / s, "positions/s"))
    return found
