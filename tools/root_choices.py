"""How good the moves of short searches are, judged by longer ones: PUCT against Gumbel roots.

Positions come from games that a net plays with itself on 9x9, its moves drawn from its policy.
Every way of choosing gives its move for each of them. A search of 100 visits follows each move so
given, and what a move loses is the win rate of the best of them less its own. All ways meet the
same positions, so the differences to PUCT are paired: far fewer evaluations than a match needs.

    python tools/root_choices.py FILE.bin.gz --positions 100
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mariago.nets import load_katago_net
from mariago.rules import Position
from mariago.search import PlaneEvaluator, Remembered, Search, SearchSettings

SIDE, KOMI = 9, 7.0
MOVES = (4, 45)  # of the positions
DECIDED = 0.9  # values beyond are left out
JUDGED_BY = 100  # visits
GUMBEL = (
    (8, 4, 1.0),
    (8, 4, 0.3),
    (8, 2, 1.0),
    (8, 2, 0.3),
    (16, 8, 1.0),
    (16, 8, 0.3),
    (16, 4, 0.3),
)

Ways = dict[str, tuple[SearchSettings, int]]


def ways() -> Ways:
    """Return settings and visits by name."""
    found: Ways = {"policy": (SearchSettings(), 1)}
    for visits in (8, 16):
        found[f"puct {visits}"] = (SearchSettings(), visits)
        for count, considered, scale in GUMBEL:
            if count == visits:
                settings = SearchSettings(
                    root="gumbel", gumbel_noise=False, considered=considered, gumbel_scale=scale
                )
                found[f"gumbel {visits}, {considered} moves, scale {scale:g}"] = (settings, visits)
    return found


def positions(evaluator: PlaneEvaluator, rng: np.random.Generator) -> Iterator[Position]:
    """Yield undecided positions without end."""
    while True:
        position = Position.empty(SIDE, "tromp_taylor", KOMI)
        last = int(rng.integers(*MOVES))
        while position.move_number < last:
            shares = np.where(position.legal_mask(), evaluator([position]).policy[0], 0.0)
            if shares[:-1].sum() > 0:
                shares[-1] = 0.0  # no passes
            position = position.play(int(rng.choice(len(shares), p=shares / shares.sum())))
        if not position.is_over and abs(float(evaluator([position]).value[0])) <= DECIDED:
            yield position


def losses(evaluator: PlaneEvaluator, position: Position, tried: Ways) -> dict[str, float] | None:
    """Return what each way's move loses, in win rate; None where one of them ends the game."""
    chosen = {
        name: Search(evaluator, settings).run(position, visits=visits).move
        for name, (settings, visits) in tried.items()
    }
    worth: dict[int, float] = {}
    for move in set(chosen.values()):
        after = position.play(move)
        if after.is_over:
            return None
        worth[move] = -Search(evaluator).run(after, visits=JUDGED_BY).value
    best = max(worth.values())
    return {name: (best - worth[move]) / 2 for name, move in chosen.items()}


def show(rows: list[dict[str, float]], tried: Ways) -> None:
    """Print the means and the paired differences to PUCT with as many visits."""
    print(f"{len(rows)} positions")
    for name, (_, visits) in tried.items():
        own = np.array([row[name] for row in rows])
        apart = own - np.array([row[f"puct {max(visits, 8)}"] for row in rows])
        spread = 1.96 * apart.std() / len(rows) ** 0.5
        print(
            f"{name:32s} loses {own.mean():6.2%}, against PUCT {apart.mean():+6.2%} +- {spread:.2%}"
        )
    print(flush=True)


def main() -> None:
    """Print the table after every twenty positions, and at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=8)
    asked = parser.parse_args()
    evaluator = PlaneEvaluator(load_katago_net(asked.network), remembered=Remembered(20_000))
    tried = ways()
    rows: list[dict[str, float]] = []
    for position in positions(evaluator, np.random.default_rng(asked.seed)):
        found = losses(evaluator, position, tried)
        rows += [] if found is None else [found]
        if len(rows) >= asked.positions:
            break
        if found is not None and len(rows) % 20 == 0:
            show(rows, tried)
    show(rows, tried)


if __name__ == "__main__":
    main()
