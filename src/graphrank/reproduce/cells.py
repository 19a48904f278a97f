"""The cells of an item: every figure that it is made of, and the work that would measure it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from graphrank.analysis.false_negatives import TASK as FALSE_NEGATIVES
from graphrank.errors import ConfigError
from graphrank.methods.registry import METHODS
from graphrank.reproduce.item import Item, Row
from graphrank.reproduce.jobs.analysis import (
    GEOMETRY,
    GEOMETRY_MEASURES,
    ORACLES,
    AnalysisJob,
    with_oracle,
)
from graphrank.reproduce.jobs.base import Job
from graphrank.reproduce.jobs.evaluation import EvaluationJob
from graphrank.reproduce.jobs.pace import PaceJob
from graphrank.reproduce.jobs.scaling import ScalingJob
from graphrank.reproduce.jobs.trajectory import TrajectoryJob
from graphrank.reproduce.selection import Selection
from graphrank.tasks.registry import TASKS

__all__ = ["NOT_YET", "Cell", "Selection", "cells_of", "chosen_cells", "row_label"]

NOT_YET = "not implemented here yet"


@dataclass(frozen=True)
class Cell:
    """One entry of a table, or one point of a figure.

    Args:
        item: name of its item.
        row: its method.
        dataset: its dataset.
        metrics: what a line must have to fill it.
        seeds: seeds that it wants.
        job: the work that fills it; none where it cannot be had.
        reason: why it cannot be had.
        reading: name of its reading.
        value: its value of a swept option, or its number of nodes.
        asked_for: whether these seeds were asked for, however long they take.
        selectors: options of the command line that tell it from the rest of its dataset.
    """

    item: str
    row: Row
    dataset: str
    metrics: tuple[str, ...]
    seeds: tuple[int, ...]
    job: Job | None
    reason: str = ""
    reading: str = ""
    value: float | int | str | None = None
    asked_for: bool = False
    selectors: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The method as tables call it."""
        return row_label(self.row)

    @property
    def name(self) -> str:
        """The cell in a few words."""
        point = "" if self.value is None else f" at {self.value}"
        reading = f" ({self.reading})" if self.reading else ""
        return f"{self.item}: {self.label} on {self.dataset}{reading}{point}"


def cells_of(item: Item, selection: Selection | None = None) -> list[Cell]:
    """The cells of an item that a selection takes, in the order of its tables."""
    return chosen_cells(item, list(_MAKERS[item.kind](item)), selection or Selection())


def chosen_cells(item: Item, cells: Sequence[Cell], selection: Selection) -> list[Cell]:
    """Those cells of an item that a selection takes, with the seeds that it wants."""
    asked = selection.seeds is not None
    return [
        replace(cell, seeds=_seeds_of(cell, item, selection), asked_for=asked)
        for cell in cells
        if cell.row.takes(cell.dataset) and selection.takes(cell.dataset, cell.row, cell.reading)
    ]


def _seeds_of(cell: Cell, item: Item, selection: Selection) -> tuple[int, ...]:
    """As many as were asked for; else as few as the row, its reading or the item want."""
    if selection.seeds is not None:
        return tuple(range(selection.seeds))
    reading = next((each.seeds for each in item.readings if each.name == cell.reading), None)
    return tuple(range(min(own for own in (item.seeds, reading, cell.row.seeds) if own)))


def row_label(row: Row) -> str:
    """A method with its preset, as tables call it."""
    if row.label:
        return row.label
    kind = METHODS.get(row.name) or ORACLES.get(row.name)
    title = kind.info.title if kind is not None else row.published or row.name
    shown = row.preset not in ("default", "authors")
    return f"{title} ({row.preset} preset)" if shown else title


def _comparison(item: Item) -> Iterator[Cell]:
    for reading in item.readings:
        for dataset in reading.datasets or item.datasets:
            for row in item.methods:
                if not reading.takes(row):
                    continue
                protocol, options = reading.protocol_on(dataset), reading.task_options
                yield _cell(
                    item,
                    row,
                    dataset,
                    lambda p=protocol, d=dataset, r=row, o=options: EvaluationJob(  # type: ignore[misc]
                        item.task, d, p, r, o
                    ),
                    reading=reading.name,
                )


