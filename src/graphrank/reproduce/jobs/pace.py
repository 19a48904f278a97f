"""Epochs of two methods timed in turns in one process: the work behind the speed-ups."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from graphrank.data import without_labels
from graphrank.measure import measured
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import Job, empty_line, make, want
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.wanted import Wanted, options_of
from graphrank.results.store import append
from graphrank.training.loop import Run

TASK = "training-time"
PROTOCOL = "in-turns"


@dataclass(frozen=True)
class PaceJob(Job):
    """Time epochs of a method and of another, round by round.

    Args:
        dataset: name of the dataset.
        row: the method.
        other: what it is compared with.
        epochs: epochs that seconds are told for.
        timed: epochs that are timed in a turn, after one that is not.
        rounds: turns of each.
    """

    dataset: str
    row: Row
    other: Row
    epochs: int
    timed: int
    rounds: int

    @property
    def is_timed(self) -> bool:
        """Seconds are among its figures."""
        return True

    @cached_property
    def wanted(self) -> Wanted:
        """Lines of the method, the other one in their configuration."""
        _, method = make(self.row, self.dataset)
        _, other = make(self.other, self.dataset)
        judged = {
            "against": other.info.name,
            "options": options_of(other.get_params()),
            "epochs": self.epochs,
            "timed": self.timed,
            "rounds": self.rounds,
        }
        return want(TASK, self.dataset, PROTOCOL, method, judged)

    def run(self, seed: int, results: Path, bench: Bench) -> None:
        """Take turns, and keep the medians."""
        data = without_labels(bench.graph(self.dataset))
        rows = (self.row, self.other)
        times: dict[str, list[float]] = {row.name: [] for row in rows}
        with measured() as whole:
            for _ in range(self.rounds):
                for row in rows:
                    _, method = make(row, self.dataset)
                    method.set_params(seed=seed, epochs=self.timed + 1)
                    method.fit(data, run=Run(progress=False))
                    times[row.name] += method.history_.seconds[1:]
        mine, theirs = (self.epochs * statistics.median(times[row.name]) for row in rows)
        line = empty_line(self.wanted, self.row.preset)
        line.seeds, line.peak_mib = [seed], [whole.peak_mib]
        line.values = {
            f"{self.row.name}_seconds": [mine],
            f"{self.other.name}_seconds": [theirs],
            "speedup": [theirs / mine],
        }
        line.seconds = {"fit": [whole.seconds], "evaluate": [0.0]}
        append(results, line)
