"""The samples of a tuning: a person's moves of each split, and his opponents' of the test games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mariago.board.points import Size, size_of
from mariago.errors import NetError
from mariago.nets.base_net import BaseNet
from mariago.nets.persons import Person
from mariago.nets.samples import Samples
from mariago.nets.tuning_plan import TuningPlan
from mariago.nets.validation import spread_choice
from mariago.records import load_rows, read_manifest

__all__ = ["TuningSamples", "load_tuning_samples"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TuningSamples:
    """What is learnt from and measured on."""

    train: Samples
    validation: Samples
    test: Samples | None
    """``None`` where the test split has no such moves."""
    test_others: Samples | None
    """Moves of the opponents in the test split; ``None`` where nobody was named."""


def load_tuning_samples(data: Path, base: BaseNet, plan: TuningPlan) -> TuningSamples:
    """Load the samples of a plan; ``validation`` is cut to ``plan.validation_samples``.

    Raises:
        RecordsError: ``data`` holds no data set.
        NetError: no game of the person, no such moves in the train or the validation split, or
            boards of sizes that the net was not trained on.
    """
    person = Person(data, plan.player) if plan.player.strip() else None
    sizes = {size_of(size) for size in plan.sizes or base.sizes}
    found: dict[str, Samples | None] = {}
    for split in ("train", "validation", "test"):
        found[split] = _load(data, split)
    _check_sizes(data, [part for part in found.values() if part is not None], base, plan, sizes)
    own = {split: _chosen(part, sizes, person, True) for split, part in found.items()}
    train, validation = own["train"], own["validation"]
    if train is None:
        raise _nothing(data, "train", person)
    if validation is None:
        raise _nothing(data, "validation", person)
    validation = validation.take(spread_choice(len(validation), plan.validation_samples, plan.seed))
    others = None if person is None else _chosen(found["test"], sizes, person, False)
    return TuningSamples(train, validation, own["test"], others)


def _load(data: Path, split: str) -> Samples | None:
    if read_manifest(data).samples(split) == 0:
        return None
    rows, targets = load_rows(data, split)
    found = Samples(rows, targets)
    wanted = (targets.weight > 0) & np.isfinite(targets.weight)
    return found if wanted.all() else found.take(np.flatnonzero(wanted))


def _chosen(
    part: Samples | None, sizes: set[Size], person: Person | None, own: bool
) -> Samples | None:
    if part is None:
        return None
    wanted = _of_sizes(part, sizes)
    if person is not None:
        wanted &= person.own(part) if own else person.others(part)
    return part.take(np.flatnonzero(wanted)) if wanted.any() else None


def _of_sizes(part: Samples, sizes: set[Size]) -> Mask:
    if not sizes:
        return np.ones(len(part), np.bool_)
    wanted = np.zeros(len(part), np.bool_)
    for size in sizes:
        wanted |= (part.sides == tuple(size)).all(axis=1)
    return wanted


def _check_sizes(
    data: Path, parts: list[Samples], base: BaseNet, plan: TuningPlan, sizes: set[Size]
) -> None:
    """Refuse a data set without boards of the wanted sizes.

    Raises:
        NetError: what sizes there are, and how to take them all the same.
    """
    if not parts or any(_of_sizes(part, sizes).any() for part in parts):
        return
    held = ",".join(sorted({str(size) for part in parts for size in part.sizes()}))
    asked = ", ".join(str(size) for size in sorted(sizes))
    if plan.sizes:
        raise NetError(
            f"holds no boards of {asked}", where=data, hint=f"--size {held} takes what it holds"
        )
    raise NetError(
        f"holds boards of {held}, the net was trained on {asked}",
        where=data,
        hint=f"--size {held} tunes it on them all the same",
    )


def _nothing(data: Path, split: str, person: Person | None) -> NetError:
    if person is None:
        return NetError(
            f"its {split} split holds no samples",
            where=data,
            hint="build it from more games, or with a larger --validation",
        )
    return NetError(
        f"its {split} split holds no moves of {person.name!r:.60}, who played {person.games} games",
        where=data,
        hint="build it from more of the games, or with a larger --validation and --test",
    )
