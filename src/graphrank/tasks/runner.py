"""Evaluate methods on a graph: split, fit on what is visible, score once, for every seed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from torch import Tensor
from torch_geometric.data import Data

from graphrank.data import GraphSet
from graphrank.data.identity import catalog_name, graph_identity
from graphrank.errors import ConfigError, DataError
from graphrank.measure import environment, measured
from graphrank.methods.base import Method
from graphrank.methods.experiments import AUTHORS, AUTO, preset_for_task, preset_in_force
from graphrank.methods.info import Level
from graphrank.methods.registry import method_class
from graphrank.methods.supervised import SupervisedMethod
from graphrank.methods.trained import TrainedMethod
from graphrank.results.record import Result
from graphrank.results.store import append, read
from graphrank.tasks.base import Protocol, Task
from graphrank.tasks.fits import Fit, Fits
from graphrank.tasks.graph_classification import GraphClassification, only_for_supervised
from graphrank.tasks.node_classification import NodeClassification
from graphrank.tasks.predictions import fit_classes
from graphrank.tasks.registry import TASKS, make_task
from graphrank.tasks.supervised_folds import EPOCH_ON_TEST
from graphrank.tasks.whose_settings import follows, shared_out
from graphrank.terminal import status
from graphrank.training.loop import Run

_log = logging.getLogger("graphrank")

EpochSelection = Literal["fixed", "validation"]


@dataclass(frozen=True)
class Experiment:
    """What to evaluate, and how.

    Args:
        task: name of the task.
        methods: names of methods; where the task is about whole graphs, ``graphrank`` means
            ``graphrank-graph``, and so on.
        protocol: name of the protocol; none for the one usual on the dataset.
        seeds: seeds of training and split alike.
        preset: preset of the first method, and of controls derived from it; the others take
            their default. ``authors`` and ``auto`` are for all methods: each as its authors set it
            for the dataset, or by default where they say nothing of it.
        settings: options on top of the preset: of the first method, and of controls derived from
            it, or as ``method.option`` of another one.
        task_options: options of the task, such as ``{"probe": "adam"}``.
        epoch_selection: ``fixed`` trains for the epochs of the configuration; ``validation``
            keeps the embedding of the epoch with the best validation figure, as others do.
            Supervised methods stop by validation in either case.
        select_every: epochs between two looks at validation.
    """

    task: str = "node-classification"
    methods: Sequence[str] = ("graphrank",)
    protocol: str | None = None
    seeds: Sequence[int] = (0, 1, 2, 3, 4)
    preset: str = "default"
    settings: Mapping[str, Any] = field(default_factory=dict)
    task_options: Mapping[str, Any] = field(default_factory=dict)
    epoch_selection: EpochSelection = "fixed"
    select_every: int = 10


def evaluate(
    data: Data | GraphSet,
    experiment: Experiment,
    *,
    results_file: Path | None = None,
    progress: bool = True,
    on_seed: Callable[[Result], None] | None = None,
    fits: Fits[Fit] | None = None,
) -> list[Result]:
    """Run an experiment and return one result for each method.

    Args:
        data: the graph, or the set of graphs where the task is about whole graphs, with labels;
            methods get it without them, supervised ones with those of training and validation
            nodes.
        experiment: what to run.
        results_file: append each seed's line there, and skip seeds that it holds already.
        progress: show progress bars on a terminal.
        on_seed: called after every finished seed with that seed's result.
        fits: embeddings to share with other calls; a fit found there is not run again, and its
            seconds and memory are those of when it was run.
    """
    task = make_task(experiment.task, experiment.task_options)
    check_level(task, data)
    protocol = task.protocol(experiment.protocol, data)
    stored = {}
    if results_file is not None and results_file.exists():
        stored = {result.key: result for result in read(results_file)}
    results = []
    for preset, method in make_methods(experiment, catalog_name(data)):
        suited = task.suited_to(type(method))
        result = empty_result(suited, protocol, data, preset, method, experiment)
        if result.key in stored:
            result.add(stored[result.key].only(experiment.seeds))
        for seed in experiment.seeds:
            if seed in result.seeds:
                continue
            one = empty_result(suited, protocol, data, preset, method, experiment)
            _run_seed(one, suited, protocol, data, method, seed, experiment, progress, fits)
            if results_file is not None:
                append(results_file, one)
            result.add(one)
            if on_seed is not None:
                on_seed(one)
        results.append(result)
    return results


def make_methods(experiment: Experiment, dataset: str | None) -> list[tuple[str, Method[Any]]]:
    """The methods of an experiment, each behind the name of the preset that it has.

    All are made before any time is spent on the first: every name and option in them is checked.
    The experiment's preset belongs to the first, and to controls derived from it; ``authors`` and
    ``auto`` belong to all.
    """
    task = make_task(experiment.task, experiment.task_options)
    kinds = [method_class(name, task.level) for name in experiment.methods]
    shares = shared_out(experiment.settings, kinds, task.level)
    methods = []
    for kind, settings in zip(kinds, shares, strict=True):
        _check_method(kind, task, experiment.protocol)
        takes_it = follows(kind, kinds[0]) or experiment.preset in (AUTO, AUTHORS)
        preset = experiment.preset if takes_it else "default"
        preset = preset_for_task(kind, preset, task.name, dataset)
        method = kind.from_preset(preset, settings, dataset=dataset)
        methods.append((preset_in_force(kind, preset, dataset), method))
    return methods


def check_level(task: Task[Any], data: Data | GraphSet) -> None:
    """Refuse a set of graphs for a task on nodes, and one graph for a task on graphs."""
    if isinstance(data, GraphSet) and task.level == "node":
        raise DataError(
            f"{data.name} is a set of {len(data):,} graphs and {task.name} takes one graph; use "
            f"--task {_of_level('graph')}, or a dataset of level node (`graphrank list datasets`)"
        )
    if not isinstance(data, GraphSet) and task.level == "graph":
        raise DataError(
            f"{data.get('name') or 'this'} is one graph and {task.name} takes a set of graphs; use "
            f"--task {_of_level('node')}, or a dataset of level graph (`graphrank list datasets`)"
        )


def _check_method(kind: type[Method[Any]], task: Task[Any], protocol: str | None) -> None:
    """Refuse to judge embeddings of a method that has none, or has some of something else."""
    if kind.info.level != task.level:
        raise ConfigError(
            f"{kind.info.name} embeds {kind.info.level}s and {task.name} needs embeddings of "
            f"{task.level}s; use --task {_of_level(kind.info.level)} or a method of level "
            f"{task.level} (`graphrank list methods`)"
        )
    if issubclass(kind, SupervisedMethod):
        if not isinstance(task, NodeClassification | GraphClassification):
            raise ConfigError(
                f"{kind.info.name} is supervised: it predicts classes and has no embeddings for "
                f"{task.name}; use --task {_of_level(kind.info.level)} or a self-supervised method"
            )
    elif protocol == EPOCH_ON_TEST and isinstance(task, GraphClassification):
        raise ConfigError(only_for_supervised(kind.info.name))


def _of_level(level: Level) -> str:
    """The first task of a level, which is the usual one."""
    return next(name for name, task in TASKS.items() if task.level == level)


def _run_seed(
    result: Result,
    task: Task[Any],
    protocol: Protocol,
    data: Data | GraphSet,
    method: Method[Any],
    seed: int,
    experiment: Experiment,
    progress: bool,
    fits: Fits[Fit] | None,
) -> None:
    """Split, fit, score; the figures go into ``result``."""
    split = task.split(data, protocol, seed)
    # A fresh one each time: what the last seed learnt would count into the memory of this one.
    method = type(method)(**{**method.get_params(), "seed": seed})
    judge: Callable[[], dict[str, float]]
    if isinstance(method, SupervisedMethod):
        with measured() as fitting:
            judge = fit_classes(task, data, split, method, progress)
    else:
        embedding, fitting = _embedding(task, data, split, method, seed, experiment, progress, fits)
        judge = partial(task.evaluate, embedding, data, split, seed)
    with status(f"judging {method.info.title}, seed {seed}", progress), measured() as scoring:
        scores = judge()
    result.seeds.append(seed)
    result.values = {name: [value] for name, value in scores.items()}
    result.seconds = {"fit": [fitting.seconds], "evaluate": [scoring.seconds]}
    result.peak_mib = [fitting.peak_mib]


def _embedding(
    task: Task[Any],
    data: Data | GraphSet,
    split: Any,
    method: Method[Any],
    seed: int,
    experiment: Experiment,
    progress: bool,
    fits: Fits[Fit] | None,
) -> Fit:
    """The embedding of the last epoch, or of the one that validation chooses, and its cost."""
    if experiment.epoch_selection == "validation" and isinstance(method, TrainedMethod):
        with measured() as fitting:
            chosen = _best_epoch(task, data, split, method, seed, experiment, progress)
        return chosen, fitting
    visible = task.visible(data, split)

    def fit() -> Fit:
        with measured() as fitting:
            embedding = method.fit(visible, run=Run(progress=progress)).embedding_
        return embedding, fitting

    return fit() if fits is None else fits.get(method, visible, fit)


def _best_epoch(
    task: Task[Any],
    data: Data | GraphSet,
    split: Any,
    method: TrainedMethod[Any],
    seed: int,
    experiment: Experiment,
    progress: bool,
) -> Tensor:
    """The embedding of the epoch whose validation figure is best."""
    best: list[tuple[float, Tensor]] = []

    def look(epoch: int, embed: Callable[[], Tensor]) -> None:
        if epoch % experiment.select_every and epoch != method.epochs:
            return
        embedding = embed()
        score = task.validate(embedding, data, split, seed)
        if not best or score > best[0][0]:
            best[:] = [(score, embedding)]

    method.fit(task.visible(data, split), run=Run(progress=progress, on_epoch=look))
    return best[0][1] if best else method.embedding_


def empty_result(
    task: Task[Any],
    protocol: Protocol,
    data: Data | GraphSet,
    preset: str,
    method: Method[Any],
    experiment: Experiment,
) -> Result:
    """A result without seeds: what is run, on what, and how it is judged."""
    params = {k: v for k, v in method.get_params().items() if k not in ("seed", "device")}
    # A supervised method classifies by itself and chooses its epoch by itself.
    supervised = isinstance(method, SupervisedMethod)
    judged = {} if supervised else asdict(task)
    if experiment.epoch_selection != "fixed" and not supervised:
        judged["epoch_selection"] = experiment.epoch_selection
        judged["select_every"] = experiment.select_every
    return Result(
        task=task.name,
        dataset=_name(data),
        method=method.info.name,
        protocol=protocol.name,
        config={"method": params, "task": judged, **graph_identity(data)},
        environment=environment(),
        preset=preset,
        diagnostic=protocol.diagnostic,
    )


def _name(data: Data | GraphSet) -> str:
    return getattr(data, "name", None) or "graph"
