"""Tables and figures of time: training in turns, convergence, and accuracy against seconds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import partial

from matplotlib.figure import Figure

from graphrank.report.tables import Cell, TextTable, spread
from graphrank.reproduce.item import Item
from graphrank.reproduce.jobs.trajectory import at
from graphrank.reproduce.plan import State
from graphrank.reproduce.published import printed
from graphrank.reproduce.render.document import Part, Plot, Record, Rendered, notes_on
from graphrank.reproduce.render.plots import Line, lines_figure
from graphrank.results.record import Result

_REACHED = 0.99
_PRINTED = "seconds_per_1000_epochs_v100"
_DASH = "–"
_CPU = "Published seconds are of a V100, ours of the machine that the lines name; compare ratios."


def pace(item: Item, states: Sequence[State]) -> Rendered:
    """Seconds of both methods and the speed-up, dataset by dataset."""
    mine, other = item.methods
    rows, records = [], []
    for state in states:
        dataset = state.cell.dataset
        theirs = [printed(item, row, dataset, _PRINTED) for row in (mine, other)]
        ratio = theirs[1].value / theirs[0].value if theirs[0] and theirs[1] else None
        found = {} if state.result is None else state.result.values
        ours = [found.get(name, []) for name in item.metrics]
        rows.append(
            (
                Cell(dataset),
                *(Cell(spread(values, digits=1) if values else _DASH) for values in ours[:2]),
                Cell(f"{spread(ours[2])}×" if ours[2] else _DASH),
                *(Cell(_DASH if figure is None else f"{figure.value:.2f}") for figure in theirs),
                Cell(_DASH if ratio is None else f"{ratio:.2f}×"),
            )
        )
        records.append(_pace_record(item, state, ratio))
    columns = (
        "dataset", "GraphRank s", "GRACE s", "speed-up", "published GraphRank s",
        "published GRACE s", "published speed-up",
    )  # fmt: skip
    table = TextTable("1,000 epochs", columns, tuple(rows), notes=(*notes_on(states), _CPU))
    part = Part("Measured here", tables=(table,))
    return Rendered(item, (part,), tuple(records), tuple(states))


def _pace_record(item: Item, state: State, ratio: float | None) -> Record:
    found = {} if state.result is None else state.result.values
    means = {
        name: statistics.fmean(found[name]) if name in found else None for name in item.metrics
    }
    return {
        "item": item.name,
        "dataset": state.cell.dataset,
        **means,
        "runs": 0 if state.result is None else len(state.result.seeds),
        "published_speedup": ratio,
    }


def converged(result: Result, epochs: Sequence[int], place: int) -> tuple[int, float]:
    """The first looked-at epoch with 99 % of the last validation accuracy, and its seconds.

    Args:
        result: a training's curves.
        epochs: the epochs that were looked at, in order.
        place: place of the seed.
    """
    last = result.values[at("validation", epochs[-1])][place]
    for epoch in epochs:
        if result.values[at("validation", epoch)][place] >= _REACHED * last:
            return epoch, result.values[at("seconds", epoch)][place]
    raise AssertionError("the last epoch has the accuracy of the last epoch")


def convergence(item: Item, states: Sequence[State]) -> Rendered:
    """Epochs and seconds until a training has all but one per cent of its accuracy."""
    rows, records = [], []
    for state in states:
        result, cell = state.result, state.cell
        found = [] if result is None else _all_converged(result)
        ours = {
            "epochs": [float(epoch) for epoch, _ in found],
            "seconds": [second for _, second in found],
        }
        theirs = {
            "epochs": printed(item, cell.row, cell.dataset, "epochs"),
            "seconds": printed(item, cell.row, cell.dataset, "time"),
        }
        texts = [
            spread(ours["epochs"], digits=0),
            spread(ours["seconds"], digits=1),
            str(len(found)),
            *(_DASH if figure is None else f"{figure.value:g}" for figure in theirs.values()),
        ]
        rows.append((Cell(cell.dataset), Cell(cell.label), *map(Cell, texts)))
        for metric, values in ours.items():
            figure = theirs[metric]
            records.append(
                {
                    "item": item.name,
                    "dataset": cell.dataset,
                    "method": cell.row.name,
                    "metric": metric,
                    "mean": statistics.fmean(values) if values else None,
                    "seeds": len(values),
                    "published": None if figure is None else figure.value,
                }
            )
    columns = (
        "dataset", "method", "epochs", "seconds", "seeds", "published epochs", "published seconds",
    )  # fmt: skip
    table = TextTable("", columns, tuple(rows), words=2, notes=(*notes_on(states), _CPU))
    part = Part("Measured here", tables=(table,))
    return Rendered(item, (part,), tuple(records), tuple(states))


def _all_converged(result: Result) -> list[tuple[int, float]]:
    epochs = _epochs(result)
    return [converged(result, epochs, place) for place in range(len(result.seeds))]


def _epochs(result: Result) -> list[int]:
    """Epochs that a training was looked at."""
    return sorted(int(name.split("@")[1]) for name in result.values if name.startswith("seconds@"))


def trajectory(item: Item, states: Sequence[State]) -> Rendered:
    """Accuracy against seconds: a figure, and where each method ended."""
    rows, records = [], []
    for state in states:
        result, cell = state.result, state.cell
        texts = [_DASH, _DASH, _DASH, "0"]
        if result is not None:
            epochs = _epochs(result)
            ends = (result.values[at(curve, epochs[-1])] for curve in ("accuracy", "seconds"))
            texts = [str(epochs[-1]), *map(spread, ends), str(len(result.seeds))]
            for epoch in epochs:
                records.append(_point(item, state, result, epoch))
        rows.append((Cell(cell.dataset), Cell(cell.label), *map(Cell, texts)))
    columns = ("dataset", "method", "epochs", "accuracy (%)", "seconds", "seeds")
    table = TextTable("At the end", columns, tuple(rows), words=2, notes=notes_on(states))
    plots: tuple[Plot, ...] = ()
    if any(state.result is not None for state in states):
        caption = "Test accuracy against seconds of training; bands are one standard deviation."
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
    }


def _curves(states: Sequence[State]) -> Figure:
    panels: dict[str, dict[str, Line]] = {}
    for state in states:
        result = state.result
        if result is None:
            continue
        names = [(at("seconds", epoch), at("accuracy", epoch)) for epoch in _epochs(result)]
        seconds = [statistics.fmean(result.values[name]) for name, _ in names]
        figures = [result.values[name] for _, name in names]
        stds = [statistics.stdev(row) if len(row) > 1 else 0.0 for row in figures]
        line = Line(seconds, [statistics.fmean(row) for row in figures], stds)
        panels.setdefault(f"accuracy on {state.cell.dataset} (%)", {})[state.cell.label] = line
    return lines_figure(panels, "seconds of training", logarithmic=True)
