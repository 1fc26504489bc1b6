"""The first move of a problem of life and death, where only who moves is told.

The goal is found by trying: every group is read with either side first. A group that lives or dies
with the move of the side to move, and fares otherwise where the other side moves, is what the
problem is about; groups that are shut in come before those that reach the open board, large stakes
before small ones.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mariago.board.kernels import AREA, HEAD, HEADER, STONES
from mariago.board.points import Move, point_to_move
from mariago.rules import Position
from mariago.tactics.life_kernels import FAILS, SUCCEEDS, UNKNOWN, prepare, read_kill, read_save
from mariago.tactics.life_reading import Result, workspace
from mariago.tactics.life_region_kernels import OPEN, TARGET

NODES = 550_000  # about one second of one core
_BUDGETS = (3_000, 30_000, 150_000, 400_000)
_GREAT = 2  # a stake of half the largest is worth as much


@dataclass(frozen=True)
class ProblemAnswer:
    """What was found of a problem.

    Attributes:
        move: the first move, None where no group depends on it.
        stone: a stone of the group that it is about.
        goal: what the move does.
        result: as ``LifeReading.result`` says, for the side to move; -1 where not proven.
        nodes: positions that were looked at.
    """

    move: Move | None
    stone: Move | None
    goal: Literal["live", "kill"] | None
    result: Result
    nodes: int


@dataclass(frozen=True)
class _Group:
    tier: int  # 0 shut in, 1 shut in and small, 2 with a way to the open board
    stake: int  # stones that fall
    point: int
    color: int


def _groups(position: Position) -> list[_Group]:
    """Return the groups, the likeliest to be meant first."""
    state, work = position.state, workspace(position.size)
    area = int(state[AREA])
    place = work[7][0][:area]
    colors = state[HEADER : HEADER + area]
    heads = state[HEADER + HEAD * area : HEADER + (HEAD + 1) * area]
    stones = state[HEADER + STONES * area : HEADER + (STONES + 1) * area]
    chains = [p for p in range(area) if colors[p] in (1, 2) and heads[p] == p]
    found: list[_Group] = []
    seen: set[int] = set()
    for point in sorted(chains, key=lambda p: -int(stones[p])):
        if point in seen or prepare(state, point, 0, work) == 0:
            continue
        targets = np.flatnonzero(place & TARGET)
        seen.update(int(heads[p]) for p in targets)
        own = int(stones[point])
        stake = own if own < 3 <= len(targets) - own else len(targets)
        tier = 2 if (place & OPEN).any() else 0
        found.append(_Group(tier, stake, point, int(colors[point])))
    largest = max((g.stake for g in found if g.tier == 0), default=0)
    found = [
        _Group(1, g.stake, g.point, g.color) if g.tier == 0 and g.stake * _GREAT < largest else g
        for g in found
    ]
    return sorted(found, key=lambda g: (g.tier, -g.stake, g.point))


def solve_problem(position: Position, nodes: int = NODES) -> ProblemAnswer:
    """Return the first move of the problem, the side to move being the position's."""
    state, work, size = position.state, workspace(position.size), position.size
    out = np.zeros(2, np.int64)
    spent = 0
    settled: set[int] = set()
    guess: tuple[tuple[int, int], _Group, int] | None = None  # rank, group, move
    groups = _groups(position)

    def answer(group: _Group | None, move: int, result: int) -> ProblemAnswer:
        if group is None:
            return ProblemAnswer(None, None, None, UNKNOWN, spent)
        goal = "live" if group.color == position.to_move else "kill"
        stone = point_to_move(group.point, size)
        return ProblemAnswer(point_to_move(move, size), stone, goal, result, spent)  # type: ignore[arg-type]

    for turn, budget in enumerate(_BUDGETS):
        for group in groups:
            if group.point in settled or group.tier > (turn if guess is None else guess[1].tier):
                continue
            if spent > nodes:
                break
            saving = group.color == position.to_move
            ours, theirs = (read_save, read_kill) if saving else (read_kill, read_save)
            limit = min(budget, max(1_000, nodes - spent))
            against = int(theirs(state, group.point, 0, limit, work, out))
            spent += int(out[1])
            if against == FAILS or (against == SUCCEEDS and out[0] == 0):
                settled.add(group.point)  # there is nothing to do, or nothing to be done
                continue
            result = int(ours(state, group.point, 0, limit, work, out))
            spent += int(out[1])
            move = int(out[0])
            if result == FAILS or (result == SUCCEEDS and move == 0):
                settled.add(group.point)
            elif result != UNKNOWN and against != UNKNOWN:
                return answer(group, move, result)
            elif move:
                rank = (group.tier, result == UNKNOWN)
                if guess is None or rank < guess[0] or guess[1] == group:
                    guess = (rank, group, move)
    return answer(guess[1], guess[2], UNKNOWN) if guess else answer(None, 0, UNKNOWN)
