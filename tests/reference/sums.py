"""The sums that hold in every data set: where its games and their moves went."""

from __future__ import annotations

from typing import Any

import pyarrow.parquet as pq

from mariago.records import Manifest
from mariago.records.schema import REMOVED


def games_of(manifest: Manifest) -> list[dict[str, Any]]:
    return pq.read_table(manifest.folder / "games.parquet").to_pylist()


def check_sums(manifest: Manifest, has_every_move: bool = True) -> None:
    """Check the counts of the manifest against each other, and against the table of games.

    ``has_every_move`` does not hold of rows that were imported, which may begin anywhere.
    """
    counts, games = manifest.counts, games_of(manifest)
    samples = sum(counts["samples"].values())
    assert counts["moves"] == samples + sum(counts[name] for name in REMOVED)
    assert counts["games_kept"] == sum(counts["games"].values()) == len(games)
    assert sum(game["samples"] for game in games) == samples
    for name in REMOVED:
        assert sum(game[name] for game in games) == counts[name], name
    if has_every_move:
        assert counts["games_read"] == counts["games_kept"] + sum(counts["dropped"].values())
        assert sum(game["moves"] for game in games) == counts["moves"]
        for game in games:
            assert game["moves"] == game["samples"] + sum(game[name] for name in REMOVED)
