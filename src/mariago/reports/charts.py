"""Charts as SVG text: curves, wins with intervals, distributions and counts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator, PercentFormatter

from mariago.errors import BadInputError
from mariago.reports.chart_frame import (
    DASHES,
    FAINT,
    FONT_SIZE,
    INK,
    MARKERS,
    PALETTE,
    framed,
    name_lines,
    padded,
)
from mariago.reports.drawing import clean
from mariago.words import Texts, texts

LONG = 1e15  # larger figures are written with a power of ten
LARGEST = 1e100  # drawing multiplies and subtracts: values near the largest float overflow

__all__ = [
    "Bar",
    "Series",
    "category_chart",
    "histogram_chart",
    "interval_chart",
    "line_chart",
]


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: ``y`` over ``x``, with an optional band from ``low`` to ``high``."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """An estimate with its interval; ``note`` (such as "40 games") stands after the figures."""

    name: str
    value: float
    low: float
    high: float
    note: str = ""


def _figure(value: float, percent: bool, digits: int | None = None) -> str:
    """Return a figure; with ``digits`` signed and rounded as it stands in tables."""
    if digits is not None and abs(value) < LONG:
        return f"{round(value, digits) + 0.0:+,.{digits}f}".replace("-", "−")
    text = f"{100 * value:.1f}%" if percent and abs(value) < LONG else f"{value:,.3g}"
    if not percent and 1000 <= abs(value) < LONG:
        text = f"{value:,.0f}"
    return text.replace("-", "−")


def _drawable(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return values as floats, NaN (which is not drawn) for those that no axis can hold."""
    data = np.array(values, dtype=float)
    data[~(np.abs(data) <= LARGEST)] = np.nan
    return data


def _ticks(axes: Axes, axis: str, percent: bool) -> None:
    chosen = axes.xaxis if axis == "x" else axes.yaxis
    if percent:
        chosen.set_major_formatter(PercentFormatter(1.0, decimals=None))
    else:
        chosen.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,.6g}".replace("-", "−")))


def line_chart(
    series: Sequence[Series],
    *,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    percent: bool = False,
    log_y: bool = False,
    from_zero: bool = False,
    height: float = 300.0,
    lang: str = "en",
) -> str:
    """Return curves, each with its own colour, dashes and, where there are few points, marks.

    ``percent`` shows shares as percentages, ``from_zero`` begins the upright axis at 0; ``lang`` is
    that of the words for those who do not see the chart, here as in the other charts.

    Raises:
        BadInputError: a series whose x and y differ in length.
    """
    for one in series:
        if len(one.x) != len(one.y):
            raise BadInputError(
                f"{len(one.x)} x and {len(one.y)} y", where=one.name or "line chart"
            )
    _ = texts(lang)
    courses = _("; ").join(_course(one, percent, _) for one in series)
    words = _("Lines. {curves}", curves=courses)
    with framed(title, words, height, lang=lang) as frame:
        axes = frame.axes
        for k, one in enumerate(series):
            _draw_series(axes, one, k)
        axes.set_xlabel(clean(x_label))
        axes.set_ylabel(clean(y_label))
        if log_y:
            axes.set_yscale("log")
        axes.xaxis.set_major_locator(MaxNLocator(nbins=7, integer=_whole(series)))
        _ticks(axes, "x", False)
        if not log_y:
            axes.yaxis.set_major_locator(MaxNLocator(nbins=6))
            _ticks(axes, "y", percent)
        axes.margins(x=0.02)
        if from_zero:
            axes.set_ylim(bottom=0.0)
        if len(series) > 1 or (series and series[0].name):
            _legend(axes, [_short(one.name) for one in series])
    return frame.svg


def _short(name: str) -> str:
    # The words for the chart hold the whole name.
    lines = name_lines(name, 44)
    return lines[0] if len(lines) == 1 else lines[0] + "…"


def _whole(series: Sequence[Series]) -> bool:
    return all(float(x).is_integer() for one in series for x in one.x)


def _draw_series(axes: Axes, one: Series, k: int) -> None:
    color = PALETTE[k % len(PALETTE)]
    few = len(one.x) <= 24
    axes.plot(
        _drawable(one.x),
        _drawable(one.y),
        color=color,
        linestyle=DASHES[k % len(DASHES)],
        marker=MARKERS[k % len(MARKERS)] if few else "",
        markersize=5.0,
        label=padded(_short(one.name)),
    )
    if one.low is not None and one.high is not None:
        axes.fill_between(
            _drawable(one.x),
            _drawable(one.low),
            _drawable(one.high),
            color=color,
            alpha=0.18,
            linewidth=0,
        )


