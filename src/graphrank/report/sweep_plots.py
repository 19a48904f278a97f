"""The figure of a sweep: one panel a measure, the mean over seeds with a band around it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from graphrank.analysis.measures import MEASURES
from graphrank.analysis.sweep_result import OptionValue, SweepResult
from graphrank.report.plots import INK, PALETTE

# Panels have titles; colour says nothing here, so there is one.
_COLOUR, _GRID = PALETTE[0], "#8b949e"
_PANEL, _TITLE = (3.5, 2.6), 0.3
_DECADES = 20.0  # values this many times apart are drawn on a logarithmic axis
_SEED_SIZE = 10
_POINTS_OF_AXIS = 60  # of the 72 points of an inch; the rest is for the labels of the other axis
_POINTS_OF_CHARACTER = 5.2
_CHARACTERS = 32  # of a title, in the width of a panel

Numbers: TypeAlias = NDArray[np.float64]


def sweep_figure(sweep: SweepResult, most_columns: int = 3) -> Figure:
    """Draw every measure over the values of the option.

    The line is the mean over seeds, the band (or bar) one standard deviation to either side, the
    small dots are single seeds. Values that span decades stand on a logarithmic axis (with a linear
    stretch around zero where zero is among them), choices side by side.

    Args:
        sweep: what was measured.
        most_columns: most panels side by side.
    """
    count = len(sweep.measures)
    columns = min(count, most_columns)
    rows = math.ceil(count / columns)
    size = (_PANEL[0] * columns, _PANEL[1] * rows + _TITLE)
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(_title(sweep, columns), color=INK, fontsize=10)
    for place, measure in enumerate(sweep.measures):
        axes = figure.add_subplot(rows, columns, place + 1)
        _draw(axes, sweep, measure)
        _dress(axes, measure)
        _scale(axes, sweep.values)
        if place + columns >= count:
            axes.set_xlabel(sweep.parameter.replace("_", " "), color=INK)
    return figure


def value_text(value: OptionValue) -> str:
    """A value of an option as people write it.

    Example:
        >>> [value_text(value) for value in (0.0, 0.01, 1024, "gcn", True)]
        ['0', '0.01', '1024', 'gcn', 'true']
    """
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _title(sweep: SweepResult, columns: int) -> str:
    """Method and dataset, in two lines where one is too short for them."""
    first = sweep.points[0]
    method = first.method if first.preset == "default" else f"{first.method} ({first.preset})"
    short = len(method) + len(first.dataset) < _CHARACTERS * columns
    return f"{method} on {first.dataset}" if short else f"{method}\n{first.dataset}"


def _draw(axes: Axes, sweep: SweepResult, measure: str) -> None:
    """Mean, spread and single seeds of one measure."""
    x = _positions(sweep.values)
    if len(sweep.seeds) > 1:
        for seed in sweep.table(measure).T:
            axes.scatter(x, seed, s=_SEED_SIZE, color=_COLOUR, alpha=0.45, linewidths=0)
    draw = _draw_line if _numeric(sweep.values) else _draw_choices
    draw(axes, x, sweep.mean(measure), sweep.std(measure))


def _draw_line(axes: Axes, x: Numbers, mean: Numbers, std: Numbers) -> None:
    """A line with a band, in the order of the values."""
    order = np.argsort(x, kind="stable")
    x, mean, std = x[order], mean[order], std[order]
    if std.any():
        axes.fill_between(x, mean - std, mean + std, color=_COLOUR, alpha=0.2, linewidth=0)
    axes.plot(x, mean, color=_COLOUR, marker="o", markersize=5, linewidth=2)


def _draw_choices(axes: Axes, x: Numbers, mean: Numbers, std: Numbers) -> None:
    """Points with bars: there is nothing between two choices."""
    axes.errorbar(
        x, mean, std if std.any() else None, color=_COLOUR, fmt="o", markersize=6, capsize=4
    )
    axes.margins(x=0.25)


def _dress(axes: Axes, measure: str) -> None:
    """Title, grid and quiet frames."""
    axes.set_title(MEASURES[measure].heading, loc="left", color=INK, fontsize=10)
    axes.grid(axis="y", color=_GRID, alpha=0.25, linewidth=0.8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_GRID)
    axes.tick_params(colors=INK, labelsize=9, color=_GRID)
    axes.yaxis.get_offset_text().set_color(INK)
    axes.margins(y=0.12)
    axes.set_axisbelow(True)


def _scale(axes: Axes, values: Sequence[OptionValue]) -> None:
    """The axis that fits the values, with ticks at the values themselves."""
    x = _positions(values)
    positive = x[x > 0]
    if _numeric(values) and positive.size and np.abs(x).max() >= _DECADES * positive.min():
        if positive.size == x.size:
            axes.set_xscale("log")
        else:
            axes.set_xscale("symlog", linthresh=positive.min(), linscale=0.6)
    labels = [value_text(value) for value in values]
    kept = _with_room(axes, x, labels)
    axes.set_xticks(x[kept], [labels[place] for place in kept])
    axes.xaxis.set_minor_locator(NullLocator())


def _with_room(axes: Axes, x: Numbers, labels: Sequence[str]) -> list[int]:
    """Places of the labels that do not run into one another, the largest value first."""
    at_foot = np.column_stack([x, np.full_like(x, axes.get_ylim()[0])])
    points = axes.transAxes.inverted().transform(axes.transData.transform(at_foot))[:, 0]
    points = points * _PANEL[0] * _POINTS_OF_AXIS
    kept: list[int] = []
    for place in np.argsort(-points, kind="stable").tolist():
        characters = len(labels[place]) + (len(labels[kept[-1]]) if kept else 0)
        needed = _POINTS_OF_CHARACTER * (characters / 2 + 1)
        if not kept or points[kept[-1]] - points[place] >= needed:
            kept.append(place)
    return kept[::-1]


def _numeric(values: Sequence[OptionValue]) -> bool:
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def _positions(values: Sequence[OptionValue]) -> Numbers:
    """Numbers where they are; choices side by side in the order given."""
    if _numeric(values):
        return np.array(values, dtype=np.float64)
    return np.arange(len(values), dtype=np.float64)
