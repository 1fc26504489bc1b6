"""The processes that play the games of a match.

Every worker builds the two players once. Workers are started afresh (spawned) everywhere, so
that a match runs alike on Linux, macOS and Windows.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for

from mariago.arena.game import play_game
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


IN_HAND = 2  # games handed out for each worker

# In a worker: what its initialiser was given, and the players once they are built.
_settings: MatchSettings | None = None
_players: dict[str, Player] | None = None


def _end_with(lifeline: Connection) -> None:
    """End this worker when the parent closes the other end, or dies, even by kill -9."""
    wait_for([lifeline])
    os._exit(1)


def _start_worker(settings: MatchSettings, prepare: Prepare | None, lifeline: Connection) -> None:
    global _settings
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
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
) -> Iterator[GameRecord | Lost]:
    """Play games and yield each as it ends, in any order.

    With one job games are played in this process by ``players``; otherwise by workers, whose
    ``prepare`` (a function of a module) is called before they build players. A worker that dies
    takes no other game with it: the games in hand are played again one by one, and one that kills
    its worker again is yielded as :class:`Lost`.
    """
    waiting = list(plans)
    if jobs <= 1:
        for plan in waiting:
            yield play_game(plan, settings, players)
        return
    suspects: list[PlannedGame] = []
    while waiting:
        suspects, waiting = yield from _play_in_pool(waiting, settings, jobs, prepare)
        for plan in suspects:
            again, _ = yield from _play_in_pool([plan], settings, 1, prepare)
            if again:
                yield Lost(plan.number)


def _play_in_pool(
    plans: list[PlannedGame], settings: MatchSettings, jobs: int, prepare: Prepare | None
) -> Generator[GameRecord, None, tuple[list[PlannedGame], list[PlannedGame]]]:
    """Play until done or until a worker dies; return (games in hand then, games not begun)."""
    waiting = plans[::-1]
    running: dict[Future[GameRecord], PlannedGame] = {}
    context = get_context("spawn")
    lifeline, grip = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        min(jobs, len(plans)),
        mp_context=context,
        initializer=_start_worker,
        initargs=(settings, prepare, lifeline),
    )
    try:
        while waiting or running:
            # One game played and one ready for every worker: not more are in hand.
            while waiting and len(running) < IN_HAND * jobs:
                plan = waiting.pop()
                running[pool.submit(_play_in_worker, plan)] = plan
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                game = future.result()
                del running[future]
                yield game
    except BrokenProcessPool:
        return list(running.values()), waiting[::-1]
    finally:
        if waiting or running:
            grip.close()  # nobody waits for games that are no longer wanted
        pool.shutdown(wait=True, cancel_futures=True)
        grip.close()
        lifeline.close()
    return [], []
