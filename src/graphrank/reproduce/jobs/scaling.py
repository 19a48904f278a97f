"""Time and memory of an epoch on a synthetic graph: the work behind the exponents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from graphrank.benchmark.growth import in_own_process
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import Job, empty_line, make, want
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.wanted import Wanted
from graphrank.results.store import append

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

    @property
    def is_timed(self) -> bool:
        """Seconds are among its figures."""
        return True

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
        _, method = make(self.row, self.dataset)
        settings = {**method.get_params(), "seed": seed}
        cost = in_own_process(self.dataset, self.row.name, settings, self.epochs)
        line = empty_line(self.wanted, self.row.preset)
        line.seeds, line.peak_mib = [seed], [cost.peak_mib]
        line.values = {"milliseconds": [cost.milliseconds], "added_mib": [cost.added_mib]}
        line.seconds = {"fit": [cost.seconds], "evaluate": [0.0]}
        append(results, line)
