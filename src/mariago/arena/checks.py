"""Whether a game that was kept can be one of its match: stores are files, and files get changed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mariago.arena.records import ENDINGS, GameRecord
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings
from mariago.errors import MariagoError

__all__ = ["game_fault"]

COUNTED = ("limit", "passes", "cap")


def _whole(value: Any) -> bool:
    return type(value) is int


def _figure(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _by_player(value: Any, fits: Callable[[Any], bool]) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"a", "b"}  # pyright: ignore[reportUnknownArgumentType]
        and all(fits(one) and one >= 0 for one in value.values())  # pyright: ignore
    )


def _is_left(value: Any) -> bool:
    return all(
        len(one) == 2 and _figure(one[0]) and _whole(one[1]) and min(one) >= 0 for one in value
    )


def game_fault(game: GameRecord, settings: MatchSettings) -> str | None:
    """Return why ``game`` is none of a match with these settings, in words; None for one that is.

    Types come first, then the moves: they are played over by the match's rules.
    """
    return (
        _fault_of_fields(game, settings) or _fault_of_end(game) or _fault_of_moves(game, settings)
    )


def _fault_of_fields(game: GameRecord, settings: MatchSettings) -> str | None:
    moves: tuple[Any, ...] = (*game.moves, *game.opening)
    held = {
        "number": _whole(game.number) and 0 <= game.number < settings.games,
        "black": game.black == ("a" if game.number % 2 == 0 else "b"),
        "moves": all(_whole(move) and 0 <= move <= settings.size.cells for move in moves),
        "opening": game.moves[: len(game.opening)] == game.opening,
        "start": game.start is None or not game.start.why_impossible(settings.size),
        "winner": _whole(game.winner) and game.winner in (0, 1, 2),
        "margin": game.margin is None or _figure(game.margin),
        "ending": game.ending in ENDINGS,
        "counting": game.counting in ("", "territory", "area"),
        "seconds": _by_player(game.seconds, _figure),
        "turns": _by_player(game.turns, _whole),
        "left": _is_left(game.left),
        "detail": isinstance(game.detail, str),  # pyright: ignore[reportUnnecessaryIsInstance]
        "sgf": isinstance(game.sgf, str) and game.sgf.startswith("("),  # pyright: ignore
    }
    return next(
        (f"{name} cannot be {getattr(game, name)!r:.60}" for name, ok in held.items() if not ok),
        None,
    )


def _fault_of_end(game: GameRecord) -> str | None:
    """Return where ending, counting, margin and winner do not go together."""
    counted = game.ending in COUNTED
    if counted != (game.margin is not None) or counted != (game.counting != ""):
        return f"ending {game.ending!r} with margin {game.margin} counted by {game.counting!r}"
    if game.margin is not None:
        winner = 0 if game.margin == 0 else 1 if game.margin > 0 else 2
        return None if game.winner == winner else f"winner {game.winner}, margin {game.margin:g}"
    if (game.winner == 0) != (game.ending == "no_result"):
        return f"winner {game.winner}, ending {game.ending!r}"
    return None


def _fault_of_moves(game: GameRecord, settings: MatchSettings) -> str | None:
    if len(game.moves) > max(settings.length_cap, len(game.opening)):
        return f"{len(game.moves)} moves, more than the match allows"
    try:
        position = start_position(settings, game.start)
        for move in game.moves:
            position = position.play(move)
    except MariagoError as error:
        return str(error)
    return None
