"""Figures of items: points with bars, and lines with bands, in colours that all can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from graphrank.report.plots import INK, MARKERS, PALETTE

_GRID = "#8b949e"
_WIDTH, _HEIGHT = 3.6, 2.9  # inches of a panel
_SPREAD = 0.5  # width that the series of one place share


@dataclass(frozen=True)
class Line:
    """A line of points with their deviations, all of one length."""

    x: Sequence[float]
    y: Sequence[float]
    std: Sequence[float]


def points_figure(
    panels: Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]],
    columns: int = 2,
    width: float = _WIDTH,
) -> Figure:
    """One panel a measure, one place a dataset, one colour and marker a method.

    Args:
        panels: heading of a panel to label of a series to name of a place to values of seeds.
        columns: most panels side by side.
        width: inches of a panel.
    """
    figure, axes = _grid(list(panels), columns, width)
    for axis, series in zip(axes, panels.values(), strict=True):
        places = list(dict.fromkeys(place for values in series.values() for place in values))
        for number, (label, values) in enumerate(series.items()):
            shift = _SPREAD * ((number + 0.5) / len(series) - 0.5)
            x = [places.index(place) + shift for place in values]
            means = [float(np.mean(seeds)) for seeds in values.values()]
            stds = [
                float(np.std(seeds, ddof=1)) if len(seeds) > 1 else 0.0 for seeds in values.values()
            ]
            axis.errorbar(
                x, means, stds, label=label, color=_colour(number), fmt=_marker(number), capsize=3,
                markersize=6,
            )  # fmt: skip
        axis.set_xticks(range(len(places)), places)
        axis.set_xlim(-0.5, len(places) - 0.5)
    _legend(figure, axes[0])
    return figure


def lines_figure(
    panels: Mapping[str, Mapping[str, Line]], xlabel: str, columns: int = 2, *, logarithmic: bool
) -> Figure:
    """One panel a heading, one line with its band a series."""
    figure, axes = _grid(list(panels), columns)
    for axis, series in zip(axes, panels.values(), strict=True):
        for number, (label, line) in enumerate(series.items()):
            x, y, std = (np.asarray(part, dtype=float) for part in (line.x, line.y, line.std))
            colour = _colour(number)
            if std.any():
                axis.fill_between(x, y - std, y + std, color=colour, alpha=0.2, linewidth=0)
            axis.plot(
                x, y, label=label, color=colour, marker=_marker(number), markersize=4, linewidth=1.8
            )
        axis.set_xlabel(xlabel, color=INK)
        if logarithmic:
            axis.set_xscale("log")
    _legend(figure, axes[0])
    return figure


def logarithmic_both(figure: Figure) -> Figure:
    """The same figure with a logarithmic axis upwards."""
    for axis in figure.axes:
        axis.set_yscale("log")
    return figure


def _grid(headings: Sequence[str], most: int, width: float = _WIDTH) -> tuple[Figure, list[Axes]]:
    columns = min(len(headings), most)
    rows = -(-len(headings) // columns)
    size = (width * columns, _HEIGHT * rows + 0.4)
    figure = Figure(figsize=size, layout="constrained")
    axes = []
    for place, heading in enumerate(headings):
        axis = figure.add_subplot(rows, columns, place + 1)
        axis.set_title(heading, loc="left", color=INK, fontsize=10)
        axis.grid(axis="y", color=_GRID, alpha=0.25, linewidth=0.8)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            axis.spines[side].set_color(_GRID)
        axis.tick_params(colors=INK, labelsize=9, color=_GRID)
        axis.set_axisbelow(True)
        axes.append(axis)
    return figure, axes


def _legend(figure: Figure, first: Axes) -> None:
    handles, labels = first.get_legend_handles_labels()
    if handles:
        # As many columns as have room for the longest label, about 0.08 inches a letter.
        room = int(figure.get_figwidth() / (0.6 + 0.08 * max(map(len, labels))))
        columns = max(1, min(3, len(labels), room))
        figure.legend(
            handles, labels, loc="outside lower center", ncols=columns, frameon=False,
            labelcolor=INK, fontsize=9,
        )  # fmt: skip


def _colour(number: int) -> str:
    return PALETTE[number % len(PALETTE)]


def _marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]
