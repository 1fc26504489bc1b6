"""Records of a made-up person whose moves can be learnt: the first empty point, row by row."""

from __future__ import annotations

import random
from pathlib import Path

from mariago.records import BuildOptions, build_records
from mariago.rules import Game, Player, Position, Result
from mariago.sgf import write_game

PERSON = "First Point"
OTHERS = ("First Paint", "someone")


def person_game(seed: int, size: int = 5, moves: int = 16) -> Game:
    """Return a game that the person, Black with an even seed, wins against random moves."""
    rng = random.Random(seed)
    person = 1 + seed % 2
    names = {person: PERSON, 3 - person: OTHERS[seed % 3 % 2]}
    game = Game(
        Position.empty(size, "chinese", 7.5),
        players={colour: Player(name, "3k") for colour, name in names.items()},
    )
    for number in range(moves):
        if game.is_over:
            break
        choices = game.position.legal_moves()
        mine = number % 2 == person - 1
        game.play(choices[0] if mine else rng.choice(choices[:-1] or choices))
    game.result = Result.by_resignation(3 - person)
    return game


def person_data(folder: Path, games: int = 60, size: int = 5, test: float = 0.3) -> Path:
    """Build a data set of the person's games below ``folder`` and return where it stands."""
    records = folder / "games"
    records.mkdir(parents=True)
    for seed in range(games):
        (records / f"{seed}.sgf").write_bytes(write_game(person_game(seed, size)))
    build_records(
        [records],
        origin="made for a test",
        terms="none needed",
        out=folder / "data",
        options=BuildOptions(size=str(size), validation=0.2, test=test),
    )
    return folder / "data"
