"""The benchmarks' frame: ratios, requirements, table and JSON. No speed is asserted."""

from __future__ import annotations

import json

from benchmarks.__main__ import names
from benchmarks.frame import Row, Timing, as_json, as_table, cpu_time, ratio_row


def test_a_ratio_over_one_means_that_ours_is_better() -> None:
    row = ratio_row(
        "games",
        Timing(0.9, 1.0, 1.2),
        Timing(9.0, 10.0, 11.0),
        unit="moves/s",
        of_seconds=lambda seconds: 1000 / seconds,
        their_scale=0.5,  # their call did half of our work
        required=15,
    )
    assert (row.ours, row.theirs, row.ratio) == (1000, 50, 20)
    assert row.met
    assert abs((row.spread or 0) - 0.3) < 1e-9


def test_without_a_ratio_the_requirement_is_a_ceiling() -> None:
    assert Row("start", 1.2, "s", required=1.5).met
    assert not Row("start", 1.6, "s", required=1.5).met
    assert Row("start", 1.6, "s").met is None
    assert not Row("x", 10, "moves/s", theirs=1, ratio=10, required=20).met


def test_results_print_as_a_table_with_notes_and_as_json() -> None:
    rows = [
        Row("games", 4e6, "moves/s", theirs=2e5, ratio=20, required=20, spread=0.02, note="same"),
        Row("start", 1.61, "s", required=1.5),
    ]
    table = as_table(rows)
    assert "4,000,000" in table
    assert "20.00x" in table
    assert ">= 20 ok" in table
    assert "<= 1.5 NOT MET" in table
    assert table.endswith("games: same")
    assert [row["met"] for row in json.loads(as_json(rows))] == [True, False]


def test_timings_are_ordered_and_count_the_calls() -> None:
    calls: list[int] = []
    timing = cpu_time(lambda: calls.append(1), repeats=3, at_least_s=0.001)
    assert 0 <= timing.least_s <= timing.median_s <= timing.most_s
    assert len(calls) > 4


def test_every_file_beside_the_frame_is_a_benchmark() -> None:
    assert "board" in names()
    assert not {"frame", "__main__"} & set(names())
