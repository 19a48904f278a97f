"""Printed figures of GraphRank: whether its defaults reach them, and under which protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphrank.report.tables import metric_title, spread
from graphrank.reproduce.claims.finding import OURS, Finding, Standing, runs
from graphrank.reproduce.item import Reading, Row
from graphrank.reproduce.render.comparison import Entry, entries
from graphrank.reproduce.render.document import Rendered

_REACHED = ("within", "above")


def figures(rendered: Rendered) -> Iterator[Finding]:
    """Whether GraphRank, at its defaults, reaches what was printed of it."""
    item = rendered.item
    mine = [
        (reading, entry)
        for reading in item.readings
        for entry in entries(item, reading, rendered.states)
        if is_ours(entry.state.cell.row)
    ]
    for dataset in item.datasets:
        for metric in item.metrics:
            here = [
                (_in_words(reading, dataset), entry)
                for reading, entry in mine
                if entry.state.cell.dataset == dataset and entry.metric == metric
            ]
            figure = next((entry.printed for _, entry in here if entry.printed), None)
            if figure is None:
                continue
            measured = [(name, entry) for name, entry in here if entry.mark is not None]
            yield Finding(
                item.name,
                f"{metric_title(metric)} {figure.text}",
                dataset,
                _standing([entry for _, entry in measured]),
                "; ".join(_evidence(name, entry) for name, entry in measured) or "no lines yet",
            )


def is_ours(row: Row) -> bool:
    """Whether a row is GraphRank at its defaults, of nodes or of whole graphs."""
    return row.published == OURS and row.preset == "default"


def _in_words(reading: Reading, dataset: str) -> str:
    """How a reading measures on a dataset."""
    options = (f"{name}={value}" for name, value in reading.task_options.items())
    return " ".join([reading.protocol_on(dataset), *options])


def _standing(measured: Sequence[Entry]) -> Standing:
    """A figure of the same protocol decides; another protocol explains."""
    marks = [entry.mark for entry in measured if entry.mark is not None]
    if not marks:
        return "not measured"
    judged = [mark for mark in marks if mark.verdict != "open"]
    if any(mark.verdict in _REACHED and not mark.other_protocol for mark in judged):
        return "holds"
    if any(mark.verdict in _REACHED for mark in judged):
        return "holds only under another protocol"
    return "does not hold" if any(not mark.other_protocol for mark in judged) else "open"


def _evidence(protocol: str, entry: Entry) -> str:
    sign = "" if entry.mark is None else f" {entry.mark.sign}"
    return f"{spread(entry.values)}{sign} ({protocol}, {runs(len(entry.values))})"
