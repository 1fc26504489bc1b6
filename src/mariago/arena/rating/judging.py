"""A teacher's judgement of positions and moves: of a net, or of any player that tells a value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mariago.arena.rating.positions import FIRST_MOVES, Judged, Outlook
from mariago.players.protocol import Limits, Player

if TYPE_CHECKING:
    from mariago.nets import Net
    from mariago.rules import Position

__all__ = ["judge", "judge_by_net", "outlook_after", "outlooks_by_net"]


def judge(teacher: Player, position: Position) -> Judged:
    """Return what a player says of a position.

    A player that plays by a net's policy alone is asked for all of the policy; another tells the
    moves that its decision names.

    Raises:
        PlayerError: the player cannot answer here.
    """
    net = _bare_net(teacher)
    if net is not None:
        return judge_by_net(net, position)
    decision = teacher.choose(position, Limits())
    named = [] if decision.resigned else [int(decision.move)]
    named += [int(c.move) for c in decision.candidates if int(c.move) not in named]
    return Judged(
        tuple(named[:FIRST_MOVES]),
        _finite(decision.value),
        _finite(decision.facts.get("lead")),
    )


def _finite(told: object) -> float | None:
    """Return a figure of a player; None where it is none that could be reckoned with."""
    if isinstance(told, int | float) and math.isfinite(told):
        return float(told)
    return None


def judge_by_net(net: Net, position: Position) -> Judged:
    """Return a net's first moves of the legal ones, value and lead."""
    found = net.evaluate_positions([position])[0]
    legal = position.legal_mask()
    order = np.argsort(-found.policy, kind="stable")
    best = [int(move) for move in order if legal[move]][:FIRST_MOVES]
    return Judged(tuple(best), found.value, found.score)


def outlook_after(teacher: Player, position: Position, move: int) -> Outlook | None:
    """Return what the side to move may expect after ``move``, by a teacher who sees what follows.

    The teacher is asked as the opponent, whose turn it is then; the sign is turned here. None
    where it tells no value.
    """
    after = position.play(move)
    if after.is_over:
        return _counted(after, position.to_move)
    net = _bare_net(teacher)
    if net is not None:
        return outlooks_by_net(net, position, [move])[0]
    found = judge(teacher, after)
    if found.value is None:
        return None
    return Outlook(-found.value, None if found.lead is None else -found.lead)


def outlooks_by_net(net: Net, position: Position, moves: Sequence[int]) -> list[Outlook]:
    """Return :func:`outlook_after` of several moves."""
    after = [position.play(move) for move in moves]
    open_ = [i for i, one in enumerate(after) if not one.is_over]
    found = net.evaluate_positions([after[i] for i in open_]) if open_ else []
    outlooks = {i: Outlook(-one.value, -one.score) for i, one in zip(open_, found, strict=True)}
    return [
        outlooks[i] if i in outlooks else _counted(one, position.to_move)
        for i, one in enumerate(after)
    ]


def _counted(over: Position, side: int) -> Outlook:
    """Return the outcome of a game that is over, for ``side``; a repeated board is no result."""
    from mariago.board.points import BLACK
    from mariago.scoring import score_area, score_territory

    if over.repeated:
        return Outlook(0.0, 0.0)
    count = score_area if over.rules.scoring == "area" else score_territory
    lead = float(count(over).margin) * (1 if side == BLACK else -1)
    return Outlook(float(np.sign(lead)), lead)


def _bare_net(player: Player) -> Net | None:
    """Return the net of a player that plays by its policy, None for all others."""
    from mariago.players.net_player import NetPlayer

    return player.net if isinstance(player, NetPlayer) else None
