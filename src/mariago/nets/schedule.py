"""The order of the samples and the learning rate: functions of the step and the seed alone.

Because nothing here remembers anything, a run that is resumed at step N goes on exactly as the
uninterrupted one would have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mariago.nets.recipe import Training

__all__ = ["Draw", "Order", "learning_rate"]

_ORDER, _TURNS = 0, 1  # the streams of random numbers drawn from one seed


def learning_rate(training: Training, step: int) -> float:
    """Return the rate of step ``step``, from 0: a linear warm-up, then half a cosine.

    Loshchilov and Hutter 2017, "SGDR", arXiv:1608.03983, without restarts.
    """
    warm = min(training.warmup_steps, training.steps // 2)
    if step < warm:
        return training.learning_rate * (step + 1) / warm
    done = (step - warm) / max(1, training.steps - warm)
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    floor = training.final_rate
    return training.learning_rate * (floor + (1 - floor) * cosine)


@dataclass(frozen=True, slots=True)
class Draw:
    """The samples of one step, and how each is turned."""

    indices: npt.NDArray[np.int64]  # (B,)
    symmetries: npt.NDArray[np.int64]  # (B,) 0 to 7


class Order:
    """Which samples each step takes: every sample once before any comes again.

    ``groups`` (n,) numbers the board sizes; with ``one_size_a_batch`` each batch comes from one of
    them, only sizes too rare to fill a batch are mixed with each other. The few samples that do
    not fill a batch wait for the next round.
    """

    def __init__(self, training: Training, groups: npt.NDArray[np.int64]) -> None:
        self.training = training
        if training.one_size_a_batch:
            self.members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
        else:
            self.members = [np.arange(len(groups))]
        self.batch = min(training.batch, max(len(members) for members in self.members))
        rare = [members for members in self.members if len(members) < self.batch]
        self.members = [members for members in self.members if len(members) >= self.batch]
        if sum(map(len, rare)) >= self.batch:
            self.members.append(np.concatenate(rare))
        self.batches_a_round = sum(len(members) // self.batch for members in self.members)
        self._round = -1
        self._batches: list[npt.NDArray[np.int64]] = []

    def draw(self, step: int) -> Draw:
        """Return the samples of step ``step``, from 0."""
        number, place = divmod(step, self.batches_a_round)
        if number != self._round:
            self._batches = self._shuffle(number)
            self._round = number
        indices = self._batches[place]
        if not self.training.symmetries:
            return Draw(indices, np.zeros(len(indices), np.int64))
        rng = np.random.default_rng((self.training.seed, _TURNS, step))
        return Draw(indices, rng.integers(0, 8, len(indices)))

    def _shuffle(self, number: int) -> list[npt.NDArray[np.int64]]:
        rng = np.random.default_rng((self.training.seed, _ORDER, number))
        batches: list[npt.NDArray[np.int64]] = []
        for members in self.members:
            shuffled = rng.permutation(members)
            count = len(members) // self.batch
            batches.extend(np.split(shuffled[: count * self.batch], count))
        return [batches[i] for i in rng.permutation(len(batches))]
