"""Game records: bytes to trees, trees to the main line in numbers, games back to bytes."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.sgf.fast import ScannedBatch, read_many, scan_files
    from mariago.sgf.games import REFUSALS, ReadGame, read_games
    from mariago.sgf.grammar import Collection, GameTree, parse_collection
    from mariago.sgf.problems import Problem
    from mariago.sgf.writer import write_collection, write_game, write_numbers

__all__ = [  # noqa: RUF022 - the order of reading
    "read_games",
    "ReadGame",
    "Problem",
    "REFUSALS",
    "write_game",
    "write_numbers",
    "parse_collection",
    "Collection",
    "GameTree",
    "write_collection",
    "scan_files",
    "read_many",
    "ScannedBatch",
]

_HOMES = {
    "Collection": "grammar",
    "GameTree": "grammar",
    "Problem": "problems",
    "REFUSALS": "games",
    "ReadGame": "games",
    "ScannedBatch": "fast",
    "parse_collection": "grammar",
    "read_games": "games",
    "read_many": "fast",
    "scan_files": "fast",
    "write_collection": "writer",
    "write_game": "writer",
    "write_numbers": "writer",
}


def __getattr__(name: str) -> object:
    # The fast reader loads the compiler; the plain one does not need it (PEP 562).
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
