"""One search in the making: it asks for evaluations, whoever drives it answers.

The steps are a generator, so that one driver can hold many searches and ask about all their leaves
at once (:func:`mariago.search.search_many`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.search import tree_kernels as k
from mariago.search.endings import ending_of
from mariago.search.evaluations import Evaluations
from mariago.search.gumbel import GumbelRoot, improved_policy
from mariago.search.reading import moves_found
from mariago.search.result import SearchResult
from mariago.search.root import RootMoves, add_noise, choose_edge, visit_shares
from mariago.search.tree import Tree
from mariago.search.utility import utility_of

if TYPE_CHECKING:
    from mariago.search.search import Search

__all__ = ["Limit", "Running", "Steps"]

DEEPEST = 512  # nodes of a path; longer ones are cut off at the evaluation of their last node
MOST_VISITS = 10_000_000
MOST_EDGES = 100_000_000  # of a tree that time alone limits; they take up to 2.4 gigabytes
TRIES = 2  # descents per leaf wanted, those counted that find a leaf taken

Steps = Generator[Sequence[Position], Evaluations, None]
"""Yields positions, of one size, and is sent what is thought of them."""


@dataclass(frozen=True)
class Limit:
    """What ends a search; see :meth:`mariago.search.Search.run`.

    Raises:
        BadInputError: no limit, or a limit below 1.
    """

    visits: int | None = None
    time_s: float | None = None
    last_move_number: int | None = None
    pulse: Callable[[Callable[[], SearchResult]], bool] | None = None

    def __post_init__(self) -> None:
        if self.visits is None and self.time_s is None:
            raise BadInputError("a search needs a limit", hint="visits or time_s")
        if self.visits is not None and self.visits < 1:
            raise BadInputError(f"a search of {self.visits} visits", hint="1 or more")


class Running:
    """One search of ``position`` with the tree of ``search``."""

    def __init__(self, search: Search, position: Position, limit: Limit) -> None:
        self.started = time.perf_counter()
        self.search = search
        self.settings = search.settings
        self.knobs = self.settings.knobs()
        self.limit = limit
        most = min(MOST_VISITS, MOST_EDGES // (position.size.cells + 1))
        self.visits = most if limit.visits is None else limit.visits
        self.evaluations = 0
        self.chosen = 0
        self.owned = np.zeros(position.size)
        self.depths = np.zeros(0, np.int32)
        self.room = np.empty(position.size.cells + 1)
        self.center = 0.0  # expected lead of Black
        tree = search.tree
        # the ends that an earlier search saw would stay in the tree, and the noise at its root
        other_end = search.last_move_number != limit.last_move_number
        fresh = other_end or self.settings.noise > 0
        if fresh or tree is None or not tree.move_to(position):
            tree = search.tree = Tree(position)
        search.last_move_number = limit.last_move_number
        self.tree = tree
        self.visits_before = tree.visits

    # -- the search ------------------------------------------------------------------------

    def steps(self) -> Steps:
        """Search until a limit is reached. Closed early, it leaves a tree that can be kept."""
        yield from self._begin()
        if self.settings.root == "gumbel":
            yield from self._halve()
        else:
            yield from self._spend()

    def _begin(self) -> Steps:
        tree = self.tree
        if tree.visits == 0:
            said = yield [tree.root]
            self._take_in([0], [tree.root], said)
            tree.counts[0, k.PENDING] += 1
            k.back_up(tree.counts, tree.sums, np.zeros(1, np.int32), 0)
        else:
            said = yield [tree.root]
            self.evaluations += 1
            self._center_on(said.score)
            self._own(said.ownership, [tree.root])
        self.root_ownership = said.ownership
        self.clean = self._set_priors()
        add_noise(tree, self.settings, self.search.rng)

    def _set_priors(self) -> npt.NDArray[np.float32]:
        """Give the root's edges their priors; return what the evaluator said of them, (edges,)."""
        tree = self.tree
        edges = tree.edges_of(0)
        if tree.clean is None:
            tree.clean = tree.edge_prior[edges].copy()
        tree.edge_prior[edges] = tree.clean
        if self.search.root_prior is not None and len(tree.clean):
            moves = tree.edge_move[edges]
            said = np.zeros(tree.root.size.cells + 1)
            said[moves] = tree.clean
            tree.edge_prior[edges] = self.search.root_prior(tree.root, said)[moves]
        return tree.clean

    def _spend(self) -> Steps:
        """Descend by PUCT until a limit is reached; batches grow with the tree."""
        none = np.zeros(0, np.int64)
        while (left := self.visits - self.tree.visits) > 0 and not self._ended_early():
            batch = _power_below(min(self.settings.batch, 1 + self.tree.visits // 8, left))
            yield from self._step(none, batch, left)

    def _halve(self) -> Steps:
        simulations = max(0, min(self.visits, MOST_VISITS) - 1)
        if self.limit.time_s is not None:
            simulations = min(simulations, 10_000)
        root = GumbelRoot(self.tree, simulations, self.settings, self.search.rng)
        self.chosen = root.chosen()
        while len(edges := root.next_round()) and not self._ended_early():
            for at in range(0, len(edges), self.settings.batch):
                some = edges[at : at + self.settings.batch]
                yield from self._step(some, len(some), len(some))
            self.chosen = root.chosen()

    def _ended_early(self) -> bool:
        limit = self.limit
        late = limit.time_s is not None and time.perf_counter() - self.started >= limit.time_s
        return late or (limit.pulse is not None and limit.pulse(self.result))

    def _step(self, forced: npt.NDArray[np.int64], wanted: int, most: int) -> Steps:
        """Add up to ``wanted`` evaluated leaves to the tree, and the ended games met on the way."""
        tree = self.tree
        tries = TRIES * wanted
        tree.reserve(tries, 0)
        if len(self.depths) < tries:
            self.paths = np.empty((tries, DEEPEST), np.int32)
            self.depths, self.fates = np.zeros(tries, np.int32), np.zeros(tries, np.int32)
        paths, depths, fates = self.paths[:tries], self.depths[:tries], self.fates[:tries]
        rows = k.gather(
            *(*tree.arrays, tree.used, self.knobs, forced, wanted, most),
            *(self.room, paths, depths, fates),
        )
        taken = np.flatnonzero(fates[:rows] == k.LEAF)
        asked: list[int] = []
        asking: list[int] = []
        positions: list[Position] = []
        for row in taken:
            leaf = int(paths[row, depths[row]])
            position = tree.position_of(leaf)
            if not self._ended(leaf, position):
                asked.append(leaf)
                asking.append(int(row))
                positions.append(position)
        keep = len(asked) if len(forced) else _power_below(len(asked))
        fates[asking[keep:]] = k.RELEASED  # an evaluator fills an odd batch up: no gain in asking
        try:
            if keep:
                said = yield positions[:keep]
                self._take_in(asked[:keep], positions[:keep], said)
        except BaseException:  # given up, by the driver or by what was said: nothing was found
            fates[asking] = k.RELEASED
            raise
        finally:
            k.settle(tree.counts, tree.sums, paths, depths, fates, rows)

    def _ended(self, leaf: int, position: Position) -> bool:
        end = ending_of(position, self.limit.last_move_number)
        if end is None:
            return False
        tree = self.tree
        tree.counts[leaf, k.STATE] = k.OVER
        value, score = np.array([end.value]), np.array([end.score])
        has_score = self.has_score
        utility = self._utility(value, score if has_score else None, [position])
        tree.sums[leaf, [k.OWN_UTILITY, k.OWN_VALUE]] = utility[0], end.value
        tree.sums[leaf, k.OWN_SCORE] = end.score
        return True

    def _take_in(
        self, nodes: Sequence[int], positions: Sequence[Position], said: Evaluations
    ) -> None:
        """Keep what is said of fresh nodes and give them their edges."""
        tree = self.tree
        cells = tree.root.size.cells
        if said.policy.shape != (len(positions), cells + 1):
            raise BadInputError(
                f"the evaluator's policy has shape {said.policy.shape}, "
                f"not ({len(positions)}, {cells + 1})"
            )
        if not np.isfinite(said.value).all():
            raise BadInputError("the evaluator gave a value that is no number")
        self.evaluations += len(positions)
        if nodes[0] == 0:
            self._center_on(said.score)
        self.has_score = said.score is not None
        where = np.asarray(nodes)
        tree.sums[where, k.OWN_UTILITY] = self._utility(said.value, said.score, positions)
        tree.sums[where, k.OWN_VALUE] = said.value
        if said.score is not None:
            tree.sums[where, k.OWN_SCORE] = said.score
        legal = np.stack([position.legal_mask() for position in positions])
        tree.open(nodes, said.policy, legal)
        self._own(said.ownership, positions)

    def _center_on(self, score: npt.NDArray[Any] | None) -> None:
        self.has_score = score is not None
        if score is not None:
            self.center = float(score[0]) * _sign(self.tree.root)

    def _utility(
        self,
        value: npt.NDArray[Any],
        score: npt.NDArray[Any] | None,
        positions: Sequence[Position],
    ) -> npt.NDArray[np.float64]:
        center = self.center * np.array([_sign(position) for position in positions])
        return utility_of(value, score, center, self.tree.root.size.cells, self.settings)

    def _own(self, ownership: npt.NDArray[Any] | None, positions: Sequence[Position]) -> None:
        if ownership is not None and self.settings.keep_ownership:
            signs = np.array([_sign(position) for position in positions])
            self.owned += np.einsum("b,brc->rc", signs, ownership)

    # -- what is told ----------------------------------------------------------------------

    def result(self) -> SearchResult:
        """Return what was found up to now; the root's own evaluation must have been told."""
        tree, settings = self.tree, self.settings
        cells = tree.root.size.cells
        moves = RootMoves(tree, settings)
        if settings.root == "gumbel":
            target, chosen = improved_policy(tree, settings), self.chosen
        else:
            target, chosen = visit_shares(moves, settings), choose_edge(moves, settings)
        policy, learnt = np.zeros(cells + 1), np.zeros(cells + 1)
        policy[moves.move] = self.clean
        learnt[moves.move] = target
        n = max(1, tree.visits)
        found = moves_found(tree, moves, self.clean, chosen, self.has_score)
        ownership = None if self.root_ownership is None else self.root_ownership[0]
        if settings.keep_ownership and ownership is not None:
            ownership = self.owned * _sign(tree.root) / max(1, self.evaluations)
        return SearchResult(
            position=tree.root,
            move=found[0].move,
            moves=found,
            visits=tree.visits,
            playouts=tree.visits - self.visits_before,
            evaluations=self.evaluations,
            seconds=time.perf_counter() - self.started,
            value=float(tree.sums[0, k.VALUE] / n),
            score=float(tree.sums[0, k.SCORE] / n) if self.has_score else None,
            policy=policy,
            target=learnt,
            ownership=ownership,
        )


def _sign(position: Position) -> float:
    return 1.0 if position.to_move == BLACK else -1.0


def _power_below(count: int) -> int:
    """Return the largest power of two that is no more than ``count``; 0 for 0."""
    return 1 << (count.bit_length() - 1) if count else 0
