"""Run a method over seeds and measure it; what a results file holds already is not run again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch_geometric.data import Data

from graphrank.analysis.fitted import Fitted, judged_by
from graphrank.analysis.measures import measure
from graphrank.data.identity import graph_identity
from graphrank.measure import Measured, environment, measured
from graphrank.methods.base import Method
from graphrank.results.record import Result
from graphrank.results.store import append, read
from graphrank.tasks.fits import Fits
from graphrank.terminal import status
from graphrank.training.loop import Run

OnSeed = Callable[[Result], None]
Analysed = tuple[Fitted, Measured]


@dataclass
class Ledger:
    """Result lines of earlier runs, and the file that new ones go to.

    The measures of a line are part of its configuration, so that a later run with other measures
    adds lines of its own and finds those that are there.

    Args:
        path: results file; none keeps nothing.
        results: what it held when it was opened.
    """

    path: Path | None = None
    results: list[Result] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path | None) -> Ledger:
        """Read a results file, if there is one."""
        return cls(path, read(path) if path is not None and path.exists() else [])

    def known(self, cell: Result) -> dict[int, Result]:
        """What is known of each seed of a cell, all measures of a seed in one result."""
        found: dict[int, Result] = {}
        for stored in self.results:
            if _cell(stored) == _cell(cell):
                for place, seed in enumerate(stored.seeds):
                    one = found.setdefault(seed, _one_seed(stored, place))
                    one.values |= {name: [row[place]] for name, row in stored.values.items()}
        return found

    def keep(self, line: Result) -> None:
        """Append a line to the file."""
        if self.path is not None:
            append(self.path, line)


@dataclass(frozen=True)
class SeedRuns:
    """How the seeds of a cell are run.

    Args:
        data: the graph with its labels; methods get it without them.
        measures: names of what is measured.
        seeds: seeds of training and splits alike.
        ledger: where lines come from and go to.
        progress: show progress bars on a terminal.
        on_seed: called after every seed that was run, with its line.
        fits: fits that others may need too, such as another study of the same method.
    """

    data: Data
    measures: tuple[str, ...]
    seeds: Sequence[int]
    ledger: Ledger
    progress: bool = True
    on_seed: OnSeed | None = None
    fits: Fits[Analysed] = field(default_factory=Fits)

    def run(self, method: Method[Any], cell: Result) -> Result:
        """Measure a method over all seeds, in the order of the seeds."""
        known = self.ledger.known(cell)
        whole = _with_measures(cell, self.measures)
        for seed in self.seeds:
            values = known[seed].values if seed in known else {}
            missing = tuple(name for name in self.measures if name not in values)
            if missing:
                line = self._run_seed(method, _with_measures(cell, missing), seed)
                known.setdefault(seed, line).values |= line.values
            one = copy.copy(known[seed])
            one.values = {name: one.values[name] for name in self.measures}
            whole.add(one)
        return whole

    def _run_seed(self, method: Method[Any], line: Result, seed: int) -> Result:
        """Fit and measure one seed, and keep its line."""
        method.set_params(seed=seed)
        fitted, fitting = self.fits.get(method, self.data, lambda: self._fit(method, seed))
        with status(f"measuring seed {seed}", self.progress), measured() as measuring:
            values = measure(line.config["task"]["measures"], fitted)
        line.seeds, line.peak_mib = [seed], [fitting.peak_mib]
        line.values = {name: [value] for name, value in values.items()}
        line.seconds = {"fit": [fitting.seconds], "evaluate": [measuring.seconds]}
        self.ledger.keep(line)
        if self.on_seed is not None:
            self.on_seed(line)
        return line

    def _fit(self, method: Method[Any], seed: int) -> Analysed:
        with measured() as fitting:
            method.fit(self.data, run=Run(progress=self.progress))
        losses = method.history_.loss
        loss = losses[-1] if losses else None
        return Fitted(method.embedding_, self.data, seed, loss, fitting.seconds), fitting


def empty_cell(
    task: str, data: Data, method: Method[Any], preset: str, options: dict[str, Any]
) -> Result:
    """A result without seeds: what is run, on what, and how it is judged.

    Args:
        task: name that keeps these lines apart from those of others.
        data: the graph.
        method: the method, with all its options.
        preset: the preset that its options started from.
        options: what else tells one cell from another.
    """
    protocol, judged = judged_by(data)
    params = {k: v for k, v in method.get_params().items() if k not in ("seed", "device")}
    return Result(
        task=task,
        dataset=data.get("name") or "graph",
        method=method.info.name,
        protocol=protocol,
        config={"method": params, "task": {**options, **judged}, **graph_identity(data)},
        environment=environment(),
        preset=preset,
    )


def _cell(result: Result) -> list[Any]:
    """What two results of one cell have in common, whatever was measured."""
    config = copy.deepcopy(result.config)
    config.get("task", {}).pop("measures", None)
    return [result.task, result.dataset, result.method, result.protocol, config]


def _with_measures(cell: Result, measures: Sequence[str]) -> Result:
    """A fresh copy of a cell that says what is measured."""
    filled = copy.deepcopy(cell)
    filled.config["task"]["measures"] = list(measures)
    return filled


def _one_seed(stored: Result, place: int) -> Result:
    """One seed of a stored result, its values left out."""
    one = copy.deepcopy(stored)
    one.seeds, one.values = [stored.seeds[place]], {}
    one.seconds = {phase: [row[place]] for phase, row in stored.seconds.items()}
    one.peak_mib = [stored.peak_mib[place]]
    return one
