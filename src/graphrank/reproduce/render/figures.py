"""Figures of the analysis: sweeps, the geometry of classes, and the false-negative study."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import partial

from matplotlib.figure import Figure

from graphrank.analysis.measures import MEASURES
from graphrank.analysis.sweep_result import SweepResult
from graphrank.report.sweep_plots import sweep_figure, value_text
from graphrank.report.tables import Cell, TextTable, spread
from graphrank.reproduce.cells import row_label
from graphrank.reproduce.item import Item, Row
from graphrank.reproduce.plan import State
from graphrank.reproduce.render.document import Part, Plot, Record, Rendered, notes_on
from graphrank.reproduce.render.plots import points_figure
from graphrank.reproduce.threads import threads_note
from graphrank.results.record import Result
from graphrank.results.spread import deviation

_BAND = "The line is the mean over seeds, the band one standard deviation, the dots single seeds."
_BARS = "Points are means over seeds, bars one standard deviation to either side."
_DIGITS = 4


def sweeps(item: Item, states: Sequence[State]) -> Rendered:
    """One part for each dataset and method: a figure and its numbers."""
    parts = []
    for dataset in item.datasets:
        for row in item.methods:
            mine = [s for s in states if s.cell.dataset == dataset and s.cell.row == row]
            if mine:
                parts.append(_sweep_part(item, dataset, row, mine))
    return Rendered(item, tuple(parts), tuple(_records(item, states)), tuple(states))


def _sweep_part(item: Item, dataset: str, row: Row, states: Sequence[State]) -> Part:
    heading = f"{row_label(row)} on {dataset}"
    measured = [(state, state.result) for state in states if state.result is not None]
    seeds = _common([result for _, result in measured])
    plots: tuple[Plot, ...] = ()
    if len(measured) > 1 and seeds:
        found = SweepResult(
            item.parameter,
            tuple(state.cell.value for state, _ in measured),
            seeds,
            item.metrics,
            tuple(result.only(seeds) for _, result in measured),
        )
        name = f"{item.name}-{dataset}-{row.preset}".casefold()
        plots = (Plot(name, partial(sweep_figure, found), _BAND),)
    rows = tuple((Cell(value_text(state.cell.value)), *_figures(item, state)) for state in states)
    columns = (item.parameter, *(MEASURES[name].heading for name in item.metrics), "seeds")
    timed = threads_note(states) if "seconds" in item.metrics else ()
    notes = (*notes_on(states), *timed)
    return Part(
        heading,
        tables=(TextTable("", columns, rows, notes=notes),),
        plots=plots,
    )


def measures(item: Item, states: Sequence[State]) -> Rendered:
    """One part: every measure of every method on every dataset."""
    rows = tuple(
        (Cell(state.cell.dataset), Cell(state.cell.label), *_figures(item, state))
        for state in states
    )
    columns = ("dataset", "method", *(MEASURES[name].heading for name in item.metrics), "seeds")
    plots: tuple[Plot, ...] = ()
    if any(state.result is not None for state in states):
        plots = (Plot(item.name, partial(_points, item, states), _BARS),)
    table = TextTable("", columns, rows, words=2, notes=notes_on(states))
    part = Part("Measured here", tables=(table,), plots=plots)
    return Rendered(item, (part,), tuple(_records(item, states)), tuple(states))


def _points(item: Item, states: Sequence[State]) -> Figure:
    panels: dict[str, dict[str, dict[str, Sequence[float]]]] = {}
    for metric in item.metrics:
        series = panels.setdefault(MEASURES[metric].heading, {})
        for state in states:
            if state.result is not None:
                values = state.result.values[metric]
                series.setdefault(state.cell.label, {})[state.cell.dataset] = values
    return points_figure(panels)


def figure_text(values: Sequence[float], *, percent: bool) -> str:
    """Scores with two decimals, other measures with four digits that count."""
    if percent:
        return spread(values)
    size = abs(statistics.fmean(values))
    leading = math.floor(math.log10(size)) + 1 if size > 0 else 1
    return spread(values, digits=max(0, _DIGITS - leading))


def _figures(item: Item, state: State) -> tuple[Cell, ...]:
    if state.result is None:
        return (*(Cell("–") for _ in item.metrics), Cell("0"))
    found = state.result.values
    texts = [figure_text(found[name], percent=MEASURES[name].percent) for name in item.metrics]
    return (*map(Cell, texts), Cell(str(len(state.result.seeds))))


def _records(item: Item, states: Sequence[State]) -> list[Record]:
    records: list[Record] = []
    for state in states:
        for metric in item.metrics:
            values = [] if state.result is None else state.result.values[metric]
            records.append(
                {
                    "item": item.name,
                    "dataset": state.cell.dataset,
                    "method": state.cell.row.name,
                    "preset": state.cell.row.preset,
                    "value": state.cell.value,
                    "metric": metric,
                    "mean": statistics.fmean(values) if values else None,
                    "std": deviation(values) if len(values) > 1 else None,
                    "seeds": len(values),
                    "reason": state.reason,
                }
            )
    return records


def _common(results: Sequence[Result]) -> tuple[int, ...]:
    """Seeds that all results have."""
    if not results:
        return ()
    return tuple(s for s in results[0].seeds if all(s in other.seeds for other in results))
