"""Which moves of a game teach something: read from the same facts as everything else.

A move is a lesson where ``tactics.facts_of_move`` says that it

* takes stones (``capture``),
* saves own stones in atari, and no ladder takes them then (``atari_save``), or
* puts stones in atari that a ladder takes to the end (``working_chase``),

in this order: one move, one lesson. Never handed over are passes, moves of a random opening and
what ``REFUSALS`` names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mariago.board.points import move_to_point
from mariago.lessons.games import PlayedGame, RecordLike, TermsLike, game_of_record
from mariago.lessons.lesson import Kind, Lesson, Teaching
from mariago.tactics import facts_of_move

if TYPE_CHECKING:
    from mariago.rules import Position
    from mariago.tactics import Facts

__all__ = [
    "REFUSALS",
    "GoodMove",
    "good_moves",
    "handed_over",
    "lesson_kind",
    "lessons_of_game",
    "lessons_of_record",
    "why_refused",
]

REFUSALS = {
    "pass": "a pass",
    "suicide": "a suicide",
    "tigers_mouth": "enters the opponent's tiger's mouth",
    "futile": "played where only the opponent can live",
    "broken_ladder": "begins a ladder that does not work, and does nothing else",
    "lost_again": "takes fewer stones than are lost with the stone that takes them",
}
"""Why a move is never a lesson."""


def why_refused(facts: Facts) -> str | None:
    """Return which of ``REFUSALS`` keeps a move from being a lesson; None where none does."""
    if facts.is_pass:
        return "pass"
    if facts.is_suicide:
        return "suicide"
    if facts.enters_tigers_mouth:
        return "tigers_mouth"
    if facts.futile:
        return "futile"
    if facts.ladder_broken and not facts.captures and not facts.saves:
        return "broken_ladder"
    if 0 < facts.captures < max(facts.self_atari, facts.own_caught):
        return "lost_again"
    return None


def lesson_kind(facts: Facts) -> tuple[Kind, int] | None:
    """Return the kind of lesson that a move is, and the stones it is about; None for none."""
    if why_refused(facts) is not None:
        return None
    if facts.captures:
        return "capture", facts.captures
    if facts.saves and not facts.own_caught:
        return "atari_save", facts.saves
    if facts.ladder_works and not facts.ladder_broken:
        return "working_chase", facts.ladder_works
    return None


def _may_teach(position: Position, move: int) -> bool:
    """Say whether a move takes, saves or threatens stones at all: a hundredth of a look at it."""
    from mariago.tactics.flag_kernels import CAPTURES, FLAGS, GIVES_ATARI, SAVES, move_flags

    if move >= position.size.cells:
        return False
    flags = np.zeros(FLAGS, np.uint16)
    move_flags(position.state, move_to_point(move, position.size), flags)
    return bool(flags[CAPTURES] or flags[SAVES] or flags[GIVES_ATARI])


@dataclass(frozen=True, slots=True)
class GoodMove:
    """A move that teaches, whoever is taught; fields as of :class:`Lesson`."""

    kind: Kind
    move_number: int
    move: int
    color: int
    points: int
    pattern: int
    position: int


def good_moves(game: PlayedGame) -> list[GoodMove]:
    """Return the moves of a game that teach, in their order: all the reading that lessons take.

    Raises:
        IllegalMoveError: the rules forbid a move of the game; ``.where`` holds its number.
    """
    from mariago.errors import IllegalMoveError
    from mariago.lessons.key_kernels import pattern_of, position_key

    found: list[GoodMove] = []
    number = 0
    try:
        for number, (position, move) in enumerate(game.positions(), 1):
            if number <= game.opening or not _may_teach(position, move):
                continue
            taught = lesson_kind(facts_of_move(position, move))
            if taught is None:
                continue
            keys = int(pattern_of(position.state, move)), int(position_key(position.state, move))
            found.append(GoodMove(taught[0], number, move, position.to_move, taught[1], *keys))
    except IllegalMoveError as error:
        error.where = error.where or f"move {number}"
        raise
    return found


def handed_over(moves: Iterable[GoodMove], winner: int, teaching: Teaching) -> list[Lesson]:
    """Return the lessons that good moves become, in their order; ``winner`` as of the game."""
    found: list[Lesson] = []
    for good in moves:
        weight = teaching.winner_weight if winner == good.color else 1.0
        played = good.kind, good.move_number, good.move, good.color
        found += [
            Lesson(*played, to, good.points, weight, good.pattern, good.position)
            for to in teaching.receivers(good.color)
            if weight > 0
        ]
    return found


def lessons_of_game(game: PlayedGame, teaching: Teaching | None = None) -> list[Lesson]:
    """Return the lessons of a game, in the order of its moves.

    Raises:
        IllegalMoveError: see :func:`good_moves`.
    """
    return handed_over(good_moves(game), game.winner, teaching or Teaching())


def lessons_of_record(
    record: RecordLike, terms: TermsLike, teaching: Teaching | None = None
) -> list[Lesson]:
    """Return the lessons of a match's game; see :func:`lessons_of_game`."""
    return lessons_of_game(game_of_record(record, terms), teaching)
