"""What a teacher said of samples, kept small and handed out batch by batch.

Axes: n samples, B samples of a batch, H = W the side of a batch's field.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from mariago.board.geometry import move_table, symmetric_size
from mariago.board.points import Size
from mariago.errors import NetError
from mariago.features import apply_symmetry
from mariago.records import Labels, read_labels, read_manifest
from mariago.records.labels import OWNERSHIP_STEPS, labels_path

__all__ = ["Answers", "answers_of_labels", "describe_answers", "on_field", "read_answers"]

LEAST_SHARE = 1e-4
"""Moves to which the teacher gives less than this are left out, the rest made up to 1."""

Sides = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answers:
    """A teacher's word on n samples, all for the side to move.

    Policies are kept as lists, since most moves have no share: those of sample i stand from
    ``starts[i]`` to ``starts[i + 1]``.
    """

    starts: npt.NDArray[np.int64]  # (n + 1,)
    moves: npt.NDArray[np.int16]  # rows * columns is pass
    shares: npt.NDArray[np.float32]  # those of a sample sum to 1
    value: npt.NDArray[np.float32] | None  # (n,) in [-1, 1]
    lead: npt.NDArray[np.float32] | None  # (n,) points
    ownership: npt.NDArray[np.int8] | None  # (n, L * L) in 127ths, boards one after the other

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, indices: npt.NDArray[Any]) -> Answers:
        """Return the answers at ``indices``, in that order."""
        lengths = np.diff(self.starts)[indices]
        entries = self._entries(indices, lengths)
        starts = np.concatenate(([0], np.cumsum(lengths)))
        taken = (None if part is None else part[indices] for part in self.columns())
        return Answers(starts, self.moves[entries], self.shares[entries], *taken)

    def policy(self, chosen: Sides, sides: Sides, turns: Sides, side: int) -> npt.NDArray[Any]:
        """Return (B, H * W + 1) float32: the policies of ``chosen``, turned, on the batch's field.

        ``sides`` (B, 2) are the boards' rows and columns before they are turned, ``turns`` (B,)
        their symmetries.
        """
        lengths = np.diff(self.starts)[chosen]
        entries = self._entries(chosen, lengths)
        owner = np.repeat(np.arange(len(chosen)), lengths)
        moves = self.moves[entries].astype(np.int64)
        for size, symmetry, members in _alike(sides, turns):
            own = np.isin(owner, members)
            turned = move_table(size, symmetry)[moves[own]].astype(np.int64)
            moves[own] = on_field(turned, symmetric_size(size, symmetry), side)
        field = np.zeros((len(chosen), side * side + 1), np.float32)
        field[owner, moves] = self.shares[entries]
        return field

    def owned(
        self, chosen: Sides, sides: Sides, turns: Sides, side: int
    ) -> npt.NDArray[np.float32] | None:
        """Return (B, H, W): whose each point becomes, NaN off the board; None: not told."""
        if self.ownership is None:
            return None
        field = np.full((len(chosen), side, side), np.nan, np.float32)
        for size, symmetry, members in _alike(sides, turns):
            boards = self.ownership[chosen[members], : size.cells].reshape(-1, *size)
            after = symmetric_size(size, symmetry)
            field[members, : after.rows, : after.columns] = (
                apply_symmetry(symmetry, boards).astype(np.float32) / OWNERSHIP_STEPS
            )
        return field

    def columns(self) -> tuple[npt.NDArray[Any] | None, ...]:
        """Return what is known of each sample beside the policy: value, lead, ownership."""
        return self.value, self.lead, self.ownership

    def _entries(self, indices: npt.NDArray[Any], lengths: npt.NDArray[np.int64]) -> Sides:
        """Return where the policies of ``indices`` lie, one after the other."""
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.repeat(self.starts[indices], lengths) + within


def read_answers(
    folder: str | Path, split: str, teacher: str, sides: Sides
) -> tuple[Sides, Answers]:
    """Read what ``teacher`` said of a split: the numbers of the samples (n,), rising, and answers.

    ``sides`` (samples of the split, 2) are the rows and columns of the boards, in stored order.

    Raises:
        RecordsError: no labels by this teacher, or they do not fit the data set.
        NetError: the labels hold no policies.
    """
    manifest = read_manifest(folder)
    numbers: list[Sides] = []
    parts: list[Answers] = []
    first, largest = 0, int(sides.prod(axis=1).max(initial=1))
    for shard in manifest.shards:
        if shard["split"] != split:
            continue
        labels = read_labels(folder, str(shard["file"]), teacher)
        numbers.append(labels.rows.astype(np.int64) + first)
        parts.append(answers_of_labels(labels, sides[numbers[-1]].prod(axis=1), largest))
        first += int(shard["rows"])
    if not sum(map(len, parts)):
        raise NetError(f"its {split} split holds no label by {teacher!r}", where=folder)
    return np.concatenate(numbers), _joined(parts)


def describe_answers(folder: str | Path, teacher: str) -> dict[str, str]:
    """Return who a teacher is, in the words of his labels, and the hash of all of them.

    Raises:
        RecordsError: no labels by this teacher.
    """
    total = hashlib.sha256()
    about = ""
    for shard in read_manifest(folder).shards:
        path = labels_path(folder, str(shard["file"]), teacher)
        if path.is_file():
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
            found = pq.read_schema(path).metadata or {}
            about = found.get(b"mariago.about", b"").decode(errors="replace")
    return {"name": teacher, "about": about, "labels_sha256": total.hexdigest()}


def answers_of_labels(labels: Labels, cells: Sides, largest: int) -> Answers:
    """Return the answers in ``labels``; ``cells`` (n,) are the points of each board.

    Raises:
        NetError: the labels hold no policies.
    """
    if labels.policy is None:
        raise NetError("the teacher's labels hold no policies", hint="label the data set again")
    ends = np.cumsum(cells + 1)
    owner = np.repeat(np.arange(len(cells)), cells + 1)
    kept = np.flatnonzero(labels.policy >= LEAST_SHARE)
    owner, shares = owner[kept], labels.policy[kept].astype(np.float32)
    moves = (kept - (ends - cells - 1)[owner]).astype(np.int16)
    counts = np.bincount(owner, minlength=len(cells))
    shares /= np.bincount(owner, shares, minlength=len(cells))[owner].astype(np.float32)
    ownership = None
    if labels.ownership is not None:
        ownership = np.zeros((len(cells), largest), np.int8)
        inside = np.arange(largest) < cells[:, None]
        ownership[inside] = np.rint(labels.ownership * OWNERSHIP_STEPS).astype(np.int8)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return Answers(starts, moves, shares, labels.value, labels.lead, ownership)


def on_field(moves: Sides, size: Size, side: int) -> Sides:
    """Return moves of a board as moves of the field side x side that it lies in."""
    rows, columns = np.divmod(moves, size.columns)
    return np.where(moves == size.cells, side * side, rows * side + columns)


def _alike(sides: Sides, turns: Sides) -> list[tuple[Size, int, Sides]]:
    """Return which members of a batch have one size and are turned alike."""
    keys = np.concatenate((sides, turns[:, None]), axis=1)
    return [
        (Size(int(key[0]), int(key[1])), int(key[2]), np.flatnonzero((keys == key).all(axis=1)))
        for key in np.unique(keys, axis=0)
    ]


def _joined(parts: list[Answers]) -> Answers:
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    columns = (
        None if any(part is None for part in column) else np.concatenate(column)
        for column in zip(*(part.columns() for part in parts), strict=True)
    )
    return Answers(
        np.concatenate(([0], np.cumsum(lengths))),
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.shares for part in parts]),
        *columns,
    )
