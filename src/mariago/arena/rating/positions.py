"""Positions that players are asked about: games up to a move, and what a teacher says of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mariago.arena.symmetry import move_maps
from mariago.board.points import BLACK, Size
from mariago.errors import BadInputError

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = [
    "FIRST_MOVES",
    "Judged",
    "Labels",
    "Outlook",
    "PositionSet",
    "RatedGame",
    "Spot",
    "equal_moves",
    "thinned",
]

FIRST_MOVES = 10
"""How many of a teacher's moves are kept."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game as far as its last position that is asked about, that position's move included."""

    game_id: str
    size: Size
    rules: str | None
    """None where the record does not tell: Chinese."""
    komi: float | None
    """Points to White; None where the record does not tell: the usual komi of the rules."""
    handicap: int
    setup: tuple[tuple[int, int, int], ...]
    """(ply, colour or 0, move): points set by hand before the move with index ``ply``."""
    moves: tuple[tuple[int, int], ...]
    """(colour, move), oldest first; ``rows * columns`` is a pass."""
    ranks: tuple[str, str] = ("", "")
    """Of Black and White, as written."""
    source: str = ""


class Spot(NamedTuple):
    """The position of game ``game`` (an index) after its first ``ply`` moves."""

    game: int
    ply: int


class Outlook(NamedTuple):
    """What a teacher expects after a move, for the side that made it."""

    value: float
    """In [-1, 1]."""
    lead: float | None
    """Points, where it knows."""

    @property
    def win_rate(self) -> float:
        """In [0, 1]."""
        return (1 + self.value) / 2


class Judged(NamedTuple):
    """What a teacher says of a position, for the side to move."""

    moves: tuple[int, ...]
    """Its first moves, best first, at most :data:`FIRST_MOVES`."""
    value: float | None
    lead: float | None


@dataclass(frozen=True)
class Labels:
    """A teacher's judgements that come with a set: of every position, of some every legal move."""

    teacher: dict[str, object]
    """What it is: name, the hash of its file, how it was asked."""
    judged: tuple[Judged, ...]
    win_after: tuple[npt.NDArray[np.float32], ...] = field(repr=False)
    """A row a position: (cells + 1,) the mover's chance to win after each move, NaN if illegal;
    (0,) where moves were not judged, which hangs on the position alone."""
    lead_after: tuple[npt.NDArray[np.float32], ...] = field(repr=False)
    """As ``win_after``, in points."""

    def outlook(self, number: int, move: int) -> Outlook | None:
        """Return what the mover may expect after ``move`` in position ``number``, where judged."""
        if not len(self.win_after[number]):
            return None
        win = float(self.win_after[number][move])
        if win != win:
            return None
        return Outlook(2 * win - 1, float(self.lead_after[number][move]))


@dataclass(frozen=True)
class PositionSet:
    """Positions of games, in order of game and ply. Never empty."""

    name: str
    origin: str
    terms: str
    games: tuple[RatedGame, ...]
    spots: tuple[Spot, ...]
    labels: Labels | None = None
    data_sha256: str = ""
    """Of the data set that the games are a test split of: ``nets.training.describe_data``."""

    def __post_init__(self) -> None:
        if not self.spots:
            raise BadInputError("holds no positions", where=self.name)

    def __len__(self) -> int:
        return len(self.spots)

    @cached_property
    def sha256(self) -> str:
        """Hash of the positions and their moves; teachers do not count."""
        told = [
            *(
                [g.game_id, *g.size, g.rules, g.komi, g.handicap, g.setup, g.moves]
                for g in self.games
            ),
            self.spots,
        ]
        return hashlib.sha256(json.dumps(told, default=int).encode()).hexdigest()

    def game_of(self, number: int) -> RatedGame:
        """Return the game that position ``number`` is of."""
        return self.games[self.spots[number].game]

    def key(self, number: int) -> str:
        """Return the name of a position, alike in every set: game and move number from 1."""
        return f"{self.game_of(number).game_id}:{self.spots[number].ply + 1}"

    def move_number(self, number: int) -> int:
        """Return the number, from 1, of the move that is asked for."""
        return self.spots[number].ply + 1

    def move_of_record(self, number: int) -> int:
        """Return the move that was played."""
        return self.game_of(number).moves[self.spots[number].ply][1]

    def rank_of_mover(self, number: int) -> str:
        """Return the rank, as written, of the side to move."""
        game, ply = self.game_of(number), self.spots[number].ply
        return game.ranks[0 if game.moves[ply][0] == BLACK else 1]

    def position(self, number: int) -> Position:
        """Return the position, with its history."""
        spot = self.spots[number]
        return positions_of(self.games[spot.game])[spot.ply]

    def take(self, numbers: Sequence[int]) -> PositionSet:
        """Return the set of some of the positions, in the order given."""
        labels = self.labels
        if labels is not None:
            labels = Labels(
                labels.teacher,
                tuple(labels.judged[n] for n in numbers),
                tuple(labels.win_after[n] for n in numbers),
                tuple(labels.lead_after[n] for n in numbers),
            )
        return PositionSet(
            self.name,
            self.origin,
            self.terms,
            self.games,
            tuple(self.spots[n] for n in numbers),
            labels,
            self.data_sha256,
        )


@lru_cache(maxsize=4)  # positions are asked about game by game
def positions_of(game: RatedGame) -> list[Position]:
    """Return the positions before each move of a game, the mover to move.

    Raises:
        MariagoError: the game cannot be played by its rules.
    """
    from mariago.sgf.games import ReadGame

    played = ReadGame(
        size=game.size,
        moves=list(game.moves),
        setup=list(game.setup),
        first_player=game.moves[0][0],
        handicap=game.handicap,
        komi=game.komi,
        rules=game.rules,
        result=None,
        info={},
    ).to_game()
    return [
        position.with_to_move(color)
        for position, (color, _) in zip(played.positions(), game.moves, strict=False)
    ]


def equal_moves(position: Position, move: int) -> frozenset[int]:
    """Return ``move`` and the moves that symmetries of this very position make of it.

    On an empty board the four corners' star points are one answer. Where a ko, or superko, may
    ban a point, nothing but the move itself is equal to it.
    """
    stones = position.stones.ravel()
    maps = move_maps(position.size)
    same = [image for image in maps if np.array_equal(stones[image[:-1]], stones)]
    if len(same) == 1 or position.ko is not None:
        return frozenset((move,))
    mask = position.legal_mask()
    return frozenset(int(image[move]) for image in same if mask[image[move]] == mask[move]) | {move}


def thinned(
    owners: Iterable[int], positions: int, per_game: int, seed: int
) -> npt.NDArray[np.int64]:
    """Draw at most ``positions`` of the rows whose games are ``owners``, ``per_game`` of a game.

    Return their numbers, rising. 0 positions: as many as there are.
    """
    held = np.asarray(list(owners), np.int64)
    order = np.random.default_rng(seed).permutation(len(held))
    taken: dict[int, int] = {}
    drawn: list[int] = []
    for row in order.tolist():
        game = int(held[row])
        if taken.get(game, 0) < per_game:
            taken[game] = taken.get(game, 0) + 1
            drawn.append(row)
            if len(drawn) == positions:
                break
    return np.sort(np.asarray(drawn, np.int64))
