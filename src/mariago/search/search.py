"""Monte Carlo tree search over one game: batches of leaves, one thread, any evaluator."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.search import tree_kernels as k
from mariago.search.endings import ending_of
from mariago.search.evaluator import Evaluations, Evaluator
from mariago.search.gumbel import GumbelRoot, improved_policy
from mariago.search.reading import moves_found
from mariago.search.result import SearchResult
from mariago.search.root import RootMoves, add_noise, choose_edge, visit_shares
from mariago.search.settings import SearchSettings
from mariago.search.tree import Tree
from mariago.search.utility import utility_of

__all__ = ["Search"]

DEEPEST = 512  # nodes of a path; longer ones are cut off at the evaluation of their last node
MOST_VISITS = 10_000_000
TRIES = 2  # descents per leaf wanted, those counted that find a leaf taken


class Search:
    """Searches one position after another, keeping what it found below the moves played.

    Args:
        evaluator: a function from positions (of one size) to :class:`Evaluations`.
        settings: how it chooses.
        rng: draws noise and Gumbel variables; nothing else is random.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        settings: SearchSettings | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.evaluator = evaluator
        self.settings = SearchSettings() if settings is None else settings
        self.rng = np.random.default_rng(0) if rng is None else rng
        self.tree: Tree | None = None
        self.last_move_number: int | None = None

    def forget(self) -> None:
        """Drop the tree."""
        self.tree = None

    def run(
        self,
        position: Position,
        *,
        visits: int | None = None,
        time_s: float | None = None,
        last_move_number: int | None = None,
    ) -> SearchResult:
        """Search ``position`` and return what was found; whichever limit comes first ends it.

        Args:
            visits: of the root, 1 or more: its own evaluation counts, and what is left of an
                earlier search. With a Gumbel root the visits to add.
            time_s: seconds of wall clock.
            last_move_number: the game is counted after this many moves; one that is over already
                is searched as if it were not.

        Raises:
            BadInputError: no limit, or a limit below 1.
        """
        if visits is None and time_s is None:
            raise BadInputError("a search needs a limit", hint="visits or time_s")
        if visits is not None and visits < 1:
            raise BadInputError(f"a search of {visits} visits", hint="1 or more")
        return _Run(self, position, visits, time_s, last_move_number).result()


class _Run:
    """One search."""

    def __init__(
        self,
        search: Search,
        position: Position,
        visits: int | None,
        time_s: float | None,
        last_move_number: int | None,
    ) -> None:
        self.started = time.perf_counter()
        self.search = search
        self.settings = search.settings
        self.knobs = self.settings.knobs()
        self.limit = MOST_VISITS if visits is None else visits
        self.time_s = time_s
        self.last_move_number = last_move_number
        self.evaluations = 0
        self.owned = np.zeros(position.size)
        self.depths = np.zeros(0, np.int32)
        self.room = np.empty(position.size.cells + 1)
        self.center = 0.0  # expected lead of Black
        tree = search.tree
        # the ends that an earlier search saw would stay in the tree, and the noise at its root
        fresh = search.last_move_number != last_move_number or self.settings.noise > 0
        if fresh or tree is None or not tree.move_to(position):
            tree = search.tree = Tree(position)
        search.last_move_number = last_move_number
        self.tree = tree
        self._begin()

    # -- the search ------------------------------------------------------------------------

    def _begin(self) -> None:
        tree = self.tree
        self.visits_before = tree.visits
        if tree.visits == 0:
            said = self._evaluate([0], [tree.root])
            tree.counts[0, k.PENDING] += 1
            k.back_up(tree.counts, tree.sums, np.zeros(1, np.int32), 0)
        else:
            said = self.search.evaluator([tree.root])
            self.evaluations += 1
            self._center_on(said.score)
            self._own(said.ownership, [tree.root])
        self.root_ownership = said.ownership
        self.clean = tree.edge_prior[tree.edges_of(0)].copy()
        add_noise(tree, self.settings, self.search.rng)

    def result(self) -> SearchResult:
        if self.settings.root == "gumbel":
            target, chosen = self._halve()
        else:
            self._spend()
            moves = RootMoves(self.tree, self.settings)
            target, chosen = visit_shares(moves, self.settings), choose_edge(moves, self.settings)
        return self._told(target, chosen)

    def _spend(self) -> None:
        """Descend by PUCT until a limit is reached; batches grow with the tree."""
        none = np.zeros(0, np.int64)
        while (left := self.limit - self.tree.visits) > 0 and not self._late():
            batch = _power_below(min(self.settings.batch, 1 + self.tree.visits // 8, left))
            self._step(none, batch, left)

    def _halve(self) -> tuple[npt.NDArray[np.float64], int]:
        simulations = max(0, min(self.limit, MOST_VISITS) - 1)
        if self.time_s is not None:
            simulations = min(simulations, 10_000)
        root = GumbelRoot(self.tree, simulations, self.settings, self.search.rng)
        while len(edges := root.next_round()) and not self._late():
            for at in range(0, len(edges), self.settings.batch):
                some = edges[at : at + self.settings.batch]
                self._step(some, len(some), len(some))
        return improved_policy(self.tree, self.settings), root.chosen()

    def _late(self) -> bool:
        return self.time_s is not None and time.perf_counter() - self.started >= self.time_s

    def _step(self, forced: npt.NDArray[np.int64], wanted: int, most: int) -> None:
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
        leaves = [int(paths[row, depths[row]]) for row in taken]
        asked: list[int] = []
        positions: list[Position] = []
        for leaf in leaves:
            position = tree.position_of(leaf)
            if not self._ended(leaf, position):
                asked.append(leaf)
                positions.append(position)
        keep = len(asked) if len(forced) else _power_below(len(asked))
        for leaf in asked[keep:]:  # an evaluator fills an odd batch up: no gain in asking it
            fates[taken[leaves.index(leaf)]] = k.RELEASED
        if keep:
            self._evaluate(asked[:keep], positions[:keep])
        k.settle(tree.counts, tree.sums, paths, depths, fates, rows)

    def _ended(self, leaf: int, position: Position) -> bool:
        end = ending_of(position, self.last_move_number)
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

    def _evaluate(self, nodes: Sequence[int], positions: Sequence[Position]) -> Evaluations:
        """Ask about fresh nodes, keep what is said of each and give them their edges."""
        tree = self.tree
        said = self.search.evaluator(positions)
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
        return said

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

    def _told(self, target: npt.NDArray[np.float64], chosen: int) -> SearchResult:
        tree = self.tree
        cells = tree.root.size.cells
        moves = RootMoves(tree, self.settings)
        policy, learnt = np.zeros(cells + 1), np.zeros(cells + 1)
        policy[moves.move] = self.clean
        learnt[moves.move] = target
        n = max(1, tree.visits)
        found = moves_found(tree, moves, self.clean, chosen, self.has_score)
        ownership = None if self.root_ownership is None else self.root_ownership[0]
        if self.settings.keep_ownership and ownership is not None:
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
