"""How well a net answers samples that it was not trained on.

Top-1 and top-5 count the move that was played against all moves of the board, illegal ones too:
the net gets no help from the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from mariago.nets.architecture import GoNet, Outputs
from mariago.nets.batches import inputs_of
from mariago.nets.config import SCORE_SCALE
from mariago.nets.samples import Batch, Samples
from mariago.nets.schedule import Draw

__all__ = ["BANDS", "judge", "measure", "spread_choice"]

BANDS = ((1, 30), (31, 80), (81, 150), (151, 9999))
"""Move numbers, first and last, that are measured apart."""
BATCH = 256

Column = npt.NDArray[Any]


def spread_choice(count: int, wanted: int, seed: int) -> npt.NDArray[np.int64]:
    """Return at most ``wanted`` different indices below ``count``, sorted, the same every time."""
    if count <= wanted:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, wanted, replace=False))


def measure(net: GoNet, samples: Samples, device: torch.device) -> dict[str, Any]:
    """Measure ``net`` on all of ``samples``, each counting once, in float32 as it will play.

    Returns ``samples``, ``top1`` and ``top5`` (shares), ``policy_loss`` and ``value_loss`` (nats),
    ``value_right`` (share of known results whose winner is favoured), ``score_miss`` (mean points),
    with a teacher's labels also ``teacher_top1`` (the teacher's best move is the net's) and
    ``teacher_loss`` (nats of cross-entropy with the teacher's policy, his own entropy included);
    the first four again for ``tactical`` samples and per ``bands`` of move numbers. A figure that
    no sample can tell is ``None``.
    """
    judged = judge(net, samples, device)
    numbers = samples.targets.move_number
    result = _averages(judged, np.ones(len(numbers), bool))
    result["tactical"] = _policy_only(judged, samples.targets.tactical)
    result["bands"] = {
        f"{first}-{last}" if last < 9999 else f"{first}+": _policy_only(
            judged, (numbers >= first) & (numbers <= last)
        )
        for first, last in BANDS
    }
    return result


def judge(net: GoNet, samples: Samples, device: torch.device) -> dict[str, Column]:
    """Return the figures of :func:`measure` sample by sample, each (n,), in the samples' order.

    What is unknown of a sample is NaN.
    """
    net.eval()
    columns: dict[str, list[Column]] = {}
    groups = _by_size(samples)
    with torch.inference_mode():
        for indices in groups:
            batch = samples.batch(Draw(indices, np.zeros(len(indices), np.int64)))
            planes, global_inputs = inputs_of(batch, device)
            outputs: Outputs = net(planes, global_inputs)
            for name, column in _judge(outputs, batch).items():
                columns.setdefault(name, []).append(column)
    net.train()
    back = np.argsort(np.concatenate(groups))
    return {name: np.concatenate(parts)[back] for name, parts in columns.items()}


def _by_size(samples: Samples) -> list[npt.NDArray[np.int64]]:
    groups = samples.groups()
    return [
        members[i : i + BATCH]
        for group in np.unique(groups)
        for members in (np.flatnonzero(groups == group),)
        for i in range(0, len(members), BATCH)
    ]


def _judge(outputs: Outputs, batch: Batch) -> dict[str, Column]:
    """Return one figure a sample; NaN where its answer is unknown."""
    policy = outputs.policy.float().cpu()
    move = torch.from_numpy(batch.move)
    # Moves that the net holds for exactly as good as the right one count before it.
    rank = (policy >= policy.gather(1, move[:, None])).sum(dim=1)
    value = functional.log_softmax(outputs.value.float().cpu(), dim=1).numpy()
    known = batch.outcome.sum(axis=1) > 0
    decided = known & (batch.outcome[:, 0] != batch.outcome[:, 1])
    favoured = (value[:, 0] > value[:, 1]) == (batch.outcome[:, 0] > batch.outcome[:, 1])
    lead = outputs.score[:, 2].float().cpu().numpy() * SCORE_SCALE
    found = {
        "top1": (rank <= 1).numpy(),
        "top5": (rank <= 5).numpy(),
        "policy_loss": functional.cross_entropy(policy, move, reduction="none").numpy(),
        "value_loss": np.where(known, -(batch.outcome * value).sum(axis=1), np.nan),
        "value_right": np.where(decided, favoured, np.nan),
        "score_miss": np.abs(lead - batch.score),
    }
    if batch.policy is not None:
        taught = torch.from_numpy(batch.policy)
        found["teacher_top1"] = (policy.argmax(dim=1) == taught.argmax(dim=1)).numpy()
        found["teacher_loss"] = functional.cross_entropy(policy, taught, reduction="none").numpy()
    return found


def _mean(column: Column) -> float | None:
    known = column[~np.isnan(column.astype(np.float64))]
    return float(known.mean(dtype=np.float64)) if len(known) else None


def _averages(judged: dict[str, Column], chosen: npt.NDArray[np.bool_]) -> dict[str, Any]:
    result: dict[str, Any] = {"samples": int(chosen.sum())}
    for name, column in judged.items():
        result[name] = _mean(column[chosen])
    return result


def _policy_only(judged: dict[str, Column], chosen: npt.NDArray[np.bool_]) -> dict[str, Any]:
    found = _averages(judged, chosen)
    return {name: found[name] for name in ("samples", "top1", "top5", "policy_loss")}
