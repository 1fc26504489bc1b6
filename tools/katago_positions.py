"""The positions that tools/katago_check.py asks about: of a file, or of random games."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mariago.board.points import BLACK, WHITE, Size, move_to_vertex, size_of, vertex_to_move
from mariago.errors import BadInputError
from mariago.rules import Position

__all__ = ["Case", "random_cases", "read_cases"]

SIZES = ("9x9", "13x13", "19x19", "7x11", "19x10")
RULES = ("chinese", "japanese", "korean", "aga", "new_zealand", "tromp_taylor")
KATAGO_RULES = {"new_zealand": "new-zealand", "tromp_taylor": "tromp-taylor"}


@dataclass(frozen=True)
class Case:
    """A position by its moves, as KataGo is told it."""

    size: Size
    rules: str
    komi: float
    moves: tuple[tuple[str, str], ...]  # ("B", "D4")

    def position(self) -> Position:
        """Return the position after the moves."""
        position = Position.empty(self.size, self.rules, self.komi)
        for color, vertex in self.moves:
            if position.to_move != (BLACK if color == "B" else WHITE):
                raise BadInputError(f"{color} {vertex} is out of turn")
            position = position.play(vertex_to_move(vertex, self.size))
        return position

    @property
    def to_move(self) -> str:
        return "B" if len(self.moves) % 2 == 0 else "W"

    @property
    def katago_rules(self) -> str:
        return KATAGO_RULES.get(self.rules, self.rules)


def read_cases(path: Path) -> list[Case]:
    """Return the positions of a JSON list; a pass is put in where a side moves twice.

    Raises:
        BadInputError: the file is no such list.
    """
    try:
        rows = json.loads(path.read_text("utf-8"))
        return [_case_of(row) for row in rows]
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", where=path) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInputError(f"is no list of positions: {error!r:.120}", where=path) from error


def _case_of(row: dict[str, Any]) -> Case:
    moves: list[tuple[str, str]] = []
    for color, vertex in (played.split() for played in row["moves"]):
        if color != "BW"[len(moves) % 2]:
            moves.append(("BW"[len(moves) % 2], "pass"))
        moves.append((color, vertex))
    return Case(size_of(row["size"]), row["rules"], float(row["komi"]), tuple(moves))


def random_cases(count: int, seed: int = 1) -> list[Case]:
    """Return positions of random games, in turn over SIZES and RULES; komi is drawn."""
    rng = np.random.default_rng(seed)
    return [
        _random_case(size_of(SIZES[i % len(SIZES)]), RULES[i % len(RULES)], rng)
        for i in range(count)
    ]


def _random_case(size: Size, rules: str, rng: np.random.Generator) -> Case:
    komi = float(rng.choice([0.5, 5.5, 6.5, 7.0, 7.5]))
    position = Position.empty(size, rules, komi)
    moves: list[tuple[str, str]] = []
    for _ in range(int(rng.integers(0, size.rows * size.columns))):
        legal = np.flatnonzero(position.legal_mask()[:-1])
        move = int(rng.choice(legal)) if len(legal) else size.rows * size.columns
        after = position.play(move)
        if move < size.rows * size.columns and np.array_equal(after.stones, position.stones):
            continue  # a stone that takes itself alone: legal under some rules, never to KataGo
        moves.append(("BW"[len(moves) % 2], move_to_vertex(move, size)))
        position = after
        if position.is_over:
            return Case(size, rules, komi, tuple(moves[:-2]))
    return Case(size, rules, komi, tuple(moves))
