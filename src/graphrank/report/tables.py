"""Tables as text: the same cells serve the terminal and the HTML page."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from graphrank.measure import OF_THE_PROCESS
from graphrank.report.compare import Comparison, Difference
from graphrank.results.record import Result
from graphrank.results.spread import deviation

_TITLES = {
    "macro_f1": "macro-F1",
    "nmi": "NMI",
    "ari": "ARI",
    "auc": "AUC",
    "ap": "AP",
    "hits_50": "Hits@50",
    "mrr": "MRR",
    "fold_std": "std of folds",
    "validation_auc": "validation AUC",
    "validation_nmi": "validation NMI",
}
_DIAGNOSTIC = "Diagnostic: this protocol uses what an honest comparison may not use."
_PROCESS = "peak MiB is that of the process so far: this system cannot count it anew for each fit."
_CLEAR = "* differs from the best by more than two standard errors of the paired difference."


@dataclass(frozen=True)
class Cell:
    """One cell: its text, in one line or more, and whether it stands out."""

    text: str
    strong: bool = False


@dataclass(frozen=True)
class TextTable:
    """A table ready to be shown.

    Args:
        title: what it is about.
        columns: heads of the columns.
        rows: one cell for each column.
        words: number of leading columns that hold words and are aligned to the left.
        notes: lines below the table.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: int = 1
    notes: tuple[str, ...] = ()


def metric_title(name: str) -> str:
    """A metric as people write it."""
    return _TITLES.get(name, name.replace("_", " "))


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Mean ± standard deviation; the mean alone for one value, a dash for none.

    Example:
        >>> spread([1.0, 2.0, 3.0], digits=1)
        '2.0 ± 1.0'
    """
    mean = _mean(values, digits)
    return mean if len(values) < 2 else f"{mean} ± {deviation(values):.{digits}f}"


def _mean(values: Sequence[float], digits: int) -> str:
    return f"{statistics.fmean(values):.{digits}f}" if values else "–"


def difference_text(difference: Difference | None) -> str:
    """A difference with its standard error, starred where it is clear."""
    if difference is None:
        return ""
    error = "" if difference.error is None else f" ± {difference.error:.2f}"
    return f"{difference.mean:+.2f}{error}{' *' if difference.clear else ''}"


def score_table(comparison: Comparison) -> TextTable:
    """Methods in rows, metrics in columns, the best of each column strong."""
    first = comparison.results[0]
    against = metric_title(comparison.metrics[0]) + " to best"
    differences = [comparison.difference(result) for result in comparison.results]
    clear = any(difference is not None and difference.clear for difference in differences)
    mixed = any(
        each.environment.get("peak_memory") == OF_THE_PROCESS for each in comparison.results
    )
    notes = (_CLEAR,) * clear + (_PROCESS,) * mixed + (_DIAGNOSTIC,) * first.diagnostic
    return TextTable(
        title=f"{first.task} on {first.dataset}, {_protocol(first)}, {_seeds(comparison)}",
        columns=(
            "method",
            *map(metric_title, comparison.metrics),
            against,
            "fit s",
            "peak MiB",
        ),
        rows=tuple(_row(comparison, place) for place in range(len(comparison.results))),
        notes=notes,
    )


def _row(comparison: Comparison, place: int) -> tuple[Cell, ...]:
    result = comparison.results[place]
    best_of_all = comparison.best(comparison.metrics[0]) is result
    difference = comparison.difference(result)
    return (
        Cell(comparison.labels[place]),
        *(score_cell(comparison, result, metric) for metric in comparison.metrics),
        Cell("best" if best_of_all else difference_text(difference)),
        Cell(_mean(result.seconds.get("fit", []), digits=2)),
        Cell(_mean(result.peak_mib, digits=0)),
    )


def score_cell(comparison: Comparison, result: Result, metric: str) -> Cell:
    """A metric of a result, strong where it is the best of the comparison."""
    best = comparison.best(metric) is result
    return Cell(spread(result.values.get(metric, [])), strong=best)


def _protocol(result: Result) -> str:
    return f"{result.protocol} [diagnostic]" if result.diagnostic else result.protocol


def _seeds(comparison: Comparison) -> str:
    counts = sorted({len(result.seeds) for result in comparison.results})
    text = "–".join(map(str, counts[:: max(1, len(counts) - 1)]))
    return f"{text} seed{'s' * (text != '1')}"


def for_terminal(table: TextTable) -> Group:
    """The table as rich shows it, its notes below."""
    shown = Table(
        title=Text(table.title),
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for place, column in enumerate(table.columns):
        justify: Literal["left", "right"] = "left" if place < table.words else "right"
        # A name that is broken cannot be copied: other columns give way to the first.
        shown.add_column(Text(column), justify=justify, overflow="fold", no_wrap=place == 0)
    for row in table.rows:
        shown.add_row(*(Text(cell.text, style="bold" if cell.strong else "") for cell in row))
    return Group(shown, *(Text(note, style="dim") for note in table.notes))
