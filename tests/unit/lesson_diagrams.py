"""Boards with a move, and the lesson that it is or why it is none, seen by X."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["LESSONS", "NO_LESSONS", "Taught", "Untaught"]


class Taught(NamedTuple):
    """A move by the side that X stands for, and what it teaches."""

    name: str
    diagram: str
    move: str
    kind: str
    points: int


class Untaught(NamedTuple):
    """A move that is near a lesson and is none; ``why`` is a key of ``REFUSALS`` or empty."""

    name: str
    diagram: str
    move: str
    why: str = ""


LESSONS = [
    Taught(
        "takes a stone",
        """
        . . . . .
        . . X . .
        . X O . .
        . . X . .
        . . . . .
        """,
        "D3",
        "capture",
        1,
    ),
    Taught(
        "takes two chains at the edge",
        """
        X O . O X
        . X . X .
        . . . . .
        . . . . .
        . . . . .
        """,
        "C5",
        "capture",
        2,
    ),
    Taught(
        "runs out of atari into the open",
        """
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "D5",
        "atari_save",
        1,
    ),
    Taught(
        "connects two stones in atari to a strong chain",
        """
        . . . . . . .
        . O O . . . .
        O X X . X . .
        . O O . X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "D5",
        "atari_save",
        2,
    ),
    Taught(
        "begins a ladder that works",
        """
        . . . . . . .
        . . . . . . .
        . . X X . . .
        . X O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "C3",
        "working_chase",
        1,
    ),
    Taught(
        "puts a stone of the first line in atari for good",
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X X X . .
        . . . O . . .
        """,
        "E1",
        "working_chase",
        1,
    ),
]

NO_LESSONS = [
    Untaught(
        "the same stone with a liberty more",
        """
        . . . . .
        . . X . .
        . X O . .
        . . . . .
        . . . . .
        """,
        "A1",
    ),
    Untaught(
        "runs out of atari into a ladder",
        """
        . . . . . . .
        . . O O . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "D5",
    ),
    Untaught(
        "the ladder with a stone in its way",
        """
        . . . . . . .
        . . . . . . .
        . . X X . . .
        . X O . . . .
        . . . . . . .
        . . . . . O .
        . . . . . . .
        """,
        "C3",
        "broken_ladder",
    ),
    Untaught(
        "enters a tiger's mouth",
        """
        . . . . .
        . . O . .
        . O . O .
        . . . . .
        . . . . .
        """,
        "C3",
        "tigers_mouth",
    ),
    Untaught(
        "plays into a small eye space",
        """
        . . O . .
        O O O O O
        . . . . .
        . . . . .
        . . . . .
        """,
        "A5",
        "futile",
    ),
    Untaught(
        "takes a stone and is taken with five",
        """
        . O X O . .
        X X X O . .
        O O O . . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        "A6",
        "lost_again",
    ),
    Untaught(
        "a suicide of two stones",
        """
        . X O . .
        O O O . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "A5",
        "suicide",
    ),
]
