"""Training a net on a data set: from a recipe to a net folder, resumable at any moment."""

from __future__ import annotations

import hashlib
import json
import math
import platform
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

import mariago
from mariago.errors import NetError
from mariago.nets.answers import describe_answers
from mariago.nets.batches import prepared
from mariago.nets.card import card_text
from mariago.nets.checkpoint import Run, difference
from mariago.nets.folder import NetInfo, check_parts, read_info, read_metrics, write_net
from mariago.nets.interrupts import held_back
from mariago.nets.recipe import Recipe, Teacher
from mariago.nets.samples import load_samples
from mariago.nets.schedule import Draw, Order
from mariago.nets.team import Team
from mariago.nets.trainer import Trainer, find_device
from mariago.nets.validation import measure, spread_choice
from mariago.records import read_manifest

__all__ = ["Progress", "Settings", "Silent", "TrainingResult", "steps_that_fit", "train_net"]

LOG_EVERY = 25  # steps between two rows of the training losses


class Progress(Protocol):
    """Where a training tells how far it is; ``mariago.cli.progress`` hands such things out."""

    def advance(self, n: int = 1, text: str | None = None) -> None:
        """Count ``n`` more steps as done."""
        ...


class Silent:
    """A :class:`Progress` that tells nobody."""

    def advance(self, n: int = 1, text: str | None = None) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a training needs beside the recipe; none of it changes what is learnt."""

    resume: bool = False
    threads: int = 0
    """Threads of torch; 0: as many as it takes by itself."""
    device: str = "auto"
    max_minutes: float | None = None
    """Stop early after this time and write the net as it stands."""
    tensorboard: bool = True
    stop_at: int | None = None
    """Stop after this step as if interrupted: checkpoint, no net. For tests."""


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What a training came to."""

    folder: Path
    info: NetInfo
    rows: list[dict[str, Any]]
    """The rows of ``metrics.jsonl``."""
    finished: bool
    """False where ``max_minutes`` or ``stop_at`` ended it before its last step."""
    stood_there: bool = False
    """Whether the net was finished before, so that nothing was done."""


