"""Builds with filters, weights and limits: what is dropped and why, what rows count."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_records

from mariago.records import BuildOptions, Manifest, build_records, read_table
from mariago.records.filters import GameFilter
from mariago.records.report import summary_lines
from mariago.records.weights import RowWeights

GAMES = {
    "kgs": "BR[6d]WR[7d]DT[2001-03-04]RE[B+R]PC[The KGS Go Server at http://www.gokgs.com/]",
    "fox": "BR[9段]WR[P9段]DT[2013-05-06]RE[W+T]TT[60]TC[3]",
    "weak": "BR[5k]WR[3k]DT[2001-03-05]RE[B+2.5]PC[KGS]",
    "stones": "BR[6d]WR[7d]DT[2001]RE[W+F]PC[OGS]HA[2]AB[aa][ca]",
    "bare": "",
}
POINTS = [f"{'abcdefghi'[i % 9]}{'cdefgh'[i // 9]}" for i in range(20)]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five games that differ in what they tell, and in their first move."""
    folder = tmp_path_factory.mktemp("filtered") / "source"
    folder.mkdir()
    for k, (name, told) in enumerate(GAMES.items()):
        colors = "WB" if name == "stones" else "BW"
        points = [f"{'abcde'[k]}i", *POINTS]
        moves = "".join(f";{colors[i % 2]}[{point}]" for i, point in enumerate(points))
        text = f"(;GM[1]SZ[9]{told}{moves})"
        (folder / f"{name}.sgf").write_bytes(text.encode("utf-8"))
    return folder


def built(source: Path, out: Path, **options: Any) -> Manifest:
    given = BuildOptions(**{"size": "9", "validation": 0, "test": 0, **options})
    return build_records([source], origin="o", terms="MIT", out=out, options=given)


@pytest.mark.parametrize(
    ("wanted", "kept", "reason"),
    [
        ({"rank": "6d-9p"}, {"kgs", "fox", "stones"}, "filtered_rank"),
        ({"rank": "-1k", "rank_of": "either"}, {"weak"}, "filtered_rank"),
        ({"dates": "2001"}, {"kgs", "weak", "stones"}, "filtered_date"),
        ({"dates": "2001-03..2001-12"}, {"kgs", "weak"}, "filtered_date"),
        ({"server": "kgs"}, {"kgs", "weak"}, "filtered_server"),
        ({"server": "fox,ogs"}, {"fox", "stones"}, "filtered_server"),
        ({"server": "unknown"}, {"bare"}, "filtered_server"),
        ({"handicap": "only"}, {"stones"}, "filtered_handicap"),
        ({"handicap": "none"}, {"kgs", "fox", "weak", "bare"}, "filtered_handicap"),
        ({"result": "resign,score"}, {"kgs", "weak"}, "filtered_result"),
        ({"result": "unknown"}, {"bare"}, "filtered_result"),
    ],
)
def test_games_that_are_not_wanted_are_dropped_and_listed(
    source: Path, tmp_path: Path, wanted: dict[str, str], kept: set[str], reason: str
) -> None:
    manifest = built(source, tmp_path / "set", filters=GameFilter(**wanted))
    games = pq.read_table(tmp_path / "set" / "games.parquet").to_pylist()
    assert {game["path"].removesuffix(".sgf") for game in games} == kept
    lines = (tmp_path / "set" / "dropped.jsonl").read_text("utf-8").splitlines()
    dropped = {json.loads(line)["path"]: json.loads(line)["reason"] for line in lines}
    assert dropped == {f"{name}.sgf": reason for name in set(GAMES) - kept}
    counts = {name: n for name, n in manifest.counts["dropped"].items() if n}
    assert counts == {reason: len(GAMES) - len(kept)}
    assert manifest.options["filters"] | wanted == manifest.options["filters"]


