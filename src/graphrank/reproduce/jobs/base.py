"""The contract of a job: what lines it would write, and how to write the one of a seed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from graphrank.data.catalog import find
from graphrank.measure import environment
from graphrank.methods.base import Method
from graphrank.methods.experiments import preset_in_force
from graphrank.methods.options import values_not_said
from graphrank.methods.registry import method_class
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.wanted import Wanted, options_of
from graphrank.results.record import Result
from graphrank.tasks.node_classification import NodeClassification


class Job(ABC):
    """Work for one cell."""

    @property
    @abstractmethod
    def wanted(self) -> Wanted:
        """What lines of this work look like."""

    @property
    def fit_sees(self) -> str | None:
        """What its fit sees of the dataset; none where the fit is shared with nobody.

        One fit of a method serves all works in which it sees the same.
        """
        return None

    @property
    def is_timed(self) -> bool:
        """Whether seconds or memory are its figures, so that nothing may run beside it."""
        return False

    @abstractmethod
    def run(self, seed: int, results: Path, bench: Bench) -> None:
        """Measure one seed and append its line."""


def make(row: Row, dataset: str) -> tuple[str, Method[Any]]:
    """The method of a row on a dataset, behind the preset that it has there."""
    preset, options = _preset(row.name, row.preset, dataset)
    return preset, method_class(row.name).from_preset("default", {**options, **row.settings})


@cache
def _preset(name: str, preset: str, dataset: str) -> tuple[str, dict[str, Any]]:
    """The preset in force and its options; cells ask for the same ones again and again."""
    kind = method_class(name)
    preset = preset_in_force(kind, preset, dataset)
    return preset, options_of(kind.from_preset(preset, dataset=dataset).get_params())


def want(
    task: str,
    dataset: str,
    protocol: str,
    method: Method[Any],
    judged: dict[str, Any] | None = None,
    judged_defaults: dict[str, Any] | None = None,
) -> Wanted:
    """Lines of a method as it is."""
    defaults = options_of(dict(values_not_said(type(method))))
    options = options_of(method.get_params())
    return Wanted(
        task,
        dataset,
        method.info.name,
        protocol,
        options,
        defaults,
        judged or {},
        judged_defaults or {},
    )


def empty_line(wanted: Wanted, preset: str) -> Result:
    """A line of a configuration, to be filled with the values of a seed."""
    config: dict[str, Any] = {"method": dict(wanted.options), "task": dict(wanted.judged)}
    return Result(
        task=wanted.task,
        dataset=wanted.dataset,
        method=wanted.method,
        protocol=wanted.protocol,
        config=config,
        environment=environment(),
        preset=preset,
    )


def usual_protocol(dataset: str) -> str:
    """The protocol of node classification that is usual on a dataset."""
    info = find(dataset)
    return "random-10-10-80" if info is None else info.protocol


def probe_options() -> dict[str, Any]:
    """Options of the probe, as lines carry them."""
    return asdict(NodeClassification())
