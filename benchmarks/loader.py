"""Batches for training, by the stream, beside the way KataGo's trainer reads its files.

Both start from files on disk (in the system's cache) and end at planes in memory, shuffled, each
row (ours) or each batch (theirs) turned by a random symmetry. Theirs is the reading of KataGo's
trainer told in NumPy: a compressed ``.npz`` is loaded, its bits unpacked and made floats, batches
are cut off and turned. Theirs ends at float32, which is what a net takes; ours at bytes, which go
to the device as they are and become floats there.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.frame import Row, cpu_time, ratio_row
from benchmarks.records_build import archive
from mariago.features import apply_symmetry
from mariago.records import BuildOptions, build_records
from mariago.records.katago_export import export_katago
from mariago.records.plane_store import make_plane_store
from mariago.records.stream import SampleStream

REQUIRED = 60_000  # rows a second of one core, from stored planes
BATCH = 1_024
BATCHES = 16
MADE_BATCHES = 32
ROWS_A_FILE = BATCH * BATCHES
MAX_PER_GAME = 12


def our_rows(folder: Path, use_store: bool, batches: int) -> int:
    """Take some batches of a stream and return how many rows there were."""
    stream = SampleStream(folder, batch_rows=BATCH, use_store=use_store)
    return sum(len(batch.planes) for batch in itertools.islice(stream, batches))


def their_rows(path: Path) -> int:
    """Read one file as KataGo's trainer does, and return how many rows there were."""
    rng = np.random.default_rng(1)
    with np.load(path) as held:
        packed = held["binaryInputNCHWPacked"]
        others = [held[name] for name in ("globalInputNC", "globalTargetsNC")]
        policy = held["policyTargetsNCMove"].astype(np.float32)
        floats = [held[name].astype(np.float32) for name in ("scoreDistrN", "valueTargetsNCHW")]
    bits = np.unpackbits(packed, axis=2)[:, :, :361]
    planes = bits.reshape(len(bits), 22, 19, 19).astype(np.float32)
    n = 0
    for start in range(0, len(planes) - BATCH + 1, BATCH):
        part = slice(start, start + BATCH)
        n += len(apply_symmetry(int(rng.integers(8)), planes[part]))
        _ = [array[part] for array in (*others, policy, *floats)]
    return n


def rows(repeats: int) -> list[Row]:
    """Measure both of our ways and theirs on the same games."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        options = BuildOptions(size="19", max_per_game=MAX_PER_GAME, validation=0, test=0)
        build_records(
            [archive()], origin="a benchmark", terms="-", out=place / "set", options=options
        )
        make_plane_store(place / "set")
        export_katago(place / "set", place / "npz", rows_per_file=ROWS_A_FILE)
        file = min((place / "npz").glob("*.npz"))
        counts = [
            our_rows(place / "set", True, BATCHES),
            our_rows(place / "set", False, MADE_BATCHES),
            their_rows(file),
        ]
        stored = cpu_time(lambda: our_rows(place / "set", True, BATCHES), repeats)
        made = cpu_time(lambda: our_rows(place / "set", False, MADE_BATCHES), repeats)
        theirs = cpu_time(lambda: their_rows(file), repeats)
    found = [
        ratio_row(
            name,
            ours,
            theirs,
            unit="rows/s",
            of_seconds=lambda s, n=count: n / s,
            their_scale=counts[2] / count,
            note=note,
        )
        for name, ours, count, note in (
            ("batches from stored planes", stored, counts[0], "each row turned by its symmetry"),
            ("batches from samples", made, counts[1], "planes made on the way, shards read too"),
        )
    ]
    floor = Row(
        name="seconds for 60,000 rows from stored planes",
        ours=REQUIRED / found[0].ours,
        unit="s",
        required=1.0,
        note="a core brings 60,000 rows a second or more",
    )
    return [*found, floor]
