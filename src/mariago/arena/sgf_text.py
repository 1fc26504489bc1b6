"""The SGF record of a match game."""

from __future__ import annotations

from dataclasses import replace

from mariago.arena.records import ENDINGS, GameRecord
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings
from mariago.board.points import BLACK, WHITE
from mariago.rules import Game
from mariago.sgf import write_game

__all__ = ["file_name", "sgf_of"]


def file_name(number: int) -> str:
    """Return the name of a game's file; people count games from 1."""
    return f"{number + 1:05d}.sgf"


def _comment(record: GameRecord) -> str:
    words = f"Game {record.number + 1}, pair {record.pair + 1}. "
    if record.opening:
        words += f"The first {len(record.opening)} moves are a random opening. "
    words += ENDINGS[record.ending][0].upper() + ENDINGS[record.ending][1:]
    words += f" ({record.counting})" if record.counting else ""
    return f"{words}: {record.detail}" if record.detail else f"{words}."


def sgf_of(record: GameRecord, settings: MatchSettings) -> str:
    """Return the game as SGF text, how it ended as the game's comment."""
    names = settings.names
    other = "b" if record.black == "a" else "a"
    sides = {BLACK: names[record.black], WHITE: names[other]}
    moves = [(BLACK if i % 2 == 0 else WHITE, move) for i, move in enumerate(record.moves)]
    game = Game.from_moves(
        start_position(settings),
        moves,
        result=record.result,
        properties={"GC": _comment(record), "RO": str(record.number + 1)},
    )
    game.players = {color: replace(game.players[color], name=sides[color]) for color in sides}
    return write_game(game).decode("utf-8")
