"""Asking players and teachers about positions, in this process or in workers."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mariago.arena.game import in_words, why_illegal
from mariago.arena.pool import Dropped, work_through
from mariago.arena.rating.judging import judge, outlook_after
from mariago.arena.rating.log import Answer, JudgedLine, Outcome, OutlookLine
from mariago.arena.rating.positions import PositionSet
from mariago.players import Player, make_player, parse_name
from mariago.players.protocol import Limits

__all__ = ["Ask", "Asker", "Prepare", "ask_all"]

Prepare = Callable[[], None]
Line = Answer | JudgedLine | OutlookLine


class Ask(NamedTuple):
    """One question. As a teacher: of the position, or of what follows ``move``."""

    player: str
    number: int
    as_teacher: bool = False
    move: int | None = None


class Asker:
    """Players that are built when first asked, and the positions that they are asked about."""

    def __init__(self, positions: PositionSet, seed: int) -> None:
        self.positions = positions
        self.seed = seed
        self.players: dict[str, Player] = {}

    def player(self, name: str) -> Player:
        """Return a player, built where it is asked for the first time."""
        if name not in self.players:
            self.players[name] = make_player(name)
        return self.players[name]

    def ask(self, ask: Ask) -> Line:
        """Return a player's answer, or a teacher's judgement.

        A player that fails is let go of and built again for the next question.

        Raises:
            Exception: whatever a teacher raises; what a player raises is its answer.
        """
        if not ask.as_teacher:
            return self._answer(ask)
        teacher = self.player(ask.player)
        position, at = self.positions.position(ask.number), self.positions.key(ask.number)
        teacher.new_game(self._seed_of(ask.number))
        if ask.move is None:
            found = judge(teacher, position)
            return JudgedLine(
                player=ask.player,
                at=at,
                moves=list(found.moves),
                value=found.value,
                lead=found.lead,
            )
        after = outlook_after(teacher, position, ask.move)
        value, lead = (None, None) if after is None else after
        return OutlookLine(player=ask.player, at=at, move=ask.move, value=value, lead=lead)

    def _answer(self, ask: Ask) -> Answer:
        position = self.positions.position(ask.number)
        outcome: Outcome = "move"
        move, detail = None, ""
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        try:
            player = self.player(ask.player)
            player.new_game(self._seed_of(ask.number))
            wall_s, cpu_s = time.perf_counter(), time.process_time()
            decision = player.choose(position, Limits())
        except Exception as error:  # noqa: BLE001 - whatever a player raises is that player's fault
            outcome, detail = "fault", in_words(error)
            wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
            self.let_go(ask.player)
        else:
            wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
            detail = why_illegal(position, decision.move)
            if decision.resigned:
                outcome, detail = "resigned", ""
            elif detail:
                outcome = "illegal"
            else:
                move = int(decision.move)
        elsewhere = parse_name(ask.player).kind == "gtp"
        return Answer(
            player=ask.player,
            at=self.positions.key(ask.number),
            outcome=outcome,
            move=move,
            detail=detail,
            wall_s=round(wall_s, 6),
            cpu_s=None if elsewhere else round(cpu_s, 6),
        )

    def _seed_of(self, number: int) -> int:
        # It hangs on the position alone: workers, interruptions and other players change nothing.
        told = (self.seed, *self.positions.key(number).encode())
        words = np.random.SeedSequence(told).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))

    def let_go(self, name: str) -> None:
        """End a player; asked again, it is built again."""
        player = self.players.pop(name, None)
        if player is not None:
            with contextlib.suppress(Exception):  # it may have failed already
                player.close()


_asker: Asker | None = None  # in a worker


def _begin(positions: PositionSet, seed: int, prepare: Prepare | None) -> None:
    global _asker
    _asker = Asker(positions, seed)
    if prepare is not None:
        prepare()


def _ask_in_worker(ask: Ask) -> Line:
    assert _asker is not None
    return _asker.ask(ask)


def ask_all(
    asks: Iterable[Ask], asker: Asker, jobs: int, prepare: Prepare | None = None
) -> Iterator[Line]:
    """Ask and yield the answers as they come, in any order.

    With one job the questions are asked here; otherwise in workers. An answer that ends its worker
    twice is a fault.
    """
    waiting = list(asks)
    if jobs <= 1:
        for ask in waiting:
            yield asker.ask(ask)
        return
    bare = replace(asker.positions, labels=None)  # workers do not need what teachers said
    for found in work_through(waiting, _ask_in_worker, jobs, _begin, (bare, asker.seed, prepare)):
        yield _dropped(found.task, asker.positions) if isinstance(found, Dropped) else found


def _dropped(ask: Ask, positions: PositionSet) -> Line:
    at, detail = positions.key(ask.number), "the process that asked it ended"
    if not ask.as_teacher:
        return Answer(
            player=ask.player,
            at=at,
            outcome="fault",
            move=None,
            detail=detail,
            wall_s=0.0,
            cpu_s=None,
        )
    if ask.move is None:
        return JudgedLine(player=ask.player, at=at, moves=[], value=None, lead=None)
    return OutlookLine(player=ask.player, at=at, move=ask.move, value=None, lead=None)
