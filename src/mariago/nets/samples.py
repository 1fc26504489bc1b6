"""Samples of a data set as a net is trained on them: planes in, right answers out, batch by batch.

Axes: B samples of a batch, H = W the side of the largest board in it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.geometry import move_table, symmetric_size
from mariago.board.points import Size
from mariago.errors import NetError
from mariago.features import Rows, apply_symmetry, planes_of_rows
from mariago.nets.answers import Answers, on_field, read_answers
from mariago.nets.config import PLANES
from mariago.nets.recipe import Teacher
from mariago.nets.schedule import Draw
from mariago.records import Targets, load_rows

__all__ = ["Batch", "Samples", "load_samples"]

CACHE_BYTES = 400_000_000
"""Planes of a data set are kept in memory, as bits, where they need no more than this."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch, ready for the net. Answers are for the side to move."""

    planes: npt.NDArray[np.uint8]  # (B, 22, H, W)
    globals: npt.NDArray[np.float32]  # (B, 19)
    move: npt.NDArray[np.int64]  # (B,) on the H x W field, H * W is pass
    outcome: npt.NDArray[np.float32]  # (B, 3) win, loss, no result; zeros where unknown
    score: npt.NDArray[np.float32]  # (B,) points; NaN where unknown
    weight: npt.NDArray[np.float32]  # (B,)
    tactical: npt.NDArray[np.bool_]  # (B,) the flag of the records
    policy: npt.NDArray[np.float32] | None = None  # (B, H * W + 1) sums to 1; None: ``move``
    ownership: npt.NDArray[np.float32] | None = None  # (B, H, W) in [-1, 1], NaN off the board


