"""The whole way on the built-in digits: train, judge, draw, report."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch_geometric.data import Data

from graphrank.cli.actions.evaluate import measure
from graphrank.cli.actions.graph import load_graph
from graphrank.cli.console import only_warnings, output
from graphrank.cli.demo import DemoRequest
from graphrank.cli.options import GraphSource
from graphrank.errors import GraphRankError
from graphrank.files import write_text
from graphrank.methods.base import Method
from graphrank.methods.options import parse_settings
from graphrank.methods.registry import CONTROLS, METHODS, make_method
from graphrank.report.compare import Comparison, compare
from graphrank.report.html import Details, Page, Section, configuration, image, render
from graphrank.report.plots import embedding_picture, loss_curve
from graphrank.report.projection import flat_picture
from graphrank.report.tables import Cell, TextTable, for_terminal, score_cell, spread
from graphrank.tasks.runner import Experiment
from graphrank.training.loop import Run

_DATASET = "digits"
_METHODS = ("graphrank", *CONTROLS)
_TASKS = {"node-classification": "accuracy", "clustering": "nmi"}
_LEAD = (
    "GraphRank learnt to embed 1,797 handwritten digits, joined to their nearest neighbours in a "
    "graph, without seeing a label. The labels below only judge what it learnt."
)
_CONTROLS = (
    "Only what beats the controls counts: SVD smoothing and the untrained encoder use the same "
    "graph without any training, raw features do not even use the graph."
)
_NEXT = (
    "graphrank list datasets",
    "graphrank fit edges.csv --features nodes.csv --output model",
    "graphrank embed model edges.csv --features nodes.csv --output embeddings.parquet",
)


@dataclass(frozen=True)
class _Outcome:
    """What the demo found: the graph, one trained model, a comparison for each task."""

    data: Data
    model: Method[Any]
    comparisons: dict[str, Comparison]


def run_demo(request: DemoRequest, *, progress: bool) -> None:
    """Run it all, print the table, write the report and say where it is."""
    if request.output.is_dir():
        raise GraphRankError(f"{request.output} is a folder; name a file for the report")
    settings = parse_settings(request.settings or ())
    make_method("graphrank", settings=settings)
    data = load_graph(GraphSource(graph=_DATASET))
    seeds = tuple(range(request.seeds))
    comparisons = {}
    for task in _TASKS:
        experiment = Experiment(task=task, methods=_METHODS, seeds=seeds, settings=settings)
        results = measure(data, experiment, progress=progress)
        titles = {name: METHODS[name].info.title for name in _METHODS}
        comparisons[task] = compare(results, titles)
    with only_warnings():
        model = make_method("graphrank", settings=settings).fit(data, run=Run(progress=progress))
    outcome = _Outcome(data, model, comparisons)
    write_text(request.output, render(_page(outcome)))
    output().print(for_terminal(_table(comparisons)))
    _say_where(request.output, open_page=request.open_page)


def _say_where(path: Path, *, open_page: bool) -> None:
    address = path.absolute()
    output().print(f"\nReport: {address}", markup=False, soft_wrap=True)
    if open_page:
        webbrowser.open(address.as_uri())


def _table(comparisons: dict[str, Comparison]) -> TextTable:
    """Both tasks in one table, a row for each method."""
    first = next(iter(comparisons.values()))
    rows = []
    for place, label in enumerate(first.labels):
        scores = [
            score_cell(comparison, comparison.results[place], _TASKS[task])
            for task, comparison in comparisons.items()
        ]
        fit_seconds = first.results[place].seconds["fit"]
        rows.append((Cell(label), *scores, Cell(spread(fit_seconds))))
    seeds = len(first.results[0].seeds)
    return TextTable(
        title=f"{_DATASET}: mean ± standard deviation over {seeds} seed{'s' * (seeds != 1)}",
        columns=("method", "accuracy %", "k-means NMI %", "fit seconds"),
        rows=tuple(rows),
        notes=("Accuracy of a linear probe on 80 % of the nodes; 10 % train it, 10 % tune it.",),
    )


def _page(outcome: _Outcome) -> Page:
    first = outcome.comparisons["node-classification"].results[0]
    sections = [
        _picture(outcome),
        Section("Beside the controls", _CONTROLS, table=_table(outcome.comparisons)),
        _training(outcome.model),
        Section(
            "Configuration",
            "Everything needed to measure these figures again.",
            details=(
                Details("Options of GraphRank", configuration(first), opened=True),
                Details("Environment", first.environment),
            ),
        ),
        Section("Next steps", "The same on your own graph:", commands=_NEXT),
    ]
    return Page("GraphRank on handwritten digits", _LEAD, sections, _facts(outcome))


def _facts(outcome: _Outcome) -> dict[str, str]:
    scores = {
        metric: spread(comparison.results[0].values[metric], digits=1)
        for (_, metric), comparison in zip(
            _TASKS.items(), outcome.comparisons.values(), strict=True
        )
    }
    seconds: Sequence[float] = outcome.model.history_.seconds
    return {
        "Accuracy %": scores["accuracy"],
        "k-means NMI %": scores["nmi"],
        "Seconds of training": f"{sum(seconds):.1f}",
        "Labels seen in training": "0",
    }


def _picture(outcome: _Outcome) -> Section:
    picture = flat_picture(outcome.model.embedding_)
    figure = embedding_picture(picture, outcome.data.y.numpy(), outcome.data.get("class_names"))
    caption = (
        f"Each point is one digit, placed by {picture.method} of its embedding and coloured by "
        "what it really is."
    )
    return Section("What it learnt", images=(image(figure, caption),))


def _training(model: Method[Any]) -> Section:
    history = model.history_
    caption = f"Loss of {history.epochs} epochs (thin) and its moving mean, seed {model.seed}."
    return Section("Training", images=(image(loss_curve(history.loss), caption),))
