"""What KataGo's trainer does with a training file, told again in NumPy.

From python/katago/train/data_processing_pytorch.py (which arrays are read, how bits are unpacked)
and metrics_pytorch.py (what each loss is weighed by), as of KataGo 1.16. A loss whose weight is 0
in a row teaches nothing there, whatever the target holds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

READ = (
    "binaryInputNCHWPacked",
    "globalInputNC",
    "policyTargetsNCMove",
    "globalTargetsNC",
    "scoreDistrN",
    "valueTargetsNCHW",
)


def trainer_batch(path: Path, pos_len: int) -> dict[str, np.ndarray]:
    """Read a file as the trainer of a net of version 16 does, with its own assertions."""
    with np.load(path) as npz:
        assert set(npz.keys()) == {*READ, "qValueTargetsNCMove"}  # the shuffler asks for just these
        packed = npz["binaryInputNCHWPacked"]
        batch = {name: npz[name] for name in (*READ[1:], "qValueTargetsNCMove")}
    bits = np.unpackbits(packed, axis=2)
    assert bits.ndim == 3
    assert bits.shape[2] == ((pos_len * pos_len + 7) // 8) * 8
    planes = bits[:, :, : pos_len * pos_len]
    batch["binaryInputNCHW"] = planes.reshape(*planes.shape[:2], pos_len, pos_len).astype(
        np.float32
    )
    assert batch["binaryInputNCHW"].shape[1] == 22
    assert batch["globalInputNC"].shape[1] == 19
    return batch


def losses_of_a_blank_net(batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the weighed losses (N,) by name of a net whose every output is 0."""
    targets = batch["globalTargetsNC"].astype(np.float64)
    row, owner = targets[:, 25], targets[:, 27]
    n, cells = len(targets), batch["policyTargetsNCMove"].shape[2]
    policy = batch["policyTargetsNCMove"].astype(np.float64)
    policy /= policy.sum(axis=2, keepdims=True)
    boards = batch["valueTargetsNCHW"].astype(np.float64)
    on_board = batch["binaryInputNCHW"][:, 0]
    area = on_board.sum(axis=(1, 2))
    scores = batch["scoreDistrN"] / 100.0
    even = np.full((n, scores.shape[1]), 1 / scores.shape[1]).cumsum(axis=1)
    visits = batch["qValueTargetsNCMove"][:, 2].astype(np.float64)
    averaged = targets[:, [4, 5, 6, 8, 9, 10, 12, 13, 14]].reshape(n, 3, 3).sum(axis=2)
    return {
        "policy": row * targets[:, 26] * policy[:, 0].sum(axis=1) * np.log(cells),
        "next policy": row * targets[:, 28] * policy[:, 1].sum(axis=1) * np.log(cells),
        "value": row * (1 - targets[:, 35]) * targets[:, :3].sum(axis=1) * np.log(3),
        "averaged value": row * (1 - targets[:, 24]) * averaged.sum(axis=1),
        "averaged score": row * owner * abs(targets[:, [7, 11, 15]]).sum(axis=1),
        "owner": row * owner * (on_board * np.log(2)).sum(axis=(1, 2)) / area,
        "seki": row * owner * abs(boards[:, 1]).sum(axis=(1, 2)),
        "future": row * targets[:, 33] * (boards[:, 2:4] ** 2).sum(axis=(1, 2, 3)),
        "scoring": row * targets[:, 34] * (boards[:, 4] ** 2).sum(axis=(1, 2)),
        "score": row * owner * abs(targets[:, 3]),
        "score distribution": row * owner * ((scores.cumsum(axis=1) - even) ** 2).sum(axis=1),
        "lead": row * targets[:, 29] * abs(targets[:, 21]),
        "arrival": row * owner * abs(targets[:, 22]),
        "q values": row * np.sqrt(visits).sum(axis=1),
    }
