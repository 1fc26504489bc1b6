"""The processes that play the games of a match; every one builds the two players once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from mariago.arena.game import play_game
from mariago.arena.pool import Dropped, work_through
from mariago.arena.records import GameRecord
from mariago.arena.schedule import PlannedGame
from mariago.arena.settings import MatchSettings
from mariago.players import Player, make_player

__all__ = ["Lost", "play_all"]

Prepare = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Lost:
    """A game whose worker ended before the game did."""

    number: int


def build_players(settings: MatchSettings) -> dict[str, Player]:
    """Return the two players of a match, each of its own, as ``"a"`` and ``"b"``."""
    return {"a": make_player(settings.player_a), "b": make_player(settings.player_b)}


# In a worker: what it was given at its start, and the players once they are built.
_settings: MatchSettings | None = None
_players: dict[str, Player] | None = None


def _begin(settings: MatchSettings, prepare: Prepare | None) -> None:
    global _settings
    _settings = settings
    if prepare is not None:
        prepare()


def _play_in_worker(plan: PlannedGame) -> GameRecord:
    global _players
    assert _settings is not None
    if _players is None:
        _players = build_players(_settings)
    return play_game(plan, _settings, _players)


def play_all(
    plans: Iterable[PlannedGame],
    settings: MatchSettings,
    players: dict[str, Player],
    jobs: int,
    prepare: Prepare | None = None,
) -> Generator[GameRecord | Lost]:
    """Play games and yield each as it ends, in any order.

    With one job games are played in this process by ``players``; otherwise by workers, whose
    ``prepare`` (a function of a module) is called before they build players. A game that ends its
    worker is played again, alone; where that ends it again, the game is yielded as :class:`Lost`.
    """
    waiting = list(plans)
    if jobs <= 1:
        for plan in waiting:
            yield play_game(plan, settings, players)
        return
    for found in work_through(waiting, _play_in_worker, jobs, _begin, (settings, prepare)):
        yield Lost(found.task.number) if isinstance(found, Dropped) else found
