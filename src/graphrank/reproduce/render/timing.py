"""Tables of time: epochs of two methods in turns, and convergence."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from graphrank.report.tables import Cell, TextTable, spread
from graphrank.reproduce.item import Item
from graphrank.reproduce.jobs.trajectory import at
from graphrank.reproduce.marks import LEGEND, Mark, mark
from graphrank.reproduce.plan import State
from graphrank.reproduce.published import Printed, printed
from graphrank.reproduce.render.document import Part, Record, Rendered, notes_on
from graphrank.reproduce.threads import threads_note, threads_of
from graphrank.results.record import Result
from graphrank.results.spread import deviation

_REACHED = 0.99
_PRINTED = "seconds_per_1000_epochs_v100"
_DASH = "–"
_CPU = "Published seconds are of a V100, ours of the machine that the lines name; compare ratios."


def printed_speedup(item: Item, dataset: str) -> Printed | None:
    """By how much the first method is faster than the second, by their printed seconds."""
    mine, other = (printed(item, row, dataset, _PRINTED) for row in item.methods)
    return None if mine is None or other is None else Printed(other.value / mine.value)


def pace(item: Item, states: Sequence[State]) -> Rendered:
    """Seconds of both methods and the speed-up, dataset by dataset."""
    mine, other = item.methods
    rows, records = [], []
    for state in states:
        dataset = state.cell.dataset
        theirs = [printed(item, row, dataset, _PRINTED) for row in (mine, other)]
        found: Mapping[str, list[float]] = {} if state.result is None else state.result.values
        ours = [found.get(name, []) for name in item.metrics]
        ratio = printed_speedup(item, dataset)
        known = _mark(item, ours[2], ratio)
        rows.append(
            (
                Cell(dataset),
                *(Cell(spread(values, digits=1)) for values in ours[:2]),
                Cell(f"{spread(ours[2])}×" if ours[2] else _DASH),
                Cell(str(len(ours[2]))),
                *(Cell(_DASH if figure is None else f"{figure.value:.2f}") for figure in theirs),
                Cell(_DASH if ratio is None else f"{ratio.value:.2f}×"),
                *_marked(known, digits=2),
            )
        )
        records.append(_pace_record(item, state, ratio, known))
    columns = (
        "dataset", "GraphRank s", "GRACE s", "speed-up", "seeds", "published GraphRank s",
        "published GRACE s", "published speed-up", "difference of speed-ups", "mark",
    )  # fmt: skip
    notes = (*notes_on(states), _CPU, LEGEND, *threads_note(states))
    table = TextTable("1,000 epochs", columns, tuple(rows), notes=notes)
    part = Part("Measured here", tables=(table,))
    return Rendered(item, (part,), tuple(records), tuple(states))


def _mark(
    item: Item, values: Sequence[float], figure: Printed | None, *, other_machine: bool = False
) -> Mark | None:
    """How ours stands to the printed figure; none where either is missing."""
    if not values or figure is None or item.published is None:
        return None
    return mark(values, figure, item.published.seeds, other_protocol=other_machine)


def _marked(known: Mark | None, digits: int) -> tuple[Cell, Cell]:
    """The cells of a difference and its mark."""
    if known is None:
        return Cell(_DASH), Cell("")
    return Cell(f"{known.difference:+.{digits}f}"), Cell(known.sign)


def _pace_record(item: Item, state: State, ratio: Printed | None, known: Mark | None) -> Record:
    found = {} if state.result is None else state.result.values
    means = {
        name: statistics.fmean(found[name]) if name in found else None for name in item.metrics
    }
    return {
        "item": item.name,
        "dataset": state.cell.dataset,
        **means,
        "runs": 0 if state.result is None else len(state.result.seeds),
        "published_speedup": None if ratio is None else ratio.value,
        **_judged(known),
        "threads": None if state.result is None else threads_of(state.result),
    }


def _judged(known: Mark | None) -> Record:
    """Difference and mark for machines."""
    return {
        "difference": None if known is None else known.difference,
        "standard_error": None if known is None else known.error,
        "mark": "" if known is None else known.words,
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
        cell = state.cell
        found = [] if state.result is None else all_converged(state.result)
        epochs, seconds = [float(epoch) for epoch, _ in found], [second for _, second in found]
        theirs = [printed(item, cell.row, cell.dataset, name) for name in ("epochs", "time")]
        marks = (
            _mark(item, epochs, theirs[0]),
            _mark(item, seconds, theirs[1], other_machine=True),
        )
        rows.append(
            (
                Cell(cell.dataset),
                Cell(cell.label),
                Cell(str(len(found))),
                Cell(spread(epochs, digits=0)),
                Cell(_DASH if theirs[0] is None else f"{theirs[0].value:g}"),
                *_marked(marks[0], digits=0),
                Cell(spread(seconds, digits=1)),
                Cell(_DASH if theirs[1] is None else f"{theirs[1].value:g}"),
                *_marked(marks[1], digits=1),
            )
        )
        for metric, values, figure, known in zip(
            item.metrics, (epochs, seconds), theirs, marks, strict=True
        ):
            records.append(_convergence_record(item, state, metric, values, figure, known))
    columns = (
        "dataset", "method", "seeds", "epochs", "published epochs", "difference of epochs", "mark",
        "seconds", "published seconds", "difference of seconds", "mark",
    )  # fmt: skip
    notes = (*notes_on(states), _CPU, LEGEND, *threads_note(states))
    table = TextTable("", columns, tuple(rows), words=2, notes=notes)
    part = Part("Measured here", tables=(table,))
    return Rendered(item, (part,), tuple(records), tuple(states))


def _convergence_record(
    item: Item,
    state: State,
    metric: str,
    values: Sequence[float],
    figure: Printed | None,
    known: Mark | None,
) -> Record:
    return {
        "item": item.name,
        "dataset": state.cell.dataset,
        "method": state.cell.row.name,
        "metric": metric,
        "mean": statistics.fmean(values) if values else None,
        "std": deviation(values) if len(values) > 1 else None,
        "seeds": len(values),
        "published": None if figure is None else figure.value,
        **_judged(known),
        "threads": None if state.result is None else threads_of(state.result),
        "reason": state.reason,
    }


def all_converged(result: Result) -> list[tuple[int, float]]:
    """Epoch and seconds of convergence of every seed."""
    epochs = looked_at(result)
    return [converged(result, epochs, place) for place in range(len(result.seeds))]


def looked_at(result: Result) -> list[int]:
    """Epochs that a training was looked at."""
    return sorted(int(name.split("@")[1]) for name in result.values if name.startswith("seconds@"))
