"""Figures as the paper printed them, read from tables under ``experiments/published``."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from graphrank.data.catalog import find
from graphrank.methods.experiments import FOLDER
from graphrank.reproduce.item import Item, Row


@dataclass(frozen=True)
class Printed:
    """One printed figure.

    Args:
        value: the figure.
        std: its standard deviation, where it was given.
    """

    value: float
    std: float | None = None

    @property
    def text(self) -> str:
        """The figure as tables write it."""
        return f"{self.value:.2f}" if self.std is None else f"{self.value:.2f} ± {self.std:.2f}"


def printed(item: Item, row: Row, dataset: str, metric: str) -> Printed | None:
    """The figure of a cell; none where nothing was printed."""
    if item.published is None or row.published is None:
        return None
    return _table(item.published.file).get((row.published, dataset, metric))


def stated(item: Item, row: Row, metric: str) -> str:
    """What a table says in words of a method, whatever the dataset; a dash where nothing."""
    if item.published is None or row.published is None:
        return "–"
    for entry in _lines(item.published.file):
        if (entry["method"], entry["metric"]) == (row.published, metric):
            return entry["value"]
    return "–"


def stated_power(item: Item, row: Row, metric: str) -> float | None:
    """The power of N in a stated complexity such as ``O(N^2)``; none where nothing is stated."""
    found = re.fullmatch(r"O\(N(?:\^(\d+))?\)", stated(item, row, metric))
    return None if found is None else float(found.group(1) or 1)


def as_printed(file: str, method: str, dataset: str, metric: str) -> str:
    """A figure of a published table as text; a dash where there is none."""
    found = _table(file).get((method, dataset, metric))
    return "–" if found is None else found.text


@cache
def _lines(file: str) -> tuple[Mapping[str, str], ...]:
    with (FOLDER / "published" / file).open(newline="") as table:
        return tuple(csv.DictReader(table))


@cache
def _table(file: str) -> dict[tuple[str, str, str], Printed]:
    """Figures by method, dataset and metric, in the names of this package but for the method."""
    figures = {}
    for entry in _lines(file):
        value = entry.get("mean") or entry.get("value")
        if not value:
            continue  # printed as a dash
        info = find(entry["dataset"])
        dataset = entry["dataset"] if info is None else info.name
        std = entry.get("std")
        key = (entry["method"], dataset, entry["metric"].casefold())
        figures[key] = Printed(float(value), float(std) if std else None)
    return figures
