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


@pytest.mark.parametrize("value", [1e308, -1e308, math.inf, math.nan, 0.0])
def test_other_charts_hold_them_too(value: float) -> None:
    assert "<svg" in interval_chart([Bar("A", value, value, value)], percent=False, reference=0)
    assert "<svg" in line_chart([Series("A", [1, 2], [value, -value], [value] * 2, [value] * 2)])
    assert "<svg" in category_chart([("A", abs(value)), ("B", 1)])