def _sweep(item: Item) -> Iterator[Cell]:
    task = f"sweep:{item.parameter}"
    for dataset in item.datasets:
        for row in item.methods:
            for value in item.values:
                swept = {"parameter": item.parameter, "value": value}
                job = AnalysisJob(task, dataset, row, item.metrics, swept)
                yield _cell(item, row, dataset, lambda job=job: job, value=value)  # type: ignore[misc]


def _measures(item: Item) -> Iterator[Cell]:
    for dataset in item.datasets:
        for row in item.methods:
            measures = tuple(dict.fromkeys((*item.metrics, *GEOMETRY_MEASURES)))
            job = AnalysisJob(GEOMETRY, dataset, row, measures)
            yield _cell(item, row, dataset, lambda job=job: job)  # type: ignore[misc]


def _false_negatives(item: Item) -> Iterator[Cell]:
    for dataset in item.datasets:
        for row in item.methods:
            for variant in with_oracle(row, dataset):
                job = AnalysisJob(FALSE_NEGATIVES, dataset, variant, item.metrics)
                yield _cell(item, variant, dataset, lambda job=job: job)  # type: ignore[misc]


def _trajectory(item: Item) -> Iterator[Cell]:
    for dataset in item.datasets:
        for row in item.methods:
            job = TrajectoryJob(dataset, row, item.looks)
            cell = _cell(item, row, dataset, lambda job=job: job)  # type: ignore[misc]
            yield replace(cell, metrics=job.metrics) if cell.job is not None else cell


def _pace(item: Item) -> Iterator[Cell]:
    mine, other = item.methods
    for dataset in item.datasets:
        job = PaceJob(dataset, mine, other, item.epochs, item.timed, item.rounds)
        yield _cell(item, mine, dataset, lambda job=job: job)  # type: ignore[misc]


def _scaling(item: Item) -> Iterator[Cell]:
    for row in item.methods:
        for size in row.sizes or item.sizes:
            job = ScalingJob(item.graph.format(nodes=size), row, item.epochs)
            yield _cell(item, row, job.dataset, lambda job=job: job, value=size)  # type: ignore[misc]


_MAKERS: dict[str, Callable[[Item], Iterator[Cell]]] = {
    "comparison": _comparison,
    "sweep": _sweep,
    "measures": _measures,
    "false-negatives": _false_negatives,
    "trajectory": _trajectory,
    "convergence": _trajectory,
    "pace": _pace,
    "scaling": _scaling,
}


def _cell(
    item: Item,
    row: Row,
    dataset: str,
    make_job: Callable[[], Job],
    *,
    reading: str = "",
    value: float | int | str | None = None,
) -> Cell:
    """A cell with its work, or with the reason why there is none."""
    job, reason = None, _why_not(item, row, dataset, reading)
    if not reason:
        try:
            job = make_job()
            _ = job.wanted  # every option is checked here
        except ConfigError as error:
            job, reason = None, str(error)
    return Cell(
        item.name,
        row,
        dataset,
        item.metrics,
        (),
        job,
        reason,
        reading,
        value,
        selectors=_selectors(item, row, reading),
    )


def _selectors(item: Item, row: Row, reading: str) -> tuple[str, ...]:
    """What to type for a row and a reading: as little as tells them from others of the item."""
    name = row.name.removesuffix("-oracle")
    presets = {each.preset for each in item.methods if each.name == name}
    method = f"{name}/{row.preset}" if len(presets) > 1 else name
    return ("--methods", method, *(("--reading", reading) if len(item.readings) > 1 else ()))


def _why_not(item: Item, row: Row, dataset: str, reading: str) -> str:
    """Why a cell cannot be had; nothing where it may be."""
    for remark in item.not_had:
        if remark.is_about(row.name, dataset, reading):
            return remark.why
    known = row.name in METHODS or row.name in ORACLES
    return "" if known and (not item.task or item.task in TASKS) else NOT_YET
