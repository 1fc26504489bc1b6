"""The SGF record of a match game."""

from __future__ import annotations

import re
from dataclasses import replace

from mariago.arena.records import ENDINGS, GameRecord
from mariago.arena.schedule import colored, start_position
from mariago.arena.settings import MatchSettings
from mariago.board.points import BLACK, WHITE
from mariago.rules import Game
from mariago.sgf import write_game

__all__ = ["file_name", "sgf_of"]


def file_name(number: int) -> str:
    """Return the name of a game's file; people count games from 1."""
    return f"{number + 1:05d}.sgf"


def _comment(record: GameRecord, settings: MatchSettings) -> str:
    words = f"Game {record.number + 1}, pair {record.pair + 1}. "
    if record.start is not None:
        words += f"It begins with {record.start.stones} stones of an opening. "
    if record.opening:
        kind = "a random opening" if settings.openings is None else "an opening"
        words += f"The first {len(record.opening)} moves are {kind}. "
    words += ENDINGS[record.ending][0].upper() + ENDINGS[record.ending][1:]
    words += f" ({record.counting})" if record.counting else ""
    return f"{words}: {record.detail}" if record.detail else f"{words}."


def sgf_of(record: GameRecord, settings: MatchSettings) -> str:
    """Return the game as SGF text, how it ended as the game's comment."""
    names = settings.names
    other = "b" if record.black == "a" else "a"
    sides = {BLACK: names[record.black], WHITE: names[other]}
    game = Game.from_moves(
        start_position(settings, record.start),
        colored(settings, record.moves, record.start),
        result=record.result,
        properties={
            "GC": _comment(record, settings),
            "RO": str(record.number + 1),
            **_time_properties(settings),
        },
    )
    game.players = {color: replace(game.players[color], name=sides[color]) for color in sides}
    return _with_clocks(write_game(game).decode("utf-8"), record)


def _time_properties(settings: MatchSettings) -> dict[str, str]:
    if settings.time is None:
        return {}
    found = {"TM": f"{settings.time.main:g}", "OT": settings.time.overtime}
    return {name: value for name, value in found.items() if value}


def _with_clocks(sgf: str, record: GameRecord) -> str:
    """Return the text with BL, WL and the periods left (OB, OW) behind the moves of players."""
    if not record.left:
        return sgf
    left = iter([None] * len(record.opening) + list(record.left))

    def told(move: re.Match[str]) -> str:
        found, side = next(left, None), move[1]
        if found is None:
            return move[0]
        seconds, periods = found
        return f"{move[0]}{side}L[{seconds:g}]" + (f"O{side}[{periods}]" if periods else "")

    return re.sub(r";([BW])\[[a-z]{0,2}\]", told, sgf)
