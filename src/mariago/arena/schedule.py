"""Which games a match has: openings in pairs, colours swapped, seeds for players and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mariago.arena.openings import draw_openings
from mariago.arena.settings import MatchSettings
from mariago.arena.start import Opening, Start
from mariago.board.points import BLACK, WHITE, opponent
from mariago.rules import Position, fixed_handicap_start

__all__ = ["PlannedGame", "colored", "game_seeds", "plan_games", "start_position"]


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
    start: Start | None = None
    """The stones that the opening puts up."""

    @property
    def pair(self) -> int:
        """Number of the pair, from 0."""
        return self.number // 2


def start_position(settings: MatchSettings, start: Start | None = None) -> Position:
    """Return the board on which a game begins: empty, with handicap stones or with an opening's."""
    if start is not None:
        return start.position(settings.size, settings.rules, settings.komi)
    if settings.handicap:
        return fixed_handicap_start(settings.size, settings.handicap, settings.rules, settings.komi)
    return Position.empty(settings.size, settings.rules, settings.komi)


def colored(
    settings: MatchSettings, moves: Sequence[int], start: Start | None = None
) -> list[tuple[int, int]]:
    """Return (color, move) of a game's moves, whoever moves first."""
    first = start.to_move if start is not None else WHITE if settings.handicap else BLACK
    colors = (first, opponent(first))
    return [(colors[i % 2], move) for i, move in enumerate(moves)]


def game_seeds(seed: int, number: int) -> tuple[int, int]:
    """Return the seeds of Player A and Player B in the game ``number``, from 0."""
    # A game's seeds depend on its number alone: workers and interruptions change nothing.
    words = np.random.SeedSequence((seed, number)).generate_state(2, np.uint64)
    return int(words[0] >> np.uint64(1)), int(words[1] >> np.uint64(1))


def plan_games(
    settings: MatchSettings, openings: Sequence[Opening] | None = None
) -> list[PlannedGame]:
    """Return all games of a match; equal settings give equal plans.

    Args:
        openings: one for each pair; without them the short random ones.
    """
    if openings is None:
        drawn = draw_openings(
            start_position(settings), settings.games // 2, settings.seed, settings.opening_moves
        )
        openings = [Opening(moves) for moves in drawn]
    plan: list[PlannedGame] = []
    for number in range(settings.games):
        seed_a, seed_b = game_seeds(settings.seed, number)
        black = "a" if number % 2 == 0 else "b"
        opening = openings[number // 2]
        plan.append(PlannedGame(number, black, opening.moves, seed_a, seed_b, opening.start))
    return plan
