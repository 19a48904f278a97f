"""Measure every variant on validation, seed by seed; what is stored is not run again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrank.ablation.described import Described, fit_described
from graphrank.ablation.figures import (
    FIGURES,
    NEED_LABELS,
    Graphs,
    empty_line,
    validation_figure,
)
from graphrank.ablation.plan import Plan
from graphrank.data import GraphSet
from graphrank.errors import DataError, GraphRankError
from graphrank.methods.base import Method
from graphrank.results.record import Result
from graphrank.results.store import append, read
from graphrank.tasks.base import Task
from graphrank.tasks.fits import Fits
from graphrank.tasks.registry import make_task
from graphrank.terminal import status

_log = logging.getLogger("graphrank")


@dataclass(frozen=True, order=True)
class Place:
    """Where in the tables a figure stands."""

    variant: str
    dataset: str
    task: str


@dataclass(frozen=True)
class Step:
    """A seed that was just measured.

    Args:
        place: where its figure goes.
        line: what was measured.
        done: seeds measured so far, this one included.
        total: seeds that were missing in all.
    """

    place: Place
    line: Result
    done: int
    total: int


Figures = Mapping[Place, Result]
OnStep = Callable[[Step], None]


@dataclass(frozen=True, eq=False)
class Cell:
    """One variant on one graph or set of graphs, and one task.

    Args:
        place: where its figures go.
        data: the graph or set of graphs, with labels.
        task: the task.
        method: the method, whatever its seed.
        empty: its result without seeds.
    """

    place: Place
    data: Graphs
    task: Task[Any]
    method: Method[Any]
    empty: Result


def run_ablation(
    plan: Plan,
    graphs: Mapping[str, Graphs],
    results_file: Path | None = None,
    *,
    progress: bool = True,
    on_step: OnStep | None = None,
) -> Figures:
    """Measure what is missing of a plan, one seed after another.

    Seed by seed over all variants, so that a run that is stopped leaves whole tables of fewer
    seeds. A seed that cannot be measured, say because training diverges, is reported and left out.

    Args:
        plan: what to run.
        graphs: the plan's graphs, or sets of graphs, by name, with their labels; methods get them
            without.
        results_file: append a line a seed there; seeds that it holds are not run again.
        progress: show progress bars on a terminal.
        on_step: called after every seed that was run.
    """
    check_labels(plan, graphs)
    cells = make_cells(plan, graphs)
    # By key, not by place: two variants that are the same are run once.
    found = {cell.empty.key: cell.empty.only([]) for cell in cells}
    for stored in read(results_file) if results_file and results_file.exists() else ():
        if stored.key in found:
            found[stored.key] = stored.only(plan.seed_range)
    todo = {
        (seed, cell.empty.key): cell
        for seed in plan.seed_range
        for cell in cells
        if seed not in found[cell.empty.key].seeds
    }
    fits: Fits[Described] = Fits()
    for done, ((seed, key), cell) in enumerate(todo.items(), start=1):
        try:
            line = measure_seed(cell, seed, fits, progress=progress)
        except GraphRankError as error:
            place = cell.place
            _log.warning("%s on %s, seed %d: %s", place.variant, place.dataset, seed, error)
            continue
        if results_file is not None:
            append(results_file, line)
        found[key].add(line)
        if on_step is not None:
            on_step(Step(cell.place, line, done, len(todo)))
    return {cell.place: found[cell.empty.key] for cell in cells}


def make_cells(plan: Plan, graphs: Mapping[str, Graphs]) -> list[Cell]:
    """All cells; tasks of one variant and graph follow each other, so that they share fits."""
    cells = []
    for dataset, data in graphs.items():
        for name, variant in plan.variants.items():
            preset, method = variant.on(data)
            for task_name in plan.tasks:
                task = make_task(task_name).suited_to(type(method))
                empty = empty_line(task, data, preset, method)
                cells.append(Cell(Place(name, dataset, task_name), data, task, method, empty))
    return cells


def measure_seed(cell: Cell, seed: int, fits: Fits[Described], *, progress: bool) -> Result:
    """Split, fit on what is visible, and judge on validation: the line of one seed."""
    task, data = cell.task, cell.data
    split = task.split(data, task.protocol(None, data), seed)
    visible = task.visible(data, split)
    method = type(cell.method)(**{**cell.method.get_params(), "seed": seed})
    described = fits.get(method, visible, lambda: fit_described(method, visible, progress=progress))
    started = time.perf_counter()
    with status(f"judging seed {seed}", progress):
        figure = validation_figure(task, described.embedding, data, split, seed)
    judging = time.perf_counter() - started
    line = cell.empty.only([])
    line.seeds, line.peak_mib = [seed], [described.cost.peak_mib]
    values = {FIGURES[task.name]: figure, **described.criteria}
    line.values = {name: [value] for name, value in values.items()}
    line.seconds = {"fit": [described.cost.seconds], "evaluate": [judging]}
    return line


def check_labels(plan: Plan, graphs: Mapping[str, Graphs]) -> None:
    """Refuse a graph without labels where a task needs them, before any time is spent.

    Sets of graphs are divided into folds to see that they can be.
    """
    needing = [task for task in plan.tasks if task in NEED_LABELS]
    for name, data in graphs.items():
        if isinstance(data, GraphSet):
            for task in map(make_task, plan.tasks):
                task.split(data, task.protocol(None, data), plan.first_seed)
        elif needing and (data.get("y") is None or int(data.y.max()) < 1):
            raise DataError(
                f"{name} has no labels of two classes and {needing[0]} needs them; leave out the "
                "dataset, or say --tasks link-prediction"
            )
