"""Tuning a net on the games of a person: from a net to a net, measured on games left out.

A run can be killed and resumed as a training can; its folder is ``OUT.training``. The net kept is
the one with the smallest policy loss on the validation split, the base net itself among them. Both
nets answer the test split at the end.
"""

from __future__ import annotations

import math
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from mariago.errors import NetError
from mariago.nets.architecture import GoNet
from mariago.nets.base_net import BaseNet, read_base
from mariago.nets.batches import prepared
from mariago.nets.checkpoint import Run, difference
from mariago.nets.folder import NetInfo, check_parts, read_info, read_metrics
from mariago.nets.held_out import compare, spread_over_games
from mariago.nets.interrupts import held_back
from mariago.nets.low_rank import merged_state
from mariago.nets.samples import Samples
from mariago.nets.schedule import Order
from mariago.nets.team import Team
from mariago.nets.trainer import find_device
from mariago.nets.training import LOG_EVERY, Progress, Silent, describe_data
from mariago.nets.tuned_folder import Outcome, write_tuned
from mariago.nets.tuned_samples import TuningSamples, load_tuning_samples
from mariago.nets.tuner import Tuner, net_of_base
from mariago.nets.tuning_plan import TuningPlan
from mariago.nets.validation import judge, measure

__all__ = ["TuningResult", "TuningSettings", "tune_net"]

PIECE = 2048  # samples that are judged between two words of progress


@dataclass(frozen=True, slots=True)
class TuningSettings:
    """What a tuning needs beside its plan; none of it changes what is learnt."""

    resume: bool = False
    threads: int = 0
    """Threads of torch; 0: as many as it takes by itself."""
    device: str = "auto"
    origin: str = ""
    """Of a network file of KataGo, which does not tell it."""
    terms: str = ""
    stop_at: int | None = None
    """Stop after this step as if interrupted: checkpoint, no net. For tests."""


@dataclass(frozen=True, slots=True)
class TuningResult:
    """What a tuning came to."""

    folder: Path
    info: NetInfo
    rows: list[dict[str, Any]]
    """The rows of ``metrics.jsonl``."""
    finished: bool
    stood_there: bool = False
    """Whether the net was finished before, so that nothing was done."""

    @property
    def tuning(self) -> dict[str, Any]:
        """What ``net.json`` says of the tuning: ``base``, ``plan``, ``held_out`` and more."""
        return self.info.training.get("tuning", {})


def tune_net(
    net: str | Path,
    data: str | Path,
    out: str | Path,
    plan: TuningPlan | None = None,
    settings: TuningSettings | None = None,
    progress: Progress | None = None,
) -> TuningResult:
    """Tune ``net`` on the data set in ``data`` and write the net folder ``out``.

    A run that was killed goes on with ``settings.resume`` and ends with the same net as one that
    was not, on the same machine with the same number of threads. Where nothing is there to go on
    with, ``resume`` begins.

    Raises:
        NetError: ``net`` cannot be read or imported; no moves of ``plan.player``, or none of the
            wanted sizes; and what :func:`mariago.nets.training.train_net` refuses.
        RecordsError: ``data`` holds no data set.
    """
    data, out = Path(data), Path(out)
    plan, settings = plan or TuningPlan(), settings or TuningSettings()
    base = read_base(net, origin=settings.origin, terms=settings.terms)
    identity = {
        "plan": plan.model_dump(mode="json"),
        "base": {"sha256": base.papers["sha256"]},
        "data": describe_data(data),
    }
    if out.exists():
        info = read_info(out)
        if not settings.resume:
            raise NetError(
                "is there already", where=out, hint="name another --out, or go on with --resume"
            )
        _require_same(out, info, identity)
        check_parts(out, info)
        return TuningResult(out, info, read_metrics(out), True, stood_there=True)
    if not settings.resume:
        Run(out, {}).refuse_to_begin_over()
    if settings.threads:
        torch.set_num_threads(settings.threads)
    samples = load_tuning_samples(data, base, plan)
    run = Run(out, identity)
    return _Tuning(base, samples, plan, run, out, settings, progress or Silent()).run()


def _require_same(out: Path, info: NetInfo, identity: dict[str, Any]) -> None:
    """Refuse to hand out a finished net as the result of another tuning."""
    tuning = info.training.get("tuning")
    if not isinstance(tuning, dict):
        raise NetError("is a net that was not tuned", where=out, hint="name another --out")
    found = {
        "plan": tuning.get("plan"),
        "base": {"sha256": tuning.get("base", {}).get("sha256")},
        "data": info.training.get("data"),
    }
    for key, now in identity.items():
        if found[key] != now:
            raise NetError(
                f"was tuned with another {key}: {difference(found[key], now)}",
                where=out,
                hint="name another --out",
            )


