"""``heuristic`` and ``heuristic:VERSION``: the rule-based player."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from mariago.players.protocol import Decision, Limits
from mariago.players.registry import Kind, Options

if TYPE_CHECKING:
    from mariago.heuristic import Weights
    from mariago.rules import Position

__all__ = ["KIND", "HeuristicOptions", "HeuristicPlayer"]


class HeuristicOptions(Options):
    """Keys of ``heuristic``."""

    seed: int = Field(0, ge=0, description="mixed into the seed that draws among equal moves")


class HeuristicPlayer:
    """Plays the move of the highest score; equal scores are drawn by the game's seed."""

    def __init__(
        self, name: str, version: str, weights: Weights, options: HeuristicOptions
    ) -> None:
        self.name = name
        self.version = version
        self.weights = weights
        self.options = options
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Begin a new stream of random numbers."""
        self._rng = np.random.default_rng((seed, self.options.seed))

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Return the best move by the weights."""
        from mariago.heuristic import choose

        return Decision(int(choose(position, self._rng, self.weights)))

    def describe(self) -> dict[str, object]:
        """Return name, keys and version, with the hash of its weights."""
        weights = json.dumps(asdict(self.weights), sort_keys=True)
        return {
            "name": self.name,
            "kind": "heuristic",
            **self.options.model_dump(),
            "version": self.version,
            "weights_sha256": hashlib.sha256(weights.encode()).hexdigest(),
        }

    def close(self) -> None:
        """Nothing is held."""


def _build(name: str, target: str | None, options: HeuristicOptions) -> HeuristicPlayer:
    from mariago.heuristic import LATEST, weights_of

    version = target or LATEST
    return HeuristicPlayer(name, version, weights_of(version), options)


KIND = Kind(
    "heuristic",
    "The rule-based player; without a version the latest.",
    HeuristicOptions,
    _build,
    target="VERSION",
    target_required=False,
)
