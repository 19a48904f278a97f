"""Exponents of time and memory, fitted to measured epochs, beside the stated complexity."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import partial

from matplotlib.figure import Figure

from graphrank.benchmark.growth import exponent
from graphrank.report.tables import Cell, TextTable, spread
from graphrank.reproduce.cells import row_label
from graphrank.reproduce.item import Item, Row
from graphrank.reproduce.marks import LEGEND, mark
from graphrank.reproduce.plan import State
from graphrank.reproduce.published import Printed, stated, stated_power
from graphrank.reproduce.render.document import Part, Plot, Record, Rendered, notes_on
from graphrank.reproduce.render.plots import Line, lines_figure, logarithmic_both
from graphrank.reproduce.threads import threads_note

RESOURCES = ("time", "memory")  # as the published table calls what the metrics measure
_HEADINGS = {"milliseconds": "milliseconds of an epoch", "added_mib": "MiB added by training"}
_CAPTION = "One epoch on random graphs of growing size; both axes are logarithmic."
_WAITING = "not measured yet, or at fewer than three sizes"


def scaling(item: Item, states: Sequence[State]) -> Rendered:
    """A table of exponents, a figure of all points, and the points themselves."""
    rows = [_exponents(item, row, states) for row in item.methods]
    columns = ["method"]
    for resource in RESOURCES:
        columns += [f"{resource}: exponent", "stated", "difference", "mark"]
    columns += ["seeds", "sizes", "largest"]
    notes = (*notes_on(states, _WAITING), LEGEND, *threads_note(states))
    table = TextTable("Growth with the number of nodes", tuple(columns), tuple(rows), notes=notes)
    plots: tuple[Plot, ...] = ()
    if any(state.result is not None for state in states):
        plots = (Plot(item.name, partial(_draw, item, states), _CAPTION),)
    records = [_record(item, state) for state in states if state.result is not None]
    part = Part("Measured here", tables=(table,), plots=plots)
    return Rendered(item, (part,), tuple(records), tuple(states))


def states_of(states: Sequence[State], row: Row) -> list[State]:
    """Those of one row, size by size."""
    return [state for state in states if state.cell.row == row]


def exponents(states: Sequence[State], metric: str) -> list[float]:
    """The exponent of each seed that all measured sizes have; none for too few sizes.

    Args:
        states: cells of one method, size by size.
        metric: the cost that grows.
    """
    measured = [(state, state.result) for state in states if state.result is not None]
    sizes = [float(str(state.cell.value)) for state, _ in measured]
    results = [result for _, result in measured]
    found = []
    for seed in results[0].seeds if results else ():
        if all(seed in result.seeds for result in results):
            costs = [result.values[metric][result.seeds.index(seed)] for result in results]
            slope = exponent(sizes, costs)
            found += [] if slope is None else [slope]
    return found


def _exponents(item: Item, row: Row, states: Sequence[State]) -> tuple[Cell, ...]:
    mine = states_of(states, row)
    sizes = [float(str(state.cell.value)) for state in mine if state.result is not None]
    empty = "n/a" if all(state.reason for state in mine) else "–"
    cells, seeds = [Cell(row_label(row))], 0
    for metric, resource in zip(item.metrics, RESOURCES, strict=True):
        found, power = exponents(mine, metric), stated_power(item, row, resource)
        seeds = max(seeds, len(found))
        known = mark(found, Printed(power), 1) if found and power is not None else None
        cells += [
            Cell(spread(found) if found else empty),
            Cell(stated(item, row, resource)),
            Cell("–" if known is None else f"{known.difference:+.2f}"),
            Cell("" if known is None else known.sign),
        ]
    largest = f"{max(sizes):,.0f}" if sizes else "–"
    return (*cells, Cell(str(seeds)), Cell(str(len(sizes))), Cell(largest))


def _mean(state: State, metric: str) -> float:
    return 0.0 if state.result is None else statistics.fmean(state.result.values[metric])


def _draw(item: Item, states: Sequence[State]) -> Figure:
    panels: dict[str, dict[str, Line]] = {}
    for metric in item.metrics:
        for row in item.methods:
            mine = [state for state in states_of(states, row) if state.result is not None]
            if not mine:
                continue
            x = [float(str(state.cell.value)) for state in mine]
            y = [_mean(state, metric) for state in mine]
            line = Line(x, y, [0.0] * len(x))
            panels.setdefault(_HEADINGS[metric], {})[row_label(row)] = line
    return logarithmic_both(lines_figure(panels, "nodes", logarithmic=True))


def _record(item: Item, state: State) -> Record:
    means = {metric: _mean(state, metric) for metric in item.metrics}
    return {
        "item": item.name,
        "method": state.cell.row.name,
        "preset": state.cell.row.preset,
        "nodes": state.cell.value,
        **means,
        "seeds": 0 if state.result is None else len(state.result.seeds),
    }
