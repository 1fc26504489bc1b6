"""The games that lessons come from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from mariago.board.points import BLACK, opponent
from mariago.rules import Position

__all__ = ["PlayedGame", "RecordLike", "TermsLike", "game_of_record"]

FORFEITS = ("illegal", "fault")
"""Endings that say nothing of who played better."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, as far as lessons are drawn from it."""

    start: Position
    moves: tuple[tuple[int, int], ...]
    """(colour, move), oldest first."""
    winner: int = 0
    """BLACK, WHITE or 0; who won on the board, not by the other's illegal move or fault."""
    black: str = "black"
    """By what name lessons are handed to Black."""
    white: str = "white"
    match: str = ""
    """What the game belongs to: a match's folder, a file."""
    match_key: str = ""
    """Tells equal matches apart from others; the same game of the same match is learnt once."""
    number: int = 0
    """Of the game in its match, from 0."""
    opening: int = 0
    """Moves at the beginning that no player chose."""
    ending: str = ""
    played: str = ""
    """When, where it is known: ``2025-01-31``."""

    def name_of(self, color: int) -> str:
        """Return the name of a side."""
        return self.black if color == BLACK else self.white

    @property
    def key(self) -> str:
        """64 hexadecimal digits that only this game of this match has."""
        told = [
            self.match_key, self.number, self.black, self.white, self.winner, self.opening,
            self.start.rules.name, self.start.komi, *self.start.size,
            [int(stone) for stone in self.start.stones.ravel()], self.start.to_move, self.moves,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def positions(self) -> Iterator[tuple[Position, int]]:
        """Yield (the position with the mover to move, the move) for every move.

        Raises:
            IllegalMoveError: the rules forbid a move.
        """
        position = self.start
        for color, move in self.moves:
            position = position.with_to_move(color)
            yield position, move
            position = position.play(move)


class RecordLike(Protocol):
    """What is read of a game record of a match, such as ``arena.GameRecord``."""

    @property
    def number(self) -> int: ...
    @property
    def black(self) -> str: ...
    @property
    def opening(self) -> tuple[int, ...]: ...
    @property
    def moves(self) -> tuple[int, ...]: ...
    @property
    def winner(self) -> int: ...
    @property
    def ending(self) -> str: ...


class TermsLike(Protocol):
    """What is read of the settings of a match, such as ``arena.MatchSettings``."""

    @property
    def player_a(self) -> str: ...
    @property
    def player_b(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def rules(self) -> str: ...
    @property
    def komi(self) -> float: ...
    def as_json(self) -> str: ...


def game_of_record(
    record: RecordLike,
    terms: TermsLike,
    *,
    names: Mapping[str, str] | None = None,
    match: str = "",
    played: str = "",
    start: Position | None = None,
) -> PlayedGame:
    """Return a match's game as lessons are drawn from it.

    Args:
        names: by what names lessons are handed to players ``"a"`` and ``"b"``; without it those of
            the match.
        match: what the match is called in the book, such as its folder.
        start: the board before the first move; without it the empty one.
    """
    known = names or {"a": terms.player_a, "b": terms.player_b}
    other = "b" if record.black == "a" else "a"
    if start is None:
        start = Position.empty((terms.rows, terms.columns), terms.rules, terms.komi)
    colors = (start.to_move, opponent(start.to_move))
    return PlayedGame(
        start=start,
        moves=tuple((colors[i % 2], m) for i, m in enumerate(record.moves)),
        winner=0 if record.ending in FORFEITS else record.winner,
        black=known[record.black],
        white=known[other],
        match=match,
        match_key=hashlib.sha256(terms.as_json().encode()).hexdigest(),
        number=record.number,
        opening=len(record.opening),
        ending=record.ending,
        played=played,
    )
