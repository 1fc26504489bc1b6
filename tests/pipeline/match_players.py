"""Players that misbehave, for tests of matches; :func:`prepare` registers them, in workers too."""

from __future__ import annotations

import os
import time
from typing import Any

from pydantic import Field

from mariago.players import Decision, Kind, Limits, register
from mariago.players.registry import Options
from mariago.rules import Position


class OddOptions(Options):
    """Keys of ``odd``."""

    does: str = Field("illegal", description="what it does wrong")
    at: int = Field(10, description="from which move on")


class OddPlayer:
    """Plays the first legal move, and from move ``at`` on does what ``does`` says."""

    def __init__(self, name: str, options: OddOptions) -> None:
        self.name = name
        self.options = options
        self.asked = 0

    def new_game(self, seed: int) -> None:
        self.asked = 0
        if self.options.does == "refuse":
            raise RuntimeError("no new game")

    def choose(self, position: Position, limits: Limits) -> Decision:
        self.asked += 1
        first = next(i for i, legal in enumerate(position.legal_mask()) if legal)
        if position.move_number < self.options.at:
            return Decision(first)
        return self.misbehave(position, first)

    def misbehave(self, position: Position, first: int) -> Decision:
        does: Any = self.options.does
        if does == "illegal":
            return Decision(int(position.stones.ravel().argmax()))
        if does == "nonsense":
            return Decision("D4")  # type: ignore[arg-type]
        if does == "outside":
            return Decision(10_000)
        if does == "raise":
            raise ValueError("the player's\nprogram failed")
        if does == "resign":
            return Decision(first, resigned=True)
        if does == "pass":
            return Decision(position.size.cells)
        if does == "die":
            os._exit(3)
        if does == "slow":
            time.sleep(0.05)
        return Decision(first)

    def describe(self) -> dict[str, object]:
        return {"name": self.name, "kind": "odd"}

    def close(self) -> None:
        pass


def prepare() -> None:
    """Add the kind ``odd`` to this process."""
    register(
        Kind("odd", "misbehaves", OddOptions, lambda name, _, options: OddPlayer(name, options))
    )
