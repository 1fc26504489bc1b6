"""What a lesson is, and to whom games hand lessons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mariago.board.points import opponent
from mariago.errors import LessonError, first_fault
from mariago.words import Texts

__all__ = [
    "KINDS",
    "Kind",
    "Lesson",
    "Teaching",
    "cut",
    "kind_in_words",
    "listed",
    "teaching_of",
]

Kind = Literal["capture", "atari_save", "working_chase"]

KINDS: tuple[Kind, ...] = ("capture", "atari_save", "working_chase")
"""A move teaches one lesson, of the first kind that fits it."""

MOST_WEIGHT = 1000.0


class Teaching(BaseModel):
    """To whom good moves are handed, and what the winner's count.

    ``to="other"`` with a weight of 2 are the cross lessons of the account that this follows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    to: Literal["other", "own", "both"] = "other"
    """The opponent of who played the move, the player's own side, or both."""
    winner_weight: float = Field(default=2.0, ge=0, le=MOST_WEIGHT)
    """What a move of the winner's counts; others count 1. With 0 only losers teach."""

    def receivers(self, color: int) -> tuple[int, ...]:
        """Return the sides to which a move by ``color`` is handed."""
        both = (opponent(color), color)
        return {"other": both[:1], "own": both[1:], "both": both}[self.to]


def teaching_of(**settings: object) -> Teaching:
    """Return these settings, checked.

    Raises:
        LessonError: an unknown one, or a value out of its range.
    """
    try:
        return Teaching.model_validate(settings)
    except ValidationError as error:
        raise LessonError(
            f"is no way to teach: {first_fault(error)}",
            hint="to: other, own or both; winner_weight: a number from 0 to 1000",
        ) from None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A good move of a game, handed to one side."""

    kind: Kind
    move_number: int
    """From 1, as people count."""
    move: int
    color: int
    """Who played it."""
    to: int
    """The side to which it is handed: BLACK or WHITE of that game."""
    points: int
    """Stones taken, saved or caught."""
    weight: float
    """What it counts."""
    pattern: int
    """64-bit key of what stood round the move; see :mod:`mariago.lessons.pattern_keys`."""
    position: int
    """64-bit key of the whole position with the move in it."""


def cut(text: str, most: int = 80) -> str:
    """Return a text that somebody gave, fit for a line."""
    return text if len(text) <= most else f"{text[:most]}..."


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return the first of some names, and how many more there are, fit for a line."""
    more = len(names) - most
    return ", ".join(cut(name) for name in names[:most]) + (f" and {more} more" if more > 0 else "")


def kind_in_words(kind: str, _: Texts) -> str:
    """Return what a kind of lesson is called."""
    names = {
        "capture": _("takes stones"),
        "atari_save": _("saves stones in atari"),
        "working_chase": _("a ladder that works"),
    }
    return names[kind]
