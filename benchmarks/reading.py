"""Local reading: positions looked at a second, time of a read, and what it costs beside a ladder.

The positions are a 19x19 game of the rule-based player with moves drawn at random one time in five.
"""

from __future__ import annotations

import numpy as np

from benchmarks.frame import Row, cpu_time, ratio_row
from benchmarks.tactics import SIDE, a_game
from mariago.board.kernels import AREA, HEAD, HEADER, LIBERTIES
from mariago.board.points import move_to_point
from mariago.tactics.ladder_kernels import ladder_captured, ladder_workspace
from mariago.tactics.reading_kernels import read_attack, reading_workspace

NODES = 20_000
MOST_LIBERTIES = 4


def rows(repeats: int) -> list[Row]:
    """Measure the reading of every chain of up to four liberties, of those with two by ladder."""
    chains = []
    for position in a_game(5, "chinese")[40::45]:
        state, size = position.state, position.size
        area = int(state[AREA])
        for move in range(size.cells):
            point = move_to_point(move, size)
            if position.color_at(move) and state[HEADER + HEAD * area + point] == point:
                room = int(state[HEADER + LIBERTIES * area + point])
                if room <= MOST_LIBERTIES:
                    chains.append((state, point, room))
    work, ladders = reading_workspace(SIDE, SIDE), ladder_workspace(SIDE, SIDE)
    out = np.zeros(2, np.int64)
    nodes = 0

    def read(most: int) -> None:
        nonlocal nodes
        nodes = 0
        for state, point, room in chains:
            if room <= most:
                read_attack(state, point, NODES, work, out)
                nodes += int(out[1])

    two = [chain for chain in chains if chain[2] == 2]
    whole = cpu_time(lambda: read(MOST_LIBERTIES), repeats)
    looked_at = nodes
    beside = cpu_time(
        lambda: [read_attack(state, point, NODES, work, out) for state, point, _ in two], repeats
    )
    plain = cpu_time(lambda: [ladder_captured(s, p, ladders) for s, p, _ in two], repeats)
    note = f"{len(chains)} chains of up to {MOST_LIBERTIES} liberties, {NODES} nodes a search"
    per_read = Row(
        "a read", whole.median_s / len(chains) * 1e6, "us", note=note, spread=_spread(whole)
    )
    rate = Row("reading", looked_at / whole.median_s, "nodes/s", spread=_spread(whole))
    return [
        per_read,
        rate,
        ratio_row(
            "two liberties, reading beside a ladder",
            beside,
            plain,
            unit="us",
            of_seconds=lambda s: s / len(two) * 1e6,
            note="the ladder answers a narrower question",
        ),
    ]


def _spread(timing) -> float:
    return (timing.most_s - timing.least_s) / timing.median_s
