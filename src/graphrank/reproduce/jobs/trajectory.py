"""Accuracy along a training: the work behind convergence and training efficiency."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from torch import Tensor
from torch_geometric.data import Data

from graphrank.data import without_labels
from graphrank.errors import ConfigError
from graphrank.measure import measured
from graphrank.methods.trained import TrainedMethod
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import (
    Job,
    empty_line,
    make,
    probe_options,
    usual_protocol,
    want,
)
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.wanted import Wanted
from graphrank.results.store import append
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.probes import PROBES
from graphrank.training.loop import Run

TASK = "trajectory"
CURVES = ("seconds", "validation", "accuracy")


def look_epochs(epochs: int, looks: int) -> list[int]:
    """Evenly spaced epochs to look at, the last one among them.

    Example:
        >>> look_epochs(40, 4)
        [10, 20, 30, 40]
    """
    return sorted({max(1, round(epochs * turn / looks)) for turn in range(1, looks + 1)})


def at(curve: str, epoch: int) -> str:
    """The name of a curve's value at an epoch, as lines carry it."""
    return f"{curve}@{epoch}"


@dataclass(frozen=True)
class TrajectoryJob(Job):
    """Train once and look at the embedding now and then.

    Args:
        dataset: name of the dataset.
        row: the method.
        looks: number of looks.
    """

    dataset: str
    row: Row
    looks: int

    @cached_property
    def method(self) -> TrainedMethod[Any]:
        """The method, which has to have epochs."""
        _, method = make(self.row, self.dataset)
        if not isinstance(method, TrainedMethod):
            raise ConfigError(f"{self.row.name} is not trained, so there is nothing to look at")
        return method

    @property
    def is_timed(self) -> bool:
        """Seconds are among its figures."""
        return True

    @property
    def epochs(self) -> list[int]:
        """The epochs that are looked at."""
        return look_epochs(self.method.epochs, self.looks)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of all values of a line."""
        return tuple(at(curve, epoch) for curve in CURVES for epoch in self.epochs)

    @cached_property
    def wanted(self) -> Wanted:
        """Lines with all curves, by the number of looks."""
        judged = {"looks": self.looks, **probe_options()}
        protocol = usual_protocol(self.dataset)
        return want(TASK, self.dataset, protocol, self.method, judged, probe_options())

    def run(self, seed: int, results: Path, bench: Bench) -> None:
        """Train, look, and keep the curves."""
        data = bench.graph(self.dataset)
        preset, method = make(self.row, self.dataset)
        method.set_params(seed=seed)
        looker = _Looker(data, seed, self.epochs)
        with measured() as whole:
            looker.started = time.perf_counter()
            method.fit(without_labels(data), run=Run(progress=False, on_epoch=looker.look))
        line = empty_line(self.wanted, preset)
        line.seeds, line.peak_mib = [seed], [whole.peak_mib]
        line.values = {name: [value] for name, value in looker.values.items()}
        line.seconds = {"fit": [whole.seconds - looker.spent], "evaluate": [looker.spent]}
        append(results, line)


@dataclass
class _Looker:
    """Probes an embedding at chosen epochs, and keeps its own time out of the training's."""

    data: Data
    seed: int
    epochs: list[int]
    started: float = 0.0
    spent: float = 0.0
    values: dict[str, float] = field(default_factory=dict)

    def look(self, epoch: int, embed: Callable[[], Tensor]) -> None:
        """Called after every epoch."""
        if epoch not in self.epochs:
            return
        now = time.perf_counter()
        task = NodeClassification()
        split = task.split(self.data, task.protocol(None, self.data), self.seed)
        found = PROBES[task.probe](embed(), self.data.y, split, self.seed)
        test = task.score(found.prediction, self.data, split)
        self.values[at("seconds", epoch)] = now - self.started - self.spent
        self.values[at("validation", epoch)] = 100 * found.validation_accuracy
        self.values[at("accuracy", epoch)] = test["accuracy"]
        self.spent += time.perf_counter() - now
