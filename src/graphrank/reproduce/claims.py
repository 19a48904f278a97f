"""What the paper claims, and what stored lines say of it."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from graphrank.report.compare import paired_difference
from graphrank.report.tables import Cell, TextTable, metric_title, spread
from graphrank.reproduce.item import Claim, Reading, Row
from graphrank.reproduce.render.comparison import Entry, entries
from graphrank.reproduce.render.document import Rendered
from graphrank.results.record import Result

Standing = Literal["holds", "under another protocol", "does not hold", "open"]

OURS = "GraphRank"  # as the published tables write it
_REACHED = ("within", "above")


@dataclass(frozen=True)
class Finding:
    """How a claim stands on one dataset.

    Args:
        item: name of the item whose lines show it.
        claim: the claim in words.
        dataset: where.
        standing: what is to be said of it.
        evidence: the figures, with protocol and seeds.
    """

    item: str
    claim: str
    dataset: str
    standing: Standing
    evidence: str


def findings(rendered: Rendered) -> list[Finding]:
    """All claims of an item, dataset by dataset."""
    kinds = {"comparison": _figures, "pace": _faster}
    return list(kinds.get(rendered.item.kind, _orders)(rendered))


def claims_table(found: Sequence[Finding]) -> TextTable:
    """Claims in rows."""
    rows = tuple(
        (Cell(each.claim), Cell(each.dataset), Cell(each.standing), Cell(each.evidence))
        for each in found
    )
    return TextTable("", ("claim", "dataset", "standing", "lines"), rows, words=4)


def _figures(rendered: Rendered) -> Iterator[Finding]:
    """Whether GraphRank, at its defaults, reaches what was printed of it."""
    item = rendered.item
    mine = [
        (reading, entry)
        for reading in item.readings
        for entry in entries(item, reading, rendered.states)
        if _is_ours(entry.state.cell.row)
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
                "; ".join(_evidence(name, entry) for name, entry in measured) or "none yet",
            )


def _is_ours(row: Row) -> bool:
    """Whether a row is GraphRank at its defaults, of nodes or of whole graphs."""
    return row.published == OURS and row.preset == "default"


def _in_words(reading: Reading, dataset: str) -> str:
    """How a reading measures on a dataset."""
    options = (f"{name}={value}" for name, value in reading.task_options.items())
    return " ".join([reading.protocol_on(dataset), *options])


def _standing(measured: Sequence[Entry]) -> Standing:
    """A figure of the same protocol decides; another protocol explains."""
    marks = [entry.mark for entry in measured if entry.mark is not None]
    judged = [mark for mark in marks if mark.verdict != "open"]
    if any(mark.verdict in _REACHED and not mark.other_protocol for mark in judged):
        return "holds"
    if any(mark.verdict in _REACHED for mark in judged):
        return "under another protocol"
    return "does not hold" if any(not mark.other_protocol for mark in judged) else "open"


def _evidence(protocol: str, entry: Entry) -> str:
    sign = "" if entry.mark is None else f" {entry.mark.sign}"
    return f"{spread(entry.values)}{sign} ({protocol}, {len(entry.values)} seeds)"


def _faster(rendered: Rendered) -> Iterator[Finding]:
    for state in rendered.states:
        values = [] if state.result is None else state.result.values["speedup"]
        standing: Standing = "open"
        if values:
            standing = "holds" if statistics.fmean(values) > 1 else "does not hold"
        evidence = f"{spread(values)} times faster" if values else "none yet"
        text = "GraphRank's epoch takes less time than GRACE's"
        yield Finding(rendered.item.name, text, state.cell.dataset, standing, evidence)


def _orders(rendered: Rendered) -> Iterator[Finding]:
    for claim in rendered.item.claims:
        for dataset in rendered.item.datasets:
            yield _order(rendered, claim, dataset)


def _order(rendered: Rendered, claim: Claim, dataset: str) -> Finding:
    """Seed by seed; a difference within two standard errors leaves the claim open."""
    results: dict[str, Result] = {}
    for state in rendered.states:
        cell = state.cell
        if cell.dataset == dataset and state.result is not None:
            results.setdefault(cell.row.name, state.result)  # the first row is the default one
    higher, lower = results.get(claim.higher), results.get(claim.lower)
    item = rendered.item.name
    if higher is None or lower is None:
        return Finding(item, claim.text, dataset, "open", "none yet")
    difference = paired_difference(higher, lower, claim.measure)
    standing: Standing = "open"
    if difference is not None and difference.clear:
        standing = "holds" if difference.mean > 0 else "does not hold"
    ends = [
        f"{result.method} {statistics.fmean(result.values[claim.measure]):.4g}"
        for result in (higher, lower)
    ]
    return Finding(
        item, claim.text, dataset, standing, f"{', '.join(ends)} ({len(higher.seeds)} seeds)"
    )
