"""A small data set of random games with a tiny net, for tests that let it teach."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tests.reference.compare_samples import write_files
from tests.reference.random_nets import random_weights
from tests.reference.random_records import random_game

from mariago.nets import NetConfig, NetInfo, write_net
from mariago.records import BuildOptions, build_records
from mariago.sgf import write_game
from mariago.teaching import LabelSettings, label_data_set

TRAIN = "train-00000.parquet"
TINY = NetConfig.of_size(2, 8)


def some_games() -> list[Any]:
    """Return games on boards of five sizes, one of them under rules that allow suicide."""
    some = [random_game(seed, 9, 50) for seed in range(3)]
    some += [random_game(4, "7x5", 30), random_game(5, "5x7", 30), random_game(6, 6, 40)]
    return [*some, random_game(7, 8, 30, rules="new_zealand")]


def set_and_net(place: Path) -> Path:
    """Make the data set of the games in ``place / "set"`` and a net in ``place / "net"``."""
    source = write_files(place / "source", [write_game(game) for game in some_games()])
    options = BuildOptions(size="any", validation=0, test=0)
    build_records([source], origin="o", terms="t", out=place / "set", options=options)
    write_net(place / "net", NetInfo(config=TINY), random_weights(TINY), card="# A net\n")
    return place


def copied(whole: Path, place: Path) -> Path:
    """Return a data set of its own for a test that writes labels."""
    return Path(shutil.copytree(whole / "set", place / "set"))


def label(folder: Path, whole: Path, jobs: int = 1, **others: Any) -> Any:
    """Label a data set by the net of ``whole``; ``others`` are settings, or of the run."""
    given = {name: others.pop(name) for name in ("resume", "overwrite", "tell") if name in others}
    settings = LabelSettings(**{"teacher": f"net:{whole / 'net'}", **others})
    return label_data_set(folder, settings, jobs=jobs, **given)
