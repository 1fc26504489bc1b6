"""Time that the controller allows: what was agreed, what is left, what one move may take."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Clock"]

MOVES_AHEAD = 30  # moves among which main time is shared out
KEPT = 0.9  # share of the allowance that is used; the rest is for the way there and back


@dataclass
class Clock:
    """Main time, then ``stones`` moves in every ``period_s``; all 0: no limit.

    As in the standard, a period of more than 0 s for 0 stones is no limit either.
    """

    main_s: float = 0.0
    period_s: float = 0.0
    stones: int = 0
    left: dict[int, tuple[float, int]] = field(default_factory=dict[int, tuple[float, int]])
    """What ``time_left`` said last: colour -> (seconds, stones; 0 in main time)."""

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit."""
        return self.stones > 0 or (self.main_s > 0 and self.period_s == 0)

    def allowance_s(self, color: int) -> float | None:
        """Return the seconds that the next move of ``color`` may take; None without a limit."""
        if not self.is_limited and color not in self.left:
            return None
        seconds, stones = self.left.get(color, (self.main_s, 0))
        if color not in self.left and self.main_s == 0:
            seconds, stones = self.period_s, self.stones
        if stones > 0:
            return max(KEPT * seconds / stones, 0.01)
        later = self.period_s / self.stones if self.stones else 0.0
        return max(KEPT * (seconds / MOVES_AHEAD + (later if seconds > later else 0.0)), 0.01)
