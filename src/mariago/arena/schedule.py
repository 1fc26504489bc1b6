"""Which games a match has: openings in pairs, colours swapped, seeds for players and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mariago.arena.openings import draw_openings
from mariago.arena.settings import MatchSettings
from mariago.board.points import BLACK, WHITE
from mariago.rules import Position, fixed_handicap_start

__all__ = ["PlannedGame", "colored", "plan_games", "start_position"]


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game to be played."""

    number: int
    """From 0; the pair is ``number // 2``."""
    black: str
    """``"a"`` or ``"b"``."""
    opening: tuple[int, ...]
    seed_a: int
    seed_b: int

    @property
    def pair(self) -> int:
        """Number of the pair, from 0."""
        return self.number // 2


def start_position(settings: MatchSettings) -> Position:
    """Return the board on which a match's games begin: empty, or with the handicap stones."""
    if settings.handicap:
        return fixed_handicap_start(settings.size, settings.handicap, settings.rules, settings.komi)
    return Position.empty(settings.size, settings.rules, settings.komi)


def colored(settings: MatchSettings, moves: Sequence[int]) -> list[tuple[int, int]]:
    """Return (color, move) of a game's moves: Black first, with a handicap White."""
    colors = (WHITE, BLACK) if settings.handicap else (BLACK, WHITE)
    return [(colors[i % 2], move) for i, move in enumerate(moves)]


def _seeds(seed: int, number: int) -> tuple[int, int]:
    # A game's seeds depend on its number alone: workers and interruptions change nothing.
    words = np.random.SeedSequence((seed, number)).generate_state(2, np.uint64)
    return int(words[0] >> np.uint64(1)), int(words[1] >> np.uint64(1))


def plan_games(settings: MatchSettings) -> list[PlannedGame]:
    """Return all games of a match; equal settings give equal plans."""
    openings = draw_openings(
        start_position(settings), settings.games // 2, settings.seed, settings.opening_moves
    )
    plan: list[PlannedGame] = []
    for number in range(settings.games):
        seed_a, seed_b = _seeds(settings.seed, number)
        black = "a" if number % 2 == 0 else "b"
        plan.append(PlannedGame(number, black, openings[number // 2], seed_a, seed_b))
    return plan