def _legend(axes: Axes, names: Sequence[str]) -> None:
    # Under the axes: never over a curve.
    assert axes.figure is not None
    fitting = max(1, 66 // (8 + max(len(padded(name)) for name in names)))
    columns = min(3, fitting, len(names))
    axes.figure.legend(loc="outside lower left", ncols=columns, handlelength=2.6)


def _course(one: Series, percent: bool, _: Texts) -> str:
    if not len(one.x):
        return _("{name}: no points", name=one.name)
    return _(
        "{name}: {first} at {start} to {last} at {end}",
        name=one.name,
        first=_figure(float(one.y[0]), percent),
        start=f"{one.x[0]:,g}",
        last=_figure(float(one.y[-1]), percent),
        end=f"{one.x[-1]:,g}",
    )


def interval_chart(
    bars: Sequence[Bar],
    *,
    title: str = "",
    x_label: str = "",
    percent: bool = True,
    digits: int | None = None,
    reference: float | None = None,
    lang: str = "en",
) -> str:
    """Return estimates as bars with whiskers over their intervals, figures written beside them.

    ``reference`` (0.5 for a win rate, 0 for a lead) is drawn as a line to compare with. ``digits``
    writes figures with a sign and so many decimals, as Elo and leads stand in tables.
    """
    _ = texts(lang)
    told = _("; ").join(_estimate(b, percent, digits, _) for b in bars)
    words = _("Bars with intervals. {bars}", bars=told)
    height = _rows_height([b.name for b in bars], title)
    with framed(title, words, height, lang=lang) as frame:
        axes, places = frame.axes, np.arange(len(bars))
        values = _drawable([b.value for b in bars])
        low = np.maximum(0.0, values - _drawable([b.low for b in bars]))
        high = np.maximum(0.0, _drawable([b.high for b in bars]) - values)
        axes.barh(places, values, 0.56, color=PALETTE[0], alpha=0.55)
        axes.errorbar(
            *(values, places),
            xerr=np.vstack([low, high]) if len(bars) else None,
            fmt="o",
            color=INK,
            markersize=4.5,
            capsize=5.0,
            elinewidth=1.6,
        )
        is_share = percent and all(b.low >= 0 and b.high <= 1 for b in bars)
        if is_share:
            axes.set_xlim(0.0, 1.0)
        if reference is not None:
            axes.axvline(reference, color=FAINT, linestyle=(0, (4, 3)), linewidth=1.4)
        _name_rows(axes, [b.name for b in bars])
        _beside(axes, [_interval_text(b, percent, digits) for b in bars])
        axes.set_xlabel(clean(x_label))
        axes.xaxis.set_major_locator(_share_ticks(bars) if is_share else MaxNLocator(nbins=5))
        _ticks(axes, "x", percent)
    return frame.svg


def _share_ticks(bars: Sequence[Bar]) -> MultipleLocator:
    # Long names leave an axis on which 75% and 100% would touch.
    longest = max((len(padded(line)) for b in bars for line in name_lines(b.name)), default=0)
    return MultipleLocator(0.5 if longest > 20 else 0.25)


def _estimate(bar: Bar, percent: bool, digits: int | None, _: Texts) -> str:
    text = _(
        "{name}: {value}, interval {low} to {high}",
        name=bar.name,
        value=_figure(bar.value, percent, digits),
        low=_figure(bar.low, percent, digits),
        high=_figure(bar.high, percent, digits),
    )
    return text + _(", ") + bar.note if bar.note else text


def _interval_text(bar: Bar, percent: bool, digits: int | None) -> str:
    low, high = _figure(bar.low, percent, digits), _figure(bar.high, percent, digits)
    note = "\n" + "\n".join(map(padded, name_lines(bar.note, 20))) if bar.note else ""
    return f"{_figure(bar.value, percent, digits)} [{low}, {high}]{note}"


def _rows_height(names: Sequence[str], title: str) -> float:
    lines = max((len(name_lines(name)) for name in names), default=1)
    return 78.0 + (8.0 + 16.0 * max(2, lines)) * max(1, len(names)) + (28.0 if title else 0.0)


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    shown = ["\n".join(padded(line, left=True) for line in name_lines(name)) for name in names]
    axes.set_yticks(range(len(names)), shown)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _beside(axes: Axes, lines: Sequence[str]) -> None:
    for k, text in enumerate(lines):
        axes.text(
            *(1.02, k, clean(text)),
            transform=axes.get_yaxis_transform(),
            va="center",
            fontsize=FONT_SIZE - 1.5,
        )


def category_chart(
    items: Sequence[tuple[str, float]],
    *,
    title: str = "",
    x_label: str = "",
    log_x: bool = False,
    lang: str = "en",
) -> str:
    """Return one bar for each (name, count), in the order given, with the count beside it."""
    _ = texts(lang)
    told = _("; ").join(_("{name}: {value}", name=n, value=_count(v)) for n, v in items)
    height = _rows_height([item[0] for item in items], title)
    with framed(title, _("Bars. {bars}", bars=told), height, lang=lang) as frame:
        axes = frame.axes
        axes.barh(
            range(len(items)), _drawable([value for _, value in items]), 0.62, color=PALETTE[0]
        )
        _name_rows(axes, [item[0] for item in items])
        _beside(axes, [_count(item[1]) for item in items])
        axes.set_xlabel(clean(x_label))
        if log_x:
            axes.set_xscale("symlog", linthresh=1.0)
        else:
            whole = all(float(item[1]).is_integer() for item in items)
            axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=whole))
            _ticks(axes, "x", False)
    return frame.svg


