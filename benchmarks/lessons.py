"""What a book costs: moves of the rule-based player with it and without, and learning."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.frame import Row
from mariago.board.points import BLACK
from mariago.heuristic import choose, weights_of
from mariago.lessons import LessonTable, PlayedGame, lessons_of_game, table_of
from mariago.rules import Position

MOVES, PATTERNS = 160, 5000


def played() -> tuple[PlayedGame, list[Position]]:
    """Return a game of the latest version with itself, and its positions."""
    rng, position = np.random.default_rng(1), Position.empty(19)
    positions: list[Position] = []
    moves: list[tuple[int, int]] = []
    for _ in range(MOVES):
        move = int(choose(position, rng))
        positions.append(position)
        moves.append((position.to_move, move))
        position = position.play(move)
    return PlayedGame(positions[0], tuple(moves), winner=BLACK), positions[20::2]


def rate(positions: list[Position], table: LessonTable | None) -> float:
    """Return moves a CPU second, on these positions."""
    rng, weights = np.random.default_rng(0), weights_of()
    started_s = time.process_time()
    for position in positions:
        bonus = None if table is None else table.bonus_of(position)
        choose(position, rng, weights, bonus)
    return len(positions) / (time.process_time() - started_s)


def rows(repeats: int) -> list[Row]:
    """Measure on one game; the table is padded with patterns that are never met."""
    game, positions = played()
    taught = lessons_of_game(game)
    rng = np.random.default_rng(2)
    never = ((int(key), 3.0) for key in rng.integers(1, 2**63, PATTERNS))
    table = table_of([*((x.pattern, x.weight) for x in taught), *never])
    rate(positions[:2], table)
    with_book, without = (
        np.median([rate(positions, used) for _ in range(repeats)]) for used in (table, None)
    )
    started_s = time.process_time()
    lessons_of_game(game)
    spent_ms = 1000 * (time.process_time() - started_s)
    return [
        Row(
            "heuristic with a book, 19x19",
            float(with_book),
            "moves/s",
            theirs=float(without),
            ratio=float(with_book / without),
            note=f"against itself without; {len(table)} patterns",
        ),
        Row(f"learning from {MOVES} moves", spent_ms, "ms", note=f"{len(taught)} lessons"),
    ]
