"""The same game twice: under other names, turned, mirrored, cut short, or with a slip of the pen.

The rule: two games on boards of one size are the same game when, under one symmetry of the board
and with the colours as they are or swapped, they have in common, in order, at least nine tenths of
the stones of the shorter one, and at least ``least_in_common`` stones: 50 on 19x19. Names, dates,
komi, handicap header and result do not count. Shorter games are the same only move by move. The
longer game stays, of equally long ones the first read; each game that goes names one that stays.

Games are not compared each with each. Each gets eight keys (``duplicate_kernels.game_keys``), and
those that share one are compared. Among the first 50 stones one may be wrong, and any may be played
in another order; with more that differ or are missing a copy is found often, not always. For a
million games the keys take 64 MB.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.records.duplicate_kernels import KEYS, game_keys, in_common, laid_alike
from mariago.records.played import Played, played_in_spool, read_spooled
from mariago.records.spool import SpooledGames

__all__ = [
    "GameRepeats",
    "Likeness",
    "compare_games",
    "game_repeats",
    "keys_of",
    "least_in_common",
    "pairs_by_keys",
]

SHARE = 0.9  # of the shorter game's stones
LEAST_ON_19 = 50  # no joseki and no known opening is as long as that
LEAST = 30
FEW = 48  # games that share a key are compared each with each up to this number
NEIGHBOURS = 8  # larger groups are sorted by what follows, and each compared with so many
LAID_OUT = 96  # stones by which they are sorted
PAIRS_AT_ONCE = 20_000

ROTATIONS = (3, 5, 6)  # of the symmetries; 1, 2, 4 and 7 are reflections

Take = Callable[[NDArray[np.int64]], Played]
"""Gives the moves of some games by their numbers."""


@dataclass(frozen=True)
class Likeness:
    """What P pairs of games have in common."""

    stones: NDArray[np.int64]  # (P,) stones in common, in order
    shorter: NDArray[np.int64]  # (P,) stones of the shorter game
    symmetry: NDArray[np.int64]  # (P,) that takes the second game to the first
    is_swapped: NDArray[np.bool_]  # (P,) whether its colours are swapped

    def in_words(self, i: int) -> str:
        """Return what pair i has in common, such as ``183 of 183 stones, mirrored``."""
        parts = [f"{self.stones[i]} of {self.shorter[i]} stones"]
        if self.symmetry[i]:
            parts.append("turned" if self.symmetry[i] in ROTATIONS else "mirrored")
        if self.is_swapped[i]:
            parts.append("colours swapped")
        return ", ".join(parts)


@dataclass(frozen=True)
class GameRepeats:
    """Which of G games repeat another: ``repeating[i]`` repeats ``kept[i]``, in reading order."""

    repeating: NDArray[np.int64]  # (D,)
    kept: NDArray[np.int64]  # (D,)
    likeness: Likeness  # of (kept, repeating)

    def are_gone(self, games: int) -> NDArray[np.bool_]:
        """Return for each of ``games`` games whether it repeats another."""
        gone = np.zeros(games, np.bool_)
        gone[self.repeating] = True
        return gone


def least_in_common(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many stones games on boards of so many points must share to be the same."""
    return np.clip(LEAST_ON_19 * cells // 361, LEAST, LEAST_ON_19)


def keys_of(played: Played) -> NDArray[np.uint64]:
    """Return the keys (G, 8) of games; games that share one may be the same, 0 is none."""
    keys = np.empty((len(played), KEYS), np.uint64)
    game_keys(*played.arrays, least_in_common(played.rows * played.columns), keys)
    return keys


def pairs_by_keys(keys: NDArray[np.uint64], take: Take) -> NDArray[np.int64]:
    """Return the pairs (P, 2) of games, a < b, that share a key and so must be compared."""
    found: list[NDArray[np.int64]] = [np.empty((0, 2), np.int64)]
    for which in range(KEYS):
        order = np.argsort(keys[:, which], kind="stable")
        values = keys[order, which]
        starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
        ends = np.append(starts[1:], len(values))
        is_group = (ends - starts > 1) & (values[starts] != 0)
        for start, end in zip(starts[is_group], ends[is_group], strict=True):
            group = order[start:end]
            if len(group) <= FEW:
                a, b = np.triu_indices(len(group), 1)
                found.append(np.stack([group[a], group[b]], axis=1))
            else:
                found.append(_neighbours(group, take(group), which))
    return np.unique(np.sort(np.concatenate(found), axis=1), axis=0)


def _neighbours(group: NDArray[np.int64], played: Played, which: int) -> NDArray[np.int64]:
    """Pair each game of a large group with those that go on most like it."""
    laid = np.empty((len(group), LAID_OUT), np.int16)
    laid_alike(*played.arrays, least_in_common(played.rows * played.columns), which, laid)
    group = group[np.lexsort(laid.T[::-1])]
    pairs = [
        np.stack([group[:-apart], group[apart:]], axis=1) for apart in range(1, NEIGHBOURS + 1)
    ]
    return np.concatenate(pairs)


def compare_games(pairs: NDArray[np.int64], take: Take) -> Likeness:
    """Compare pairs (P, 2) of games, each of one board size."""
    found = np.zeros((len(pairs), 4), np.int64)
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        part = pairs[start : start + PAIRS_AT_ONCE]
        games, local = np.unique(part, return_inverse=True)
        played = take(games)
        local = local.reshape(-1, 2)
        cells = (played.rows * played.columns)[local[:, 0]]
        in_common(*played.arrays, local, least_in_common(cells), found[start:][: len(part)])
    return Likeness(found[:, 0], found[:, 1], found[:, 2], found[:, 3] == 1)


def same_pairs(pairs: NDArray[np.int64], take: Take, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return those of the pairs (P, 2) that are the same game; ``cells`` (G,) points by game."""
    like = compare_games(pairs, take)
    least = least_in_common(cells[pairs[:, 0]])
    return pairs[(like.stones >= least) & (like.stones >= SHARE * like.shorter)]


def game_repeats(folder: Path) -> GameRepeats:
    """Find the games of a spool that repeat another one."""
    spool = SpooledGames(folder)

    def take(games: NDArray[np.int64]) -> Played:
        return read_spooled(spool, games)

    numbers = np.array(spool.numbers)
    return repeats_among(
        numbers["identity"],
        np.concatenate([keys_of(part) for part in played_in_spool(spool)]),
        numbers["length"].astype(np.int64),
        numbers["rows"].astype(np.int64) * numbers["columns"],
        take,
    )


def repeats_among(
    identities: NDArray[np.uint64],
    keys: NDArray[np.uint64],
    lengths: NDArray[np.int64],
    cells: NDArray[np.int64],
    take: Take,
) -> GameRepeats:
    """Find the games that repeat another one; all arrays by game, in reading order."""
    _, first, inverse = np.unique(identities, return_index=True, return_inverse=True)
    kept_as = first[inverse]
    own = kept_as == np.arange(len(kept_as))
    pairs = same_pairs(pairs_by_keys(np.where(own[:, None], keys, 0), take), take, cells)
    for game, other in _settled(pairs, lengths):
        kept_as[game] = other
    kept_as = kept_as[kept_as]  # what repeated, move by move, a game that goes too
    repeating = np.flatnonzero(kept_as != np.arange(len(kept_as)))
    kept = kept_as[repeating]
    return GameRepeats(repeating, kept, compare_games(np.stack([kept, repeating], axis=1), take))


def _settled(pairs: NDArray[np.int64], lengths: NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Yield (game that goes, game that stays and is like it); the longest games are asked first."""
    like: dict[int, list[int]] = {}
    for a, b in pairs.tolist():
        like.setdefault(a, []).append(b)
        like.setdefault(b, []).append(a)
    ranks = {game: (-int(lengths[game]), game) for game in like}
    gone: set[int] = set()
    for game in sorted(like, key=ranks.__getitem__):
        before = [g for g in like[game] if ranks[g] < ranks[game] and g not in gone]
        if before:
            gone.add(game)
            yield game, min(before, key=ranks.__getitem__)
