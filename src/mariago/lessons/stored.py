"""Games and lessons as rows of a book, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from mariago.board.points import BLACK, WHITE
from mariago.lessons.games import PlayedGame
from mariago.lessons.lesson import KINDS, Lesson
from mariago.lessons.schema import GameRow, LessonRow
from mariago.rules import Position

__all__ = ["game_of_row", "row_of_game", "row_of_lesson", "signed", "unsigned"]


def signed(key: int) -> int:
    """Return a 64-bit key as SQLite's signed number."""
    return key - 2**64 if key >> 63 else key


def unsigned(number: int) -> int:
    """Return the key that :func:`signed` turned into a number."""
    return number % 2**64


def row_of_game(game: PlayedGame, learnt: str) -> GameRow:
    """Return the row of a game."""
    start = game.start
    told: dict[str, Any] = {
        "stones": [int(stone) for stone in start.stones.ravel()],
        "rows": start.size.rows,
        "columns": start.size.columns,
        "to_move": start.to_move,
        "rules": start.rules.name,
        "komi": start.komi,
        "handicap": start.handicap,
    }
    return GameRow(
        key=game.key,
        match=game.match,
        match_key=game.match_key,
        number=game.number,
        black=game.black,
        white=game.white,
        winner=game.winner,
        ending=game.ending,
        played=game.played,
        learnt=learnt,
        opening=game.opening,
        start=told,
        moves=[[color, move] for color, move in game.moves],
    )


def game_of_row(row: GameRow) -> PlayedGame:
    """Return the game of a row.

    Raises:
        ValueError, KeyError, TypeError, MariagoError: no game of this room wrote it.
    """
    told = row.start
    stones = np.array(told["stones"], np.uint8).reshape(told["rows"], told["columns"])
    start = Position.from_stones(
        stones,
        to_move=told["to_move"],
        rules=told["rules"],
        komi=told["komi"],
        handicap=told["handicap"],
    )
    return PlayedGame(
        start=start,
        moves=tuple((int(color), int(move)) for color, move in row.moves),
        winner=row.winner,
        black=row.black,
        white=row.white,
        match=row.match,
        match_key=row.match_key,
        number=row.number,
        opening=row.opening,
        ending=row.ending,
        played=row.played,
    )


def row_of_lesson(lesson: Lesson, game: PlayedGame, game_id: int) -> LessonRow:
    """Return the row of a lesson."""
    if lesson.kind not in KINDS or lesson.color not in (BLACK, WHITE):
        raise ValueError(f"{lesson} is no lesson")
    return LessonRow(
        game_id=game_id,
        kind=lesson.kind,
        move_number=lesson.move_number,
        move=lesson.move,
        color=lesson.color,
        handed_to=lesson.to,
        giver=game.name_of(lesson.color),
        receiver=game.name_of(lesson.to),
        points=lesson.points,
        weight=lesson.weight,
        pattern=signed(lesson.pattern),
        position=signed(lesson.position),
    )