def _count(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < LONG else f"{value:,.4g}"


def histogram_chart(
    values: Sequence[float],
    *,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    lines: Sequence[tuple[str, float]] = (),
    lang: str = "en",
) -> str:
    """Return how often values occur; ``lines`` (name, value) are drawn upright, as a median.

    Bins are 1, 2 or 5 times a power of ten wide and begin at multiples of that, so that 0 is an
    edge. Values that are not finite, or too large for any axis, are left out.
    """
    _ = texts(lang)
    data = _drawable(values)
    data = data[np.isfinite(data)]
    edges = _edges(data)
    counts = np.histogram(data, edges)[0]
    named = [_("{name}: {value}", name=name, value=_figure(v, False)) for name, v in lines]
    words = _("; ").join([_spread(data, _), *named])
    with framed(title, words, lang=lang) as frame:
        axes = frame.axes
        axes.bar(edges[:-1], counts, np.diff(edges) * 0.94, align="edge", color=PALETTE[0])
        for k, (name, value) in enumerate(lines):
            label = padded(_("{name}: {value}", name=_short(name), value=_figure(value, False)))
            color = PALETTE[(k + 1) % len(PALETTE)]
            shown = value if abs(value) <= LARGEST else math.nan
            axes.axvline(shown, color=color, linestyle=DASHES[(k + 1) % len(DASHES)], label=label)
        axes.set_xlabel(clean(x_label))
        axes.set_ylabel(clean(y_label))
        axes.grid(visible=False, axis="x")
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
        _ticks(axes, "x", False)
        _ticks(axes, "y", False)
        if lines:
            _legend(axes, [_short(name) + 8 * " " for name, _ in lines])
    return frame.svg


def _spread(data: np.ndarray, _: Texts) -> str:
    if not data.size:
        return _("Histogram of no values")
    low, middle, high = (_figure(float(v), False) for v in np.percentile(data, [0, 50, 100]))
    return _(
        "Histogram of {count} values from {low} to {high}, median {median}",
        count=data.size,
        low=low,
        high=high,
        median=middle,
    )


def _edges(data: np.ndarray, most: int = 30) -> np.ndarray:
    if not data.size:
        return np.array([0.0, 1.0])
    low, high = float(data.min()), float(data.max())
    large = max(abs(low), abs(high))
    # Bins below a float's precision would have no edges between them.
    raw = max((high - low) / most, 1e-9 * large, 1e-9) if high > low else max(1.0, 1e-9 * large)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw)
    if np.all(2 * data == np.round(2 * data)):
        step = max(1.0, step)  # scores come in halves: finer bins would only show gaps
    first, last = math.floor(low / step), math.floor(high / step) + 1
    return np.arange(first, last + 1) * step
