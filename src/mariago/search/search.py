"""Monte Carlo tree search: batches of leaves, one thread, any evaluator; one game or many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.search.evaluations import Evaluations
from mariago.search.evaluator import Evaluator
from mariago.search.result import SearchResult
from mariago.search.running import Limit, Running, Steps
from mariago.search.settings import SearchSettings
from mariago.search.tree import Tree

__all__ = ["RootPrior", "Search", "search_many"]

RootPrior = Callable[[Position, npt.NDArray[np.float64]], npt.NDArray[np.float64]]


class Search:
    """Searches one position after another, keeping what it found below the moves played.

    Args:
        evaluator: a function from positions (of one size) to :class:`Evaluations`.
        settings: how it chooses.
        rng: draws noise and Gumbel variables; nothing else is random.
        root_prior: makes the priors of the root's moves of what the evaluator says, both
            (cells + 1,), sum 1, before noise; results still tell what the evaluator says.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        settings: SearchSettings | None = None,
        rng: np.random.Generator | None = None,
        root_prior: RootPrior | None = None,
    ) -> None:
        self.evaluator = evaluator
        self.settings = SearchSettings() if settings is None else settings
        self.rng = np.random.default_rng(0) if rng is None else rng
        self.root_prior = root_prior
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
        pulse: Callable[[Callable[[], SearchResult]], bool] | None = None,
    ) -> SearchResult:
        """Search ``position`` and return what was found; whichever limit comes first ends it.

        Args:
            visits: of the root, 1 or more: its own evaluation counts, and what is left of an
                earlier search. With a Gumbel root the visits to add.
            time_s: seconds of wall clock; alone, it ends also where the tree has grown to
                :data:`mariago.search.running.MOST_EDGES`.
            last_move_number: the game is counted after this many moves; one that is over already
                is searched as if it were not.
            pulse: called between batches with a function that returns what was found up to now;
                where it answers true the search ends.

        Raises:
            BadInputError: no limit, or a limit below 1.
        """
        running = Running(self, position, Limit(visits, time_s, last_move_number, pulse))
        steps = running.steps()
        asked = _advance(steps)
        while asked is not None:
            try:
                said = self.evaluator(asked)
            except BaseException:
                steps.close()
                raise
            asked = _advance(steps, said)
        return running.result()


def search_many(
    searches: Sequence[Search],
    positions: Sequence[Position],
    *,
    visits: int | Sequence[int | None] | None = None,
    time_s: float | None = None,
    last_move_numbers: Sequence[int | None] | None = None,
) -> list[SearchResult]:
    """Search a position with each of ``searches``, in step: one batch takes the leaves of all.

    Each search keeps its own tree, settings and random numbers; only the evaluations are made
    together, boards of one size at a time. A result is that of :meth:`Search.run` as far as the
    evaluator's answers do not hang on who else is in the batch (those of nets do, in the last bits;
    an evaluator that draws a symmetry for each batch draws others).

    Args:
        visits: one limit for all, or one for each search.
        time_s: seconds of wall clock, for all together.
        last_move_numbers: as in :meth:`Search.run`, one for each search.

    Raises:
        BadInputError: limits as in :meth:`Search.run`; not one position for each search; two
            evaluators, or one search twice.
    """
    if len(searches) != len(positions):
        raise BadInputError(f"{len(positions)} positions for {len(searches)} searches")
    if len({id(search) for search in searches}) != len(searches):
        raise BadInputError("one search cannot be at two positions")
    if any(search.evaluator is not searches[0].evaluator for search in searches):
        raise BadInputError("searches in step need one evaluator")
    each = [visits] * len(searches) if visits is None or isinstance(visits, int) else visits
    ends = [None] * len(searches) if last_move_numbers is None else last_move_numbers
    runs = [
        Running(search, position, Limit(limit, time_s, end))
        for search, position, limit, end in zip(searches, positions, each, ends, strict=True)
    ]
    alive = [run.steps() for run in runs]
    try:
        asking = [(steps, asked) for steps in alive if (asked := _advance(steps)) is not None]
        while asking:
            told = _ask(searches[0].evaluator, [asked for _, asked in asking])
            asking = [
                (steps, asked)
                for (steps, _), said in zip(asking, told, strict=True)
                if (asked := _advance(steps, said)) is not None
            ]
    finally:
        for steps in alive:
            steps.close()
    return [run.result() for run in runs]


def _advance(steps: Steps, said: Evaluations | None = None) -> Sequence[Position] | None:
    """Return what is asked next, None at the end."""
    try:
        return next(steps) if said is None else steps.send(said)
    except StopIteration:
        return None


def _ask(evaluator: Evaluator, groups: Sequence[Sequence[Position]]) -> list[Evaluations]:
    """Return what is said of each group; groups of one board size are asked about together."""
    found: dict[int, Evaluations] = {}
    for size in dict.fromkeys(group[0].size for group in groups):
        members = [i for i, group in enumerate(groups) if group[0].size == size]
        said = evaluator([position for i in members for position in groups[i]])
        at = 0
        for i in members:
            found[i] = said.part(at, at + len(groups[i]))
            at += len(groups[i])
    return [found[i] for i in range(len(groups))]
