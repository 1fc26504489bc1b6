"""Scores and choice of the rule-based player."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import Move, move_to_vertex
from mariago.errors import BadInputError, IllegalMoveError
from mariago.heuristic.ending import answers_pass, last_resort
from mariago.heuristic.term_kernels import read_board
from mariago.heuristic.term_list import COUNT, TERMS
from mariago.heuristic.versions import Weights, weights_of
from mariago.rules import Position

Scores = npt.NDArray[np.float32]


def _read(position: Position, weights: Weights, rows: Scores) -> Scores:
    out = np.empty(position.size.cells + 1, np.float32)
    stones = int(np.count_nonzero(position.stones))
    read_board(
        position.state,
        position.legal_mask().view(np.uint8),
        position.rules.suicide,
        position.rules.scoring == "area",
        max(position.move_number, stones),
        weights.array,
        rows,
        out,
    )
    return out


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
    rows = np.empty((0, COUNT), np.float32)
    out = _read(position, weights or weights_of(), rows)
    if bonus is not None:
        given = np.asarray(bonus, np.float32)
        if given.shape != out.shape:
            raise BadInputError(f"a bonus has shape {given.shape}, not {out.shape}")
        out += given
    return out


def terms_of_move(
    position: Position, move: int, weights: "Weights | None" = None
) -> "dict[str, float]":
    """Return what each term adds to the score of a move; terms that add nothing are left out.

    Raises:
        IllegalMoveError: the rules forbid the move.
    """
    reason = position.why_illegal(move)
    if reason is not None:
        raise IllegalMoveError(reason, move_to_vertex(move, position.size))
    if move >= position.size.cells:
        return {}
    known = weights or weights_of()
    rows = np.empty((position.size.cells, COUNT), np.float32)
    _read(position, known, rows)
    added = rows[move] * known.array
    return {name: float(value) for name, value in zip(TERMS, added, strict=True) if value != 0}


def choose(
    position: Position,
    rng: np.random.Generator,
    weights: "Weights | None" = None,
    bonus: "npt.NDArray[Any] | None" = None,
) -> Move:
    """Return the best move; among equals ``rng`` draws.

    Passes where no move scores above 0 and nothing is left to be played out (see ``ending``), and
    after the opponent's pass where the board as it stands is won.
    """
    scores = score_moves(position, weights, bonus)
    best = float(scores[:-1].max(initial=-np.inf))
    if position.passes > 0 and answers_pass(position):
        return Move(position.size.cells)
    if best <= scores[-1]:
        return last_resort(position, scores, rng)
    return Move(int(rng.choice(np.flatnonzero(scores[:-1] == best))))
