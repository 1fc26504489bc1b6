"""What a second referee makes of a game that the match's own has counted."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Recount"]


@dataclass(frozen=True, slots=True)
class Recount:
    """A second count of a game; the lead is Black's, with komi."""

    number: int
    """Of the game, from 0."""
    margin: float | None
    """``None``: the game was not counted by this referee."""
    detail: str = ""
    """Why not, with the last words of an engine."""

    @property
    def winner(self) -> int | None:
        """BLACK, WHITE or 0 for a draw; None where it was not counted."""
        if self.margin is None:
            return None
        return 0 if self.margin == 0 else 1 if self.margin > 0 else 2
