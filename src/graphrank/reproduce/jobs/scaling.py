"""Time and memory of an epoch on a synthetic graph: the work behind the exponents."""

from __future__ import annotations

import statistics
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path

from graphrank.data import load as load_graph
from graphrank.data import without_labels
from graphrank.errors import GraphRankError
from graphrank.measure import measured
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import Job, empty_line, make, want
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.wanted import Wanted
from graphrank.results.store import append
from graphrank.training.loop import Run

TASK = "scaling"
PROTOCOL = "fresh-process"
METRICS = ("milliseconds", "added_mib")


@dataclass(frozen=True)
class ScalingJob(Job):
    """Some epochs of a method in a process of its own, so that memory is its own.

    Args:
        dataset: a synthetic graph.
        row: the method.
        epochs: epochs that are timed, after one that is not.
    """

    dataset: str
    row: Row
    epochs: int

    @cached_property
    def wanted(self) -> Wanted:
        """Lines by the number of timed epochs."""
        _, method = make(self.row, self.dataset)
        return want(TASK, self.dataset, PROTOCOL, method, {"epochs": self.epochs})

    def run(self, seed: int, results: Path, bench: Bench) -> None:
        """Start a process, wait for its figures, and keep them.

        Raises:
            GraphRankError: If the process dies, which is mostly for want of memory.
        """
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            try:
                milliseconds, added, peak, seconds = pool.submit(
                    epoch_cost, self.dataset, self.row, self.epochs, seed
                ).result()
            except BrokenProcessPool:
                raise GraphRankError(
                    f"{self.row.name} on {self.dataset} ended by itself, mostly for want of memory"
                ) from None
        line = empty_line(self.wanted, self.row.preset)
        line.seeds, line.peak_mib = [seed], [peak]
        line.values = {"milliseconds": [milliseconds], "added_mib": [added]}
        line.seconds = {"fit": [seconds], "evaluate": [0.0]}
        append(results, line)


def epoch_cost(dataset: str, row: Row, epochs: int, seed: int) -> tuple[float, float, float, float]:
    """Milliseconds of an epoch, memory that training added, its peak, and all seconds."""
    graph = load_graph(dataset)
    data = without_labels(graph)
    _, method = make(row, dataset)
    method.set_params(seed=seed, epochs=epochs + 1)
    with measured() as idle:
        pass
    with measured() as fitting:
        method.fit(data, run=Run(progress=False))
    milliseconds = 1e3 * statistics.median(method.history_.seconds[1:])
    added = max(0.0, fitting.peak_mib - idle.peak_mib)
    return milliseconds, added, fitting.peak_mib, fitting.seconds
