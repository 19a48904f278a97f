"""Accuracy against seconds of training: a figure, and where each method ended."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import partial

from matplotlib.figure import Figure

from graphrank.report.tables import Cell, TextTable, spread
from graphrank.reproduce.item import Item
from graphrank.reproduce.jobs.trajectory import at
from graphrank.reproduce.plan import State
from graphrank.reproduce.render.document import Part, Plot, Record, Rendered, notes_on
from graphrank.reproduce.render.plots import Line, lines_figure
from graphrank.reproduce.render.timing import looked_at
from graphrank.reproduce.threads import threads_note, threads_of
from graphrank.results.record import Result
from graphrank.results.spread import deviation

_DASH = "–"
_CAPTION = "Test accuracy against seconds of training; bands are one standard deviation."


def trajectory(item: Item, states: Sequence[State]) -> Rendered:
    """Accuracy against seconds: a figure, and where each method ended."""
    rows, records = [], []
    for state in states:
        result, cell = state.result, state.cell
        texts = [_DASH, _DASH, _DASH, "0"]
        if result is not None:
            epochs = looked_at(result)
            ends = (result.values[at(curve, epochs[-1])] for curve in ("accuracy", "seconds"))
            texts = [str(epochs[-1]), *map(spread, ends), str(len(result.seeds))]
            for epoch in epochs:
                records.append(_point(item, state, result, epoch))
        rows.append((Cell(cell.dataset), Cell(cell.label), *map(Cell, texts)))
    columns = ("dataset", "method", "epochs", "accuracy (%)", "seconds", "seeds")
    notes = (*notes_on(states), *threads_note(states))
    table = TextTable("At the end", columns, tuple(rows), words=2, notes=notes)
    plots: tuple[Plot, ...] = ()
    if any(state.result is not None for state in states):
        caption = " ".join([_CAPTION, *threads_note(states)])
        plots = (Plot(item.name, partial(_curves, states), caption),)
    part = Part("Measured here", tables=(table,), plots=plots)
    return Rendered(item, (part,), tuple(records), tuple(states))


def _point(item: Item, state: State, result: Result, epoch: int) -> Record:
    return {
        "item": item.name,
        "dataset": state.cell.dataset,
        "method": state.cell.row.name,
        "preset": state.cell.row.preset,
        "epoch": epoch,
        "seconds": statistics.fmean(result.values[at("seconds", epoch)]),
        "accuracy": statistics.fmean(result.values[at("accuracy", epoch)]),
        "seeds": len(result.seeds),
        "threads": threads_of(result),
    }


def _curves(states: Sequence[State]) -> Figure:
    panels: dict[str, dict[str, Line]] = {}
    for state in states:
        result = state.result
        if result is None:
            continue
        names = [(at("seconds", epoch), at("accuracy", epoch)) for epoch in looked_at(result)]
        seconds = [statistics.fmean(result.values[name]) for name, _ in names]
        figures = [result.values[name] for _, name in names]
        stds = [deviation(row) if len(row) > 1 else 0.0 for row in figures]
        line = Line(seconds, [statistics.fmean(row) for row in figures], stds)
        panels.setdefault(f"accuracy on {state.cell.dataset} (%)", {})[state.cell.label] = line
    return lines_figure(panels, "seconds of training", logarithmic=True)
