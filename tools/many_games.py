"""A long check of scale: make an archive of a million random games, build it, measure the build.

Run from the repository root; the archive takes 1.8 GB and the data set about 5 GB beside it::

    .venv/bin/python tools/many_games.py make games.tar --games 1000000
    .venv/bin/python tools/many_games.py build games.tar set --jobs 2

``build`` prints one JSON line: positions a second, CPU seconds, and the peak memory of the parent
and of its largest worker. A name that ends in ``.zip`` makes a zip.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np

from mariago.board.kernels import new_state
from mariago.board.legality_kernels import random_game
from mariago.records import BuildOptions, build_records

SIDE = 19
MEBIBYTE = 2**20


def record_table() -> np.ndarray:
    """Return the six bytes ``;B[xy]`` of each colour and padded point, the pass at the end."""
    stride = SIDE + 1
    table = np.zeros((2, (SIDE + 2) * stride + 2, 6), np.uint8)
    for color, name in enumerate("BW"):
        for row in range(SIDE):
            for column in range(SIDE):
                text = f";{name}[{chr(97 + column)}{chr(97 + row)}]".encode()
                table[color, (row + 1) * stride + column + 1] = np.frombuffer(text, np.uint8)
        table[color, -1] = np.frombuffer(f";{name}[tt]".encode(), np.uint8)
    return table


def records(games: int, moves: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of random games from the empty board."""
    table = record_table()
    colors = np.arange(moves) % 2
    played = np.empty(moves, np.int16)
    for game in range(games):
        n = int(random_game(new_state(SIDE, SIDE), seed + game, moves, False, True, played))
        body = table[colors[:n], played[:n]].tobytes().decode("ascii")
        facts = f"RU[Chinese]KM[7.5]PB[black {game % 997}]PW[white {game % 991}]RE[B+R]"
        text = f"(;GM[1]FF[4]SZ[{SIDE}]{facts}DT[2020-01-{game % 28 + 1:02}]{body})\n"
        yield f"{game // 1000:04}/{game:07}.sgf", text.encode("ascii")


def make(target: Path, games: int, moves: int, seed: int) -> None:
    """Write the archive."""
    if target.suffix == ".zip":
        with zipfile.ZipFile(target, "w") as archive:
            for name, data in records(games, moves, seed):
                archive.writestr(zipfile.ZipInfo(name), data)
        return
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in records(games, moves, seed):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, BytesIO(data))
            tar.members = []  # a million headers would fill the memory


def build(source: Path, out: Path, jobs: int) -> None:
    """Build the data set and print what it took."""
    started = time.perf_counter()
    manifest = build_records(
        [source], origin="random games", terms="CC0", out=out, overwrite=True, jobs=jobs,
        options=BuildOptions(),
    )  # fmt: skip
    wall_s = time.perf_counter() - started
    own = resource.getrusage(resource.RUSAGE_SELF)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = sum(use.ru_utime + use.ru_stime for use in (own, workers))
    moves = manifest.counts["moves"]
    told = {
        "games": manifest.counts["games_kept"],
        "positions": moves,
        "jobs": jobs,
        "wall_s": round(wall_s, 1),
        "cpu_s": round(cpu_s, 1),
        "positions_per_wall_s": round(moves / wall_s),
        "positions_per_cpu_s": round(moves / cpu_s),
        "peak_mib": round(own.ru_maxrss / 1024),
        "peak_mib_of_largest_worker": round(workers.ru_maxrss / 1024),
        "set_mib": sum(path.stat().st_size for path in out.iterdir()) // MEBIBYTE,
        **{f"{name}_s": seconds for name, seconds in manifest.counts["seconds"].items()},
    }
    print(json.dumps(told))


def main() -> int:
    """Make an archive or build one."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write an archive of random games")
    making.add_argument("archive", type=Path)
    making.add_argument("--games", type=int, default=1_000_000)
    making.add_argument("--moves", type=int, default=200, help="moves of a game at most (200)")
    making.add_argument("--seed", type=int, default=0)
    building = commands.add_parser("build", help="build the data set of an archive, measured")
    building.add_argument("archive", type=Path)
    building.add_argument("out", type=Path)
    building.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.command == "make":
        make(chosen.archive, chosen.games, chosen.moves, chosen.seed)
    else:
        build(chosen.archive, chosen.out, chosen.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