class Samples:
    """n samples, their planes made when first asked for and kept where they fit in memory.

    With ``answers`` of a teacher the right answers are his, mixed with the records' as ``teacher``
    says.
    """

    def __init__(
        self,
        rows: Rows,
        targets: Targets,
        answers: Answers | None = None,
        teacher: Teacher | None = None,
        *,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self.rows = rows
        self.targets = targets
        self.answers = answers
        self.teacher = teacher
        self.sides = np.stack((rows.rows, rows.columns), axis=1).astype(np.int64)  # (n, 2)
        self.feature_s = 0.0
        """Seconds spent on making planes so far."""
        largest = int(self.sides.max(initial=1))
        bits = (PLANES * largest * largest + 7) // 8
        self._known = np.zeros(len(rows), bool)
        self._kept: npt.NDArray[np.uint8] | None = None
        if bits * len(rows) <= cache_bytes:
            self._kept = np.zeros((len(rows), bits), np.uint8)
            self._kept_globals = np.zeros((len(rows), 19), np.float32)

    def __len__(self) -> int:
        return len(self.rows)

    def groups(self) -> npt.NDArray[np.int64]:
        """Return a number for each sample (n,), the same for samples of one board size."""
        return self.sides[:, 0] * 100 + self.sides[:, 1]

    def sizes(self) -> dict[Size, int]:
        """Return how many samples there are of each board size, the most frequent first."""
        found, counts = np.unique(self.sides, axis=0, return_counts=True)
        pairs = [(Size(int(r), int(c)), int(n)) for (r, c), n in zip(found, counts, strict=True)]
        return dict(sorted(pairs, key=lambda pair: -pair[1]))

    def take(self, indices: npt.NDArray[Any]) -> Samples:
        """Return the samples at ``indices``, in that order, with nothing kept yet."""
        answers = None if self.answers is None else self.answers.take(indices)
        return Samples(self.rows.take(indices), self.targets.take(indices), answers, self.teacher)

    def batch(self, draw: Draw) -> Batch:
        """Return the samples of ``draw``, each turned by its symmetry, on a field that fits all."""
        chosen = draw.indices
        sides = self.sides[chosen]
        side = int(sides.max())
        planes, global_inputs = self._planes(chosen, side)
        moves = self.targets.move[chosen].astype(np.int64)
        keys = np.concatenate((sides, draw.symmetries[:, None]), axis=1)
        for rows, columns, symmetry in np.unique(keys, axis=0):
            members = np.flatnonzero((keys == (rows, columns, symmetry)).all(axis=1))
            size = Size(int(rows), int(columns))
            if symmetry:
                planes[members] = apply_symmetry(int(symmetry), planes[members], size)
                moves[members] = move_table(size, int(symmetry))[moves[members]]
            moves[members] = on_field(moves[members], symmetric_size(size, int(symmetry)), side)
        targets = self.targets
        found = Batch(
            planes=planes,
            globals=global_inputs,
            move=moves,
            outcome=_outcome(targets.winner[chosen]),
            score=_possible(targets.score[chosen].astype(np.float32), sides),
            weight=targets.weight[chosen].astype(np.float32),
            tactical=targets.tactical[chosen],
        )
        return found if self.answers is None else self._taught(found, self.answers, draw, side)

    def _taught(self, found: Batch, answers: Answers, draw: Draw, side: int) -> Batch:
        """Return the batch with the teacher's answers mixed in."""
        share = self.teacher or Teacher(name="teacher")
        chosen, sides, turns = draw.indices, self.sides[draw.indices], draw.symmetries
        policy = answers.policy(chosen, sides, turns, side) * np.float32(share.policy)
        policy[np.arange(len(chosen)), found.move] += np.float32(1 - share.policy)
        outcome, score = found.outcome, found.score
        if answers.value is not None:
            said = _outcome(answers.value[chosen])
            known = outcome.sum(axis=1, keepdims=True) > 0
            outcome = np.where(known, share.value * said + (1 - share.value) * outcome, said)
        if answers.lead is not None:
            score = _possible(answers.lead[chosen], sides)
        owned = answers.owned(chosen, sides, turns, side)
        return replace(
            found,
            policy=policy,
            outcome=outcome.astype(np.float32),
            score=score,
            ownership=owned,
        )

    def _planes(
        self, chosen: npt.NDArray[np.int64], side: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        if self._kept is None:
            return self._make(chosen, side)
        new = chosen[~self._known[chosen]]
        if len(new):
            largest = int(self.sides.max())
            planes, global_inputs = self._make(new, largest)
            self._kept[new] = np.packbits(planes.reshape(len(new), -1), axis=1)
            self._kept_globals[new] = global_inputs
            self._known[new] = True
        largest = int(self.sides.max())
        bits = np.unpackbits(self._kept[chosen], axis=1, count=PLANES * largest * largest)
        planes = bits.reshape(len(chosen), PLANES, largest, largest)
        return np.ascontiguousarray(planes[:, :, :side, :side]), self._kept_globals[chosen]

    def _make(
        self, chosen: npt.NDArray[np.int64], side: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        started = time.perf_counter()
        made = planes_of_rows(self.rows.take(chosen), side)
        self.feature_s += time.perf_counter() - started
        return made


def _possible(score: npt.NDArray[np.float32], sides: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return scores with NaN, unknown, for leads of more points than the board has.

    Such leads are slips of a record, and a single one would outweigh all others in the loss.
    """
    return np.where(np.abs(score) <= sides.prod(axis=1), score, np.float32(np.nan))


def _outcome(winner: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return (B, 3) win, loss, no result for values from -1 to 1; a draw is half of each of two.

    NaN, unknown, gives zeros.
    """
    outcome = np.zeros((len(winner), 3), np.float32)
    known = ~np.isnan(winner)
    outcome[known, 0] = (winner[known] + 1) / 2
    outcome[known, 1] = (1 - winner[known]) / 2
    return outcome


def load_samples(
    folder: Path,
    split: str,
    sizes: set[Size] | None = None,
    teacher: Teacher | None = None,
) -> Samples:
    """Load one split of a data set, only boards of ``sizes`` where any are named.

    Samples whose weight is 0, or no finite number, are left out; with a teacher, also those that
    he has not labelled.

    Raises:
        RecordsError: the folder holds no data set, or no labels by this teacher.
        NetError: the split holds no sample of these sizes.
    """
    rows, targets = load_rows(folder, split)
    found = Samples(rows, targets)
    if teacher is not None:
        numbers, answers = read_answers(folder, split, teacher.name, found.sides)
        rows, targets = rows.take(numbers), targets.take(numbers)
        found = Samples(rows, targets, answers, teacher)
    wanted = (targets.weight > 0) & np.isfinite(targets.weight)
    if sizes:
        ours = np.zeros(len(found), bool)
        for size in sizes:
            ours |= (found.sides == tuple(size)).all(axis=1)
        wanted &= ours
    if not wanted.any():
        held = ", ".join(str(size) for size in found.sizes()) or "no samples"
        asked = ", ".join(str(size) for size in sorted(sizes or ())) or "any size"
        raise NetError(
            f"its {split} split holds no samples of {asked} (it holds: {held})",
            where=folder,
            hint="change training.sizes in the recipe, or build the data set from other games",
        )
    return found if wanted.all() else found.take(np.flatnonzero(wanted))
