"""Charts of values that no axis can hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mariago.reports.charts import (
    Bar,
    Series,
    category_chart,
    histogram_chart,
    interval_chart,
    line_chart,
)


@pytest.mark.parametrize(
    "values",
    [
        [1e308] * 4,
        [-1e308, 1e308],
        [1e99, -1e99, 3.0],
        [1e99, 1e99],
        [1e15, 1e15 + 1],
        [0.1, 0.1 + 1e-17],
        [math.nan, math.inf, -math.inf],
        [5e-324, 0.0],
        [7.5] * 3,
    ],
)
def test_histograms_hold_huge_and_equal_values(values: list[float]) -> None:
    assert "<svg" in histogram_chart(values, lines=[("Median", float(np.median(values)))])


@pytest.mark.parametrize(
    ("value", "low", "high", "digits", "shown"),
    [
        (1.55e-10, -195.2, 195.2, 0, "+0 [−195, +195]"),
        (-1e-10, -1.29, 569.4, 0, "+0 [−1, +569]"),
        (56.7, -146.0, 1259.0, 0, "+57 [−146, +1,259]"),
        (-7.0, -14.5, 51.0, 1, "−7.0 [−14.5, +51.0]"),
        (7.0, -14.5, 51.0, None, "7 [−14.5, 51]"),
    ],
)
def test_figures_beside_bars_are_rounded_as_in_tables(
    value: float, low: float, high: float, digits: int | None, shown: str
) -> None:
    chart = interval_chart([Bar("A", value, low, high)], percent=False, digits=digits)
    words = f"A: {shown.split()[0]}, interval {low_high(shown)}"
    assert words in chart


def test_long_names_leave_fewer_shares_on_the_axis() -> None:
    def ticks(name: str) -> list[str]:
        chart = interval_chart([Bar(name, 0.9, 0.8, 1.0)])
        return [tick for tick in ("0%", "25%", "50%", "75%", "100%") if f">{tick}<" in chart]

    assert ticks("heuristic:v5") == ["0%", "25%", "50%", "75%", "100%"]
    assert ticks("偽薬：同じもの、数を入れ替え") == ["0%", "50%", "100%"]


def low_high(shown: str) -> str:
    return shown.split("[")[1].rstrip("]").replace(", ", " to ")


@pytest.mark.parametrize("value", [1e308, -1e308, math.inf, math.nan, 0.0])
def test_other_charts_hold_them_too(value: float) -> None:
    assert "<svg" in interval_chart([Bar("A", value, value, value)], percent=False, reference=0)
    assert "<svg" in line_chart([Series("A", [1, 2], [value, -value], [value] * 2, [value] * 2)])
    assert "<svg" in category_chart([("A", abs(value)), ("B", 1)])
