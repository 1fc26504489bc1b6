"""Gumbel search at the root by the formulas of the paper, written out for a table of numbers.

Danihelka, Guez, Schrittwieser and Silver 2022; where the paper leaves something open (how rounds
are cut off, which of equal moves wins) as in DeepMind's library mctx, whose formulas are restated.
Shares no code with ``mariago.search``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

C_VISIT = 50.0


def considered_visits(considered: int, simulations: int) -> list[int]:
    """Return for each simulation how many visits the move it goes to must have had."""
    if considered <= 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(considered))
    visits = [0] * considered
    sequence: list[int] = []
    alive = considered
    while len(sequence) < simulations:
        for _ in range(max(1, int(simulations / (rounds * alive)))):
            sequence.extend(visits[:alive])
            visits = [n + 1 if i < alive else n for i, n in enumerate(visits)]
        alive = max(2, alive // 2)
    return sequence[:simulations]


def completed_q(prior: list[float], visits: list[int], q: list[float], own: float) -> list[float]:
    """Return Q of each move, v_mix (eq. 33) for those without a visit."""
    tried = [i for i, n in enumerate(visits) if n]
    mass = sum(prior[i] for i in tried)
    total = sum(visits)
    mixed = own
    if tried:
        weighted = sum(prior[i] * q[i] for i in tried) / mass
        mixed = (own + total * weighted) / (1 + total)
    return [q[i] if visits[i] else mixed for i in range(len(prior))]


def sigma(visits: list[int], q: list[float], scale: float) -> list[float]:
    """Return sigma(q) (eq. 8), q in [-1, 1] moved to [0, 1]."""
    return [(C_VISIT + max(visits)) * scale * (one + 1) / 2 for one in q]


def improved(
    prior: list[float], visits: list[int], q: list[float], own: float, scale: float
) -> list[float]:
    """Return the improved policy (eq. 11)."""
    worth = sigma(visits, completed_q(prior, visits, q, own), scale)
    logits = [math.log(p) + s for p, s in zip(prior, worth, strict=True)]
    top = max(logits)
    shares = [math.exp(one - top) for one in logits]
    return [one / sum(shares) for one in shares]


def play(
    prior: list[float],
    noise: list[float],
    reward: Callable[[int], float],
    own: float,
    considered: int,
    simulations: int,
    scale: float,
) -> tuple[int, list[int]]:
    """Search a bandit whose arms always pay ``reward``; return the choice and the visits."""
    count = len(prior)
    visits, q = [0] * count, [0.0] * count

    def score(i: int, wanted: int) -> float:
        if visits[i] != wanted:
            return -math.inf
        worth = sigma(visits, completed_q(prior, visits, q, own), scale)
        return noise[i] + math.log(prior[i]) + worth[i]

    for wanted in considered_visits(min(considered, count), simulations):
        arm = max(range(count), key=lambda i: score(i, wanted))
        q[arm] = reward(arm)
        visits[arm] += 1
    most = max(visits)
    return max(range(count), key=lambda i: score(i, most)), visits
