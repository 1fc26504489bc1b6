"""A second referee: it counts again what the match's own referee has counted.

A player with a net says whose each point is: what stands on the opponent's is taken off as dead,
and the rest is counted the way the game was counted. An outside engine is shown the game and asked
``final_score``: it counts by its own rules, as far as it cannot be told others. Nothing that a
referee does costs a game: where it fails, the game is one that it did not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mariago.arena.game import in_words
from mariago.arena.pool import Dropped, work_through
from mariago.arena.records import GameRecord
from mariago.arena.recounts import Recount
from mariago.arena.schedule import start_position
from mariago.arena.second_figures import SecondFigures, is_counted, second_figures
from mariago.arena.settings import MatchSettings
from mariago.arena.store import MatchStore
from mariago.arena.workers import Prepare
from mariago.errors import MatchError
from mariago.players import Player, make_player, resolve_name
from mariago.players.net_ownership import has_learnt_ownership
from mariago.players.protocol import hash_of_description
from mariago.rules import Position
from mariago.scoring import (
    dead_stones,
    is_sane_ownership,
    score_area,
    score_territory,
)

__all__ = ["OnRecount", "Referee", "asked_again", "count_again", "referee_of"]

HINT = 'net, or another player whose net knows whose each point is, or gtp:"gnugo --mode gtp"'
OnRecount = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Referee:
    """A player that was asked whether it can count."""

    name: str
    described: dict[str, object]

    @property
    def sha256(self) -> str:
        """The hash of what it says of itself: another net or engine is another referee."""
        return hash_of_description(self.described)


def referee_of(name: str) -> Referee:
    """Return a referee by the name of a player, which is built and let go of.

    Raises:
        MatchError: it is no engine, and has no net that learnt whose each point is.
        PlayerError: it cannot be built, or the engine cannot be started.
    """
    resolved = resolve_name(name)
    player: Any = make_player(resolved)
    try:
        if not hasattr(player, "final_score"):
            if not hasattr(player, "ownership"):
                said = f"{resolved} cannot count a game"
                raise MatchError(said, where="--referee", hint=HINT)
            if not has_learnt_ownership(player.net):
                said = f"the net of {resolved} has not learnt whose each point is"
                raise MatchError(said, where="--referee", hint=HINT)
        return Referee(resolved, json.loads(json.dumps(player.describe())))
    finally:
        player.close()


def count_again(player: Player, settings: MatchSettings, game: GameRecord) -> Recount:
    """Return what a referee makes of a game; whatever it raises is why it did not count it."""
    try:
        position = start_position(settings, game.start)
        for move in game.moves:
            position = position.play(move)
        player.new_game(0)  # no count hangs on those before
        return Recount(game.number, _lead(player, position, game.counting))
    except Exception as error:  # noqa: BLE001 - whatever a referee raises costs no game
        return Recount(game.number, None, in_words(error))


def _lead(player: Any, position: Position, counting: str) -> float:
    """Return Black's lead."""
    if hasattr(player, "final_score"):
        return float(player.final_score(position))
    owned = player.ownership(position)
    if owned is None or not is_sane_ownership(position, owned):
        raise MatchError("the net does not know this board")
    count = score_area if counting == "area" else score_territory
    return float(count(position, dead_stones(position, lambda _: owned)).margin)


@dataclass(frozen=True, slots=True)
class _Task:
    referee: str
    settings: MatchSettings
    game: GameRecord


@lru_cache(maxsize=1)
def _player(name: str) -> Player:
    return make_player(name)


def _begin(prepare: Prepare | None) -> None:
    if prepare is not None:
        prepare()


def _in_worker(task: _Task) -> Recount:
    return count_again(_player(task.referee), task.settings, task.game)


def _counts(tasks: Sequence[_Task], jobs: int, prepare: Prepare | None) -> Iterator[Recount]:
    if jobs > 1 and len(tasks) > 1:
        for found in work_through(tasks, _in_worker, jobs, _begin, (prepare,)):
            if isinstance(found, Dropped):
                number = found.task.game.number
                yield Recount(number, None, "the process that counted ended twice")
            else:
                yield found
        return
    player = make_player(tasks[0].referee)
    try:
        for task in tasks:
            yield count_again(player, task.settings, task.game)
    finally:
        with suppress(Exception):
            player.close()


def asked_again(
    store: MatchStore,
    settings: MatchSettings,
    games: Sequence[GameRecord],
    referee: Referee,
    *,
    jobs: int = 1,
    prepare: Prepare | None = None,
    on_recount: OnRecount | None = None,
) -> SecondFigures:
    """Let a referee count the games that it has not counted yet, and keep each count.

    A game that it failed on before is asked about once more.

    Args:
        games: those that count; resigned ones, faults and the like are left alone.

    Raises:
        MatchError: the store cannot be used.
    """
    from mariago.arena.store_besides import keep_recount, kept_recounts

    known = kept_recounts(store, referee.sha256)
    asked = [game for game in games if is_counted(game)]
    counted = {number for number, found in known.items() if found.margin is not None}
    left = [game for game in asked if game.number not in counted]
    there = len(asked) - len(left)
    if on_recount is not None:
        on_recount(there, len(asked))
    if left:
        tasks = [_Task(referee.name, settings, game) for game in left]
        for found in _counts(tasks, jobs, prepare):
            keep_recount(store, referee.sha256, found)
            known[found.number] = found
            there += 1
            if on_recount is not None:
                on_recount(there, len(asked))
    return second_figures(games, known, referee.name, referee.described)
