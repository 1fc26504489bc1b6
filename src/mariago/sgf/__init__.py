"""Game records: bytes to trees, trees to the main line in numbers, games back to bytes."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.sgf.games import ReadGame, read_games
    from mariago.sgf.grammar import Collection, GameTree, parse_collection
    from mariago.sgf.problems import Problem

__all__ = ["Collection", "GameTree", "Problem", "ReadGame", "parse_collection", "read_games"]

_ROOMS = {
    "Collection": "grammar",
    "GameTree": "grammar",
    "Problem": "problems",
    "ReadGame": "games",
    "parse_collection": "grammar",
    "read_games": "games",
}


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
