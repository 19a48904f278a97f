"""Where the default stands: how far from its strongest control, and from what was aimed at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphrank.report.compare import Difference, seed_differences
from graphrank.report.tables import Cell, TextTable
from graphrank.reproduce.headline_rows import (
    CLUSTERS,
    DATASETS,
    DEFAULT,
    LINKS,
    NODES,
    SEEDS,
    SMOOTHING,
    Measured,
    shown_mean,
)
from graphrank.reproduce.item import Row
from graphrank.reproduce.wanted import Stored
from graphrank.results.record import Result

STANDING_PAGES: dict[str, tuple[str, ...]] = {"docs/method.md": ("differences", "aims")}

_MEASURES = {
    "accuracy": (NODES, None),
    "link AUC": (LINKS, None),
    "NMI, k-means": (CLUSTERS, None),
    "NMI, mixture": (CLUSTERS, "mixture"),
}
# What the default was to reach on each graph, in the order of DATASETS.
_AIMS = {
    "accuracy": (83.5, 72.5, 81.5, 94.8, 89.8, 94.7, 96.0),
    "link AUC": (96.0, 97.6, 98.1, 98.3, 97.5, 98.5, 98.6),
    "NMI": (57.0, 43.0, 36.0, 72.0, 55.0, 77.0, 66.0),
}
_DASH = "–"


def standing_table(name: str, results: Sequence[Result]) -> TextTable:
    """One of the tables that :data:`STANDING_PAGES` names."""
    rows = _difference_rows if name == "differences" else _aim_rows
    lines = tuple((Cell(title), *cells) for title, cells in rows(Stored(results)))
    return TextTable("", ("", *DATASETS), lines)


def _difference_rows(stored: Stored) -> Iterator[tuple[str, list[Cell]]]:
    """The default less smoothing, seed by seed; strong where it is clearly above."""
    for title in _MEASURES:
        yield title, [_difference_cell(title, dataset, stored) for dataset in DATASETS]


def _difference_cell(measure: str, dataset: str, stored: Stored) -> Cell:
    mine, theirs = (_row(measure, row) for row in (DEFAULT, SMOOTHING))
    found, control = mine.found(stored, dataset), theirs.found(stored, dataset)
    if found is None or control is None:
        return Cell(_DASH)
    differences = list(seed_differences(found, control, mine.metric).values())
    if not differences:
        return Cell(_DASH)
    difference = Difference.of(differences)
    error = "" if difference.error is None else f" ± {difference.error:.2f}"
    count = "" if len(differences) == len(SEEDS) else f" ({len(differences)})"
    text = f"{difference.mean:+.2f}{error}{count}".replace("-", "−")
    return Cell(text, strong=difference.clear and difference.mean > 0)


def _aim_rows(stored: Stored) -> Iterator[tuple[str, list[Cell]]]:
    """What was aimed at, and below it what was measured, with a word where it is less."""
    for aim, figures in _AIMS.items():
        yield f"{aim}, aim", [Cell(f"{figure:.1f}") for figure in figures]
        for measure in _MEASURES:
            if measure.startswith(aim):
                row = _row(measure, DEFAULT)
                means = [row.values(stored, dataset) for dataset in DATASETS]
                yield (
                    f"{measure}, measured",
                    [_reached(*pair) for pair in zip(means, figures, strict=True)],
                )


def _reached(values: Sequence[float], aim: float) -> Cell:
    if not values:
        return Cell(_DASH)
    mean = shown_mean(values)
    return Cell(f"{mean:.2f}") if mean >= aim else Cell(f"{mean:.2f}, missed", strong=True)


def _row(measure: str, row: Row) -> Measured:
    task, protocol = _MEASURES[measure]
    return Measured(measure, task, row, protocol)