class _Tuning:
    """One call of :func:`tune_net`."""

    def __init__(
        self,
        base: BaseNet,
        samples: TuningSamples,
        plan: TuningPlan,
        run: Run,
        out: Path,
        settings: TuningSettings,
        progress: Progress,
    ) -> None:
        self.base, self.samples, self.plan, self.out = base, samples, plan, out
        self.run_folder, self.settings, self.progress = run, settings, progress
        self.tuner = Tuner(base, plan, Team(device=find_device(settings.device)))
        self.order = Order(self.tuner.recipe.training, samples.train.groups())
        self.best: dict[str, Any] = {}
        """``step``, ``figures`` of the validation split and ``net``, arrays by ordinary names."""
        self.seconds_before = 0.0

    def run(self) -> TuningResult:
        with self.run_folder.held():
            return self._run()

    def _run(self) -> TuningResult:
        self.started = time.monotonic()
        if self.settings.resume and self.run_folder.is_begun:
            self._resume()
        else:
            self.run_folder.begin()
        self.progress.advance(self.tuner.steps_done)
        if not self.best:
            self._validate()
            self._save()
        self._learn()
        self._save()
        if self.settings.stop_at is not None and not self._is_done():
            info = NetInfo(config=self.base.config)
            return TuningResult(self.out, info, self.run_folder.rows, False)
        outcome = Outcome(
            net=self.tuner.best_of(self.best["net"]),
            step=self.best["step"],
            figures=self.best["figures"],
            held_out=self._held_out(),
            rows=self.run_folder.rows,
            seconds=self._seconds(),
        )
        info = write_tuned(
            self.out, self.base, self.samples, self.tuner, self.run_folder.identity, outcome
        )
        return TuningResult(self.out, info, self.run_folder.rows, True)

    def _learn(self) -> None:
        last = min(self.plan.steps, self.settings.stop_at or self.plan.steps)
        batches = prepared(self.samples.train, self.order.draw, self.tuner.steps_done, last)
        with held_back() as interrupt, closing(batches):
            while not self._is_done() and self.tuner.steps_done < last:
                self.tuner.step(next(batches))
                step = self.tuner.steps_done
                if step % LOG_EVERY == 0 or step == self.plan.steps:
                    averages = self.tuner.take_averages()
                    self._check(averages["loss"])
                    self._log("train", averages)
                if step % self.plan.validate_every == 0 or step == self.plan.steps:
                    self._validate()
                if step % self.plan.checkpoint_every == 0:
                    self._save()
                self.progress.advance(1)
                if interrupt.pressed:
                    self._save()
                    raise KeyboardInterrupt

    def _is_done(self) -> bool:
        """Whether all steps are done, or so many measurements brought nothing better."""
        waited = self.tuner.steps_done - self.best["step"]
        stale = waited >= self.plan.patience * self.plan.validate_every
        return stale or self.tuner.steps_done >= self.plan.steps

    def _validate(self) -> None:
        found = measure(self.tuner.net, self.samples.validation, self.tuner.device)
        self._check(found["policy_loss"])
        self._log("validation", found)
        if not self.best or found["policy_loss"] < self.best["figures"]["policy_loss"]:
            state = {name: array.clone() for name, array in merged_state(self.tuner.net).items()}
            self.best = {"step": self.tuner.steps_done, "figures": found, "net": state}
        self.progress.advance(
            0, f"tuning (move right {found['top1']:.1%}, loss {found['policy_loss']:.3f})"
        )

    def _check(self, loss: float | None) -> None:
        if loss is None or not math.isfinite(loss):
            raise NetError(
                f"the loss is no number any more at step {self.tuner.steps_done}",
                where=self.run_folder.folder,
                hint="lower --rate, and name another --out",
            )

    def _log(self, kind: str, found: dict[str, Any]) -> None:
        seconds = round(self._seconds(), 2)
        self.run_folder.log(
            {"kind": kind, "step": self.tuner.steps_done, "seconds": seconds, **found}
        )

    def _seconds(self) -> float:
        return self.seconds_before + time.monotonic() - self.started

    def _save(self) -> None:
        self.run_folder.save({**self.tuner.state(), "seconds": self._seconds(), "best": self.best})

    def _resume(self) -> None:
        state = self.run_folder.resume()
        try:
            self.tuner.load_state(state)
            self.best = {key: state["best"][key] for key in ("step", "figures", "net")}
            self.tuner.best_of(self.best["net"])
        except (RuntimeError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise self.run_folder.damaged() from error
        self.seconds_before = state["seconds"]

    def _held_out(self) -> dict[str, Any]:
        """Return what the base net and the best one say of the test split; see ``held_out``."""
        nets = (net_of_base(self.base).to(self.tuner.device), self.tuner.best_of(self.best["net"]))
        parts = {"own": self.samples.test, "others": self.samples.test_others}
        chosen = {
            name: _spread(part, self.plan) for name, part in parts.items() if part is not None
        }
        total = sum(len(part) for part in chosen.values()) * len(nets)
        told = _Counted(self.progress, total)
        found: dict[str, Any] = {}
        for name, part in chosen.items():
            before, after = (_judged(net, part, self.tuner.device, told) for net in nets)
            found[name] = compare(before, after, part.targets.game, self.plan.seed)
        return found


def _spread(part: Samples, plan: TuningPlan) -> Samples:
    return part.take(spread_over_games(part.targets.game, plan.held_out_samples, plan.seed))


class _Counted:
    """Says how many held-out moves have been answered."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def add(self, n: int) -> None:
        self.done += n
        text = f"measuring on held-out games, {self.done:,} of {self.total:,} answers"
        self.progress.advance(0, text)


def _judged(
    net: GoNet, part: Samples, device: torch.device, told: _Counted
) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of ``judge``, piece by piece."""
    pieces: list[dict[str, npt.NDArray[Any]]] = []
    for start in range(0, len(part), PIECE):
        piece = part.take(np.arange(start, min(len(part), start + PIECE)))
        pieces.append(judge(net, piece, device))
        told.add(len(piece))
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
