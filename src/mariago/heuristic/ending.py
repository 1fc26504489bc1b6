"""When the rule-based player passes, and what it still plays before it does.

A game ends when both pass and is then counted as the board stands, or with the stones taken off
that both call dead. So a pass is right where both counts are won; where the board as it stands is
not, dead stones have to be taken first, and under area counting, where a stone more costs nothing,
a lost game is played on as long as a point is left that has not been tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mariago.board.kernels import EVER, HEAD, HEADER, LIBERTIES
from mariago.board.points import BLACK, EMPTY, Move
from mariago.heuristic.region_kernels import mark_dead
from mariago.rules import Position
from mariago.scoring import score_area, score_territory
from mariago.tactics.alive_kernels import settled_area
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.ladder_map_kernels import mark_caught
from mariago.tactics.territory_kernels import unconditional_area

Marks = npt.NDArray[np.bool_]  # (rows, columns)


class Standing(NamedTuple):
    """What is known of a finished board beyond doubt."""

    dead: Marks
    """Stones in the opponent's settled area, or in atari where no ladder helps."""
    settled: npt.NDArray[np.uint8]
    """(rows, columns): whose settled area a point lies in, 0 for nobody's."""


def _board(position: Position, padded: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the points of a padded array: (rows, columns)."""
    rows, columns = position.size
    stride = columns + 1
    return np.stack([padded[(r + 1) * stride + 1 :][:columns] for r in range(rows)])


def standing_of(position: Position) -> Standing:
    """Return dead stones and settled area as far as they are sure."""
    state, area = position.state, position.size.area
    caught, dead, settled = np.zeros((3, area), np.uint8)
    mark_caught(state, ladder_workspace(*position.size), caught)
    mark_dead(state, caught, dead)
    settled_area(state, position.rules.suicide, settled)
    owner = _board(position, settled)
    stones = position.stones
    lost = (stones != EMPTY) & (owner != EMPTY) & (owner != stones)
    return Standing(lost | (_board(position, dead) != 0), owner)


def margin(position: Position, dead: Marks | None = None) -> float:
    """Return the lead of the side to move, by the rules' own count."""
    count = score_area if position.rules.scoring == "area" else score_territory
    lead = count(position, dead).margin
    return lead if position.to_move == BLACK else -lead


def answers_pass(position: Position) -> bool:
    """Say whether a pass after the opponent's wins: as it stands, and with dead stones off."""
    return margin(position) > 0 and margin(position, standing_of(position).dead) > 0


def last_resort(
    position: Position, scores: npt.NDArray[np.float32], rng: np.random.Generator
) -> Move:
    """Return what is left to be played where no move scores above a pass: often the pass itself."""
    nothing = Move(position.size.cells)
    if margin(position) > 0:
        return nothing
    standing = standing_of(position)
    playable = np.isfinite(scores[:-1])
    taking = _taking_moves(position, standing, playable)
    if taking:
        return Move(int(rng.choice(taking)))
    if position.rules.scoring != "area":
        return nothing
    untried = playable & (standing.settled.ravel() == EMPTY) & ~_stood_before(position)
    if untried.any():
        untried &= _ground(position).ravel() == EMPTY
    moves = [int(move) for move in np.flatnonzero(untried) if _breathes(position, int(move))]
    if not moves:
        return nothing
    best = scores[moves].max()
    return Move(int(rng.choice([move for move in moves if scores[move] == best])))


def _ground(position: Position) -> npt.NDArray[np.uint8]:
    """Return (rows, columns): whose unconditional territory a point is; nobody lives there."""
    alive, ground = np.zeros((2, position.size.area), np.uint8)
    unconditional_area(position.state, position.rules.suicide, alive, ground)
    return _board(position, ground)


def _stood_before(position: Position) -> Marks:
    """Return (cells,) bool: points where the side to move has had a stone."""
    at = HEADER + EVER * position.size.area
    ever = position.state[at : at + position.size.area].astype(np.uint8)
    return (_board(position, ever).ravel() & position.to_move) != 0


def _liberties_of(position: Position) -> npt.NDArray[np.int16]:
    """Return (rows, columns): the liberties of each stone's chain, 0 on empty points."""
    area = position.size.area
    sections = [
        position.state[HEADER + k * area : HEADER + (k + 1) * area] for k in (HEAD, LIBERTIES)
    ]
    rows, columns = position.size
    stride = columns + 1
    found = np.zeros((rows, columns), np.int16)
    for row, column in zip(*np.nonzero(position.stones), strict=True):
        found[row, column] = sections[1][sections[0][(row + 1) * stride + column + 1]]
    return found


def _breathes(position: Position, move: int) -> bool:
    """Say whether the chain of the stone at ``move`` has two liberties, or the stone takes some."""
    after = position.play(move)
    if after.last_taken and after.color_at(move) != EMPTY:
        return True
    row, column = divmod(move, position.size.columns)
    return after.color_at(move) != EMPTY and int(_liberties_of(after)[row, column]) >= 2


def _taking_moves(position: Position, standing: Standing, playable: Marks) -> list[int]:
    """Return the moves at the dead opponent chains with the fewest liberties."""
    theirs = standing.dead & (position.stones == 3 - position.to_move)
    if not theirs.any():
        return []
    liberties = _liberties_of(position)
    rows, columns = position.size
    nearness: dict[int, int] = {}
    for row, column in zip(*np.nonzero(theirs), strict=True):
        for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            move = int(y) * columns + int(x)
            inside = 0 <= y < rows and 0 <= x < columns
            if inside and position.stones[y, x] == EMPTY and playable[move]:
                left = int(liberties[row, column])
                nearness[move] = min(left, nearness.get(move, left))
    kept = {move: left for move, left in nearness.items() if _breathes(position, move)}
    return [move for move, left in kept.items() if left == min(kept.values())]
