"""Counting a board by area or by territory, with the dead stones that somebody names.

No life and death is read here: stones count as alive unless a mask, or an ownership map, says
otherwise. Points that touch both colours are dame and nobody's.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, WHITE
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.rules.result import Result
from mariago.scoring.owner_kernels import mark_owners

How = Literal["area", "territory"]
Board = npt.NDArray[Any]  # (rows, columns)
Mask = npt.NDArray[Any]  # (rows, columns), true or false


@dataclass(frozen=True)
class Score:
    """A count.

    ``black`` and ``white`` are points; White's include ``komi`` and ``bonus``, the handicap points.
    ``how`` is ``"area"`` or ``"territory"``; the two are never compared. ``owner`` (rows, columns)
    uint8 tells whose each point is, 0 nobody's.
    """

    black: float
    white: float
    how: How
    komi: float
    bonus: float
    owner: "npt.NDArray[np.uint8]"

    @property
    def margin(self) -> float:
        """Black's points less White's."""
        return self.black - self.white

    @property
    def result(self) -> Result:
        """The result of the game that ends with this count."""
        return Result.by_score(self.margin)

    def __str__(self) -> str:
        return str(self.result)


def _stones_of(board: "Position | Board") -> "npt.NDArray[np.uint8]":
    stones = board.stones if isinstance(board, Position) else board
    return np.ascontiguousarray(stones, np.uint8)


def _mask_of(mask: "Mask | None", stones: "npt.NDArray[np.uint8]", name: str) -> Mask:
    if mask is None:
        return np.zeros_like(stones)
    known = np.asarray(mask)
    if known.shape != stones.shape:
        raise BadInputError(
            f"the {name} mask has shape {known.shape}, the board {stones.shape}",
            hint="masks are (rows, columns)",
        )
    return np.ascontiguousarray(known != 0, np.uint8)


def owners(board: "Position | Board", dead: "Mask | None" = None) -> "npt.NDArray[np.uint8]":
    """Return whose each point is, (rows, columns) uint8: living stones and what they surround."""
    stones = _stones_of(board)
    out = np.zeros_like(stones)
    mark_owners(stones, _mask_of(dead, stones, "dead"), out)
    return out


def dead_of_ownership(
    board: "Position | Board", ownership: "npt.NDArray[Any]", threshold: float = 0.5
) -> "npt.NDArray[np.bool_]":
    """Return the stones that an ownership map calls dead, whole chains at a time.

    Args:
        ownership: (rows, columns) or (cells,), 1 Black's and -1 White's.
        threshold: a chain is dead where the mean over its stones is the opponent's by more.
    """
    stones = _stones_of(board)
    signs = np.where(stones == BLACK, 1.0, -1.0) * np.asarray(ownership, float).reshape(
        stones.shape
    )
    dead = np.zeros(stones.shape, np.bool_)
    seen = stones == 0
    for start in zip(*np.nonzero(stones), strict=True):
        if seen[start]:
            continue
        chain = _chain(stones, (int(start[0]), int(start[1])))
        at = tuple(np.array(chain).T)
        seen[at] = True
        dead[at] = signs[at].mean() < -threshold
    return dead


def _chain(stones: Board, start: tuple[int, int]) -> list[tuple[int, int]]:
    chain, known = [start], {start}
    for row, column in chain:
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= near[0] < stones.shape[0] and 0 <= near[1] < stones.shape[1]
            if inside and near not in known and stones[near] == stones[start]:
                known.add(near)
                chain.append(near)
    return chain


def _terms(board: "Position | Board", komi: "float | None") -> tuple[float, float]:
    """Return komi and handicap points of a count; a bare board has none of its own."""
    if isinstance(board, Position):
        return board.komi if komi is None else komi, float(board.handicap_bonus)
    return 0.0 if komi is None else komi, 0.0


def score_area(
    board: "Position | Board", dead: "Mask | None" = None, *, komi: "float | None" = None
) -> Score:
    """Count stones on the board and the points they surround.

    Args:
        board: a position, or its stones (rows, columns), which bring no komi of their own.
        dead: (rows, columns) stones to take off first.
        komi: in place of the position's.
    """
    owner = owners(board, dead)
    known, bonus = _terms(board, komi)
    return Score(
        black=float((owner == BLACK).sum()),
        white=float((owner == WHITE).sum()) + known + bonus,
        how="area",
        komi=known,
        bonus=bonus,
        owner=owner,
    )


def score_territory(
    board: "Position | Board",
    dead: "Mask | None" = None,
    *,
    neutral: "Mask | None" = None,
    taken: "tuple[int, int] | None" = None,
    komi: "float | None" = None,
) -> Score:
    """Count surrounded empty points and prisoners; a dead stone is both.

    Args:
        board: a position, or its stones (rows, columns), which bring no prisoners of their own.
        dead: (rows, columns) stones to take off first, as prisoners.
        neutral: (rows, columns) points that count for nobody, such as eyes in seki.
        taken: stones taken by Black and by White, in place of the position's.
        komi: in place of the position's.
    """
    stones = _stones_of(board)
    gone = _mask_of(dead, stones, "dead")
    owner = owners(stones, gone)
    if taken is None:
        taken = board.taken if isinstance(board, Position) else (0, 0)
    counted = ((stones == 0) | (gone != 0)) & (_mask_of(neutral, stones, "neutral") == 0)
    known, bonus = _terms(board, komi)
    points = [
        float(((owner == color) & counted).sum() + (gone * (stones == 3 - color)).sum())
        for color in (BLACK, WHITE)
    ]
    return Score(
        black=points[0] + taken[0],
        white=points[1] + taken[1] + known + bonus,
        how="territory",
        komi=known,
        bonus=bonus,
        owner=owner,
    )


def score_reference(position: Position, how: How = "territory") -> Score:
    """Count a position as it stands, as at a move limit: every stone on the board is alive.

    ``"territory"``: surrounded empty points plus prisoners. ``"area"``: stones plus surrounded
    points.

    Raises:
        BadInputError: another way of counting.
    """
    if how == "territory":
        return score_territory(position)
    if how == "area":
        return score_area(position)
    raise BadInputError(f"{how!r} is no way of counting", hint="territory or area")
