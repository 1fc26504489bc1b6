"""``random``: any sensible legal move; the floor that every player must beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from mariago.players.eyes import own_eyes
from mariago.players.protocol import Decision, Limits
from mariago.players.registry import Kind, Options

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["KIND", "RandomOptions", "RandomPlayer"]


class RandomOptions(Options):
    """Keys of ``random``."""

    seed: int = Field(0, ge=0, description="mixed into the seed of every game")


class RandomPlayer:
    """Plays uniformly among the legal moves that fill no eye of its own; passes without any.

    An eye here is an empty point whose neighbours are all its own stones: filling those would
    never end a game.
    """

    def __init__(self, name: str, options: RandomOptions) -> None:
        self.name = name
        self.options = options
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Begin a new stream of random numbers."""
        self._rng = np.random.default_rng((seed, self.options.seed))

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Return a random move."""
        legal = position.legal_mask()[:-1]
        moves = np.flatnonzero(legal & ~own_eyes(position))
        if moves.size == 0:
            return Decision(position.size.cells)
        return Decision(int(moves[self._rng.integers(moves.size)]))

    def describe(self) -> dict[str, object]:
        """Return the player's name and keys."""
        return {"name": self.name, "kind": "random", **self.options.model_dump()}

    def close(self) -> None:
        """Nothing is held."""


def _build(name: str, target: str | None, options: RandomOptions) -> RandomPlayer:
    return RandomPlayer(name, options)


KIND = Kind("random", "Uniform over legal moves that fill no own eye.", RandomOptions, _build)
