"""What a search found, move by move. All for the side to move at the root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, move_to_vertex
from mariago.rules import Position

__all__ = ["MoveFound", "SearchResult"]


@dataclass(frozen=True, slots=True)
class MoveFound:
    """One move at the root."""

    move: int
    visits: int
    prior: float
    """The evaluator's policy, noise not counted."""
    value: float
    """Mean of win less loss below the move, in [-1, 1]; the root's own where it was not tried."""
    score: float | None
    """Mean lead in points."""
    utility: float
    bound: float
    """Lower confidence bound of the utility."""
    line: tuple[int, ...]
    """The move and the most visited answers, to the end of what was tried."""
    line_visits: tuple[int, ...]
    """Visits of each node of the line."""


@dataclass(frozen=True)
class SearchResult:
    """The outcome of one search."""

    position: Position
    move: int
    moves: tuple[MoveFound, ...]
    """The tried moves and the first untried ones, the chosen move first, then by visits."""
    visits: int
    """Of the root, its own evaluation and what an earlier search left included."""
    playouts: int
    """Visits that this search added."""
    evaluations: int
    """Positions that the evaluator was asked about."""
    seconds: float
    value: float
    score: float | None
    policy: npt.NDArray[np.float64]
    """(cells + 1,) the evaluator's policy over the legal moves."""
    target: npt.NDArray[np.float64]
    """(cells + 1,) what a net should learn: shares of the visits without the forced ones, or with a
    Gumbel root the improved policy."""
    ownership: npt.NDArray[Any] | None
    """(rows, columns) in [-1, 1]."""

    @property
    def win_rate(self) -> float:
        """Chance of winning in [0, 1], draws and no results as halves."""
        return (1.0 + self.value) / 2.0

    def table(self, most: int = 10) -> str:
        """Return the moves as text: from Black's side, as all that people see."""
        sign = 1.0 if self.position.to_move == BLACK else -1.0
        size = self.position.size
        lines = ["move  visits  black wins  black leads  policy  line"]
        for found in self.moves[:most]:
            line = " ".join(str(move_to_vertex(move, size)) for move in found.line[:8])
            lead = "" if found.score is None else f"{sign * found.score:+.1f}"
            lines.append(
                f"{move_to_vertex(found.move, size)!s:<5} {found.visits:>6}  "
                f"{(1 + sign * found.value) / 2:>10.1%}  {lead:>11}  {found.prior:>6.1%}  {line}"
            )
        return "\n".join(lines)
