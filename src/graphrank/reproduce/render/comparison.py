"""Comparison tables: ours beside the published figures, reading by reading."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphrank.durations import in_words
from graphrank.report.tables import Cell, TextTable, metric_title, spread
from graphrank.reproduce.cells import NOT_YET
from graphrank.reproduce.item import Item, Reading
from graphrank.reproduce.marks import LEGEND, Mark, mark
from graphrank.reproduce.plan import State
from graphrank.reproduce.published import Printed, printed
from graphrank.reproduce.render.document import Part, Record, Rendered
from graphrank.results.spread import deviation
from graphrank.tasks.registry import TASKS

_DIAGNOSTIC = "Diagnostic: this protocol uses what an honest comparison may not use."
_EMPTY = "–"
_LONG_NOTE = (
    "(a time) not measured: a seed would take this long, by timed epochs or by its stored lines, "
    "and the limit is an hour; with --seeds 1 and a budget it is measured nevertheless."
)


@dataclass(frozen=True)
class Entry:
    """One figure of a comparison.

    Args:
        state: its cell.
        metric: its metric.
        values: one of each seed; none where nothing was measured.
        printed: what was published.
        mark: how both stand to each other; none where one of them is missing.
    """

    state: State
    metric: str
    values: tuple[float, ...]
    printed: Printed | None
    mark: Mark | None


def entries(item: Item, reading: Reading, states: Sequence[State]) -> list[Entry]:
    """All figures of a reading, in the order of its cells."""
    found = []
    for state in states:
        cell = state.cell
        if cell.reading != reading.name:
            continue
        for metric in item.metrics:
            values = () if state.result is None else tuple(state.result.values[metric])
            figure = printed(item, cell.row, cell.dataset, metric)
            found.append(
                Entry(state, metric, values, figure, _mark(item, reading, state, values, figure))
            )
    return found


def _mark(
    item: Item, reading: Reading, state: State, values: Sequence[float], figure: Printed | None
) -> Mark | None:
    if not values or figure is None or item.published is None:
        return None
    cell = state.cell
    other = not reading.same_protocol or any(
        remark.is_about(cell.row.name, cell.dataset, cell.reading) for remark in item.other_protocol
    )
    return mark(values, figure, item.published.seeds, other_protocol=other)


def comparison(item: Item, states: Sequence[State]) -> Rendered:
    """Every reading as an overview of methods by datasets, and as a table of differences."""
    parts, records = [], []
    for reading in item.readings:
        found = entries(item, reading, states)
        tables = [_overview(item, reading, metric, found) for metric in item.metrics]
        if any(entry.values for entry in found):
            tables.append(_differences(item, reading, found))
        parts.append(Part(reading.title, reading.about, tuple(tables)))
        records += [_record(item, reading, entry) for entry in found]
    return Rendered(item, tuple(parts), tuple(records), tuple(states))


def is_diagnostic(item: Item, reading: Reading) -> bool:
    """Whether a reading uses what an honest comparison may not use."""
    task = TASKS.get(item.task)
    names = [reading.protocol] if isinstance(reading.protocol, str) else reading.protocol.values()
    return task is not None and any(
        task.protocols[name].diagnostic for name in names if name in task.protocols
    )


def _overview(item: Item, reading: Reading, metric: str, found: Sequence[Entry]) -> TextTable:
    """Methods in rows, datasets in columns, the best of each column strong."""
    mine = [entry for entry in found if entry.metric == metric]
    datasets = list(dict.fromkeys(entry.state.cell.dataset for entry in mine))
    labels = list(dict.fromkeys(entry.state.cell.label for entry in mine))
    by_place = {(entry.state.cell.label, entry.state.cell.dataset): entry for entry in mine}
    best = {name: _best(mine, name) for name in datasets}
    rows = []
    for label in labels:
        row = [Cell(label)]
        for dataset in datasets:
            entry = by_place.get((label, dataset))
            strong = entry is not None and bool(entry.values) and entry is best[dataset]
            row.append(Cell(_short(entry), strong))
        rows.append(tuple(row))
    title = f"{metric_title(metric)} in per cent, mean ± standard deviation over seeds"
    return TextTable(title, ("method", *datasets), tuple(rows), notes=_notes(item, reading, mine))


def _best(found: Sequence[Entry], dataset: str) -> Entry | None:
    having = [entry for entry in found if entry.values and entry.state.cell.dataset == dataset]
    return max(having, key=lambda entry: statistics.fmean(entry.values), default=None)


def _short(entry: Entry | None) -> str:
    """Our figure with its mark; a dash where it waits, a time or letters where it cannot be had."""
    if entry is None:
        return ""
    if not entry.values:
        if entry.state.too_long:
            return f"({in_words(entry.state.seconds)})"
        return "n/a" if entry.state.reason else _EMPTY
    sign = "" if entry.mark is None else f" {entry.mark.sign}"
    return spread(entry.values) + sign


def _notes(item: Item, reading: Reading, found: Sequence[Entry]) -> tuple[str, ...]:
    notes = []
    if any(entry.mark is not None for entry in found):
        notes.append(LEGEND)
    if any(not entry.values and not entry.state.reason for entry in found):
        notes.append("– not measured yet.")
    if any(not entry.values and entry.state.too_long for entry in found):
        notes.append(_LONG_NOTE)
    notes += [f"n/a: {text}" for text in _reasons(found)]
    names = {entry.state.cell.row.name for entry in found}
    for remark in item.other_protocol:
        if remark.reading in (None, reading.name) and remark.method in (None, *names):
            who = ", ".join(part for part in (remark.method, remark.dataset) if part)
            notes.append(f"◇ {who}: {remark.why}.")
    if is_diagnostic(item, reading):
        notes.append(_DIAGNOSTIC)
    return tuple(notes)


def _reasons(found: Sequence[Entry]) -> Iterator[str]:
    """Why cells cannot be had, methods of one reason together."""
    reasons: dict[str, dict[str, None]] = {}
    for entry in found:
        state = entry.state
        if state.cell.reason:
            reasons.setdefault(state.cell.reason, {})[state.cell.label] = None
    for reason, labels in reasons.items():
        yield f"{', '.join(labels)}: {reason}." if reason == NOT_YET else f"{reason}."


def _differences(item: Item, reading: Reading, found: Sequence[Entry]) -> TextTable:
    """Every measured figure with what was published, dataset by dataset."""
    one_metric = len(item.metrics) == 1
    rows = []
    for entry in found:
        if not entry.values:
            continue
        cell, known = entry.state.cell, entry.mark
        rows.append(
            (
                Cell(cell.dataset),
                Cell(cell.label),
                *(() if one_metric else (Cell(metric_title(entry.metric)),)),
                Cell(spread(entry.values)),
                Cell(str(len(entry.values))),
                Cell(_EMPTY if entry.printed is None else entry.printed.text),
                Cell(_EMPTY if known is None else f"{known.difference:+.2f}"),
                Cell("" if known is None else known.sign),
            )
        )
    words = ("dataset", "method") if one_metric else ("dataset", "method", "metric")
    columns = (*words, "ours", "seeds", "published", "difference", "mark")
    return TextTable("Ours less published", columns, tuple(rows), words=len(words))


def _record(item: Item, reading: Reading, entry: Entry) -> Record:
    cell, known = entry.state.cell, entry.mark
    values = entry.values
    return {
        "item": item.name,
        "reading": reading.name,
        "protocol": reading.protocol_on(cell.dataset),
        "diagnostic": int(is_diagnostic(item, reading)),
        "dataset": cell.dataset,
        "method": cell.row.name,
        "preset": cell.row.preset,
        "metric": entry.metric,
        "mean": statistics.fmean(values) if values else None,
        "std": deviation(values) if len(values) > 1 else None,
        "seeds": len(values),
        "published": None if entry.printed is None else entry.printed.value,
        "published_std": None if entry.printed is None else entry.printed.std,
        "difference": None if known is None else known.difference,
        "standard_error": None if known is None else known.error,
        "mark": "" if known is None else known.words,
        "reason": entry.state.reason,
    }