def test_games_parquet_tells_levels_days_servers_results_and_papers(
    source: Path, tmp_path: Path
) -> None:
    built(source, tmp_path / "set")
    names = ["black_level", "white_level", "played", "server", "result_kind", "origin", "terms"]
    table = pq.read_table(tmp_path / "set" / "games.parquet")
    rows = {row["path"].removesuffix(".sgf"): row for row in table.to_pylist()}
    assert {name: tuple(row[key] for key in names) for name, row in rows.items()} == {
        "kgs": (6, 7, "2001-03-04", "kgs", "resign", "o", "MIT"),
        "fox": (9, 18, "2013-05-06", "fox", "time", "o", "MIT"),
        "weak": (-4, -2, "2001-03-05", "kgs", "score", "o", "MIT"),
        "stones": (6, 7, "2001", "ogs", "forfeit", "o", "MIT"),
        "bare": (None, None, None, None, "unknown", "o", "MIT"),
    }
    assert {row["moves"] for row in rows.values()} == {21}
    assert rows["stones"]["handicap"] == 2


def test_weights_go_by_the_mover_the_result_and_the_move(source: Path, tmp_path: Path) -> None:
    weights = RowWeights.model_validate(
        {
            "winner": {"loser": 0.5},
            "result": {"time": 0.2},
            "rank": {"1p-9p": 4, "-1k": 0.25},
            "tactical": {"tactical": 2},
        }
    )
    manifest = built(source, tmp_path / "set", weights=weights)
    plain = built(source, tmp_path / "plain")
    games = pq.read_table(tmp_path / "set" / "games.parquet").to_pylist()
    flags = ("captures", "saves", "gives_atari", "self_atari")
    found = Counter[str]()
    for row in read_table(tmp_path / "set", "train").to_pylist():
        game = games[row["game"]]
        wanted = 0.5 if row["winner"] == 3 - row["to_move"] else 1.0
        wanted *= 0.2 if game["result_kind"] == "time" else 1.0
        level = game["black_level" if row["to_move"] == 1 else "white_level"]
        wanted *= 1.0 if level is None else 4.0 if level >= 10 else 0.25 if level <= 0 else 1.0
        wanted *= 2.0 if any(row[flag] for flag in flags) else 1.0
        assert row["weight"] == pytest.approx(wanted)
        found[f"{wanted:g}"] += 1
    assert len(found) > 4
    assert manifest.counts["samples"] == plain.counts["samples"]
    weighed, even = (
        read_table(tmp_path / name, "train").drop_columns(["weight"]) for name in ("set", "plain")
    )
    assert weighed.equals(even)
    told = "weights: loser 0.5, time 0.2, 1p-9p 4, -1k 0.25, tactical 2"
    assert told in summary_lines(manifest)
    assert not any(line.startswith(("weights", "filters")) for line in summary_lines(plain))


@pytest.mark.parametrize("pick", ["even", "random"])
@pytest.mark.parametrize("half", [False, True])
def test_every_game_that_has_n_rows_after_repeats_and_leaks_gives_exactly_n(
    tmp_path: Path, pick: str, half: bool
) -> None:
    source = write_files(tmp_path / "source", random_records(range(30), moves=45))
    shares = {"validation": 0.2, "test": 0.2}
    built(source, tmp_path / "all", **shares)
    built(source, tmp_path / "some", max_per_game=9, pick=pick, tactical_half=half, **shares)
    samples = [
        pq.read_table(tmp_path / name / "games.parquet").column("samples").to_numpy()
        for name in ("all", "some")
    ]
    assert (samples[1] == np.minimum(samples[0], 9)).all()
    assert (samples[1] == 9).any()


def test_random_rows_go_by_the_seed_alone(tmp_path: Path) -> None:
    source = write_files(tmp_path / "source", random_records(range(8)))
    keys: list[list[Any]] = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        built(source, tmp_path / name, max_per_game=5, pick="random", seed=seed)
        rows = read_table(tmp_path / name, "train", ["game_id", "move_number"]).to_pylist()
        keys.append(sorted((row["game_id"], row["move_number"]) for row in rows))
    assert keys[0] == keys[1] != keys[2]
    assert len(keys[0]) == 40
