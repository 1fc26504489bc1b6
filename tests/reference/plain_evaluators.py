"""Evaluators for tests of the search: what they say is known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mariago.board.points import BLACK
from mariago.rules import Position
from mariago.scoring import score_area
from mariago.search import Evaluations


def even(positions: Sequence[Position]) -> Evaluations:
    """All moves alike, all positions even."""
    moves = positions[0].size.cells + 1
    policy = np.full((len(positions), moves), 1 / moves)
    return Evaluations(policy, np.zeros(len(positions)))


def counted(positions: Sequence[Position]) -> Evaluations:
    """All moves alike, the value a hint from the board as it stands, komi left out."""
    signs = np.array([1.0 if position.to_move == BLACK else -1.0 for position in positions])
    leads = signs * np.array([score_area(position, komi=0.0).margin for position in positions])
    cells = positions[0].size.cells
    return even(positions)._replace(value=0.8 * np.tanh(leads / cells))


def by_move(
    values: dict[int, float], policy: dict[int, float] | None = None
) -> Callable[[Sequence[Position]], Evaluations]:
    """A bandit: what a position is worth to the side that moved first hangs on that move alone."""

    def evaluate(positions: Sequence[Position]) -> Evaluations:
        said = even(positions)
        value = np.zeros(len(positions))
        given = np.array(said.policy)
        for i, position in enumerate(positions):
            moves = position.moves
            if moves:
                worth = values.get(int(moves[0][1]), 0.0)
                value[i] = worth if len(moves) % 2 == 0 else -worth
            elif policy is not None:
                given[i] = 0.0
                for move, share in policy.items():
                    given[i, move] = share
        return said._replace(policy=given, value=value)

    return evaluate
