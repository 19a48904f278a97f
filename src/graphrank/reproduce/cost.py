"""What a seed of a cell will probably cost, from lines that there are."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphrank.data.catalog import find
from graphrank.data.synthetic import is_synthetic
from graphrank.reproduce.cells import Cell
from graphrank.reproduce.item import Item
from graphrank.results.record import Result

_GUESSED_FOR = 100_000  # nodes and edges
_GUESS = 60.0  # seconds for them, where nothing at all is known
_DEGREE = 10  # of synthetic graphs, unless they say another


@dataclass(frozen=True)
class Costs:
    """Expected seconds.

    Args:
        results: lines of any tasks, datasets and methods.
        items: items by name, for their guesses.
    """

    results: Sequence[Result]
    items: Mapping[str, Item]

    def expected(self, cell: Cell) -> float:
        """Seconds of one seed.

        Lines of the same method, task and dataset tell it best. Else lines of the method on other
        graphs do, by the number of nodes and edges; else a guess that the item declares.
        """
        if cell.job is None:
            return 0.0
        wanted = cell.job.wanted
        mine = [line for line in self.results if line.method == wanted.method]
        same_task = [line for line in mine if line.task == wanted.task]
        same = [line for line in same_task if line.dataset == wanted.dataset]
        epochs = wanted.options.get("epochs")
        same = _with_epochs(same, epochs)
        if same:
            return statistics.median(second for line in same for second in seconds_of(line))
        near = _with_epochs(same_task, epochs) or _with_epochs(mine, epochs)
        rates = [
            second / size for line in near if (size := graph_size(line.dataset))
            for second in seconds_of(line)
        ]  # fmt: skip
        size = graph_size(cell.dataset) or _GUESSED_FOR
        if rates:
            return size * statistics.median(rates)
        guess = self.items[cell.item].guess.get(cell.row.name, _GUESS)
        return guess * size / _GUESSED_FOR


def seconds_of(line: Result) -> list[float]:
    """Seconds of each seed of a line, all phases together."""
    phases = [row for row in line.seconds.values() if len(row) == len(line.seeds)]
    return [sum(phase[at] for phase in phases) for at in range(len(line.seeds))]


def graph_size(dataset: str) -> int | None:
    """Nodes and edges of a dataset; none where it is not known."""
    info = find(dataset)
    if info is not None:
        return info.size + info.edges
    if is_synthetic(dataset):
        settings = dict(part.partition("=")[::2] for part in dataset.partition(":")[2].split(","))
        return int(settings.get("nodes", 1000)) * (1 + _DEGREE)
    return None


def _with_epochs(lines: Sequence[Result], epochs: object) -> list[Result]:
    """Lines with as many epochs as are wanted; another number would mislead."""
    return [line for line in lines if line.config.get("method", {}).get("epochs") == epochs]


def in_words(seconds: float) -> str:
    """A duration as people say it.

    Example:
        >>> [in_words(s) for s in (4, 75, 5400, 200_000)]
        ['4 s', '1 min', '1.5 h', '56 h']
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 3600:
        return f"{round(seconds / 60)} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 10 else f"{hours:.0f} h"