def train_net(
    data: str | Path,
    recipe: Recipe,
    out: str | Path,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> TrainingResult:
    """Train a net on the data set in ``data`` and write its folder ``out``.

    A run that was killed goes on with ``settings.resume`` and ends with the same net as one that
    was not, on the same machine with the same number of threads. Where nothing is there to go on
    with, ``resume`` begins.

    Raises:
        NetError: ``out`` is there already, or an interrupted run of its name where ``resume`` is
            not asked for; a damaged checkpoint, or none beside an unfinished net; another process
            trains into ``out``; ``out`` is the finished net of another recipe or data set,
            or a part of it is missing or damaged; no samples of the wanted sizes.
        RecordsError: ``data`` holds no data set.
    """
    data, out = Path(data), Path(out)
    settings = settings or Settings()
    if out.exists():
        info = read_info(out)
        if not settings.resume:
            raise NetError(
                "is there already", where=out, hint="name another --out, or go on with --resume"
            )
        if info.training.get("steps") == recipe.training.steps:
            _require_same(out, info, data, recipe)
            check_parts(out, info)
            return TrainingResult(out, info, read_metrics(out), True, stood_there=True)
        if not Run(out, {}).is_begun:
            raise NetError(
                "is an unfinished net without a checkpoint to go on from",
                where=out,
                hint="name another --out",
            )
    elif not settings.resume:
        Run(out, {}).refuse_to_begin_over()
    if settings.threads:
        torch.set_num_threads(settings.threads)
    return _Training(data, recipe, out, settings, progress or Silent()).run()


def _require_same(out: Path, info: NetInfo, data: Path, recipe: Recipe) -> None:
    """Refuse to hand out a finished net as the result of another recipe or data set."""
    asked = {"recipe": recipe.as_dict(), "data": describe_data(data, recipe.teacher)}
    for key, now in asked.items():
        was = info.training.get(key)
        if was != now:
            raise NetError(
                f"was trained with another {key}: {difference(was, now)}",
                where=out,
                hint="name another --out",
            )


class _Training:
    """One call of :func:`train_net`."""

    def __init__(
        self, data: Path, recipe: Recipe, out: Path, settings: Settings, progress: Progress
    ) -> None:
        self.recipe, self.out, self.settings, self.progress = recipe, out, settings, progress
        sizes = recipe.training.wanted_sizes()
        self.samples = load_samples(data, "train", sizes, recipe.teacher)
        held_out = load_samples(data, "validation", sizes, recipe.teacher)
        chosen = spread_choice(
            len(held_out), recipe.training.validation_samples, recipe.training.seed
        )
        self.validation = held_out.take(chosen)
        self.data = describe_data(data, recipe.teacher)
        self.order = Order(recipe.training, self.samples.groups())
        self.team = Team.of_environment(find_device(settings.device))
        self.trainer = Trainer(recipe, self.team)
        identity = {
            "recipe": recipe.as_dict(),
            "data": self.data,
            "processes": self.team.size,
        }
        self.run_folder = Run(out, identity, writes=self.team.writes)
        self.seconds_before = 0.0

    def run(self) -> TrainingResult:
        with self.run_folder.held():
            return self._run()

    def _resume(self) -> None:
        state = self.run_folder.resume()
        try:
            self.trainer.load_state(state)
        except (RuntimeError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise self.run_folder.damaged() from error
        self.seconds_before = state["seconds"]

    def _run(self) -> TrainingResult:
        if self.settings.resume and self.run_folder.is_begun:
            self._resume()
        else:
            self.run_folder.begin()
        self.team.wait()
        self.progress.advance(self.trainer.steps_done)
        self.started = time.monotonic()
        self.board: Any = None
        if self.settings.tensorboard and self.team.writes:
            from torch.utils.tensorboard import SummaryWriter  # takes seconds to import

            self.board = SummaryWriter(
                str(self.run_folder.folder / "tensorboard"),
                purge_step=self.trainer.steps_done + 1,
            )
        try:
            if self.trainer.steps_done == 0:
                self._validate()
            self._learn()
        finally:
            if self.board is not None:
                self.board.close()
        self._save()
        finished = self.trainer.steps_done >= self.recipe.training.steps
        if not finished and self.settings.stop_at is not None:
            return TrainingResult(
                self.out, NetInfo(config=self.trainer.net.config), self.run_folder.rows, False
            )
        if self.team.writes:
            self._write_net()
        self.team.wait()
        return TrainingResult(self.out, read_info(self.out), self.run_folder.rows, finished)

    def _learn(self) -> None:
        course = self.recipe.training
        last = min(course.steps, self.settings.stop_at or course.steps)
        first = self.trainer.steps_done
        batches = prepared(self.samples, self._part, first, last)
        with held_back() as interrupt, closing(batches):
            for batch in batches:
                self.trainer.step(batch)
                step = self.trainer.steps_done
                late = self.team.any(self._is_late())
                if step % LOG_EVERY == 0 or step == course.steps:
                    averages = self.trainer.take_averages()
                    self._check(averages["loss"])
                    self._log("train", averages)
                if step % course.validate_every == 0 or step == course.steps or late:
                    self._validate()
                if step % course.checkpoint_every == 0:
                    self._save()
                self.progress.advance(1)
                if self.team.any(interrupt.pressed):
                    self._save()
                    raise KeyboardInterrupt
                if late:
                    return

    def _part(self, step: int) -> Draw:
        return self.team.part(self.order.draw(step))

    def _check(self, loss: float | None) -> None:
        if loss is None or not math.isfinite(loss):
            raise NetError(
                f"the loss is no number any more at step {self.trainer.steps_done}",
                where=self.run_folder.folder,
                hint="lower training.learning_rate, and name another --out",
            )

    def _is_late(self) -> bool:
        limit = self.settings.max_minutes
        return limit is not None and self._seconds() >= limit * 60

    def _seconds(self) -> float:
        return self.seconds_before + time.monotonic() - self.started

    def _validate(self) -> None:
        self.team.average_norms(self.trainer.net)
        found = measure(self.trainer.net, self.validation, self.trainer.device)
        self._check(found["policy_loss"])
        self._log("validation", found)
        self.progress.advance(
            0, f"training (move right {found['top1']:.1%}, loss {found['policy_loss']:.2f})"
        )

    def _log(self, kind: str, found: dict[str, Any]) -> None:
        step = self.trainer.steps_done
        seconds = round(self._seconds(), 2)
        self.run_folder.log({"kind": kind, "step": step, "seconds": seconds, **found})
        if self.board is not None:
            for name, value in _flat(found).items():
                self.board.add_scalar(f"{kind}/{name}", value, step)

    def _save(self) -> None:
        self.team.average_norms(self.trainer.net)
        self.run_folder.save({**self.trainer.state(), "seconds": self._seconds()})

    def _write_net(self) -> None:
        last = [row for row in self.run_folder.rows if row["kind"] == "validation"][-1]
        course = self.recipe.training
        info = NetInfo(
            config=self.trainer.net.config,
            sizes=tuple(str(size) for size in self.samples.sizes()),
            origin=self.data["origin"],
            training={
                "steps": self.trainer.steps_done,
                "steps_planned": course.steps,
                "samples_seen": self.trainer.steps_done * self.order.batch,
                "samples_known": len(self.samples),
                "recipe": self.recipe.as_dict(),
                "data": self.data,
                "precision": self.trainer.precision,
                "device": self.trainer.device.type,
                "threads": torch.get_num_threads(),
                "validation": {k: v for k, v in last.items() if k not in ("kind", "seconds")},
            },
            versions={
                "mariago": mariago.__version__,
                "torch": torch.__version__,
                "numpy": np.__version__,
                "python": platform.python_version(),
            },
        )
        metrics = "".join(json.dumps(row) + "\n" for row in self.run_folder.rows)
        write_net(
            self.out,
            info,
            self.trainer.weights(),
            card=card_text(self.out.name, info),
            metrics=metrics,
            replace=True,
        )


def describe_data(folder: Path, teacher: Teacher | None = None) -> dict[str, Any]:
    """Return what a net remembers of the data set it was trained on, and of the teacher's labels.

    Raises:
        RecordsError: the folder holds no data set, or no labels by this teacher.
    """
    manifest = read_manifest(folder)
    shards = "".join(shard["sha256"] for shard in manifest.shards)
    return {
        "sha256": hashlib.sha256(shards.encode("ascii")).hexdigest(),
        "origin": "; ".join(dict.fromkeys(str(s["origin"]) for s in manifest.sources)),
        "terms": "; ".join(dict.fromkeys(str(s["terms"]) for s in manifest.sources)),
        **({} if teacher is None else {"teacher": describe_answers(folder, teacher.name)}),
    }


def _flat(found: dict[str, Any], prefix: str = "") -> dict[str, float]:
    """Return the numbers of nested figures under joined names."""
    flat: dict[str, float] = {}
    for name, value in found.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{name}/"))
        elif isinstance(value, int | float):
            flat[prefix + name] = value
    return flat


def steps_that_fit(
    data: str | Path, recipe: Recipe, seconds: float, *, threads: int = 0, try_for: float = 4.0
) -> int:
    """Return how many steps of ``recipe`` take ``seconds`` here, measured for ``try_for`` seconds.

    For demonstrations: the number differs from run to run, so write it into the recipe and into
    the report; the same number of steps then gives the same net.
    """
    if threads:
        torch.set_num_threads(threads)
    samples = load_samples(Path(data), "train", recipe.training.wanted_sizes(), recipe.teacher)
    order = Order(recipe.training, samples.groups())
    trainer = Trainer(recipe, Team(device=find_device()))
    begun = time.monotonic()
    times: list[float] = []
    while time.monotonic() - begun < try_for or len(times) < 3:
        started = time.monotonic()
        trainer.step(samples.batch(order.draw(len(times))))
        times.append(time.monotonic() - started)
    return max(1, int(seconds / float(np.median(times))))
