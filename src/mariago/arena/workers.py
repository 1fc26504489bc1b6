"""The processes that play games; every one builds a player when it first needs it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from mariago.arena.game import play_game
from mariago.arena.pool import Dropped, work_through
from mariago.arena.records import GameRecord
from mariago.arena.schedule import PlannedGame
from mariago.arena.settings import MatchSettings
from mariago.players import Player, make_player

__all__ = ["Bench", "Lost", "Played", "Prepare", "Task", "play_all"]

Prepare = Callable[[], None]
MOST_BUILT = 8  # players that a process holds at once; a net or an engine takes its memory


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played; ``match`` is whatever tells the asker's matches apart."""

    match: int
    settings: MatchSettings
    plan: PlannedGame


@dataclass(frozen=True, slots=True)
class Played:
    """A game that ended."""

    match: int
    game: GameRecord


@dataclass(frozen=True, slots=True)
class Lost:
    """A game whose worker ended before the game did."""

    match: int
    number: int


class Bench:
    """Players by their names, built when first asked for; those not used for long are let go."""

    def __init__(self) -> None:
        self._built: OrderedDict[tuple[str, int], Player] = OrderedDict()

    def of(self, settings: MatchSettings) -> dict[str, Player]:
        """Return the two players of a match, each of its own, as ``"a"`` and ``"b"``.

        Raises:
            PlayerError: a player that cannot be built.
        """
        alike = settings.player_a == settings.player_b
        first = self.player(settings.player_a)
        return {"a": first, "b": self.player(settings.player_b, int(alike))}

    def player(self, name: str, which: int = 0) -> Player:
        """Return a player; ``which`` tells two of one name apart.

        Raises:
            PlayerError: it cannot be built.
        """
        key = name, which
        if key not in self._built:
            while len(self._built) >= MOST_BUILT:
                self._built.popitem(last=False)[1].close()
            self._built[key] = make_player(name)
        self._built.move_to_end(key)
        return self._built[key]

    def close(self) -> None:
        """Let go of all players; they are built again where they are asked for again."""
        while self._built:
            self._built.popitem()[1].close()


_bench = Bench()  # of a worker


def _begin(prepare: Prepare | None) -> None:
    if prepare is not None:
        prepare()


def _play_in_worker(task: Task) -> Played:
    return Played(task.match, play_game(task.plan, task.settings, _bench.of(task.settings)))


def play_all(
    tasks: Iterable[Task], bench: Bench, jobs: int, prepare: Prepare | None = None
) -> Generator[Played | Lost]:
    """Play games and yield each as it ends, in any order; tasks are drawn as they are begun.

    With one job games are played in this process by players of ``bench``; otherwise by workers,
    whose ``prepare`` (a function of a module) is called before they build players. A game that
    ends its worker is played again, alone; where that ends it again, it is yielded as
    :class:`Lost`.
    """
    if jobs <= 1:
        for task in tasks:
            yield Played(task.match, play_game(task.plan, task.settings, bench.of(task.settings)))
        return
    for found in work_through(tasks, _play_in_worker, jobs, _begin, (prepare,)):
        if isinstance(found, Dropped):
            yield Lost(found.task.match, found.task.plan.number)
        else:
            yield found
