"""Reading a tree after a search: moves, values and lines of play."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.search import tree_kernels as k
from mariago.search.result import MoveFound
from mariago.search.root import RootMoves
from mariago.search.tree import Tree

__all__ = ["line_from", "moves_found"]

UNTRIED_SHOWN = 5


def line_from(tree: Tree, node: int, longest: int = 40) -> list[tuple[int, int]]:
    """Return the most visited moves from ``node`` on with their visits, of equal ones the policy's
    first."""
    line: list[tuple[int, int]] = []
    while len(line) < longest:
        children = tree.edge_child[tree.edges_of(node)]
        visits = np.where(children >= 0, tree.counts[children, k.VISITS], 0)
        if visits.max(initial=0) == 0:
            break
        node = int(children[int(np.argmax(visits))])
        line.append((int(tree.counts[node, k.MOVE]), int(tree.counts[node, k.VISITS])))
    return line


def moves_found(
    tree: Tree, moves: RootMoves, priors: npt.NDArray[Any], chosen: int, has_score: bool
) -> tuple[MoveFound, ...]:
    """Return the root's moves, the chosen one first, then by visits and policy."""
    order = np.lexsort((-priors, -moves.visits))
    order = np.concatenate(([chosen], order[order != chosen]))
    tried = int((moves.visits > 0).sum())
    shown = order[: max(tried, 1) + UNTRIED_SHOWN]
    return tuple(_move_found(tree, moves, priors, int(i), has_score) for i in shown)


def _move_found(
    tree: Tree, moves: RootMoves, priors: npt.NDArray[Any], i: int, has_score: bool
) -> MoveFound:
    move, visits = int(moves.move[i]), int(moves.visits[i])
    line = [(move, visits), *(line_from(tree, int(moves.child[i])) if visits else ())]
    return MoveFound(
        move=move,
        visits=visits,
        prior=float(priors[i]),
        value=float(moves.value[i]),
        score=float(moves.score[i]) if has_score else None,
        utility=float(moves.utility[i]),
        bound=float(moves.bound[i]),
        line=tuple(played for played, _ in line),
        line_visits=tuple(count for _, count in line),
    )
