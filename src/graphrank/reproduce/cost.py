"""What a seed of a cell will probably cost, from lines that there are."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphrank.data.catalog import find
from graphrank.data.synthetic import is_synthetic
from graphrank.methods.registry import METHODS
from graphrank.reproduce.cells import Cell
from graphrank.reproduce.item import Item
from graphrank.reproduce.wanted import Wanted
from graphrank.results.record import Result

_GUESSED_FOR = 100_000  # nodes and edges
_GUESS = 60.0  # seconds for them, where nothing at all is known
_DEGREE = 10  # of synthetic graphs, unless they say another
_JUDGING = "evaluate"  # phase of a line
EPOCH = "epoch"  # task of lines that benchmarks/methods.py writes: one epoch, timed
_NO_WHOLE_FIT = (EPOCH, "scaling", "training-time")  # lines that time less than a fit


@dataclass(frozen=True)
class Expected:
    """What a seed will probably cost.

    Args:
        seconds: of one seed.
        measured: whether stored lines of the method say so; else it is a guess.
        judging: those of them after the fit; none where no line tells.
    """

    seconds: float
    measured: bool
    judging: float | None = None


@dataclass(frozen=True)
class Costs:
    """Expected seconds.

    Args:
        results: lines of any tasks, datasets and methods.
        items: items by name, for their guesses.
    """

    results: Sequence[Result]
    items: Mapping[str, Item]

    def expected(self, cell: Cell) -> Expected:
        """What one seed costs.

        Lines of the same method, task, dataset and number of epochs tell it best. Else timed epochs
        do, where none is left out; else other lines of the method, by epochs and by how its cost
        grows with the graph; else a guess that the item declares. To judge an embedding costs the
        same whoever learnt it: lines of all methods on the dataset tell that part.
        """
        if cell.job is None:
            return Expected(0.0, measured=True)
        wanted = cell.job.wanted
        mine = [line for line in self.results if line.method == wanted.method]
        less = [task for task in _NO_WHOLE_FIT if task != wanted.task]
        full = [line for line in mine if line.task not in less]
        judging = _of_judging(self.results, wanted)
        ways = (
            _of_the_same(full, wanted),
            _of_timed_epochs(mine, wanted, judging),
            _of_others([line for line in full if line.task == wanted.task], wanted, judging),
            _of_others(full, wanted, judging),
        )
        for seconds in ways:
            if seconds is not None:
                return Expected(seconds, measured=True, judging=judging)
        size = graph_size(cell.dataset) or _GUESSED_FOR
        guess = self.items[cell.item].guess.get(cell.row.name, _GUESS)
        return Expected(guess * size / _GUESSED_FOR, measured=False)


def _of_the_same(lines: Sequence[Result], wanted: Wanted) -> float | None:
    """Seconds by lines of the same task, dataset and number of epochs."""
    same = [
        line for line in lines
        if (line.task, line.dataset) == (wanted.task, wanted.dataset)
        and _epochs(line) == wanted.options.get("epochs")
    ]  # fmt: skip
    return statistics.median(_all_seconds(same)) if same else None


def _of_judging(lines: Sequence[Result], wanted: Wanted) -> float | None:
    """Seconds to judge an embedding of this dataset, by lines of any method."""
    judged = (wanted.task, wanted.dataset, wanted.protocol)
    same = [line for line in lines if (line.task, line.dataset, line.protocol) == judged]
    seconds = [second for line in same for second in line.seconds.get(_JUDGING, ())]
    return statistics.median(seconds) if seconds else None


def _of_timed_epochs(
    lines: Sequence[Result], wanted: Wanted, judging: float | None
) -> float | None:
    """Seconds by an epoch on this graph, or on the one of nearest size.

    Not for a method that stops when nothing gets better: who knows when.
    """
    epochs, steps = wanted.options.get("epochs"), work(wanted.method, wanted.dataset)
    timed = [line for line in lines if line.task == EPOCH and work(line.method, line.dataset)]
    if not timed or not steps or not isinstance(epochs, int) or _may_stop(wanted):
        return None
    ratios = [(steps / (work(line.method, line.dataset) or steps), line) for line in timed]
    ratio, nearest = min(ratios, key=lambda pair: abs(math.log(pair[0])))
    seconds = ratio * statistics.median(nearest.values["milliseconds"]) / 1e3
    return epochs * seconds + (judging or 0.0)


def _of_others(lines: Sequence[Result], wanted: Wanted, judging: float | None) -> float | None:
    """Seconds by lines of other graphs, if possible by those with as many epochs."""
    steps, epochs = work(wanted.method, wanted.dataset), wanted.options.get("epochs")
    if not steps:
        return None
    for near in ([line for line in lines if _epochs(line) == epochs], lines):
        rates = list(_rates(near, wanted.method, epochs, whole=judging is None))
        if rates:
            return steps * statistics.median(rates) + (judging or 0.0)
    return None


def _may_stop(wanted: Wanted) -> bool:
    kind = METHODS.get(wanted.method)
    supervised = kind is not None and kind.info.family == "supervised"
    return supervised or wanted.options.get("stop", "none") != "none"


def work(method: str, dataset: str) -> float | None:
    """How much an epoch has to do, in units that one method has on all graphs."""
    size = graph_size(dataset)
    kind = METHODS.get(method)
    if size is None or kind is None:
        return size
    info = find(dataset)
    if kind.info.draws_epochs and info is not None:
        # An epoch has as many graphs of every set, or as many nodes of every graph.
        return size / info.size if info.level == "graph" else 1.0
    if not kind.info.is_quadratic:
        return size
    nodes = graph_nodes(dataset)
    return None if nodes is None else float(nodes) ** 2


def _rates(lines: Sequence[Result], method: str, epochs: object, *, whole: bool) -> Iterator[float]:
    """Seconds for each unit of work, of each seed; for as many epochs as are wanted.

    Those of all phases, or of all but the judging where another estimate has it.
    """
    for line in lines:
        steps, had = work(method, line.dataset), _epochs(line)
        if not steps or type(had) is not type(epochs):
            continue
        longer = epochs / had if isinstance(had, int) and isinstance(epochs, int) and had else 1.0
        spent = seconds_of(line, () if whole else (_JUDGING,))
        yield from (longer * second / steps for second in spent)


def _all_seconds(lines: Sequence[Result]) -> list[float]:
    return [second for line in lines for second in seconds_of(line)]


def seconds_of(line: Result, without: Sequence[str] = ()) -> list[float]:
    """Seconds of each seed of a line, all phases together but those to leave out."""
    rows = [row for name, row in line.seconds.items() if name not in without]
    phases = [row for row in rows if len(row) == len(line.seeds)]
    return [sum(phase[at] for phase in phases) for at in range(len(line.seeds))]


def graph_size(dataset: str) -> int | None:
    """Nodes and edges of a dataset; none where it is not known."""
    info = find(dataset)
    if info is not None:
        return info.size + info.edges
    nodes = _synthetic_nodes(dataset)
    return None if nodes is None else nodes * (1 + _DEGREE)


def graph_nodes(dataset: str) -> int | None:
    """Nodes of a dataset; none where it is not known."""
    info = find(dataset)
    return _synthetic_nodes(dataset) if info is None else info.size


def _synthetic_nodes(dataset: str) -> int | None:
    if not is_synthetic(dataset):
        return None
    settings = dict(part.partition("=")[::2] for part in dataset.partition(":")[2].split(","))
    return int(settings.get("nodes", 1000))


def _epochs(line: Result) -> object:
    return line.config.get("method", {}).get("epochs")
