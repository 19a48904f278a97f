"""A method on a task: the work behind comparison tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from graphrank.methods.registry import method_class
from graphrank.methods.supervised import SupervisedMethod
from graphrank.reproduce.item import Row
from graphrank.reproduce.jobs.base import Job, make, want
from graphrank.reproduce.jobs.bench import Bench
from graphrank.reproduce.wanted import Wanted
from graphrank.tasks.link_prediction import LinkPrediction
from graphrank.tasks.registry import make_task
from graphrank.tasks.runner import Experiment, evaluate, make_methods


@dataclass(frozen=True)
class EvaluationJob(Job):
    """Split, fit and score, as ``graphrank evaluate`` does.

    Args:
        task: name of the task.
        dataset: name of the dataset.
        protocol: name of the protocol.
        row: the method.
        task_options: options of the task.
    """

    task: str
    dataset: str
    protocol: str
    row: Row
    task_options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Refuses a method that this task cannot judge.
        make_methods(Experiment(task=self.task, methods=(self.row.name,)), None)

    @cached_property
    def wanted(self) -> Wanted:
        """Lines of ``graphrank evaluate``."""
        task = make_task(self.task, self.task_options)
        _, method = make(self.row, self.dataset)
        # A supervised method classifies by itself: its lines name no probe.
        kind = type(method)
        judged = {} if isinstance(method, SupervisedMethod) else asdict(task.suited_to(kind))
        usual = asdict(make_task(self.task).suited_to(kind))
        return want(self.task, self.dataset, self.protocol, method, judged, usual)

    @property
    def fit_sees(self) -> str | None:
        """All of the dataset, or the edges that a protocol shows; labels belong to one split."""
        if issubclass(method_class(self.row.name), SupervisedMethod):
            return None
        return self.protocol if self.task == LinkPrediction.name else "all"

    def run(self, seed: int, results: Path, bench: Bench) -> None:
        """One seed through the runner."""
        evaluate(
            bench.dataset(self.dataset),
            self._experiment((seed,)),
            results_file=results,
            progress=False,
            fits=bench.fits,
        )

    def _experiment(self, seeds: tuple[int, ...]) -> Experiment:
        preset, _ = make(self.row, self.dataset)
        return Experiment(
            task=self.task,
            methods=(self.row.name,),
            protocol=self.protocol,
            seeds=seeds,
            preset=preset,
            settings=self.row.settings,
            task_options=self.task_options,
        )
