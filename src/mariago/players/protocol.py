"""What a player is: something that is shown a position and answers with a move."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from mariago.players.clock import ClockLeft

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["Candidate", "Decision", "Limits", "Player", "hash_of_description"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a player may think about one move; ``None`` leaves it to the player.

    Limits by visits keep a run repeatable; a limit by time does not.
    """

    visits: int | None = None
    """Positions that a searching player may look at."""
    time_s: float | None = None
    """Seconds of thought."""
    moves_left: int | None = None
    """Moves, of both sides, before the game is stopped and counted; ``None``: no such limit."""
    clock: ClockLeft | None = None
    """What is left on the clock of the side to move; who oversteps it has lost."""


class Candidate(NamedTuple):
    """A move that was considered; ``weight`` is a probability or a share of the visits."""

    move: int
    weight: float


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's answer.

    Nobody has checked it: a language model may answer with an illegal move, and whoever asked
    records that as the outcome.
    """

    move: int
    """``row * columns + column``; ``rows * columns`` is a pass."""
    value: float | None = None
    """What the player expects, in [-1, 1] for the side to move, where it knows."""
    candidates: tuple[Candidate, ...] = ()
    """Best first."""
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    """What can be checked about the move, or what moved the player to it."""
    resigned: bool = False
    """The player gives the game up; ``move`` then means nothing."""


class Player(Protocol):
    """An opponent of any kind.

    A player is built once and plays many games. After ``new_game(seed)`` its answers depend on
    nothing but the seed, the positions shown since, and the limits (when they set no time).
    """

    def new_game(self, seed: int) -> None:
        """Forget the last game; draw whatever is random from ``seed`` (0 to 2**63 - 1)."""
        ...

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Answer for the side to move.

        Raises:
            PlayerError: the player cannot play here (its engine ended, a board it cannot hold).
        """
        ...

    def describe(self) -> dict[str, object]:
        """Return plain values that name the player and, by hashes, the files it is made of."""
        ...

    def close(self) -> None:
        """Let go of what the player holds (a process, a connection); it plays no more."""
        ...


def hash_of_description(described: Mapping[str, object]) -> str:
    """Return SHA-256 of what a player says of itself: another net or engine has another one."""
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
