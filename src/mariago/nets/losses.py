"""What a net is trained towards, and by how much it misses.

Axes: B samples, H x W the field of the batch. Values and scores are for the side to move.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from mariago.nets.architecture import Outputs
from mariago.nets.config import SCORE_SCALE
from mariago.nets.recipe import Losses

__all__ = ["Goals", "LossParts", "losses"]

# Past this error a score pulls with a constant force (Huber 1964), in units of SCORE_SCALE: 10
# points. A game lost by 80 points instead of 60 says little more.
SCORE_BEND = 0.5
# A normal distribution's standard deviation over its mean absolute deviation.
SPREAD_OF_MISS = 1.2533


@dataclass(frozen=True, slots=True)
class Goals:
    """The right answers of a batch."""

    move: Tensor
    """(B,) int64: row * W + column on the field, H * W is pass."""
    outcome: Tensor
    """(B, 3) win, loss, no result; a draw is half a win; zeros where the result is unknown."""
    score: Tensor
    """(B,) final lead in points; NaN where unknown."""
    weight: Tensor
    """(B,) how much the sample counts."""
    ownership: Tensor | None = None
    """(B, H, W) in [-1, 1], NaN off the board or unknown; ``None``: not known for any."""
    policy: Tensor | None = None
    """(B, H * W + 1) shares of the moves, in place of ``move``; ``None``: that move is all."""


@dataclass(frozen=True, slots=True)
class LossParts:
    """The loss of a batch, weighted and in parts; all scalars."""

    total: Tensor
    policy: Tensor
    value: Tensor
    score: Tensor


def losses(outputs: Outputs, goals: Goals, share: Losses) -> LossParts:
    """Return the loss of a batch and its parts.

    Policy and value are cross-entropies in nats; the score is a Huber loss; a part that no sample
    knows is 0.
    """
    answer = goals.move if goals.policy is None else goals.policy
    policy = _average(
        functional.cross_entropy(outputs.policy.float(), answer, reduction="none"), goals.weight
    )
    surprise = -(goals.outcome * functional.log_softmax(outputs.value.float(), dim=1)).sum(dim=1)
    value = _average(surprise, goals.weight * goals.outcome.sum(dim=1))

    known = ~goals.score.isnan()
    aim = torch.where(known, goals.score, 0.0) / SCORE_SCALE
    score_out = outputs.score.float()
    miss = _huber(score_out[:, 0], aim) + _huber(score_out[:, 2], aim)
    # The spread learns the size of the score's own misses, without moving the score.
    spread = SPREAD_OF_MISS * (score_out[:, 0].detach() - aim).abs()
    miss = miss + _huber(functional.softplus(score_out[:, 1]), spread)
    score = _average(miss, goals.weight * known)

    total = share.policy * policy + share.value * value + share.score * score
    if goals.ownership is not None:
        owned = ~goals.ownership.isnan()
        off = outputs.ownership.float() - torch.where(owned, goals.ownership, 0.0)
        per_board = (off.square() * owned).sum(dim=(1, 2)) / owned.sum(dim=(1, 2)).clamp(min=1)
        total = total + share.ownership * _average(per_board, goals.weight * owned.any(2).any(1))
    return LossParts(total, policy, value, score)


def _huber(found: Tensor, aim: Tensor) -> Tensor:
    return functional.smooth_l1_loss(found, aim, reduction="none", beta=SCORE_BEND)


def _average(each: Tensor, weight: Tensor) -> Tensor:
    return (each * weight).sum() / weight.sum().clamp(min=1e-6)
