"""How long a run will take, from games that are played to find out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from mariago.arena.match import play_match
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings
from mariago.lessons.extraction import good_moves
from mariago.lessons.games import game_of_record
from mariago.teaching.cross_settings import AblationSettings, TeachSettings
from mariago.teaching.rounds import planned_games, times_met
from mariago.teaching.third_parties import meeting, seed_of
from mariago.words import counted

__all__ = ["Expected", "expected_of_ablation", "expected_of_rounds", "games_of"]

TRIED = 4  # first word of the seed of games that only measure


@dataclass(frozen=True, slots=True)
class Expected:
    """What a run will take, about."""

    games: int
    cpu_s: float
    """Of all workers together; engines of other programs are not in it."""
    wall_s: float
    """In one process, at the pace at which the games that measured went."""
    alone_s: float = 0.0
    """Of that what one process does whatever the number of workers: reading games for lessons."""

    def in_words(self, jobs: int) -> str:
        """Return it in one line."""
        shared = (self.wall_s - self.alone_s) / jobs + self.alone_s
        each = 1000 * self.cpu_s / max(1, self.games)
        return (
            f"about {self.games:,} games, {_span(self.cpu_s)} of CPU time ({each:,.0f} ms a game); "
            f"with {counted(jobs, 'worker')} {_span(shared)} at the pace of this moment"
        )


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _seconds_a_game(terms: MatchSettings) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return (CPU, wall) seconds of playing and of reading the second game of a pair.

    The first one loads things.
    """
    marks: list[tuple[float, float]] = []

    def mark() -> None:
        marks.append((time.process_time(), time.perf_counter()))

    def last() -> tuple[float, float]:
        return marks[-1][0] - marks[-2][0], marks[-1][1] - marks[-2][1]

    with TemporaryDirectory() as place:
        mark()
        match = play_match(terms, Path(place) / "tried", on_game=lambda _: mark())
    played = last()
    for record in match.games:
        start = start_position(terms, record.start)
        mark()
        good_moves(game_of_record(record, terms, start=start))
        mark()
    return played, last()


def _expected(parts: Sequence[tuple[int, MatchSettings]]) -> Expected:
    """Return what parts will take together; the games of the first part are read for lessons."""
    cpu = wall = alone = 0.0
    for k, (games, terms) in enumerate(parts):
        played, read = _seconds_a_game(terms)
        cpu, wall = cpu + games * played[0], wall + games * played[1]
        if k == 0:
            cpu, wall, alone = cpu + games * read[0], wall + games * read[1], games * read[1]
    return Expected(sum(games for games, _ in parts), cpu, wall, alone)


def games_of(settings: TeachSettings | AblationSettings) -> int:
    """Return how many games a run has."""
    if isinstance(settings, TeachSettings):
        own, third = planned_games(settings)
        return own + sum(third)
    return settings.match.games + len(settings.cells) * settings.games


def expected_of_rounds(settings: TeachSettings) -> Expected:
    """Return what rounds of lessons will take, by a pair of games of each two who meet.

    The players are tried without books, with which they take a little longer; the tuning of nets is
    not in it.
    """
    own, third = planned_games(settings)
    a, b = settings.match.player_a, settings.match.player_b
    seed = seed_of(settings.match.seed, TRIED)
    parts = [(own, meeting(settings.match, a, b, 2, seed))]
    for name, games in zip(settings.third, third, strict=True):
        of_b = settings.third_games * times_met(settings, "b")
        parts.append((games - of_b, meeting(settings.match, a, name, 2, seed)))
        parts.append((of_b, meeting(settings.match, b, name, 2, seed)))
    return _expected(parts)


def expected_of_ablation(settings: AblationSettings) -> Expected:
    """Return what an ablation will take, by a pair of games of each two who meet."""
    a, b = settings.match.player_a, settings.match.player_b
    seed = seed_of(settings.match.seed, TRIED)
    parts = [(settings.match.games, meeting(settings.match, a, b, 2, seed))]
    parts += [
        (len(settings.cells) * games, meeting(settings.match, a, name, 2, seed))
        for name, games in zip(settings.third, settings.third_games, strict=True)
    ]
    return _expected(parts)
