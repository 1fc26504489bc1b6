"""Lessons of players that go by a net's policy: the likeliest moves are ranked anew.

A count is added to a move's logit, so that the net keeps its say: a move is never made likely that
it does not think of. In a search the policy so raised stands at the root alone, as a prior of where
to look first (Gelly and Silver 2007, "Combining online and offline knowledge in UCT"; Rosin 2011,
"Multi-armed bandits with episode context"); what is found below decides, and what was learnt
elsewhere is given up where it does not work.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from mariago.players.lesson_reader import LessonOptions

__all__ = ["PolicyLessonOptions", "reranked"]


class PolicyLessonOptions(LessonOptions):
    """Keys of lessons of players that go by a policy."""

    lesson_scale: float = Field(
        0.05, ge=0, le=100, description="what a count of lessons adds to a move's logit"
    )
    lesson_most: float = Field(40.0, ge=0, le=1e6, description="counts above this add no more")
    lesson_top: int = Field(10, ge=1, description="likeliest moves among which lessons choose")


def reranked(
    policy: npt.NDArray[Any], counts: npt.NDArray[np.float32], options: PolicyLessonOptions
) -> npt.NDArray[np.float64]:
    """Return the policy (cells + 1,) with what lessons count added to the likeliest moves' logits.

    A move of no weight, such as an illegal one, keeps none.
    """
    top = np.argsort(-policy, kind="stable")[: options.lesson_top]
    raised = policy.astype(np.float64)
    raised[top] *= np.exp(options.lesson_scale * np.minimum(counts[top], options.lesson_most))
    return raised * (policy.sum() / raised.sum()) if raised.any() else raised
