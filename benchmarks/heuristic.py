"""How the versions of the rule-based player do against each other and against random moves.

Pairs of games with colours swapped from the same six random stones, 19x19, stopped after 200 moves
and counted as they stand (territory). The figure is the share of games won with its 95% interval,
the pair as the unit. Strength is measured here, never asserted. The last row is the time of a move
of the latest version. ``tools/heuristic_ladder.py`` plays whole games, version by version.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.frame import Row
from mariago.arena.statistics import pair_score
from mariago.board.points import BLACK, WHITE
from mariago.heuristic import LATEST, choose, version_names, weights_of
from mariago.rules import Position
from mariago.scoring import score_reference

SIDE, PAIRS, OPENING, LIMIT, KOMI = 19, 20, 6, 200, 6.5

Chooser = Callable[[Position, np.random.Generator], int]


def player(name: str) -> Chooser:
    """Return the chooser of a version, or of ``"random"``."""
    if name == "random":
        return lambda position, rng: int(rng.choice(position.legal_moves()[:-1]))
    weights = weights_of(name)
    return lambda position, rng: int(choose(position, rng, weights))


def margin(black: Chooser, white: Chooser, seed: int) -> float:
    """Play one game from a random opening; return Black's points less White's."""
    opening = np.random.default_rng(seed)
    position = Position.empty(SIDE, "japanese", KOMI)
    inner = [m for m in range(SIDE**2) if min(divmod(m, SIDE)) > 1 and max(divmod(m, SIDE)) < 17]
    for move in opening.choice(inner, OPENING, replace=False):
        position = position.play(int(move))
    sides = {BLACK: black, WHITE: white}
    rng = np.random.default_rng((seed, 1))
    while position.move_number < LIMIT and not position.is_over:
        position = position.play(sides[position.to_move](position, rng))
    return score_reference(position).margin


def rows(repeats: int) -> list[Row]:
    """Play the latest version against random moves and every earlier version."""
    ours = player(LATEST)
    found: list[Row] = []
    for name in ("random", *(version for version in version_names() if version != LATEST)):
        theirs = player(name)
        pairs = [(margin(ours, theirs, seed), -margin(theirs, ours, seed)) for seed in range(PAIRS)]
        share = pair_score([sum((np.sign(p) + 1) / 2 for p in pair) / 2 for pair in pairs])
        lead = float(np.median(pairs))
        interval = f"{share.low:.0%} to {share.high:.0%}"
        note = f"{2 * PAIRS} games, interval {interval}, median lead {lead:g} points"
        found.append(Row(f"{LATEST} against {name}", share.value or 0.0, "share won", note=note))
    found.append(Row(f"{LATEST}, a move on 19x19", move_time(), "ms", required=1000 / 300))
    return found


def move_time() -> float:
    """Return the CPU time of a move, in milliseconds, over one game with itself."""
    ours, rng, position = player(LATEST), np.random.default_rng(0), Position.empty(SIDE)
    ours(position, rng)
    started = time.process_time()
    while not position.is_over and position.move_number < 2 * SIDE**2:
        position = position.play(ours(position, rng))
    return 1000 * (time.process_time() - started) / position.move_number
