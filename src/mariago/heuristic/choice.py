"""Scores and choice of the rule-based player."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, Move
from mariago.errors import BadInputError
from mariago.heuristic.term_kernels import score_board
from mariago.heuristic.weights import Weights, as_array
from mariago.rules import Position
from mariago.scoring import score_area, score_territory

URGENT = 1000.0  # a move under this is not worth answering a pass with, when one is ahead


def score_moves(
    position: Position,
    weights: "Weights | None" = None,
    bonus: "npt.NDArray[Any] | None" = None,
) -> "npt.NDArray[np.float32]":
    """Return the score of every move, (cells + 1,) float32; the last entry, pass, is 0.

    Illegal moves, suicides and own eyes have minus infinity.

    Args:
        weights: the latest version's where None.
        bonus: (cells + 1,) points to add, as lessons give them.

    Raises:
        BadInputError: the bonus has another shape.
    """
    cells = position.size.cells
    out = np.empty(cells + 1, np.float32)
    score_board(
        position.state,
        position.legal_mask().view(np.uint8),
        position.rules.suicide,
        position.move_number,
        as_array(Weights() if weights is None else weights),
        out,
    )
    if bonus is not None:
        given = np.asarray(bonus, np.float32)
        if given.shape != out.shape:
            raise BadInputError(f"a bonus has shape {given.shape}, not {out.shape}")
        out += given
    return out


def _is_ahead(position: Position) -> bool:
    """Whether the side to move wins if the board is counted as it stands."""
    count = score_area if position.rules.scoring == "area" else score_territory
    margin = count(position).margin
    return margin > 0 if position.to_move == BLACK else margin < 0


def choose(
    position: Position,
    rng: np.random.Generator,
    weights: "Weights | None" = None,
    bonus: "npt.NDArray[Any] | None" = None,
) -> Move:
    """Return the best move; among equals ``rng`` draws.

    Passes where no move scores above 0, and after the opponent's pass where it is ahead on the
    board as it stands and nothing urgent is left.
    """
    scores = score_moves(position, weights, bonus)
    best = scores[:-1].max(initial=-np.inf)
    passes = best <= scores[-1]
    if not passes and position.passes > 0 and best < URGENT:
        passes = _is_ahead(position)
    if passes:
        return Move(position.size.cells)
    return Move(int(rng.choice(np.flatnonzero(scores[:-1] == best))))
