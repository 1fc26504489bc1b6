"""Games that two sides have in common, by the rule of ``duplicates``."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mariago.records.duplicates import Likeness, compare_games, pairs_by_keys, same_pairs
from mariago.records.leak_sides import SideGames
from mariago.records.played import Played, join_played

__all__ = ["SHORT", "GameLeaks", "common_games"]

SHORT = 20  # moves; games with fewer may be the same by chance


@dataclass(frozen=True)
class GameLeaks:
    """Pairs of games, one of A and one of B, that are the same: one pair for each game of B."""

    pairs: NDArray[np.int64]  # (P, 2) game of A, game of B
    is_exact: NDArray[np.bool_]  # (P,) the same moves
    likeness: Likeness  # of the pairs; all 0 where the moves are not known
    too_short: int  # games of B under SHORT moves with the same moves as one of A, not among these

    def in_words(self, i: int) -> str:
        """Return what pair i has in common."""
        if not self.likeness.shorter[i]:
            return "the same moves"
        return self.likeness.in_words(i)


def common_games(a: SideGames, b: SideGames, is_one_set: bool) -> GameLeaks:
    """Find for each game of B a game of A that is the same; of one set, one of another split."""
    exact = np.empty((0, 2), np.int64) if is_one_set else _exact_pairs(a, b)
    left = np.ones(len(b), np.bool_)
    left[exact[:, 1]] = False
    is_short = b.moves[exact[:, 1]] < SHORT
    exact = exact[~is_short]
    take = _take_of_both(a, b)
    behind = np.array([0, len(a)])  # the games of B are numbered behind those of A
    pairs = pairs_by_keys(np.concatenate([a.keys, np.where(left[:, None], b.keys, 0)]), take)
    pairs = pairs[(pairs[:, 0] < len(a)) & (pairs[:, 1] >= len(a))]
    if is_one_set:
        of_a, of_b = (pairs - behind).T
        pairs = pairs[a.split[of_a] != b.split[of_b]]
    alike = same_pairs(pairs, take, np.concatenate([a.cells, b.cells]))
    like = compare_games(alike, take)
    # Of the games of A that are like a game of B, the one with the most in common, then the first.
    order = np.lexsort((alike[:, 0], -like.stones, alike[:, 1]))
    _, first = np.unique(alike[order, 1], return_index=True)
    found = np.concatenate([exact, alike[order[first]] - behind])
    is_exact = np.arange(len(found)) < len(exact)
    order = np.argsort(found[:, 1], kind="stable")
    found = found[order]
    likeness = compare_games(found + behind, take)
    return GameLeaks(found, is_exact[order], likeness, int(is_short.sum()))


def _exact_pairs(a: SideGames, b: SideGames) -> NDArray[np.int64]:
    known, first = np.unique(a.identities, return_index=True)
    if not len(known):
        return np.empty((0, 2), np.int64)
    at = np.minimum(np.searchsorted(known, b.identities), len(known) - 1)
    games = np.flatnonzero(known[at] == b.identities)
    return np.stack([first[at[games]], games], axis=1).astype(np.int64)


def _take_of_both(a: SideGames, b: SideGames) -> Callable[[NDArray[np.int64]], Played]:
    def take(games: NDArray[np.int64]) -> Played:
        cut = int(np.searchsorted(games, len(a)))
        return join_played([a.take(games[:cut]), b.take(games[cut:] - len(a))])

    return take
