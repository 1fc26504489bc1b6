"""One game of a match, from the empty board to its record."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mariago.arena.clock import Clock
from mariago.arena.records import Ending, GameRecord
from mariago.arena.schedule import PlannedGame, start_position
from mariago.arena.settings import MatchSettings
from mariago.board.points import BLACK, move_to_vertex, opponent
from mariago.errors import EngineError
from mariago.players.protocol import Limits, Player
from mariago.rules import Position
from mariago.scoring import score_area, score_reference, score_territory

__all__ = ["in_words", "play_game", "why_illegal"]

LONGEST_DETAIL = 300  # characters of an error that are kept


class _End(NamedTuple):
    ending: Ending
    winner: int
    margin: float | None = None
    detail: str = ""
    counting: str = ""


@dataclass
class _Table:
    """A game in play."""

    plan: PlannedGame
    settings: MatchSettings
    players: Mapping[str, Player]
    position: Position
    moves: list[int] = field(default_factory=list[int])
    seconds: dict[str, float] = field(default_factory=lambda: {"a": 0.0, "b": 0.0})
    turns: dict[str, int] = field(default_factory=lambda: {"a": 0, "b": 0})
    clocks: dict[str, Clock] = field(default_factory=dict[str, Clock])
    left: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])

    def to_move(self) -> str:
        """Return the player whose turn it is."""
        other = "b" if self.plan.black == "a" else "a"
        return self.plan.black if self.position.to_move == BLACK else other

    def play(self, move: int) -> None:
        self.position = self.position.play(move)
        self.moves.append(move)


def play_game(
    plan: PlannedGame, settings: MatchSettings, players: Mapping[str, Player]
) -> GameRecord:
    """Play one game; ``players`` are ``"a"`` and ``"b"``.

    An illegal answer or an error of a player ends the game and is its result; nothing a player does
    is raised.
    """
    table = _Table(plan, settings, players, start_position(settings, plan.start))
    if settings.time is not None:
        table.clocks = {player: Clock(settings.time) for player in ("a", "b")}
    for move in plan.opening:
        table.play(move)
    end = _begin(table)
    while end is None:
        end = _stopped(table) or _turn(table)
    return GameRecord(
        number=plan.number,
        black=plan.black,
        opening=plan.opening,
        moves=tuple(table.moves),
        winner=end.winner,
        margin=end.margin,
        ending=end.ending,
        detail=end.detail,
        counting=end.counting,
        seconds=table.seconds,
        turns=table.turns,
        left=tuple(table.left),
        start=plan.start,
    )


def _begin(table: _Table) -> _End | None:
    for player, seed in (("a", table.plan.seed_a), ("b", table.plan.seed_b)):
        try:
            table.players[player].new_game(seed)
        except Exception as error:  # noqa: BLE001 - whatever a player raises is that player's fault
            color = BLACK if table.plan.black == player else opponent(BLACK)
            return _End("fault", opponent(color), detail=in_words(error))
    return None


def _stopped(table: _Table) -> _End | None:
    """Return the end of a game that is over or has reached its limit."""
    position, settings = table.position, table.settings
    if position.repeated:
        return _End("no_result", 0)
    if position.is_over:
        counting = position.rules.scoring
        score = (score_area if counting == "area" else score_territory)(position)
        return _counted("passes", float(score.margin), counting)
    if len(table.moves) >= settings.length_cap:
        ending: Ending = "cap" if settings.move_limit is None else "limit"
        score = score_reference(position, settings.scoring)
        return _counted(ending, float(score.margin), settings.scoring)
    return None


def _counted(ending: Ending, margin: float, counting: str) -> _End:
    winner = 0 if margin == 0 else 1 if margin > 0 else 2
    return _End(ending, winner, margin, counting=counting)


def _turn(table: _Table) -> _End | None:
    """Ask the side to move and play its answer; return the end of the game if that ends it."""
    player, position = table.to_move(), table.position
    other = opponent(position.to_move)
    left = table.settings.length_cap - len(table.moves)
    clock = table.clocks.get(player)
    limits = Limits(moves_left=left, clock=None if clock is None else clock.left())
    table.turns[player] += 1
    decision, fault = None, ""
    started_s = time.perf_counter()
    try:
        decision = table.players[player].choose(position, limits)
    except Exception as error:  # noqa: BLE001 - whatever a player raises is that player's fault
        fault = in_words(error)
    used_s = time.perf_counter() - started_s
    table.seconds[player] += used_s
    if clock is not None:
        if not clock.spend(used_s):  # before anything else: an engine that is cut off hung
            return _End("time", other, detail=f"{used_s:.2f} s for move {len(table.moves) + 1}")
        table.left.append(clock.shown())
    if decision is None:
        return _End("fault", other, detail=fault)
    if decision.resigned:
        return _End("resign", other)
    problem = why_illegal(position, decision.move)
    if problem:
        return _End("illegal", other, detail=problem)
    table.play(int(decision.move))
    return None


def why_illegal(position: Position, move: object) -> str:
    """Return what is wrong with an answer; empty for a legal move."""
    if not isinstance(move, int | np.integer) or isinstance(move, bool):
        return f"{move!r} is no move"
    if not 0 <= int(move) <= position.size.cells:
        return f"move {move} is off the board"
    reason = position.why_illegal(int(move))
    return "" if reason is None else f"{move_to_vertex(int(move), position.size)}: {reason}"


def in_words(error: Exception) -> str:
    """Return an error with the place it came from, in one line; of an engine its last words."""
    if isinstance(error, EngineError):
        told = f"; its last words: {error.last_words}" if error.last_words else ""
        return " ".join(f"{error.fault}: {error}{told}".split())[:LONGEST_DETAIL]
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_DETAIL] + place
