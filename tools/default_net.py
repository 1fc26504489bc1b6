"""Make the net that comes with the package, from a teacher's network file: the whole recipe.

::

    python tools/default_net.py b6c96.bin.gz --work runs/default             # on a CPU: hours
    python tools/default_net.py b6c96.bin.gz --work runs/default --install   # into the package

Games by the teacher's policy (``teacher_games.py``), samples of them, the teacher's labels, and a
net that learns from those (``tools/default_net.toml``). Every stage goes on where it was stopped.

On a machine with a GPU, bring games and teacher along (half a megabyte for every 100,000 moves)::

    python tools/default_net.py b6c96.bin.gz --work /tmp/w --games-from games.tar.gz \\
        --device cuda --steps 60000 --max-minutes 8

There the labels are made by torch on the GPU, and nothing but the package's own requirements is
needed (``PYTHONPATH=src`` stands in for an installation).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
PACKAGED = ROOT / "src" / "mariago" / "nets" / "packaged"
NAME = "b6c48"
TEACHER = "b6c96"
GAMES = (
    "19x19=880 13x13=300 9x9=700 7x7=150 8x8=60 10x10=60 11x11=80 12x12=40 14x14=40 15x15=60 "
    "16x16=30 17x17=50 18x18=30"
)
ORIGIN = (
    "games made for MariaGO by the policy of KataGo's g170-b6c96 network, some with heuristic:v7"
)
TERMS = "CC0 1.0"
MOST_BYTES = 4_000_000


def run(*words: object) -> None:
    """Run a command of the package, or a tool, in this Python; end where it fails."""
    command = [sys.executable, *map(str, words)]
    print("$", " ".join(command[1:]), file=sys.stderr)
    found = subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
    if found.returncode:
        raise SystemExit(found.returncode)


class TorchNet:
    """A teacher that torch asks on a GPU; answers as :class:`mariago.nets.Net` does."""

    def __init__(self, folder: Path, device: str) -> None:
        import torch

        from mariago.nets import read_weights
        from mariago.nets.architecture import GoNet

        info, weights = read_weights(folder)
        self.folder, self.device = folder, device
        self.net = GoNet(info.config)
        self.net.load_state_dict({name: torch.from_numpy(a.copy()) for name, a in weights.items()})
        self.net.to(device).eval()

    def describe(self) -> dict[str, Any]:
        """Return what the labels say of their teacher."""
        from mariago.nets import read_info

        info = read_info(self.folder)
        return {"name": info.imported.get("name", self.folder.name), **info.imported}

    def evaluate(
        self, planes: npt.NDArray[Any], values: npt.NDArray[Any], legal: npt.NDArray[Any]
    ) -> Any:
        """Evaluate planes (B, 22, H, W) and globals (B, 19); see ``Net.evaluate``."""
        import torch

        from mariago.nets import Evaluation
        from mariago.nets.config import SCORE_SCALE, VALUE_OUTPUTS
        from mariago.nets.decoding_kernels import decode

        told = values.astype(np.float32)
        with torch.inference_mode():
            boards = torch.from_numpy(np.ascontiguousarray(planes)).to(self.device, torch.float32)
            out = self.net(boards, torch.from_numpy(told).to(self.device))
            parts = (out.policy, out.value, out.score, out.ownership)
            logits, outcomes, scores, ownership = (part.float().cpu().numpy() for part in parts)
        policy = np.empty_like(logits)
        chances = np.empty((len(logits), VALUE_OUTPUTS), np.float32)
        value, lead = np.empty((2, len(logits)), np.float32)
        moves, owned = np.ascontiguousarray(legal, np.uint8), np.empty_like(ownership)
        decode(
            *(logits, outcomes, scores, ownership, moves, told, SCORE_SCALE),
            *(policy, chances, value, lead, owned),
        )
        return Evaluation(policy, value, chances, lead, owned)


def label_by_torch(data: Path, teacher: Path, work: Path, device: str) -> None:
    """Write the labels of a data set, asked of the teacher on ``device``."""
    from mariago.records import read_manifest
    from mariago.records.labels import join_labels, labels_path, table_of_labels
    from mariago.records.stored import open_shard
    from mariago.teaching.net_teacher import NetTeacher

    folder = work / "teacher-net"
    if not folder.exists():
        words = ("--origin", "KataGo's g170 run", "--terms", "CC0")
        run("-m", "mariago", "net", "import", teacher, "--out", folder, *words)
    asked = NetTeacher(TorchNet(folder, device), "net")  # type: ignore[arg-type]
    manifest = read_manifest(data)
    for entry in manifest.shards:
        shard = str(entry["file"])
        if labels_path(data, shard, TEACHER).exists():
            continue
        file = open_shard(manifest, data / shard)
        tables, start = [], 0
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            rows = np.arange(start, start + len(table), dtype=np.uint32)
            tables.append(table_of_labels(manifest, shard, asked.label(manifest, table, rows)))
            start += len(table)
            print(f"{shard}: {start:,} of {entry['rows']:,} rows", file=sys.stderr)
        join_labels(data, shard, TEACHER, iter(tables), asked.about)


def make(asked: argparse.Namespace) -> Path:
    """Go through the stages; return the folder of the net."""
    work: Path = asked.work
    work.mkdir(parents=True, exist_ok=True)
    games, data, net = work / "games", work / "data", work / NAME
    if asked.games_from is None:
        tool = ROOT / "tools" / "teacher_games.py"
        run(tool, asked.teacher, "--out", games, "--games", *asked.games.split())
    source = asked.games_from or games
    if not (data / "manifest.json").exists():
        words = ("--size", "any", "--origin", ORIGIN, "--terms", TERMS, "--out", data)
        run("-m", "mariago", "records", "build", source, *words)
    if not any(data.glob(f"labels-{TEACHER}-*")):
        if asked.games_from is None:
            words = ("--games", games, "--net", asked.teacher, "--name", TEACHER)
            run(ROOT / "tools" / "teacher_labels.py", data, *words)
        elif asked.device == "cpu":
            words = ("--teacher", f"katago:{asked.teacher}", "--name", TEACHER)
            run("-m", "mariago", "records", "label", data, *words)
    if asked.device != "cpu":
        label_by_torch(data, asked.teacher, work, asked.device)
    options: list[object] = ["--recipe", asked.recipe, "--out", net, "--device", asked.device]
    if asked.steps:
        options += ["--steps", asked.steps]
    if asked.max_minutes:
        options += ["--max-minutes", asked.max_minutes]
    if net.exists() or net.with_name(f"{net.name}.training").exists():
        options.append("--resume")
    run("-m", "mariago", "net", "train", data, *options)
    return net


def install(net: Path) -> None:
    """Put the net into the package in place of the one there, if it is small enough."""
    size = sum(file.stat().st_size for file in net.iterdir())
    if size > MOST_BYTES:
        raise SystemExit(f"{net} has {size:,} bytes, a packaged net at most {MOST_BYTES:,}")
    place = PACKAGED / NAME
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(net, place)
    print(f"{place}: {size:,} bytes")


def main() -> None:
    """Read the arguments, make the net, and install it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", type=Path, help="KataGo's g170-b6c96 network file")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--games", default=GAMES, help="SIZE=GAMES, separated by spaces")
    parser.add_argument("--games-from", type=Path, help="games that stand already")
    parser.add_argument("--recipe", type=Path, default=ROOT / "tools" / "default_net.toml")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--max-minutes", type=float, default=0)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--install", action="store_true")
    asked = parser.parse_args()
    net = make(asked)
    if asked.install:
        install(net)


if __name__ == "__main__":
    main()
