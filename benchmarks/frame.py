"""What every benchmark shares: a row of results, CPU time over repeats, the printed table."""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

__all__ = ["Row", "Timing", "as_json", "as_table", "cpu_time", "ratio_row", "told"]


@dataclass(frozen=True)
class Timing:
    """CPU seconds of one call over several repeats: the least, the median and the most."""

    least_s: float
    median_s: float
    most_s: float


@dataclass(frozen=True)
class Row:
    """One measured figure.

    ``ratio`` says how many times better ours is than theirs (over 1: ours is better), whatever
    the unit; ``required`` is the floor or, where there is no ratio, the ceiling of ``ours`` that
    the project sets itself. ``spread`` is (most - least) / median of our repeats.
    """

    name: str
    ours: float
    unit: str
    theirs: float | None = None
    ratio: float | None = None
    required: float | None = None
    spread: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the requirement holds; None where there is none."""
        if self.required is None:
            return None
        return self.ours <= self.required if self.ratio is None else self.ratio >= self.required


def cpu_time(function: Callable[[], object], repeats: int = 5, at_least_s: float = 0.05) -> Timing:
    """Return the CPU time (user and system, this process) of one call.

    The first call is not counted. Short functions are called often enough to fill ``at_least_s``.
    """
    function()
    calls = 1
    while True:
        spent = _spent(function, calls)
        if spent >= at_least_s or calls >= 1_000_000:
            break
        calls = max(calls * 2, int(calls * at_least_s / max(spent, 1e-6)) + 1)
    gc.collect()
    each = [_spent(function, calls) / calls for _ in range(repeats)]
    return Timing(min(each), statistics.median(each), max(each))


def _spent(function: Callable[[], object], calls: int) -> float:
    start = time.process_time()
    for _ in range(calls):
        function()
    return time.process_time() - start


def ratio_row(
    name: str,
    ours: Timing,
    theirs: Timing,
    *,
    unit: str,
    of_seconds: Callable[[float], float],
    required: float | None = None,
    their_scale: float = 1.0,
    note: str = "",
) -> Row:
    """Return the row of two timings of the same work; ``of_seconds`` turns seconds into ``unit``.

    ``their_scale`` is how much of our work their call did, where the two calls differ in length.
    """
    their_s = theirs.median_s / their_scale
    return Row(
        name=name,
        ours=of_seconds(ours.median_s),
        theirs=of_seconds(their_s),
        ratio=their_s / ours.median_s,
        unit=unit,
        required=required,
        spread=(ours.most_s - ours.least_s) / ours.median_s,
        note=note,
    )


def told(row: Row) -> Row:
    """Print a row on standard error as soon as it is measured, and return it."""
    ratio = "" if row.ratio is None else f", ratio {row.ratio:.3f}"
    theirs = "" if row.theirs is None else f" beside {_number(row.theirs)}"
    spread = "" if row.spread is None else f", spread {row.spread:.0%}"
    note = f" ({row.note})" if row.note else ""
    line = f"{row.name}: {_number(row.ours)}{theirs} {row.unit}{ratio}{spread}{note}"
    print(line, file=sys.stderr, flush=True)
    return row


def as_json(rows: Sequence[Row]) -> str:
    """Return the rows as a JSON list."""
    return json.dumps([{**asdict(row), "met": row.met} for row in rows], indent=2)


def as_table(rows: Sequence[Row]) -> str:
    """Return the rows as a text table with their notes below."""
    head = ("benchmark", "ours", "theirs", "unit", "ratio", "needs", "spread")
    lines = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    table: list[str] = []
    for line in lines:
        cells = [
            line[0].ljust(widths[0]),
            *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)),
        ]
        table.append("  ".join(cells).rstrip())
    table.insert(1, "  ".join("-" * width for width in widths))
    notes = [f"  {row.name}: {row.note}" for row in rows if row.note]
    return "\n".join([*table, *(["", "Notes", *notes] if notes else [])])


def _cells(row: Row) -> tuple[str, ...]:
    needs = ""
    if row.required is not None:
        sign = "<=" if row.ratio is None else ">="
        needs = f"{sign} {row.required:g} {'ok' if row.met else 'NOT MET'}"
    return (
        row.name,
        _number(row.ours),
        "" if row.theirs is None else _number(row.theirs),
        row.unit,
        "" if row.ratio is None else f"{row.ratio:.2f}x",
        needs,
        "" if row.spread is None else f"{row.spread:.0%}",
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
