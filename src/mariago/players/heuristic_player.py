"""``heuristic`` and ``heuristic:VERSION``: the rule-based player."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field, field_validator

from mariago.errors import BadInputError
from mariago.players.lesson_reader import LessonOptions, LessonReader, reader_of, what_changed
from mariago.players.protocol import Decision, Limits
from mariago.players.registry import Kind

if TYPE_CHECKING:
    from mariago.heuristic import Weights
    from mariago.rules import Position

__all__ = ["KIND", "HeuristicOptions", "HeuristicPlayer"]


class HeuristicOptions(LessonOptions):
    """Keys of ``heuristic``."""

    seed: int = Field(0, ge=0, description="mixed into the seed that draws among equal moves")
    without: str = Field("", description="terms and groups to switch off: self_atari+opening")
    lesson_bonus: float = Field(
        35.0, ge=0, le=1e6, description="what a count adds to a move's score"
    )
    lesson_cap: float = Field(1400.0, ge=0, le=1e6, description="the most that all counts add")

    @property
    def switched_off(self) -> list[str]:
        """The names in ``without``."""
        return [name.strip() for name in self.without.split("+") if name.strip()]

    @field_validator("without")
    @classmethod
    def _known(cls, without: str) -> str:
        from mariago.heuristic import weights_of

        try:
            weights_of().leaving_out(name.strip() for name in without.split("+") if name.strip())
        except BadInputError as error:
            raise ValueError(" ".join(str(error).split())) from None
        return without


class HeuristicPlayer:
    """Plays the move of the highest score; equal scores are drawn by the game's seed."""

    def __init__(
        self,
        name: str,
        weights: Weights,
        options: HeuristicOptions,
        lessons: LessonReader | None = None,
    ) -> None:
        self.name = name
        self.weights = weights
        self.options = options
        self.lessons = lessons
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Begin a new stream of random numbers; read the book again where it has changed."""
        self._rng = np.random.default_rng((seed, self.options.seed))
        if self.lessons is not None:
            self.lessons.refresh()

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Return the best move by the weights, and by what lessons add to them."""
        from mariago.heuristic import choose, score_moves

        if self.lessons is None:
            return Decision(int(choose(position, self._rng, self.weights)))
        counts = self.lessons.table.counts_of(position)
        bonus = np.minimum(counts * self.options.lesson_bonus, self.options.lesson_cap)
        move = int(choose(position, self._rng, self.weights, bonus))
        if not bonus[move]:
            return Decision(move)
        plain = score_moves(position, self.weights)
        return Decision(move, facts=what_changed(position, move, plain, counts))

    def describe(self) -> dict[str, object]:
        """Return name, keys and version, with the hash of its weights."""
        weights = json.dumps(dict(self.weights.values), sort_keys=True)
        return {
            "name": self.name,
            "kind": "heuristic",
            **self.options.described(),
            "version": self.weights.version,
            "weights_sha256": hashlib.sha256(weights.encode()).hexdigest(),
            **({} if self.lessons is None else {"lessons": self.lessons.describe()}),
        }

    def close(self) -> None:
        """Nothing is held."""


def _build(name: str, target: str | None, options: HeuristicOptions) -> HeuristicPlayer:
    from mariago.heuristic import weights_of

    weights = weights_of(target or "").leaving_out(options.switched_off)
    return HeuristicPlayer(name, weights, options, reader_of(name, options))


KIND = Kind(
    "heuristic",
    "The rule-based player; without a version the latest.",
    HeuristicOptions,
    _build,
    target="VERSION",
    target_required=False,
)
