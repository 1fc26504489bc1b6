"""Game records to finished samples, beside sgfmill's reader and boards.

Ours is the whole of ``mariago records build`` in one process: an archive unpacked, every game read
and replayed, repeats and leaks removed, flags, history and hashes, Parquet shards with checksums.
Theirs is the least that a data set needs: sgfmill parses a file and plays its moves on its board,
and each position becomes a NumPy array, point by point with ``Board.get``; a second row takes the
quicker ``Board.list_occupied_points``. Files are in memory for theirs, packed on disk for ours.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from sgfmill import boards, sgf, sgf_moves

from benchmarks.frame import Row, cpu_time, ratio_row
from mariago.records import BuildOptions, Manifest, build_records
from mariago.records.bundled import bundled_records
from mariago.records.sources import open_source

DEFAULT_PEER_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
ARCHIVE = "kgs_6d_2003.tar.gz"
THEIR_FILES = 150
_CODES = {None: 0, "b": 1, "w": 2}


def archive() -> Path:
    """Return a year of KGS games where real input is at hand, else the games of the package."""
    named = os.environ.get("MARIAGO_PEER_DATA")
    path = (Path(named) if named else DEFAULT_PEER_DATA) / "records" / ARCHIVE
    return path if path.is_file() else bundled_records()


def our_samples(source: Path, out: Path) -> Manifest:
    """Build the data set of an archive."""
    shutil.rmtree(out, ignore_errors=True)
    options = BuildOptions(size="any")
    return build_records([source], origin="a benchmark", terms="-", out=out, options=options)


def _by_points(board: boards.Board) -> np.ndarray:
    stones = np.zeros((board.side, board.side), np.uint8)
    for row in range(board.side):
        for column in range(board.side):
            stones[row, column] = _CODES[board.get(row, column)]
    return stones


def _by_stones(board: boards.Board) -> np.ndarray:
    stones = np.zeros((board.side, board.side), np.uint8)
    for color, (row, column) in board.list_occupied_points():
        stones[row, column] = _CODES[color]
    return stones


def their_positions(files: list[bytes], array_of: Callable[[boards.Board], np.ndarray]) -> int:
    """Replay files with sgfmill; return the number of positions turned into arrays."""
    count = 0
    for data in files:
        board, moves = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(data))
        for color, point in moves:
            array_of(board)
            count += 1
            if point is not None:
                board.play(*point, color)
    return count


def rows(repeats: int) -> list[Row]:
    """Measure positions a second from files to finished Parquet, in CPU time of one process."""
    source = archive()
    files = [file.data for file in islice(open_source(source).read(), THEIR_FILES)]
    held = [data for data in files if data is not None and b";B[" in data]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "set"
        moves = int(our_samples(source, out).counts["moves"])
        ours = cpu_time(lambda: our_samples(source, out), repeats)
    found: list[Row] = []
    for name, array_of, required in (
        ("records to samples", _by_points, 40),
        ("records to samples, by stones", _by_stones, None),
    ):
        their_moves = their_positions(held, array_of)
        theirs = cpu_time(partial(their_positions, held, array_of), min(repeats, 3))
        found.append(
            ratio_row(
                name,
                ours,
                theirs,
                unit="positions/s",
                of_seconds=lambda seconds: moves / seconds,
                their_scale=their_moves / moves,
                required=required,
                note=f"{source.name}, {moves:,} positions; sgfmill replay and NumPy boards",
            )
        )
    return found
