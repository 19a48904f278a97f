"""Measure methods on a task and show them side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from torch_geometric.data import Data

from graphrank.cli.actions.graph import load_source
from graphrank.cli.console import only_warnings, output, say
from graphrank.cli.evaluate import EvaluateRequest
from graphrank.cli.options import GraphSource
from graphrank.data import GraphSet
from graphrank.errors import ConfigError, unknown_name
from graphrank.files import refuse_existing, write_text
from graphrank.measure import set_imports_aside
from graphrank.methods.options import parse_settings
from graphrank.methods.registry import controls_of, method_class
from graphrank.report.compare import compare
from graphrank.report.tables import for_terminal, metric_title, score_table
from graphrank.results.record import Result
from graphrank.tasks.fits import Fit, Fits
from graphrank.tasks.registry import make_task
from graphrank.tasks.runner import EpochSelection, Experiment, evaluate, make_methods


def evaluate_graph(source: GraphSource, request: EvaluateRequest, *, progress: bool) -> None:
    """Check the request, run it seed by seed, print the table, write the files."""
    experiment = make_experiment(request)
    _check_names(experiment, source.graph)
    if request.json is not None:
        refuse_existing(request.json, overwrite=request.overwrite)
    set_imports_aside()
    data = load_source(source, progress=progress)
    results = measure(data, experiment, results_file=request.results, progress=progress)
    output().print(for_terminal(score_table(compare(results))))
    if request.json is not None:
        write_text(request.json, _json(results))


def make_experiment(request: EvaluateRequest) -> Experiment:
    """The experiment that was asked for."""
    level = make_task(request.task).level
    names = [method_class(name, level).info.name for name in request.method or ("graphrank",)]
    controls = controls_of(level) if request.controls else ()
    return Experiment(
        task=request.task,
        methods=tuple(dict.fromkeys([*names, *controls])),
        protocol=request.protocol,
        seeds=tuple(range(request.first_seed, request.first_seed + request.seeds)),
        preset=request.preset,
        settings=parse_settings(request.settings or ()),
        task_options=request.task_options,
        epoch_selection=_epoch_selection(request.epoch_selection),
    )


def _check_names(experiment: Experiment, graph: str) -> None:
    """Check task, methods and options before data is loaded."""
    make_task(experiment.task, experiment.task_options)
    make_methods(experiment, graph)


def measure(
    data: Data | GraphSet,
    experiment: Experiment,
    *,
    results_file: Path | None = None,
    progress: bool,
    fits: Fits[Fit] | None = None,
) -> list[Result]:
    """Run an experiment, with a line on standard error after each seed.

    With ``fits``, embeddings are shared with other experiments on the same graph.
    """
    with only_warnings():
        return evaluate(
            data,
            experiment,
            results_file=results_file,
            progress=progress,
            on_seed=_say_seed if progress else None,
            fits=fits,
        )


def _epoch_selection(name: str) -> EpochSelection:
    for choice in get_args(EpochSelection):
        if name == choice:
            return choice  # type: ignore[no-any-return]
    raise ConfigError(unknown_name("epoch selection", name, get_args(EpochSelection)))


def _say_seed(result: Result) -> None:
    """One line for one finished seed."""
    scores = ", ".join(f"{metric_title(k)} {v[0]:.2f}" for k, v in result.values.items())
    seconds = sum(phase[0] for phase in result.seconds.values())
    say(f"{result.method}, seed {result.seeds[0]}: {scores} ({seconds:.1f} s)")


def _json(results: Sequence[Result]) -> str:
    """One object, or a list of them when several methods were measured."""
    reports = [result.to_report() for result in results]
    return json.dumps(reports[0] if len(reports) == 1 else reports, indent=1) + "\n"
