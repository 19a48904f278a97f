"""Exponents of time and memory, fitted to measured epochs, beside the stated complexity."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from graphrank.report.tables import Cell, TextTable
from graphrank.reproduce.cells import row_label
from graphrank.reproduce.item import Item, Row
from graphrank.reproduce.plan import State
from graphrank.reproduce.published import stated
from graphrank.reproduce.render.document import Part, Plot, Record, Rendered, notes_on
from graphrank.reproduce.render.plots import Line, lines_figure, logarithmic_both

_LEAST = 3
_HEADINGS = {"milliseconds": "milliseconds of an epoch", "added_mib": "MiB added by training"}
_CAPTION = "One epoch on random graphs of growing size; both axes are logarithmic."
_WAITING = "not measured yet, or at fewer than three sizes"


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float | None:
    """The slope of a line through the larger half of the points, in logarithms; none for few.

    Small graphs are left out since fixed costs rule there.

    Example:
        >>> exponent([10, 20, 40, 80], [1.0, 4.0, 16.0, 64.0])
        2.0
    """
    points = sorted((size, cost) for size, cost in zip(sizes, costs, strict=True) if cost > 0)
    kept = points[min(len(points) // 2, max(0, len(points) - _LEAST)) :]
    if len(kept) < _LEAST:
        return None
    x, y = ([math.log(point[side]) for point in kept] for side in (0, 1))
    return round(float(np.polyfit(x, y, 1)[0]), 6)


def scaling(item: Item, states: Sequence[State]) -> Rendered:
    """A table of exponents, a figure of all points, and the points themselves."""
    rows = [_exponents(item, row, states) for row in item.methods]
    columns = (
        "method", "time: exponent", "stated", "memory: exponent", "stated", "sizes", "largest",
    )  # fmt: skip
    table = TextTable(
        "Growth with the number of nodes",
        columns,
        tuple(rows),
        notes=notes_on(states, _WAITING),
    )
    plots: tuple[Plot, ...] = ()
    if any(state.result is not None for state in states):
        plots = (Plot(item.name, partial(_draw, item, states), _CAPTION),)
    records = [_record(item, state) for state in states if state.result is not None]
    part = Part("Measured here", tables=(table,), plots=plots)
    return Rendered(item, (part,), tuple(records), tuple(states))


def _exponents(item: Item, row: Row, states: Sequence[State]) -> tuple[Cell, ...]:
    mine = [s for s in states if s.cell.row == row and s.result is not None]
    sizes = [float(str(state.cell.value)) for state in mine]
    cells = [Cell(row_label(row))]
    for metric, word in zip(item.metrics, ("time", "memory"), strict=True):
        found = exponent(sizes, [_mean(state, metric) for state in mine])
        cells.append(Cell("–" if found is None else f"{found:.2f}"))
        cells.append(Cell(stated(item, row, word)))
    return (*cells, Cell(str(len(sizes))), Cell(f"{max(sizes):,.0f}" if sizes else "–"))


def _mean(state: State, metric: str) -> float:
    return 0.0 if state.result is None else statistics.fmean(state.result.values[metric])


def _draw(item: Item, states: Sequence[State]) -> Figure:
    panels: dict[str, dict[str, Line]] = {}
    for metric in item.metrics:
        for row in item.methods:
            mine = [s for s in states if s.cell.row == row and s.result is not None]
            points = [(float(str(s.cell.value)), _mean(s, metric)) for s in mine]
            x, y = zip(*points, strict=True) if points else ((), ())
            line = Line(x, y, [0.0] * len(x))
            panels.setdefault(_HEADINGS[metric], {})[row_label(row)] = line
    return logarithmic_both(lines_figure(panels, "nodes", logarithmic=True))


def _record(item: Item, state: State) -> Record:
    means = {metric: _mean(state, metric) for metric in item.metrics}
    return {
        "item": item.name,
        "method": state.cell.row.name,
        "nodes": state.cell.value,
        **means,
    }
