"""Label a data set with what a teacher said while it played its games (``teacher_games.py``).

::

    mariago records build runs/teacher --size any --origin ... --terms ... --out runs/data
    python tools/teacher_labels.py runs/data --games runs/teacher --net FILE.bin.gz --name b6c96

The labels are those that ``mariago records label`` would make, without asking the net again: 200
rows, drawn by a fixed seed, are asked again from what the data set stores of them, and the tool
ends with an error where a single one differs.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from mariago.errors import MariagoError, RecordsError
from mariago.features import planes_of_rows
from mariago.nets import crop_policy, load_katago_net
from mariago.records import Labels, load_rows, read_labels, read_manifest, write_labels
from mariago.records.labels import OWNERSHIP_STEPS
from mariago.records.manifest import GAMES

ASKED_AGAIN = 200
TOLERANCE = 2e-3  # of shares; batches of other lengths differ in the last digits


def labels_of_shard(shard: Path, names: list[str], games: Path) -> Labels:
    """Return the labels of all rows of a shard; ``names`` are the records' by the game's index."""
    table = pq.read_table(shard, columns=["game", "move_number", "rows", "columns"])
    held = {name: table.column(name).to_numpy() for name in table.schema.names}
    cells = held["rows"].astype(np.int64) * held["columns"]
    policies = [np.zeros(0, np.float32)] * len(cells)
    owned = [np.zeros(0, np.float32)] * len(cells)
    value, lead = np.zeros(len(cells), np.float32), np.zeros(len(cells), np.float32)
    for game in np.unique(held["game"]):
        path = games / names[int(game)]
        with np.load(path.with_suffix(".npz")) as said:
            told: dict[str, npt.NDArray[Any]] = dict(said)
        ends = np.cumsum(told["counts"])
        for row in np.flatnonzero(held["game"] == game):
            at = int(held["move_number"][row]) - 1
            entries = slice(ends[at] - told["counts"][at], ends[at])
            policy = np.zeros(cells[row] + 1, np.float32)
            policy[told["moves"][entries]] = told["shares"][entries]
            policies[row] = policy / policy.sum()
            owned[row] = told["ownership"][at].ravel().astype(np.float32) / OWNERSHIP_STEPS
            value[row], lead[row] = told["value"][at], told["lead"][at]
    return Labels(
        rows=np.arange(len(cells), dtype=np.uint32),
        visits=np.zeros(len(cells), np.uint32),
        policy=np.concatenate(policies),
        value=value,
        lead=lead,
        ownership=np.concatenate(owned),
    )


def ask_again(data: Path, net_file: Path, name: str) -> float:
    """Return the largest difference between kept labels and the net's word on stored rows."""
    net = load_katago_net(net_file)
    manifest = read_manifest(data)
    shard = next(entry for entry in manifest.shards if entry["split"] == "train")
    labels = read_labels(data, str(shard["file"]), name)
    assert labels.policy is not None
    assert labels.value is not None
    rows, _ = load_rows(data, "train", limit=int(shard["rows"]))
    cells = rows.rows.astype(np.int64) * rows.columns
    starts = np.concatenate(([0], np.cumsum(cells + 1)))
    rng = np.random.default_rng(0)
    worst = 0.0
    for row in rng.choice(len(labels), min(ASKED_AGAIN, len(labels)), replace=False):
        one = rows.take(np.array([row]))
        size = (int(one.rows[0]), int(one.columns[0]))
        planes, values = planes_of_rows(one, max(size))
        kept = labels.policy[starts[row] : starts[row + 1]]
        found = net.evaluate(planes[:, :, : size[0], : size[1]], values)
        policy = crop_policy(found.policy, size, size)[0]
        policy = np.where(kept > 0, policy, 0)  # illegal moves and small shares were left out
        off = np.abs(policy / policy.sum() - kept).max()
        worst = max(worst, float(off), abs(float(found.value[0]) - float(labels.value[row])))
    return worst


def main() -> None:
    """Label every shard and ask again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--net", type=Path, required=True)
    parser.add_argument("--name", required=True)
    asked = parser.parse_args()
    digest = hashlib.sha256(asked.net.read_bytes()).hexdigest()
    try:
        manifest = read_manifest(asked.data)
        names = pq.read_table(asked.data / GAMES, columns=["path"]).column("path").to_pylist()
        for entry in manifest.shards:
            shard = str(entry["file"])
            labels = labels_of_shard(asked.data / shard, names, asked.games)
            about = f"{asked.net.name}, policy without search, sha256 {digest}"
            print(write_labels(asked.data, shard, asked.name, labels, about), len(labels))
        worst = ask_again(asked.data, asked.net, asked.name)
        print(f"largest difference when asked again: {worst:.2g}")
        if worst > TOLERANCE:
            raise RecordsError("these labels are of other positions", where=asked.games)
    except MariagoError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
