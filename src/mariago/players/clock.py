"""What a player has left on its clock, and how much of it to spend on a move."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ClockLeft", "time_for_move"]

MOVES_AHEAD = 30  # own moves among which the main time is shared
OF_AN_INCREMENT = 0.8  # share of what a move brings back, or of a byo-yomi period
MARGIN_S = 0.05  # kept for what is not thinking


class ClockLeft(NamedTuple):
    """The clock of the side to move, before its move."""

    main_s: float
    """Main time left; with byo-yomi it may be 0."""
    increment_s: float
    """What every move brings back (Fischer)."""
    periods: int
    """Byo-yomi periods left; 0: none are played."""
    period_s: float
    """Length of a period, which a move that ends within it gives back."""

    @property
    def most_s(self) -> float:
        """Return the seconds after which the game is lost."""
        return self.main_s + self.periods * self.period_s


def time_for_move(left: ClockLeft, own_moves_left: int | None = None) -> float:
    """Return the seconds that a player may well spend on a move.

    A thirtieth of the main time (or its share of the player's moves that are left, where these are
    fewer) and four fifths of the increment; in byo-yomi four fifths of a period. Never more than
    what is left less a margin.
    """
    ahead = MOVES_AHEAD
    if own_moves_left is not None:
        ahead = max(1, min(ahead, own_moves_left))
    wanted_s = left.main_s / ahead + OF_AN_INCREMENT * left.increment_s
    if left.periods:
        wanted_s = max(wanted_s, OF_AN_INCREMENT * left.period_s)
    most_s = left.main_s + (left.period_s if left.periods else 0.0)
    margin_s = min(MARGIN_S, most_s / 2)
    return max(0.001, min(wanted_s, OF_AN_INCREMENT * most_s, most_s - margin_s))
