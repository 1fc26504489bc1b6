"""Records of random legal games, for tests that need files and no real input."""

from __future__ import annotations

import random
from collections.abc import Sequence

from mariago.rules import Game, Player, Position, Result
from mariago.sgf import write_game


def random_game(
    seed: int,
    size: int | str = 9,
    moves: int = 60,
    opening: Sequence[int] = (),
    rules: str = "chinese",
) -> Game:
    """Return the moves of an opening and random ones; the result goes by the seed."""
    rng = random.Random(seed)
    players = {1: Player(f"black {seed}", "3k"), 2: Player("white", "2k")}
    game = Game(Position.empty(size, rules, 7.5), players=players)
    for move in opening:
        game.play(move)
    for _ in range(moves):
        if game.is_over:
            break
        choices = game.position.legal_moves()
        game.play(rng.choice(choices[:-1] or choices))
    results = (Result.by_resignation(1), Result.by_score(3.5), Result.by_score(0), Result.unknown())
    game.result = results[seed % len(results)]
    return game


def random_records(seeds: Sequence[int], size: int | str = 9, moves: int = 60) -> list[bytes]:
    """Return the files of random games."""
    return [write_game(random_game(seed, size, moves)) for seed in seeds]
